# Reading JSON: the order of members counts, and whole numbers are Int64.

struct Object
    names::Vector{String}
    values::Dict{String,Any}
end
Object() = Object(String[], Dict{String,Any}())
function Object(pairs::Pair...)
    o = Object()
    foreach(p -> o[first(p)] = last(p), pairs)
    return o
end
Base.haskey(o::Object, name) = haskey(o.values, name)
Base.getindex(o::Object, name) = o.values[name]
Base.get(o::Object, name, otherwise) = get(o.values, name, otherwise)
Base.setindex!(o::Object, x, name) = (haskey(o, name) || push!(o.names, name); o.values[name] = x)
Base.delete!(o::Object, name) = (filter!(!=(name), o.names); delete!(o.values, name); o)
Base.pairs(o::Object) = [name => o.values[name] for name in o.names]

mutable struct Reader
    text::Vector{UInt8}
    at::Int
end

parse_json(text::AbstractString) = parse_json(Vector{UInt8}(codeunits(text)))
parse_json(bytes::Vector{UInt8}) = next!(Reader(bytes, 1))

ahead(r::Reader) = Char(r.text[r.at])
function skip!(r::Reader)
    while r.at <= length(r.text) && r.text[r.at] in (0x20, 0x0a, 0x0d, 0x09)
        r.at += 1
    end
    return ahead(r)
end
function expect!(r::Reader, word)
    String(r.text[r.at:r.at+length(word)-1]) == word || error("JSON: $word expected at byte $(r.at)")
    r.at += length(word)
end

function next!(r::Reader)
    c = skip!(r)
    c == '{' && return object!(r)
    c == '[' && return array!(r)
    c == '"' && return string!(r)
    for (word, x) in ("true" => true, "false" => false, "null" => nothing, "NaN" => NaN, "Infinity" => Inf,
                      "-Infinity" => -Inf)
        if c == word[1] && r.at + length(word) - 1 <= length(r.text) &&
           view(r.text, r.at:r.at+length(word)-1) == codeunits(word)
            r.at += length(word)
            return x
        end
    end
    return number!(r)
end

function object!(r::Reader)
    o = Object()
    r.at += 1
    skip!(r) == '}' && (r.at += 1; return o)
    while true
        skip!(r)
        name = string!(r)
        skip!(r)
        expect!(r, ":")
        o[name] = next!(r)
        c = skip!(r)
        r.at += 1
        c == '}' && return o
    end
end

function array!(r::Reader)
    out = Any[]
    r.at += 1
    skip!(r) == ']' && (r.at += 1; return out)
    while true
        push!(out, next!(r))
        c = skip!(r)
        r.at += 1
        c == ']' && return out
    end
end

const ESCAPES = Dict('n' => '\n', 't' => '\t', 'r' => '\r', 'b' => '\b', 'f' => '\f',
                     '"' => '"', '\\' => '\\', '/' => '/')
function string!(r::Reader)
    out = IOBuffer()
    r.at += 1
    while r.text[r.at] != UInt8('"')
        if r.text[r.at] != UInt8('\\')
            write(out, r.text[r.at])
            r.at += 1
            continue
        end
        c = Char(r.text[r.at+1])
        r.at += 2
        if c == 'u'
            code = hex!(r)
            if 0xd800 <= code < 0xdc00
                expect!(r, "\\u")
                code = 0x10000 + ((code - 0xd800) << 10) + (hex!(r) - 0xdc00)
            end
            print(out, Char(code))
        else
            print(out, ESCAPES[c])
        end
    end
    r.at += 1
    return String(take!(out))
end
hex!(r::Reader) = (r.at += 4; parse(UInt32, String(r.text[r.at-4:r.at-1]); base = 16))

function number!(r::Reader)
    from = r.at
    while r.at <= length(r.text) && Char(r.text[r.at]) in "+-0123456789.eE"
        r.at += 1
    end
    text = String(r.text[from:r.at-1])
    whole = tryparse(Int64, text)
    return whole === nothing ? parse(Float64, text) : whole
end
