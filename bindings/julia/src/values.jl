# Values: what operators, fills and functions take and give.

"""
    default

As an argument of an operator: the default of its schema.
"""
struct DefaultArgument end
const default = DefaultArgument()

# Values in a row, with what they borrow.
struct Values
    values::Vector{Raw.td_value}
    kept::Vector{Any}
end
Base.cconvert(::Type{Ptr{Raw.td_value}}, v::Values) = v
Base.unsafe_convert(::Type{Ptr{Raw.td_value}}, v::Values) = pointer(v.values)
Base.unsafe_convert(::Type{Ptr{Raw.td_value}}, ::Nothing) = Ptr{Raw.td_value}(C_NULL)

values_of(args) = (roots = Any[]; Values(Raw.td_value[native(a, roots) for a in args], roots))
value(x) = values_of((x,))

bits(x::Int64) = reinterpret(UInt64, x)
bits(x::UInt64) = x
bits(x::Float64) = reinterpret(UInt64, x)
bits(p::Ptr) = UInt64(UInt(p))
made(kind, a, b = UInt64(0); size = 0) = Raw.td_value(kind, 0, size, (a, b))

# Objects have methods of `native`; all else has one of `plain`, since a tensor is a vector too.
native(x, roots) = plain(x, roots)

plain(::Nothing, roots) = made(Raw.TD_VALUE_NONE, UInt64(0))
plain(::DefaultArgument, roots) = made(Raw.TD_VALUE_DEFAULT, UInt64(0))
plain(x::Bool, roots) = made(Raw.TD_VALUE_BOOL, UInt64(x))
plain(x::Integer, roots) = made(Raw.TD_VALUE_INT, bits(Int64(x)))
plain(x::Unsigned, roots) = made(Raw.TD_VALUE_UINT, UInt64(x))
plain(x::Union{UInt8,UInt16,UInt32}, roots) = made(Raw.TD_VALUE_INT, bits(Int64(x)))
plain(x::Real, roots) = made(Raw.TD_VALUE_DOUBLE, bits(Float64(x)))
plain(x::Complex, roots) = made(Raw.TD_VALUE_COMPLEX, bits(Float64(real(x))), bits(Float64(imag(x))))
plain(x::DataType, roots) = made(Raw.TD_VALUE_DTYPE, UInt64(dtype(x)))
function plain(x::AbstractString, roots)
    s = String(x)
    push!(roots, s)
    return made(Raw.TD_VALUE_STR, bits(pointer(s)), UInt64(sizeof(s)))
end

function native_array(kind, array, roots, T)
    converted = Base.cconvert(Ptr{T}, array)
    push!(roots, converted)
    return made(kind, bits(Base.unsafe_convert(Ptr{T}, converted)); size = length(array))
end
ints(x) = Int64[i for i in x]
plain(x::AbstractVector{Bool}, roots) = native_array(Raw.TD_VALUE_BOOLS, UInt8[b for b in x], roots, UInt8)
plain(x::AbstractVector{<:Integer}, roots) = native_array(Raw.TD_VALUE_INTS, ints(x), roots, Int64)
plain(x::AbstractVector{<:Real}, roots) = native_array(Raw.TD_VALUE_DOUBLES, Float64[f for f in x], roots, Float64)
plain(x::Tuple{Vararg{Integer}}, roots) = native_array(Raw.TD_VALUE_INTS, ints(x), roots, Int64)
plain(x::AbstractVector{<:AbstractString}, roots) =
    made(Raw.TD_VALUE_STRS, member_bits(Ptr{Raw.td_str}, x, roots); size = length(x))
plain(x::AbstractVector{<:Union{Nothing,Tensor}}, roots) =
    made(Raw.TD_VALUE_TENSORS, member_bits(Ptr{Ptr{Raw.td_tensor}}, x, roots); size = length(x))
member_bits(::Type{T}, x, roots) where {T} = bits(member(T, x, roots))

# Objects: kept alive by `roots`.
reference(kind, x, roots) = (push!(roots, x); made(kind, bits(live_pointer(x))))
native(x::Tensor, roots) = reference(Raw.TD_VALUE_TENSOR, x, roots)
plain(x::AbstractArray, roots) = native(Tensor(x), roots)
plain(x, roots) = throw(TensorDictArgumentError("a $(typeof(x)) cannot be an argument"))

struct NamedValues
    values::Vector{Raw.td_named_value}
    kept::Vector{Any}
end
Base.cconvert(::Type{Ptr{Raw.td_named_value}}, v::NamedValues) = v
Base.unsafe_convert(::Type{Ptr{Raw.td_named_value}}, v::NamedValues) = pointer(v.values)

function named_values(kwargs)
    roots = Any[]
    values = Raw.td_named_value[]
    for (name, x) in kwargs
        s = String(name)
        push!(roots, s)
        push!(values, Raw.td_named_value(strof(s), native(x, roots)))
    end
    return NamedValues(values, roots)
end

asfloat(x::UInt64) = reinterpret(Float64, x)

# What a result is in Julia; the object of it is taken over.
function take_value(v::Raw.td_value)
    a, b = v.as
    kind = v.kind
    kind == Raw.TD_VALUE_TENSOR && return take(Union{Nothing,Tensor}, Ptr{Raw.td_tensor}(UInt(a)))
    kind == Raw.TD_VALUE_INT && return reinterpret(Int64, a)
    kind == Raw.TD_VALUE_UINT && return a
    kind == Raw.TD_VALUE_DOUBLE && return asfloat(a)
    kind == Raw.TD_VALUE_BOOL && return a != 0
    kind == Raw.TD_VALUE_COMPLEX && return complex(asfloat(a), asfloat(b))
    kind == Raw.TD_VALUE_DTYPE && return elementtype(Int32(a))
    kind == Raw.TD_VALUE_DICT && return take(TensorDict, Ptr{Raw.td_dict}(UInt(a)))
    kind == Raw.TD_VALUE_TENSOR_LIST && return take(TensorList, Ptr{Raw.td_tensor_list}(UInt(a)))
    kind == Raw.TD_VALUE_DATA && return take(DataList, Ptr{Raw.td_data_list}(UInt(a)))
    return nothing
end
