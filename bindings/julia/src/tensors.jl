# Tensors: arrays over memory of the library.

"""
    Tensor{T,N} <: AbstractArray{T,N}

A reference to a tensor of LibTorch. Its dims are those that Python prints, in the same order; indices begin with 1. It
is strided, and row-major unless it was made otherwise. Elements are read and written in place.

    Tensor(A)                    # over the memory of a strided Julia array `A`, with the same size and elements
    Tensor{Float32}(undef, 2, 3) # or zeros(Tensor{Float32}, 2, 3), ones, fill(Tensor, x, 2, 3), randn(Tensor, 2, 3)
    parent(t)                    # its memory as an Array, with the dims reversed

`t[i, j]` is an element and `t[1:2, :]` a copy, as for every array; `view(t, 1:2, :)` shares the memory.
"""
mutable struct Tensor{T,N} <: AbstractArray{T,N}
    handle::Ptr{Raw.td_tensor}
    size::NTuple{N,Int}
    Tensor{T,N}(handle::Ptr{Raw.td_tensor}, size::NTuple{N,Int}) where {T,N} = own(new{T,N}(handle, size))
end

@handle_methods Tensor td_tensor TD_OBJECT_TENSOR
rawtype(::Type{Tensor}) = Raw.td_tensor
rawtype(::Type{Union{Nothing,Tensor}}) = Raw.td_tensor
take(::Type{Tensor}, p::Ptr{Raw.td_tensor}) = own_tensor(p)
take(::Type{Union{Nothing,Tensor}}, p::Ptr{Raw.td_tensor}) = p == C_NULL ? nothing : own_tensor(p)
borrowed(::Type{Tensor}, p::Ptr{Raw.td_tensor}) = (Raw.td_tensor_retain(p); own_tensor(p))
borrowed_or_nothing(p::Ptr{Raw.td_tensor}) = p == C_NULL ? nothing : borrowed(Tensor, p)

# The types that most tensors have are asked for by name: no method is then looked up at run time.
@eval function own_tensor(p::Ptr{Raw.td_tensor})
    number = Raw.td_tensor_dtype(p)
    $((:(number == $(dtype(T)) && return own_tensor_of($T, p))
       for T in (Float32, Int64, Bool, Float64, UInt8, Int32))...)
    return own_tensor_of(elementtype(number), p)
end

function own_tensor_of(::Type{T}, p) where {T}
    n = Int(Raw.td_tensor_ndim(p))
    n == 0 && return Tensor{T,0}(p, ())
    n == 1 && return Tensor{T,1}(p, dims_of(p, Val(1)))
    n == 2 && return Tensor{T,2}(p, dims_of(p, Val(2)))
    n == 3 && return Tensor{T,3}(p, dims_of(p, Val(3)))
    n == 4 && return Tensor{T,4}(p, dims_of(p, Val(4)))
    return Tensor{T,n}(p, Tuple(Int.(sizes(Raw.td_tensor_shape, p))))
end

@inline function dims_of(p, ::Val{N}) where {N}
    dims = Ref(ntuple(_ -> 0, Val(N)))
    GC.@preserve dims Raw.td_tensor_shape(p, Ptr{Int64}(Base.unsafe_convert(Ptr{NTuple{N,Int}}, dims)), N)
    return dims[]
end

# ---- Facts

Base.size(t::Tensor) = t.size
Base.IndexStyle(::Type{<:Tensor}) = IndexCartesian()
Base.elsize(::Type{<:Tensor{T}}) where {T} = sizeof(T)
function Base.strides(t::Tensor{T,N}) where {T,N}
    steps = Ref(ntuple(_ -> 0, Val(N)))
    n = GC.@preserve t steps Raw.td_tensor_strides(live_pointer(t), Ptr{Int64}(pointer_from_objref(steps)), N)
    n == N || throw(TensorDictUnsupportedError("the elements of this tensor are not strided"))
    return steps[]
end
Base.stride(t::Tensor, k::Integer) = k > ndims(t) ? length(t) : strides(t)[k]
Base.unsafe_convert(::Type{Ptr{T}}, t::Tensor{T}) where {T} = pointer(t)

"""
    pointer(t::Tensor)

Returns the address of the first element, valid while `t` lives; throws for tensors that are not in this process's
memory.
"""
Base.pointer(t::Tensor{T}) where {T} = Ptr{T}(give(Ptr{Cvoid}, Raw.td_tensor_data, t))
empty_output(::Type{Ptr{Cvoid}}) = C_NULL
take(::Type{Ptr{Cvoid}}, p::Ptr{Cvoid}) = p
mutable_pointer(t::Tensor{T}) where {T} = Ptr{T}(give(Ptr{Cvoid}, Raw.td_tensor_mutable_data, t))

"""
    device(x) -> Union{String,Nothing}

Returns the device of a tensor, or the one that a dict moves its entries to.
"""
device(t::Tensor) = text(Raw.td_tensor_device(t))

