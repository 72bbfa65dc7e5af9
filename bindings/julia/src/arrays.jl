# Between tensors and Julia's arrays.

# Memory whose owner is in the table until the last view of it ends.
function over(A::AbstractArray{T}, data::Ptr{T}, dims, steps) where {T}
    return give(Tensor, Raw.td_tensor_from_memory, data, dtype(T), dims, length(dims), steps, FORGET[], keep(A))
end

hasdtype(::Type{T}) where {T} = any(d -> first(d) === T, DTYPES)

"""
    Tensor(A::AbstractArray)

Makes a tensor with the size and the elements of `A`. It shares the memory of a strided array (an `Array`, or views,
reshapes and permutations of one); a change of one shows in the other. Other arrays are copied.

The elements of an `Array` are column-major, which every operation accepts. For a row-major tensor over the memory of an
`Array` whose *last* dim is the batch, give it with [`reversedims`](@ref).
"""
Tensor(A::AbstractArray) = from_array(A)
Tensor(x::Number) = Tensor(fill(x))
Tensor(t::Tensor) = t

function from_array(A)
    T = eltype(A)
    if !hasdtype(T)
        E = isconcretetype(T) || isempty(A) ? T : mapreduce(typeof, promote_type, A)  # what its elements are
        hasdtype(E) || throw(TensorDictDtypeError("tensors do not have elements of type $T"))
        return from_array(convert(Array{E}, Array(A)))
    end
    return shareable(A) ? over(A, pointer(A), int64s(size(A)), int64s(strides(A))) : copied(A)
end
Tensor{T}(A::AbstractArray) where {T} = eltype(A) === T ? Tensor(A) : Tensor(convert(Array{T}, Array(A)))
Tensor{T}(x::Number) where {T} = Tensor(fill(convert(T, x)))
Base.convert(::Type{Tensor}, A::AbstractArray) = Tensor(A)
Base.convert(::Type{Tensor}, t::Tensor) = t

# Arrays with an address, and strides that are not negative.
shareable(A::AbstractArray) = false
shareable(A::Array) = true
shareable(A::Base.ReshapedArray) = false
shareable(A::SubArray) = shareable(parent(A)) && applicable(strides, A) && all(s -> s >= 0, strides(A))
shareable(A::PermutedDimsArray) = shareable(parent(A))

copied(A::AbstractArray) = (B = Array(A); over(B, pointer(B), int64s(size(B)), int64s(strides(B))))

"""
    reversedims(A)

Returns `A` with its dims in reverse order, without a copy: what is column-major as `A` is row-major as the result.
"""
reversedims(A::AbstractArray{T,N}) where {T,N} = PermutedDimsArray(A, ntuple(k -> N + 1 - k, N))
reversedims(A::AbstractVector) = A
reversedims(A::AbstractArray{T,0}) where {T} = A

"""
    ReadOnlyArray

The array that [`parent`](@ref) returns for read-only memory: writing to it throws [`TensorDictLockedError`](@ref).
"""
struct ReadOnlyArray{T,N} <: AbstractArray{T,N}
    array::Array{T,N}
end
Base.size(A::ReadOnlyArray) = size(A.array)
Base.IndexStyle(::Type{<:ReadOnlyArray}) = IndexLinear()
Base.@propagate_inbounds Base.getindex(A::ReadOnlyArray, i::Int) = A.array[i]
Base.setindex!(A::ReadOnlyArray, value, i::Int) = throw(TensorDictLockedError("the memory of this array is read-only"))

# The reference that an array over a tensor's memory holds.
mutable struct Hold
    handle::Ptr{Raw.td_tensor}
end
objectkind(::Type{Hold}) = Raw.TD_OBJECT_TENSOR

