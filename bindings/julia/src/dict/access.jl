# Entries: set, get, look up, remove, iterate.

# An entry of the library: what is under a key. The reference is taken over.
function take_entry(e::Raw.td_entry)
    e.kind == Raw.TD_ENTRY_TENSOR && return own_tensor(e.tensor)
    e.kind == Raw.TD_ENTRY_DICT && return TensorDict(e.dict)
    e.kind == Raw.TD_ENTRY_DATA && return take(DataList, e.data)
    return missing_entry
end

struct Missing_ end
const missing_entry = Missing_()  # `nothing` is a value

empty_output(::Type{Raw.td_entry}) = Raw.td_entry()
take(::Type{Raw.td_entry}, e::Raw.td_entry) = take_entry(e)
look_up(td::TensorDict, key) = give(Raw.td_entry, Raw.td_dict_lookup, td, key)

function fetch_entry(td, key)
    found = look_up(td, key)
    found === missing_entry || return found
    return give(Tensor, Raw.td_dict_get, td, key)  # whose error lists the keys that there are
end

Base.getindex(td::TensorDict, key::AbstractString) = fetch_entry(td, (key,))
Base.getindex(td::TensorDict, key::AbstractString, more::AbstractString...) = fetch_entry(td, (key, more...))
Base.getindex(td::TensorDict, key::Tuple{AbstractString,Vararg{AbstractString}}) = fetch_entry(td, key)

# A prepared key is for the fastest look-up of a tensor.
Base.getindex(td::TensorDict, path::Path) = give(Tensor, Raw.td_dict_get_path, td, path)

"""
    get(td::TensorDict, key, default)

Returns the entry under `key`, a string, a tuple of strings or a [`Path`](@ref), or `default`. A missing key is cheap.
"""
function Base.get(td::TensorDict, key::Key, default)
    found = look_up(td, key)
    return found === missing_entry ? default : found
end
function Base.get(f::Base.Callable, td::TensorDict, key::Key)
    found = look_up(td, key)
    return found === missing_entry ? f() : found
end

entry_kind(td::TensorDict, key) = give(Int32, Raw.td_dict_entry_kind, td, key)
Base.haskey(td::TensorDict, key::Key) = entry_kind(td, key) != Raw.TD_ENTRY_NONE
Base.haskey(td::TensorDict, key::AbstractString, next::AbstractString, more::AbstractString...) =
    haskey(td, (key, next, more...))
Base.in(pair::Pair{<:AbstractString}, td::TensorDict) = haskey(td, first(pair)) && isequal(td[first(pair)], last(pair))

"Returns the tensors under prepared keys: all, or none if one is missing."
function get_many(td::TensorDict, paths::AbstractVector{Path})
    outs = fill(Ptr{Raw.td_tensor}(C_NULL), length(paths))
    call(Raw.td_dict_get_many, td, paths, length(paths), outs)
    return Tensor[own_tensor(p) for p in outs]
end

# ---- Setting

"""
    set!(td, key, value)

What `td[key...] = value` does: sets a tensor, an array (which shares its memory), a number (a tensor without dims), a
dict, a string or other non-tensor data under a key, and makes missing dicts.
"""
set!(td::TensorDict, key::Key, value::Tensor) = (call(Raw.td_dict_set, td, key, value); td)
set!(td::TensorDict, key::Key, value::TensorDict) = (call(Raw.td_dict_set_dict, td, key, value); td)
set!(td::TensorDict, key::Key, value::Union{AbstractArray,Number}) = set!(td, key, Tensor(value))
set!(td::TensorDict, key::Key, value::Datum) = (call(Raw.td_dict_set_data, td, key, NativeData(value)); td)
function set!(td::TensorDict, key::Key, value::NonTensorStack)
    data = NativeData(value)
    call(Raw.td_dict_set_data_stack, td, key, data, length(data.data))
    return td
