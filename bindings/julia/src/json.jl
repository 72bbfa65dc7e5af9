# Writing JSON, for configs; `TensorDict(JSON(text))` reads it.

"""
    JSON(text)

Data that is a list or an object, as JSON; [`TensorDict`](@ref)`(json)` reads an object.
"""
struct JSON
    text::String
end
Base.print(io::IO, x::JSON) = print(io, x.text)

json(x) = sprint(json, x)
json(io::IO, ::Nothing) = print(io, "null")
json(io::IO, x::Bool) = print(io, x)
json(io::IO, x::Integer) = print(io, x)
json(io::IO, x::Real) =
    isfinite(x) ? print(io, Float64(x)) : print(io, isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity")
json(io::IO, x::Symbol) = json(io, String(x))
json(io::IO, x::JSON) = print(io, x.text)
json(io::IO, x) = throw(TensorDictArgumentError("a $(typeof(x)) cannot be written as JSON"))

function json(io::IO, s::AbstractString)
    print(io, '"')
    for c in s
        if c == '"' || c == '\\'
            print(io, '\\', c)
        elseif c < ' '
            print(io, "\\u", string(UInt32(c); base = 16, pad = 4))
        else
            print(io, c)
        end
    end
    print(io, '"')
end

function json(io::IO, xs::Union{AbstractVector,Tuple})
    print(io, '[')
    for (i, x) in enumerate(xs)
        i > 1 && print(io, ',')
        json(io, x)
    end
    print(io, ']')
end

function json(io::IO, xs::Union{AbstractDict,NamedTuple})
    print(io, '{')
    for (i, (key, x)) in enumerate(pairs(xs))
        i > 1 && print(io, ',')
        json(io, String(key))
        print(io, ':')
        json(io, x)
    end
    print(io, '}')
end

# A config from keywords, or as it is.
config_text(config::Nothing, members) = isempty(members) ? nothing : json(Dict(members))
config_text(config::JSON, members) = config.text
config_text(config::AbstractString, members) = String(config)
config_text(config, members) = json(config)
