# Non-tensor data: text, numbers, bytes and JSON under a key.

"""
    Pickle

What Python wrote and only Python can read. `index` is -1, or that of the value in the pickled list.
"""
struct Pickle
    bytes::Vector{UInt8}
    index::Int
end
Base.:(==)(a::Pickle, b::Pickle) = a.bytes == b.bytes && a.index == b.index

"""
    NonTensor(value)

Marks a value as non-tensor data where it would be a tensor: a number, or bytes (a `Vector{UInt8}`).
"""
struct NonTensor{T}
    value::T
end

"""
    NonTensorStack(values)

One value of non-tensor data for each batch element; an array whose size is the batch size.
"""
struct NonTensorStack{N} <: AbstractArray{Any,N}
    values::Array{Any,N}
end
NonTensorStack(values::AbstractArray{T,N}) where {T,N} = NonTensorStack{N}(convert(Array{Any,N}, Array(values)))
Base.size(s::NonTensorStack) = size(s.values)
Base.IndexStyle(::Type{<:NonTensorStack}) = IndexLinear()
Base.getindex(s::NonTensorStack, i::Int) = s.values[i]

"What may be non-tensor data without a mark."
const Datum = Union{Nothing,AbstractString,JSON,Pickle,NonTensor,NonTensorStack}

function datum(kind, roots; i = 0, f = 0.0, bytes = nothing)
    bytes === nothing && return Raw.td_data(kind = kind, i = i, f = f)
    push!(roots, bytes)
    return Raw.td_data(kind = kind, i = i, f = f, text = Raw.td_str(pointer(bytes), sizeof(bytes)))
end

native_data(x::NonTensor, roots) = native_data(x.value, roots)
native_data(::Nothing, roots) = datum(Raw.TD_DATA_NONE, roots)
native_data(x::Bool, roots) = datum(Raw.TD_DATA_BOOL, roots; i = Int(x))
native_data(x::Integer, roots) =
    typemin(Int64) <= x <= typemax(Int64) ? datum(Raw.TD_DATA_INT, roots; i = Int64(x)) :
    native_data(JSON(string(x)), roots)
native_data(x::Real, roots) = datum(Raw.TD_DATA_DOUBLE, roots; f = Float64(x))
native_data(x::AbstractString, roots) = datum(Raw.TD_DATA_STR, roots; bytes = String(x))
native_data(x::JSON, roots) = datum(Raw.TD_DATA_JSON, roots; bytes = x.text)
native_data(x::Vector{UInt8}, roots) = datum(Raw.TD_DATA_BYTES, roots; bytes = x)
native_data(x::Pickle, roots) = datum(Raw.TD_DATA_PICKLE, roots; i = x.index, bytes = x.bytes)
native_data(x::Union{AbstractVector,Tuple,AbstractDict,NamedTuple}, roots) = native_data(JSON(json(x)), roots)
native_data(x, roots) = throw(TensorDictArgumentError("a $(typeof(x)) cannot be non-tensor data"))

struct NativeData
    data::Vector{Raw.td_data}
    kept::Vector{Any}
end
Base.cconvert(::Type{Ptr{Raw.td_data}}, x::NativeData) = x
Base.unsafe_convert(::Type{Ptr{Raw.td_data}}, x::NativeData) = pointer(x.data)
NativeData(value) = (roots = Any[]; NativeData([native_data(value, roots)], roots))

# In row-major order, as the library has them.
function NativeData(s::NonTensorStack)
    roots = Any[]
    data = Raw.td_data[native_data(v, roots) for v in reversedims(s.values)]
    return NativeData(vec(data), roots)
end

function value_of(d::Raw.td_data)
    d.kind == Raw.TD_DATA_BOOL && return d.i != 0
    d.kind == Raw.TD_DATA_INT && return d.i
    d.kind == Raw.TD_DATA_DOUBLE && return d.f
    d.kind == Raw.TD_DATA_STR && return text(d.text)
    d.kind == Raw.TD_DATA_JSON && return JSON(text(d.text))
    bytes() = Vector{UInt8}(codeunits(text(d.text)))
    d.kind == Raw.TD_DATA_BYTES && return bytes()
    d.kind == Raw.TD_DATA_PICKLE && return Pickle(bytes(), d.i)
    return nothing
end

struct DataList end
rawtype(::Type{DataList}) = Raw.td_data_list

# A single value becomes the value itself.
function read_data(p::Ptr{Raw.td_data_list})
    n = Int(Raw.td_data_list_size(p))
    values = Any[value_of(give(Raw.td_data, Raw.td_data_list_get, p, i)) for i in 0:n-1]
    Raw.td_data_list_is_stack(p) == 0 && return values[1]
    dims = Tuple(Int.(sizes(Raw.td_data_list_shape, p)))
    return NonTensorStack(Array{Any}(permutedims_of(reshape(values, reverse(dims)))))
end
permutedims_of(A::AbstractArray{T,N}) where {T,N} = N < 2 ? A : permutedims(A, N:-1:1)

empty_output(::Type{Raw.td_data}) = Raw.td_data()
take(::Type{Raw.td_data}, x::Raw.td_data) = x
function take(::Type{DataList}, p::Ptr{Raw.td_data_list})
    found = read_data(p)
    Raw.td_data_list_release(p)
    return found
end

# A list of the library, which the caller releases.
function new_data_list(x)
    stack = x isa NonTensorStack
    dims = stack ? int64s(size(x)) : Ptr{Int64}(C_NULL)
    out, err = Ref(Ptr{Raw.td_data_list}(C_NULL)), newerror()
    status = Raw.td_data_list_new(NativeData(x), dims, stack ? ndims(x) : 0, out, err)
    status == Raw.TD_OK || fail(status, err)
    return out[]
end

function native(x::Union{JSON,Pickle,NonTensor,NonTensorStack}, roots)
    list = new_data_list(x)
    push!(roots, own_data_list(list))
    return made(Raw.TD_VALUE_DATA, bits(list))
end

@handle HeldData td_data_list TD_OBJECT_DATA_LIST
own_data_list(p) = HeldData(p)
