# What selects rows: integers and ranges from 1, `:`, arrays of integers and bools, and what the library has beside
# them.

"""
    At(i)

A position as the library and Python count it: from 0, negative ones from the end. `i` may be an integer, a vector or a
tensor of integers, for instance indices that the library returned.
"""
struct At{T}
    at::T
end

"""
    Slice(start, stop, step = 1)

A slice as Python has it: `start:stop:step`, from 0, without `stop`, clamped; `nothing` is an open end.
"""
struct Slice
    start::Union{Nothing,Int}
    stop::Union{Nothing,Int}
    step::Int
end
Slice(start, stop) = Slice(start, stop, 1)

struct Ellipsis end
"Full slices of all dims that are not named: `td[ellipsis, 1]`."
const ellipsis = Ellipsis()
struct NewDim end
"A new dim of size 1: `td[newdim, :]`."
const newdim = NewDim()

const IndexPart = Union{Integer,OrdinalRange{<:Integer},Colon,AbstractArray,At,Slice,Ellipsis,NewDim}

# Parts in a row, with what they borrow.
struct NativeIndex
    parts::Vector{Raw.td_index}
    kept::Vector{Any}
end
Base.cconvert(::Type{Ptr{Raw.td_index}}, x::NativeIndex) = x
Base.unsafe_convert(::Type{Ptr{Raw.td_index}}, x::NativeIndex) = pointer(x.parts)
Base.length(x::NativeIndex) = length(x.parts)

# `dims` are the sizes that positions from 1 are checked against.
function native_index(parts, dims)
    roots = Any[]
    out = Raw.td_index[]
    at = 1
    later = Ellipsis()
    for (i, part) in enumerate(parts)
        if part isa Ellipsis
            taken = sum(Int[consumed(p) for p in parts[i+1:end]])
            at = max(at, length(dims) - taken + 1)
        end
        push!(out, native_part(part, roots, dims, at))
        at += consumed(part)
    end
    return NativeIndex(out, roots)
end

consumed(::Union{NewDim,Ellipsis}) = 0
consumed(x::AbstractArray{Bool}) = ndims(x)
consumed(x) = 1

position(i, n) = Raw.td_index(kind = Raw.TD_INDEX_KIND_INT, start = i)
slice(start, stop, step = 1) = Raw.td_index(kind = Raw.TD_INDEX_KIND_SLICE, start = start, stop = stop, step = step)

# A dim that is not there, or ragged, is left to the library to refuse.
known(dims, at) = at <= length(dims) && dims[at] >= 0
@noinline outside(dims, part) = throw(BoundsError(Base.OneTo.(Tuple(max.(dims, 0))), part))

function native_part(i::Integer, roots, dims, at)
    known(dims, at) && !(1 <= i <= dims[at]) && throw(TensorDictIndexError("index $i of a dim of $(dims[at])"))
    return Raw.td_index(kind = Raw.TD_INDEX_KIND_INT, start = i - 1)
end
function native_part(r::OrdinalRange{<:Integer}, roots, dims, at)
    step(r) < 1 && return native_part(collect(r), roots, dims, at)
    if known(dims, at) && !isempty(r) && !(1 <= first(r) && last(r) <= dims[at])
        throw(TensorDictIndexError("index $r of a dim of $(dims[at])"))
    end
    return slice(max(first(r) - 1, 0), max(last(r), first(r) - 1, 0), step(r))
end
native_part(::Colon, roots, dims, at) = slice(0, Raw.TD_END)
native_part(s::Slice, roots, dims, at) =
    slice(s.start === nothing ? 0 : s.start, s.stop === nothing ? Raw.TD_END : s.stop, s.step)
native_part(::NewDim, roots, dims, at) = Raw.td_index(kind = Raw.TD_INDEX_KIND_NONE)
native_part(::Ellipsis, roots, dims, at) = Raw.td_index(kind = Raw.TD_INDEX_KIND_ELLIPSIS)
native_part(x::At{<:Integer}, roots, dims, at) = Raw.td_index(kind = Raw.TD_INDEX_KIND_INT, start = x.at)
native_part(x::At{<:Tensor}, roots, dims, at) = tensor_part(x.at, roots)
native_part(x::At, roots, dims, at) = ints_part(int64s(x.at), roots)
native_part(x::AbstractArray{Bool}, roots, dims, at) = tensor_part(Tensor(x), roots)
native_part(x::AbstractVector{<:Integer}, roots, dims, at) = ints_part(checked(x, dims, at), roots)
native_part(x::AbstractArray{<:Integer}, roots, dims, at) = tensor_part(Tensor(checked(x, dims, at)), roots)
native_part(x, roots, dims, at) = throw(TensorDictArgumentError("a $(typeof(x)) is no index"))
for N in (0, 1, 2, 3)  # a mask is also an array of integers
    @eval native_part(x::AbstractArray{Bool,$N}, roots, dims, at) = tensor_part(Tensor(x), roots)
end

function checked(x, dims, at)
    if known(dims, at) && any(i -> !(1 <= i <= dims[at]), x)
        throw(TensorDictIndexError("an index outside of a dim of $(dims[at])"))
    end
    return Int64[i - 1 for i in x]
end

tensor_part(t, roots) = (push!(roots, t); Raw.td_index(kind = Raw.TD_INDEX_KIND_TENSOR, tensor = live_pointer(t)))
function ints_part(v::Vector{Int64}, roots)
    push!(roots, v)
    return Raw.td_index(kind = Raw.TD_INDEX_KIND_INTS, ints = pointer(v), n = length(v))
end

# ---- Tensors

Base.getindex(t::Tensor{T,0}) where {T} = GC.@preserve t unsafe_load(pointer(t))
Base.setindex!(t::Tensor{T,0}, x) where {T} = (GC.@preserve t unsafe_store!(mutable_pointer(t), convert(T, x)); t)
indexed(t::Tensor, parts) = (x = native_index(parts, size(t)); give(Tensor, Raw.td_tensor_index, t, x, length(x)))

# A copy, as an index of an array is; integers in every dim are an element.
Base.getindex(t::Tensor, parts::IndexPart...) = copied_part(t, parts)
Base.getindex(t::Tensor, parts::Integer...) = element_or_part(t, parts)
element_or_part(t, parts) = length(parts) == ndims(t) ? t[Int.(parts)...] : linear(t, parts)
linear(t, parts) = t[Tuple(CartesianIndices(t)[parts...])...]

function copied_part(t, parts)
    found = indexed(t, parts)
    any(p -> p isa Union{AbstractArray,At} && !(p isa OrdinalRange), parts) && return found  # a copy already
    copy = clone(found)
    close(found)
    return copy
end
Base.getindex(t::Tensor, mask::AbstractArray{Bool}) = indexed(t, (mask,))
Base.getindex(t::Tensor, ::Colon) = op("flatten", t)

"""
    view(t::Tensor, index...)

Returns a part of a tensor that shares its memory.
"""
Base.view(t::Tensor, parts::IndexPart...) = indexed(t, parts)

function Base.setindex!(t::Tensor, value, parts::IndexPart...)
    x = native_index(parts, size(t))
    call(Raw.td_tensor_set_at, t, x, length(x), value isa AbstractArray ? Tensor(value) : Tensor(value))
    return t
end
function Base.setindex!(t::Tensor, value, parts::Integer...)
    if length(parts) == ndims(t)
        t[Int.(parts)...] = value
    else
        t[Tuple(CartesianIndices(t)[parts...])...] = value
    end
    return t
end