end
set!(td::TensorDict, path::Path, value::Tensor) = (call(Raw.td_dict_set_path, td, path, value); td)
function set!(td::TensorDict, key::Key, value::AbstractDict)
    inner = give(TensorDict, Raw.td_dict_empty, td, false)
    for (name, x) in value
        set!(inner, name, x)
    end
    return set!(td, key, inner)
end

Base.setindex!(td::TensorDict, value, key::AbstractString) = set!(td, (key,), value)
Base.setindex!(td::TensorDict, value, key::AbstractString, more::AbstractString...) = set!(td, (key, more...), value)
Base.setindex!(td::TensorDict, value, key::Union{Tuple{AbstractString,Vararg{AbstractString}},Path}) =
    set!(td, key, value)

"Sets tensors under prepared keys: all, or none."
set_many!(td::TensorDict, paths::AbstractVector{Path}, values::AbstractVector) =
    (call(Raw.td_dict_set_many, td, paths, convert(Vector{Tensor}, map(Tensor, values)), length(paths)); td)

"""
    set_unbatched!(td, key, value)

Sets a tensor of any shape that belongs to the whole batch: a table, a mask, parameters.
"""
set_unbatched!(td::TensorDict, key::Key, value) = (call(Raw.td_dict_set_unbatched, td, key, Tensor(value)); td)
"Returns whether the tensor under `key` was set by [`set_unbatched!`](@ref)."
is_unbatched(td::TensorDict, key::Key) = give(Bool, Raw.td_dict_is_unbatched, td, key)

"""
    copy_into!(td, key, value)

Copies `value` into the memory of the tensor under `key`; a locked dict allows it.
"""
copy_into!(td::TensorDict, key::Key, value) = (call(Raw.td_dict_copy_into, td, key, Tensor(value)); td)

"Replaces the data under `key` by one value for the whole batch; a locked dict allows it."
set_data!(td::TensorDict, key::Key, value) = (call(Raw.td_dict_set_data_, td, key, NativeData(value)); td)

"Returns the tensor under `key`; first sets `default` there if there is no entry."
Base.get!(td::TensorDict, key::Key, default::Union{AbstractArray,Number}) =
    give(Tensor, Raw.td_dict_set_default, td, key, Tensor(default))
function Base.get!(f::Base.Callable, td::TensorDict, key::Key)
    found = look_up(td, key)
    return found === missing_entry ? (set!(td, key, f()); fetch_entry(td, key)) : found
end

# ---- Removing

Base.delete!(td::TensorDict, key::Key) = (call(Raw.td_dict_remove, td, key); td)
Base.delete!(td::TensorDict, key::AbstractString, next::AbstractString, more::AbstractString...) =
    delete!(td, (key, next, more...))
Base.empty!(td::TensorDict) = (call(Raw.td_dict_clear, td); td)

"Removes the entry under `key` and returns it, or `default` if it is given and there is none."
function Base.pop!(td::TensorDict, key::Key)
    kind = entry_kind(td, key)
    kind == Raw.TD_ENTRY_DICT && return give(TensorDict, Raw.td_dict_pop_dict, td, key)
    kind == Raw.TD_ENTRY_DATA || return give(Tensor, Raw.td_dict_pop, td, key)
    found = fetch_entry(td, key)
    delete!(td, key)
    return found
end
Base.pop!(td::TensorDict, key::Key, default) = haskey(td, key) ? pop!(td, key) : default

"Removes the entry that was set last and returns it with its key."
function Base.pop!(td::TensorDict)
    key, err = Ref(Ptr{Raw.td_string}(C_NULL)), newerror()
    tensor, dict, data = map(T -> Ref(Ptr{T}(C_NULL)), (Raw.td_tensor, Raw.td_dict, Raw.td_data_list))
    status = Raw.td_dict_popitem(td, key, tensor, dict, data, err)
    status == Raw.TD_OK || fail(status, err)
    name = take(String, key[])
    tensor[] == C_NULL || return name => own_tensor(tensor[])
    dict[] == C_NULL || return name => TensorDict(dict[])
    return name => take(DataList, data[])
end

