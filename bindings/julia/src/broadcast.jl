# Broadcasting: functions that ATen has run there, whole; all others run in Julia, element by element.

# A function of Julia, and the operator of ATen that does the same to each element.
const ATEN = IdDict{Any,String}(
    (+) => "add", (-) => "sub", (*) => "mul", (/) => "div", (^) => "pow", (==) => "eq", (!=) => "ne", (<) => "lt",
    (<=) => "le", (>) => "gt", (>=) => "ge", (&) => "bitwise_and", (|) => "bitwise_or", xor => "bitwise_xor",
    (!) => "logical_not", max => "maximum", min => "minimum", rem => "fmod", mod => "remainder", atan => "atan2",
    abs => "abs", sqrt => "sqrt", exp => "exp", expm1 => "expm1", log => "log", log2 => "log2", log10 => "log10",
    log1p => "log1p", sin => "sin", cos => "cos", tan => "tan", asin => "asin", acos => "acos", sinh => "sinh",
    cosh => "cosh", tanh => "tanh", asinh => "asinh", acosh => "acosh", atanh => "atanh", floor => "floor",
    ceil => "ceil", trunc => "trunc", round => "round", sign => "sign", isnan => "isnan", isinf => "isinf",
    isfinite => "isfinite", conj => "conj", inv => "reciprocal", ifelse => "where", clamp => "clamp",
)
const UNARY = IdDict{Any,String}((-) => "neg", (+) => "positive", atan => "atan", log => "log")

# The operator for a call with these many arguments, or `nothing`.
function aten(f, n)
    n == 1 && haskey(UNARY, f) && return UNARY[f]
    return get(ATEN, f, nothing)
end

# ---- Tensors

struct TensorStyle <: Base.Broadcast.BroadcastStyle end
Base.Broadcast.BroadcastStyle(::Type{<:Tensor}) = TensorStyle()
Base.Broadcast.BroadcastStyle(s::TensorStyle, ::Base.Broadcast.AbstractArrayStyle) = s
Base.Broadcast.BroadcastStyle(s::TensorStyle, ::Base.Broadcast.DefaultArrayStyle) = s

const TensorBroadcast = Base.Broadcast.Broadcasted{TensorStyle}
Base.Broadcast.instantiate(bc::TensorBroadcast) = bc  # shapes are checked by ATen, or below

# ATen aligns the last dims, Julia the first: what has fewer dims gets dims of size 1 behind its own.
widened(x, n) = x
function widened(t::Tensor, n)
    ndims(t) == 0 || ndims(t) == n ? t : op("view", t, Int64[size(t)..., ones(Int, n - ndims(t))...])
end
widest(args) = maximum(Int[a isa Tensor ? ndims(a) : 0 for a in args])

evaluated(x) = x
evaluated(x::Base.RefValue) = x[]
evaluated(x::AbstractArray) = Tensor(x)
evaluated(t::Tensor) = t
evaluated(bc::Base.Broadcast.Broadcasted) = apply(bc.f, Any[evaluated(a) for a in bc.args])

function apply(f, args)
    f === Base.literal_pow && return apply(^, Any[args[2], exponent(args[3])])
    f === identity && return args[1]
    name = aten(f, length(args))
    if name !== nothing && all(a -> a isa Union{Tensor,Number}, args) && any(a -> a isa Tensor, args)
        n = widest(args)
        return in_aten(name, Any[widened(a, n) for a in args])
    end
    return elementwise(f, args)
end
exponent(::Val{n}) where {n} = n
exponent(n) = n

# `maximum` and its kin have no form for numbers; ATen takes the first operand as a tensor.
const TENSORS_ONLY = ("maximum", "minimum", "atan2", "bitwise_and", "bitwise_or", "bitwise_xor", "sub", "div", "lt",
                      "le", "gt", "ge", "eq", "ne", "fmod", "remainder")
function in_aten(name, args)
    like = args[findfirst(a -> a isa Tensor, args)]
    name in TENSORS_ONLY && args[1] isa Number && (args[1] = scalar_like(args[1], like))
    name in ("maximum", "minimum", "atan2") && (args = Any[a isa Number ? scalar_like(a, like) : a for a in args])
    return op(name, args...)
end
scalar_like(x, t::Tensor{T}) where {T} = Tensor{result_type(typeof(x), T)}(x)
result_type(::Type{S}, ::Type{T}) where {S<:AbstractFloat,T<:AbstractFloat} = T
result_type(::Type{S}, ::Type{T}) where {S<:Integer,T} = T
result_type(::Type{S}, ::Type{T}) where {S<:AbstractFloat,T} = Float32
result_type(::Type{S}, ::Type{T}) where {S,T} = promote_type(S, T)

