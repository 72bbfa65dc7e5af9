# Element types: each dtype has a Julia type.

"""
    BFloat16

The upper half of a `Float32`, which is what it is converted through.
"""
primitive type BFloat16 <: AbstractFloat 16 end

Base.Float32(x::BFloat16) = reinterpret(Float32, UInt32(reinterpret(UInt16, x)) << 16)
Base.Float64(x::BFloat16) = Float64(Float32(x))
function BFloat16(x::Float32)
    bits = reinterpret(UInt32, x)
    isnan(x) && return reinterpret(BFloat16, UInt16((bits >> 16) | 0x0040))
    return reinterpret(BFloat16, UInt16((bits + 0x7fff + ((bits >> 16) & 1)) >> 16))  # to the nearest, ties to even
end
BFloat16(x::Real) = BFloat16(Float32(x))
BFloat16(x::Rational) = BFloat16(Float32(x))
BFloat16(x::BFloat16) = x
Base.promote_rule(::Type{BFloat16}, ::Type{T}) where {T<:Union{Float32,Float64}} = T
Base.promote_rule(::Type{BFloat16}, ::Type{<:Integer}) = BFloat16
Base.show(io::IO, x::BFloat16) = print(io, "BFloat16(", Float32(x), ")")
for op in (:+, :-, :*, :/)
    @eval Base.$op(x::BFloat16, y::BFloat16) = BFloat16($op(Float32(x), Float32(y)))
end
for op in (:<, :<=, :(==))
    @eval Base.$op(x::BFloat16, y::BFloat16) = $op(Float32(x), Float32(y))
end
Base.:-(x::BFloat16) = BFloat16(-Float32(x))

const DTYPES = Pair{DataType,Int32}[
    Bool => Raw.TD_DTYPE_BOOL, UInt8 => Raw.TD_DTYPE_UINT8, Int8 => Raw.TD_DTYPE_INT8,
    Int16 => Raw.TD_DTYPE_INT16, Int32 => Raw.TD_DTYPE_INT32, Int64 => Raw.TD_DTYPE_INT64,
    UInt16 => Raw.TD_DTYPE_UINT16, UInt32 => Raw.TD_DTYPE_UINT32, UInt64 => Raw.TD_DTYPE_UINT64,
    Float16 => Raw.TD_DTYPE_FLOAT16, BFloat16 => Raw.TD_DTYPE_BFLOAT16, Float32 => Raw.TD_DTYPE_FLOAT32,
    Float64 => Raw.TD_DTYPE_FLOAT64, Complex{Float16} => Raw.TD_DTYPE_COMPLEX32,
    Complex{Float32} => Raw.TD_DTYPE_COMPLEX64, Complex{Float64} => Raw.TD_DTYPE_COMPLEX128,
]

for (T, number) in DTYPES
    @eval dtype(::Type{$T}) = $number
end
dtype(::Nothing) = Raw.TD_DTYPE_NONE
dtype(::Type{T}) where {T} = throw(TensorDictDtypeError("tensors do not have elements of type $T"))

const ELEMENTS = Tuple(first(DTYPES[findfirst(d -> last(d) == n, DTYPES)]) for n in 1:16)

# `Nothing` stands for types that only LibTorch has.
elementtype(number) = 1 <= number <= 16 ? ELEMENTS[number] : Nothing

"""
    dtype_name(T) -> String

Returns the name of an element type in Python: `dtype_name(Float32)` is `"float32"`.
"""
dtype_name(::Type{T}) where {T} = text(Raw.td_dtype_name(dtype(T)))

"""
    dtype_from_name(name) -> Type

Returns the element type with this name in Python, with or without `torch.` before it.
"""
dtype_from_name(name::AbstractString) = elementtype(give(Int32, Raw.td_dtype_from_name, name))
