# What stands for a text, a key and an array when a function of the library is called.

Base.cconvert(::Type{Raw.td_str}, s::AbstractString) = String(s)
Base.cconvert(::Type{Raw.td_str}, s::String) = s
Base.cconvert(::Type{Raw.td_str}, s::Symbol) = String(s)
Base.cconvert(::Type{Raw.td_str}, ::Nothing) = Raw.td_str()
Base.unsafe_convert(::Type{Raw.td_str}, s::String) = Raw.td_str(pointer(s), sizeof(s))

@inline strof(s::String) = Raw.td_str(pointer(s), sizeof(s))

"""
    Path("next", "obs")

A key that is prepared for repeated look-ups. It may be given wherever a key may.
"""
@handle Path td_path TD_OBJECT_PATH
Path(part::AbstractString, more::AbstractString...) = give(Path, Raw.td_path_new, (part, more...))

"What a key is: a string, a tuple of strings for a path through nested dicts, or a [`Path`](@ref)."
const Key = Union{AbstractString,Tuple{AbstractString,Vararg{AbstractString}},Path}

# One key, with its parts behind it: one object, whose address is that of its first member.
mutable struct NativeKey{N,K}
    key::Raw.td_key
    parts::NTuple{N,Raw.td_str}
    kept::K
    NativeKey(path::Path) =
        new{0,Path}(Raw.td_key(Ptr{Raw.td_str}(live_pointer(path)), Raw.TD_PREPARED), (), path)
    NativeKey(part::AbstractString) = NativeKey((part,))
    function NativeKey(parts::NTuple{N,AbstractString}) where {N}
        strings = map(String, parts)
        K = NTuple{N,String}
        key = new{N,K}(Raw.td_key(C_NULL, N), map(strof, strings), strings)
        key.key = Raw.td_key(Ptr{Raw.td_str}(pointer_from_objref(key) + fieldoffset(NativeKey{N,K}, 2)), N)
        return key
    end
end

Base.cconvert(::Type{Ptr{Raw.td_key}}, key::Key) = NativeKey(key)
Base.unsafe_convert(::Type{Ptr{Raw.td_key}}, key::NativeKey) = Ptr{Raw.td_key}(pointer_from_objref(key))
Base.unsafe_convert(::Type{Ptr{Raw.td_key}}, ::Nothing) = Ptr{Raw.td_key}(C_NULL)

# Keys in a row.
struct NativeKeys
    keys::Vector{Raw.td_key}
    kept::Vector{NativeKey}
end

function Base.cconvert(::Type{Ptr{Raw.td_key}}, keys::AbstractVector)
    native = NativeKey[NativeKey(key) for key in keys]
    return NativeKeys(Raw.td_key[n.key for n in native], native)
end
Base.unsafe_convert(::Type{Ptr{Raw.td_key}}, keys::NativeKeys) = pointer(keys.keys)

# Texts in a row; `nothing` is none.
struct NativeTexts
    texts::Vector{Raw.td_str}
    kept::Any
end

function Base.cconvert(::Type{Ptr{Raw.td_str}}, texts::AbstractVector)
    strings = Union{Nothing,String}[t === nothing ? nothing : String(t) for t in texts]
    return NativeTexts(Raw.td_str[s === nothing ? Raw.td_str() : strof(s) for s in strings], strings)
end
Base.unsafe_convert(::Type{Ptr{Raw.td_str}}, texts::NativeTexts) = pointer(texts.texts)

# A struct by pointer, with what its members point to.
struct Native{T}
    value::Base.RefValue{T}
    kept::Vector{Any}
end

Base.cconvert(::Type{Ptr{T}}, x::Native{T}) where {T} = x
Base.unsafe_convert(::Type{Ptr{T}}, x::Native{T}) where {T} = Base.unsafe_convert(Ptr{T}, x.value)

"Makes a struct of options: members are converted as arguments are, and kept alive."
function options(::Type{T}; members...) where {T}
    roots = Any[]
    values = [name => member(fieldtype(T, name), value, roots) for (name, value) in members]
    return Native{T}(Ref(T(; values...)), roots)
end

member(::Type{T}, value, roots) where {T} = value
function member(::Type{T}, value, roots) where {T<:Union{Ptr,Raw.td_str}}
    converted = Base.cconvert(T, value)
    push!(roots, converted)
    return Base.unsafe_convert(T, converted)
end

# Dims are positions from 1 in Julia; negative ones count from the end, in both.
@inline function dim(d::Integer)
    d == 0 && throw(ArgumentError("dims are counted from 1; negative ones count from the end"))
    return Int64(d > 0 ? d - 1 : d)
end
dimsof(ds) = Int64[dim(d) for d in ds]
dimsof(d::Integer) = Int64[dim(d)]
int64s(xs) = Int64[x for x in xs]
int64s(x::Integer) = Int64[x]

# A list of keys, each a tuple of strings.
struct KeyList end
rawtype(::Type{KeyList}) = Raw.td_keys
function take(::Type{KeyList}, p::Ptr{Raw.td_keys})
    p == C_NULL && return Tuple{Vararg{String}}[]
    keys, n = Ref(Ptr{Raw.td_key}(C_NULL)), Ref{Csize_t}(0)
    call(Raw.td_keys_view, p, keys, n)
    list = Tuple{Vararg{String}}[tuplekey(unsafe_load(keys[], i)) for i in 1:Int(n[])]
    Raw.td_keys_release(p)
    return list
end

keypart(key::Raw.td_key, i) = text(unsafe_load(key.parts, i))
function tuplekey(key::Raw.td_key)
    key.n == 1 && return (keypart(key, 1),)
    key.n == 2 && return (keypart(key, 1), keypart(key, 2))
    return Tuple(keypart(key, i) for i in 1:Int(key.n))
end