asjulia(t::Tensor) = Array(t)
asjulia(x) = x
function elementwise(f, args)
    result = broadcast(f, map(asjulia, args)...)
    return result isa AbstractArray && hasdtype(eltype(result)) ? Tensor(result) : result
end

Base.copy(bc::TensorBroadcast) = evaluated(bc)
Base.Broadcast.materialize(bc::TensorBroadcast) = evaluated(bc)
function Base.Broadcast.materialize!(t::Tensor, bc::Base.Broadcast.Broadcasted)
    result = evaluated(bc)
    result isa Number ? Base.fill!(t, result) : call(Raw.td_tensor_copy_, t, widened(Tensor(result), ndims(t)))
    return t
end
Base.Broadcast.materialize!(t::Tensor, x::Number) = Base.fill!(t, x)
Base.copyto!(A::AbstractArray, bc::TensorBroadcast) = copyto!(A, asjulia(evaluated(bc)))

# ---- Dicts

struct DictStyle <: Base.Broadcast.BroadcastStyle end
Base.Broadcast.broadcastable(td::TensorDict) = td
Base.Broadcast.BroadcastStyle(::Type{TensorDict}) = DictStyle()
Base.Broadcast.BroadcastStyle(s::DictStyle, ::Base.Broadcast.BroadcastStyle) = s
Base.Broadcast.BroadcastStyle(s::DictStyle, ::TensorStyle) = s
Base.Broadcast.BroadcastStyle(s::DictStyle, ::Base.Broadcast.Unknown) = s

const DictBroadcast = Base.Broadcast.Broadcasted{DictStyle}
Base.Broadcast.instantiate(bc::DictBroadcast) = bc
Base.copy(bc::DictBroadcast) = over_dicts(bc)
Base.Broadcast.materialize(bc::DictBroadcast) = over_dicts(bc)

over_dicts(x) = evaluated(x)
over_dicts(td::TensorDict) = td
over_dicts(bc::Base.Broadcast.Broadcasted) = apply_to_dicts(bc.f, Any[over_dicts(a) for a in bc.args])

function apply_to_dicts(f, args)
    any(a -> a isa TensorDict, args) || return apply(f, args)
    f === Base.literal_pow && return apply_to_dicts(^, Any[args[2], exponent(args[3])])
    f === identity && return args[1]
    name = aten(f, length(args))
    if name !== nothing && all(a -> a isa Union{TensorDict,Tensor,Number}, args)
        name in TENSORS_ONLY && args[1] isa Number && (args[1] = Tensor(args[1]))
        return pointwise(name, args...)
    end
    dicts = [a for a in args if a isa TensorDict]
    return map_entries(dicts...) do key, tensors
        leaf = Iterators.Stateful(tensors)
        broadcast(f, (a isa TensorDict ? popfirst!(leaf) : a for a in args)...)
    end
end

"""
    td .= value

Writes a dict's values, or a number, into the tensors of `td`.
"""
function Base.Broadcast.materialize!(td::TensorDict, bc::Base.Broadcast.Broadcasted)
    result = over_dicts(bc)
    return result isa TensorDict ? update_values!(td, result) : Base.fill!(td, result)
end
Base.Broadcast.materialize!(td::TensorDict, x::Number) = Base.fill!(td, x)
Base.Broadcast.materialize!(td::TensorDict, src::TensorDict) = update_values!(td, src)

# ---- Arithmetic without a dot

for T in (Tensor, TensorDict)
    @eval begin
        Base.:+(a::$T, b::$T) = a .+ b
        Base.:-(a::$T, b::$T) = a .- b
        Base.:-(a::$T) = 0 .- a
        Base.:*(a::$T, x::Number) = a .* x
        Base.:*(x::Number, a::$T) = a .* x
        Base.:/(a::$T, x::Number) = a ./ x
    end
end
Base.:*(a::Tensor{S,2}, b::Tensor{T,2}) where {S,T} = op("matmul", a, b)
Base.:*(a::Tensor{S,2}, b::Tensor{T,1}) where {S,T} = op("matmul", a, b)

# ---- Reductions keep their dims, as those of Julia do

Base.sum(t::Tensor; dims = nothing) = dims === nothing ? item(op("sum", t)) : op("sum", t, dimsof(dims), true)
Base.prod(t::Tensor; dims = nothing) = dims === nothing ? item(op("prod", t)) : op("prod", t, dim(dims), true)
Base.maximum(t::Tensor; dims = nothing) =
    dims === nothing ? item(op("amax", t, Int64[])) : op("amax", t, dimsof(dims), true)
Base.minimum(t::Tensor; dims = nothing) =
    dims === nothing ? item(op("amin", t, Int64[])) : op("amin", t, dimsof(dims), true)