"Makes an empty dict under `key`, and the missing ones on the way to it."
create_nested!(td::TensorDict, key::Key) = (call(Raw.td_dict_create_nested, td, key); td)

# ---- Listing

function key_flags(; nested = false, leaves = false, sorted = false, children_first = false, data = false,
                   data_only = false)
    flags = UInt64(0)
    nested && (flags |= Raw.TD_KEYS_NESTED)
    leaves && (flags |= Raw.TD_KEYS_LEAVES)
    sorted && (flags |= Raw.TD_KEYS_SORTED)
    children_first && (flags |= Raw.TD_KEYS_CHILDREN_FIRST)
    data && (flags |= Raw.TD_KEYS_DATA)
    data_only && (flags |= Raw.TD_KEYS_DATA_ONLY)
    return flags
end

"""
    keys(td::TensorDict)
    nested_keys(td; leaves = false, sorted = false, children_first = false, data = false, data_only = false)

Returns the keys of the dict itself, as strings, or those of all levels, as tuples. With `leaves`, only those of
tensors;
`data` adds non-tensor entries to these, and `data_only` lists only those.
"""
Base.keys(td::TensorDict) = String[first(key) for key in key_list(td, UInt64(0))]
key_list(td, flags) = give(KeyList, Raw.td_dict_keys, td, flags)
nested_keys(td::TensorDict; flags...) = key_list(td, key_flags(; nested = true, flags...))

struct Entries end
struct FlatEntries end  # of one level, whose keys have one part
rawtype(::Type{<:Union{Entries,FlatEntries}}) = Raw.td_entries
take(::Type{Entries}, p::Ptr{Raw.td_entries}) = take_entries(tuplekey, Tuple{Vararg{String}}, p)
take(::Type{FlatEntries}, p::Ptr{Raw.td_entries}) = take_entries(key -> keypart(key, 1), String, p)

function take_entries(read_key::F, ::Type{K}, p) where {F,K}
    keys, entries, n = Ref(Ptr{Raw.td_key}(C_NULL)), Ref(Ptr{Raw.td_entry}(C_NULL)), Ref{Csize_t}(0)
    call(Raw.td_entries_view, p, keys, entries, n)
    list = Pair{K,Any}[
        Pair{K,Any}(read_key(unsafe_load(keys[], i)), borrowed_entry(unsafe_load(entries[], i))) for i in 1:Int(n[])]
    Raw.td_entries_release(p)
    return list
end

function borrowed_entry(e::Raw.td_entry)
    e.kind == Raw.TD_ENTRY_TENSOR && return borrowed(Tensor, e.tensor)
    e.kind == Raw.TD_ENTRY_DICT && return borrowed(TensorDict, e.dict)
    return read_data(e.data)
end

"""
    nested_pairs(td; leaves = false, ...)

Returns the entries of all levels with their keys, as [`nested_keys`](@ref) lists them.
"""
nested_pairs(td::TensorDict; flags...) = give(Entries, Raw.td_dict_entries, td, key_flags(; nested = true, flags...))

snapshot(td) = give(FlatEntries, Raw.td_dict_entries, td, UInt64(0))
Base.pairs(td::TensorDict) = snapshot(td)
Base.values(td::TensorDict) = Any[last(p) for p in snapshot(td)]

# An iteration sees the entries that there were when it began.
function Base.iterate(td::TensorDict, state = (snapshot(td), 1))
    list, i = state
    return i > length(list) ? nothing : (list[i], (list, i + 1))
end

"Returns the keys of all tensors, and the tensors in the same order."
leaves(td::TensorDict) = keys_and_tensors(Raw.td_dict_leaves, td)

function keys_and_tensors(f, args...)
    keys, tensors, err = Ref(Ptr{Raw.td_keys}(C_NULL)), Ref(Ptr{Raw.td_tensor_list}(C_NULL)), newerror()
    status = f(args..., keys, tensors, err)
    status == Raw.TD_OK || fail(status, err)
    return take(KeyList, keys[]), take(TensorList, tensors[])
end
