# Objects of the library, and how they end: `close`, or the garbage collector, whose finalizers only queue.

const RELEASED = Vector{Raw.td_object}()
const RELEASED_LOCK = Threads.SpinLock()
const WAITING = Threads.Atomic{Int}(0)

# Runs during a collection, at any place of any thread: it may not wait, so it comes again if the queue is in use.
function release_later(x)
    handle = getfield(x, :handle)
    handle == C_NULL && return nothing
    if islocked(RELEASED_LOCK) || !trylock(RELEASED_LOCK)
        finalizer(release_later, x)
        return nothing
    end
    push!(RELEASED, Raw.td_object(objectkind(typeof(x)), 0, handle))
    WAITING[] = length(RELEASED)
    unlock(RELEASED_LOCK)
    setfield!(x, :handle, typeof(handle)(C_NULL))
    return nothing
end

"""
    TensorDicts.release_collected()

Releases the objects that the garbage collector found. This happens by itself whenever an object is made; call it, after
`GC.gc()`, where memory or slots of a channel must be free now.
"""
function release_collected()
    while WAITING[] > 0
        lock(RELEASED_LOCK)
        found = copy(RELEASED)
        empty!(RELEASED)
        WAITING[] = 0
        unlock(RELEASED_LOCK)
        call(Raw.td_release_many, found, length(found))
    end
    return nothing
end

# Takes over the reference of a new object.
@inline function own(x)
    finalizer(release_later, x)
    WAITING[] > 0 && release_collected()
    return x
end

@noinline closed(x) = throw(TensorDictClosedError("this $(nameof(typeof(x))) is closed"))

@inline function live_pointer(x)
    p = getfield(x, :handle)
    p == C_NULL && closed(x)
    return p
end

"""
    close(x)

Releases an object of the library at once; the garbage collector does so later. Using it afterwards throws
[`TensorDictClosedError`](@ref). No other task may be using it.
"""
function close_handle(x, release)
    p = getfield(x, :handle)
    p == C_NULL && return nothing
    setfield!(x, :handle, typeof(p)(C_NULL))
    release(p)
    return nothing
end

# Defines a type for an opaque one: its finalizer, `close`, `isopen`, and how it is passed.
macro handle(type, raw, kind)
    name = type isa Symbol ? type : type.args[1]
    retain, release = Symbol(raw, :_retain), Symbol(raw, :_release)
    return esc(quote
        Base.@__doc__ mutable struct $type
            handle::Ptr{Raw.$raw}
            $name(handle::Ptr{Raw.$raw}) = own(new(handle))
        end
        @handle_methods $name $raw $kind
        rawtype(::Type{$name}) = Raw.$raw
        take(::Type{$name}, p::Ptr{Raw.$raw}) = $name(p)
        take(::Type{Union{Nothing,$name}}, p::Ptr{Raw.$raw}) = p == C_NULL ? nothing : $name(p)
        rawtype(::Type{Union{Nothing,$name}}) = Raw.$raw
        borrowed(::Type{$name}, p::Ptr{Raw.$raw}) = (Raw.$retain(p); $name(p))
    end)
end

macro handle_methods(name, raw, kind)
    release = Symbol(raw, :_release)
    return esc(quote
        objectkind(::Type{<:$name}) = Raw.$kind
        Base.unsafe_convert(::Type{Ptr{Raw.$raw}}, x::$name) = live_pointer(x)
        Base.close(x::$name) = close_handle(x, Raw.$release)
        Base.isopen(x::$name) = x.handle != C_NULL
        Base.unsafe_convert(::Type{Ptr{Raw.$raw}}, ::Nothing) = Ptr{Raw.$raw}(C_NULL)
        Base.cconvert(::Type{Ptr{Ptr{Raw.$raw}}}, xs::Vector{<:Union{Nothing,$name}}) =
            Handles(Ptr{Raw.$raw}[x === nothing ? Ptr{Raw.$raw}(C_NULL) : live_pointer(x) for x in xs], xs)
    end)
end

# Handles in a row, with what keeps them alive.
struct Handles{T}
    pointers::Vector{Ptr{T}}
    kept::Any
end
Base.unsafe_convert(::Type{Ptr{Ptr{T}}}, h::Handles{T}) where {T} = pointer(h.pointers)

"""
    live_objects() -> Dict{Symbol,Int}

Returns how many references to objects of each kind this process holds, without those that the collector has found. A
test for leaks compares it before and after.
"""
function live_objects()
    release_collected()
    return Dict(kind => Int(Raw.td_live_objects(n)) for (kind, n) in OBJECT_KINDS)
end

const OBJECT_KINDS = [
    Symbol(lowercase(string(name)[11:end])) => getfield(Raw, name)
    for name in names(Raw; all = true) if startswith(string(name), "TD_OBJECT_")
]
