# A program: its steps, and registers that are dicts, tensors, or objects for plain values.

struct BadProgram <: Exception
    text::String
end

mutable struct Program
    step::Object
    registers::Dict{String,Any}
    order::Vector{String}
    scopes::Dict{String,Any}
end
Program() = Program(Object(), Dict{String,Any}(), String[], Dict{String,Any}())

at(p::Program, name) = haskey(p.step, name) ? p.step[name] : throw(BadProgram("the step has no $name"))
has(p::Program, name) = haskey(p.step, name)
given(p::Program, name) = get(p.step, name, nothing) !== nothing
flag(p::Program, name, otherwise = false) = get(p.step, name, otherwise)::Bool

# A dim of a program counts from 0, one of this package from 1; negative ones are the same.
dim(d) = d >= 0 ? d + 1 : d
dimat(p::Program, name, otherwise = 0) = dim(get(p.step, name, otherwise))
dimsat(p::Program, name) = Tuple(dim(d) for d in aslist(at(p, name)))

aslist(x::AbstractVector) = x
aslist(x) = Any[x]
ints(p::Program, name) = Int64[i for i in aslist(at(p, name))]
type(p::Program, name) = given(p, name) ? T.dtype_from_name(at(p, name)) : nothing

asreal(x::Real) = Float64(x)
asreal(x::AbstractString) = Dict("nan" => NaN, "inf" => Inf, "-inf" => -Inf)[x]
number(x::Real) = x
number(x::AbstractString) = asreal(x)

function register(p::Program, name)
    haskey(p.registers, name) || throw(BadProgram("no such register: $name"))
    return p.registers[name]
end
dict(p::Program, name = "td") = dictof(p, at(p, name))
dictof(p::Program, name) = register(p, name)::TensorDict
dicts(p::Program, name) = TensorDict[dictof(p, one) for one in at(p, name)]
tensor(p::Program, name = "value") = tensorof(p, at(p, name))
tensorof(p::Program, spec::Object) = literal(spec)
tensorof(p::Program, spec) = register(p, spec)::Tensor

keyof(spec::AbstractString) = (spec,)
keyof(spec) = Tuple(String(part) for part in spec)
key(p::Program, name = "key") = keyof(at(p, name))
keysat(p::Program, name = "keys") = Any[keyof(one) for one in at(p, name)]

index(p::Program) = Any[indexpart(p, part) for part in at(p, "index")]
indexpart(p, part::Integer) = At(part)
indexpart(p, ::Nothing) = newdim
function indexpart(p, part::AbstractVector)
    get(i, otherwise) = i <= length(part) && part[i] !== nothing ? part[i] : otherwise
    return Slice(get(1, nothing), get(2, nothing), get(3, 1))
end
function indexpart(p, part)
    part == "..." && return ellipsis
    t = tensorof(p, part)
    return eltype(t) == Bool ? t : At(t)
end

# What stands for a value: a register, a number, a tensor or a list of integers.
function value(p::Program, spec::AbstractString)
    haskey(p.registers, spec) && return register(p, spec)
    n = tryparse(Float64, spec)
    return n === nothing ? asreal(spec) : n
end
value(p::Program, spec::Object) = tensorof(p, spec)
value(p::Program, spec::AbstractVector) = Int64[i for i in spec]
value(p::Program, spec) = spec

written(x::Object) = "{" * join(("$(T.json(name)):$(written(v))" for (name, v) in pairs(x)), ",") * "}"
written(x::AbstractVector) = "[" * join(map(written, x), ",") * "]"
written(x) = T.json(x)
datum(x::Union{Object,AbstractVector}) = JSON(written(x))
datum(x) = NonTensor(x)
isdata(spec) = spec isa Object && (haskey(spec, "one") || haskey(spec, "stack"))

arguments(p::Program, name) = has(p, name) ? Any[value(p, one) for one in at(p, name)] : Any[]
function keywords(p::Program, name)
    has(p, name) || return Pair{Symbol,Any}[]
    return Pair{Symbol,Any}[Symbol(key) => keyword(p, key, x) for (key, x) in pairs(at(p, name))]
end
function keyword(p, key, x)
    key == "dtype" && return T.dtype_from_name(x)
    return x isa AbstractVector ? Float64[asreal(one) for one in x] : value(p, x)
end

put(p::Program, x) = put_at(p, "", x)
function put_at(p::Program, suffix, x)
    if x isa Union{AbstractVector{<:TensorDict},Vector{Tensor},Tuple}
        foreach(i -> put_at(p, "$suffix.$(i - 1)", x[i]), 1:length(x))
        return
    end
    to = get(p.step, "to", nothing)
    to === nothing && return
    name = to * suffix
    haskey(p.registers, name) || push!(p.order, name)
    p.registers[name] = x
    return
end
put_value(p::Program, x) = put(p, Object("value" => x))
function release(p::Program, name)
    x = register(p, name)
    delete!(p.registers, name)
    # A scope may show a dict itself, under a second name.
    x isa Object || any(y -> y === x, values(p.registers)) || close(x)
    filter!(!=(name), p.order)
end

# As torch.tensor(numbers).to(dtype): whole numbers through int64, others through float64.
function literal(spec::Object)
    shape = Tuple(Int.(spec["shape"]))
    kind = T.dtype_from_name(get(spec, "dtype", "float32"))
    n = prod(shape)
    values = if haskey(spec, "data")
        spec["data"]
    elseif haskey(spec, "full")
        fill(spec["full"], n)
    else
        [kind == Bool ? mod(spec["arange"] + i, 2) : spec["arange"] + i for i in 0:n-1]
    end
    whole = all(v -> v isa Union{Int64,Bool}, values)
    numbers = whole ? Int64[v for v in values] : Float64[asreal(v) for v in values]
    return T.contiguous(to(Tensor(reversedims(reshape(numbers, reverse(shape)))), kind))
end