"""
    parent(t::Tensor{T,N}) -> Array{T,N}

Returns the memory of a row-major tensor as an `Array`, without a copy and with the dims in reverse order: the element
`t[i, j]` is `parent(t)[j, i]`. The array keeps the memory. Read-only memory comes as a [`ReadOnlyArray`](@ref). A
tensor that is not row-major throws [`TensorDictUnsupportedError`](@ref); see [`contiguous`](@ref).
"""
function Base.parent(t::Tensor{T,N}) where {T,N}
    T === Nothing && notypes(t)
    iscontiguous(t) ||
        throw(TensorDictUnsupportedError("the tensor is not row-major; `contiguous` makes a copy that is"))
    A = wrapped(t)
    return isreadonly(t) ? ReadOnlyArray(A) : A
end

function wrapped(t::Tensor{T,N}) where {T,N}
    p = GC.@preserve t pointer(t)
    length(t) == 0 && return Array{T,N}(undef, reverse(size(t)))
    A = unsafe_wrap(Array, p, reverse(size(t)))
    Raw.td_tensor_retain(t)
    hold = Hold(live_pointer(t))
    finalizer(_ -> release_later(hold), A)
    return A
end

Base.Array(t::Tensor{T,N}) where {T,N} = Array{T,N}(t)
function Base.Array{T,N}(t::Tensor{S,N}) where {T,S,N}
    S === Nothing && notypes(t)
    dense = contiguous(t)
    A = N < 2 ? copy(wrapped(dense)) : permutedims(wrapped(dense), N:-1:1)
    close(dense)
    return convert(Array{T,N}, A)
end
Base.Array{T}(t::Tensor{S,N}) where {T,S,N} = Array{T,N}(t)
Base.collect(t::Tensor{T,N}) where {T,N} = Array{T,N}(t)
Base.copyto!(A::Array{T,N}, t::Tensor{S,N}) where {T,S,N} = copyto!(A, Array{T,N}(t))

# ---- Making

Tensor{T}(::UndefInitializer, dims::Integer...; device = nothing) where {T} = empty_tensor(T, dims, device)
empty_tensor(::Type{T}, dims, device) where {T} =
    give(Tensor, Raw.td_tensor_empty, int64s(dims), length(dims), dtype(T), device)

const TensorOf{T} = Type{Tensor{T}}
Base.zeros(::TensorOf{T}, dims::Integer...; device = nothing) where {T} =
    give(Tensor, Raw.td_tensor_zeros, int64s(dims), length(dims), dtype(T), device)
Base.zeros(::Type{Tensor}, dims::Integer...; device = nothing) = zeros(Tensor{Float32}, dims...; device = device)
filled(::Type{T}, x, dims, device) where {T} =
    give(Tensor, Raw.td_tensor_full, int64s(dims), length(dims), value(x), dtype(T), device)
Base.ones(::TensorOf{T}, dims::Integer...; device = nothing) where {T} = filled(T, one(T), dims, device)
Base.ones(::Type{Tensor}, dims::Integer...; device = nothing) = filled(Float32, 1, dims, device)
for N in (Number, Integer)  # Base takes an integer for a dim
    @eval begin
        Base.fill(::TensorOf{T}, x::$N, dims::Integer...; device = nothing) where {T} = filled(T, x, dims, device)
        Base.fill(::Type{Tensor}, x::$N, dims::Integer...; device = nothing) = filled(typeof(x), x, dims, device)
    end
end

"""
    randn(Tensor{T}, dims...; generator = nothing, device = nothing)

Makes a tensor of standard normal numbers; without a [`Generator`](@ref), LibTorch's default one draws them.
"""
Base.randn(::TensorOf{T}, dims::Integer...; generator = nothing, device = nothing) where {T} =
    give(Tensor, Raw.td_tensor_randn, int64s(dims), length(dims), dtype(T), device, generator)
Base.randn(::Type{Tensor}, dims::Integer...; generator = nothing, device = nothing) =
    randn(Tensor{Float32}, dims...; generator = generator, device = device)

Base.similar(t::Tensor, ::Type{T}, dims::Dims) where {T} =
    hasdtype(T) ? empty_tensor(T, dims, nothing) : Array{T}(undef, dims)