"Returns whether the elements are in row-major order without gaps."
iscontiguous(t::Tensor) = Raw.td_tensor_is_contiguous(t) != 0
"Returns whether the memory may not be written to: of files and messages that were opened for reading."
Base.isreadonly(t::Tensor) = Raw.td_tensor_is_read_only(t) != 0
"Returns whether other processes see what is written to the memory."
isshared(t::Tensor) = Raw.td_tensor_is_shared(t) != 0
"Returns the size of all elements, or of all tensors of a dict, in bytes."
nbytes(t::Tensor) = Int(Raw.td_tensor_nbytes(t))

# ---- Elements

@inline function offset(t::Tensor{T,N}, I::NTuple{N,Int}) where {T,N}
    s = strides(t)
    at = 0
    for k in 1:N
        at += (I[k] - 1) * s[k]
    end
    return at
end

@noinline notypes(t) = throw(TensorDictDtypeError("Julia has no type for the elements of this tensor"))

function Base.getindex(t::Tensor{T,N}, I::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(t, I...)
    T === Nothing && notypes(t)
    return GC.@preserve t unsafe_load(pointer(t) + offset(t, I) * sizeof(T))
end

function Base.setindex!(t::Tensor{T,N}, value, I::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(t, I...)
    T === Nothing && notypes(t)
    GC.@preserve t unsafe_store!(mutable_pointer(t) + offset(t, I) * sizeof(T), convert(T, value))
    return t
end

"""
    item(t::Tensor)

Returns the value of a tensor with one element, as `t[]` does for one without dims.
"""
item(t::Tensor) = (length(t) == 1 || throw(TensorDictShapeError("a tensor with one element, not $(length(t))"));
                   first(Array(t)))

# ---- Copies

"Returns the same tensor if it is row-major, else a row-major copy."
contiguous(t::Tensor) = give(Tensor, Raw.td_tensor_contiguous, t)

"""
    clone(x)

Returns a copy with memory of its own: of a tensor, a dict with all below it, a message, a hash.
"""
clone(t::Tensor) = give(Tensor, Raw.td_tensor_clone, t)
Base.copy(t::Tensor) = clone(t)
Base.deepcopy_internal(t::Tensor, seen::IdDict) = get!(() -> clone(t), seen, t)

"""
    to(x, T = nothing; device = nothing)

Returns a tensor or a dict with elements of type `T` on `device`; `nothing` keeps them.
"""
to(t::Tensor, ::Type{T}; device = nothing) where {T} = give(Tensor, Raw.td_tensor_to, t, dtype(T), device)
to(t::Tensor, ::Nothing = nothing; device = nothing) = give(Tensor, Raw.td_tensor_to, t, dtype(nothing), device)

"""
    copyto!(t::Tensor, src)

Copies `src` into the memory of `t`, with a cast of its elements; a tensor is broadcast.
"""
Base.copyto!(t::Tensor, src::Tensor) = (call(Raw.td_tensor_copy_, t, src); t)
Base.copyto!(t::Tensor{T,N}, src::AbstractArray{S,N}) where {T,S,N} = copyto!(t, Tensor(src))

# ---- Comparing and printing

samehandle(a, b) = live_pointer(a) == live_pointer(b)

"""
    same(a, b)

Returns whether both are the same object of the library: what is done to one shows in the other.
"""
same(a::Tensor, b::Tensor) = samehandle(a, b)
same(a, b) = false

tolerances(rtol, atol, nans) =
    options(Raw.td_equal_options; relative = rtol, absolute = atol, equal_nan = nans)

# Whether both are equal, and what differs.
function compared(f, a, b, rtol, atol, nans)
    equal, difference, err = Ref(0x00), Ref(Ptr{Raw.td_string}(C_NULL)), newerror()
    status = f(a, b, tolerances(rtol, atol, nans), equal, difference, err)
    status == Raw.TD_OK || fail(status, err)
    return equal[] != 0, take(String, difference[])
end

Base.:(==)(a::Tensor{T}, b::Tensor{T}) where {T} = first(compared(Raw.td_tensor_equal, a, b, 0.0, 0.0, false))
Base.isapprox(a::Tensor{T}, b::Tensor{T}; rtol = 1e-5, atol = 1e-8, nans = false) where {T} =
    first(compared(Raw.td_tensor_equal, a, b, rtol, atol, nans))

Base.show(io::IO, t::Tensor) =
    t.handle == C_NULL ? print(io, "Tensor(closed)") : print(io, give(String, Raw.td_tensor_repr, t))
Base.show(io::IO, ::MIME"text/plain", t::Tensor) =
    (t.handle == C_NULL || println(io, summary(t), ":"); show(io, t))

# ---- Lists

struct TensorList end
rawtype(::Type{TensorList}) = Raw.td_tensor_list
function take(::Type{TensorList}, p::Ptr{Raw.td_tensor_list})
    view, n = Ref(Ptr{Ptr{Raw.td_tensor}}(C_NULL)), Ref{Csize_t}(0)
    call(Raw.td_tensor_list_view, p, view, n)
    list = Union{Nothing,Tensor}[borrowed_or_nothing(unsafe_load(view[], i)) for i in 1:Int(n[])]
    Raw.td_tensor_list_release(p)
    return any(isnothing, list) ? list : convert(Vector{Tensor}, list)
end
