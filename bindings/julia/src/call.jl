# How a function of the library is called: its outputs and its error come last.

@inline newerror() = ErrorRef(C_NULL)

"Calls `f(args..., err)` and throws if it fails."
@inline function call(f::F, args...) where {F}
    err = newerror()
    status = f(args..., err)
    status == Raw.TD_OK || fail(status, err)
    return nothing
end

"Calls `f(args..., out, err)` and returns what was written to `out`, as `T`."
@inline function give(::Type{T}, f::F, args...) where {T,F}
    out = Ref(empty_output(T))
    err = newerror()
    status = f(args..., out, err)
    status == Raw.TD_OK || fail(status, err)
    return take(T, out[])
end

# What is written to, and what becomes of it.
empty_output(::Type{T}) where {T} = Ptr{rawtype(T)}(C_NULL)
empty_output(::Type{T}) where {T<:Union{Int32,Int64,UInt64,Float64,Csize_t}} = zero(T)
empty_output(::Type{Bool}) = 0x00
take(::Type{T}, x::T) where {T<:Union{Int32,Int64,UInt64,Float64,Csize_t}} = x
take(::Type{Bool}, x::UInt8) = x != 0

rawtype(::Type{String}) = Raw.td_string
function take(::Type{String}, p::Ptr{Raw.td_string})
    p == C_NULL && return ""
    s = text(Raw.td_string_view(p))
    Raw.td_string_release(p)
    return s
end

# The sizes that `f(x, out, capacity)` fills in.
function sizes(f::F, x...) where {F}
    out = Vector{Int64}(undef, 8)
    n = Int(f(x..., out, 8))
    if n > 8
        resize!(out, n)
        f(x..., out, n)
    end
    return resize!(out, n)
end

# An output and its object, if it was wanted.
optional(wanted, ::Type{T}) where {T} = wanted ? Ref(empty_output(T)) : Ptr{Ptr{rawtype(T)}}(C_NULL)
