# Choosing, renaming and splitting keys.

"Renames an entry; with `safe`, an existing `new` is an error."
rename_key!(td::TensorDict, old::Key, new::Key; safe::Bool = false) =
    (call(Raw.td_dict_rename_key_, td, old, new, safe); td)

"Returns a dict with the entries under `keys`; without `strict`, missing ones are ignored. `select!` changes the dict."
select(td::TensorDict, keys::AbstractVector; strict::Bool = true) =
    give(TensorDict, Raw.td_dict_select, td, keys, length(keys), strict)
select!(td::TensorDict, keys::AbstractVector; strict::Bool = true) =
    (call(Raw.td_dict_select_, td, keys, length(keys), strict); td)

"Returns a dict with the entries that are not under `keys`. `exclude!` changes the dict."
exclude(td::TensorDict, keys::AbstractVector) = give(TensorDict, Raw.td_dict_exclude, td, keys, length(keys))
exclude!(td::TensorDict, keys::AbstractVector) = (call(Raw.td_dict_exclude_, td, keys, length(keys)); td)

function key_sets(sets, roots)
    native = Raw.td_key_set[]
    for set in sets
        keys = Base.cconvert(Ptr{Raw.td_key}, set)
        push!(roots, keys)
        push!(native, Raw.td_key_set(Base.unsafe_convert(Ptr{Raw.td_key}, keys), length(set)))
    end
    push!(roots, native)
    return native
end

"""
    split_keys(td, sets...; lenient = false, reproduce_struct = false, fill = nothing, names = nothing)

Returns one dict for each list of keys, and one of the remaining entries. `names` has a list of new names for each set.
"""
function split_keys(td::TensorDict, sets::AbstractVector...; lenient = false, reproduce_struct = false, fill = nothing,
                    names = nothing)
    roots = Any[]
    native = key_sets(sets, roots)
    renamed = names === nothing ? Ptr{Raw.td_key_set}(C_NULL) : pointer(key_sets(names, roots))
    o = options(Raw.td_split_options; lenient = lenient, reproduce_struct = reproduce_struct, fill = fill,
        names = renamed)
    outs = Base.fill(Ptr{Raw.td_dict}(C_NULL), length(sets) + 1)
    GC.@preserve roots call(Raw.td_dict_split_keys, td, native, length(native), o, outs)
    return TensorDict[TensorDict(p) for p in outs]
end

"""
    separate!(td, keys; lenient = false, keep_empty = false, fill = nothing)

Removes the entries under `keys` and returns a dict with them.
"""
function separate!(td::TensorDict, keys::AbstractVector; lenient = false, keep_empty = false, fill = nothing)
    o = options(Raw.td_separate_options; lenient = lenient, keep_empty = keep_empty, fill = fill)
    return give(TensorDict, Raw.td_dict_separate, td, keys, length(keys), o)
end

"Returns a copy without the non-tensor entries."
filter_non_tensor_data(td::TensorDict) = give(TensorDict, Raw.td_dict_filter_non_tensor_data, td)

"Returns a dict with the same batch size, device and names and no entries; with `recurse`, its dicts stay."
Base.empty(td::TensorDict; recurse::Bool = false) = give(TensorDict, Raw.td_dict_empty, td, recurse)
"Returns whether there are no entries but dicts, at any depth; `isempty` is whether there are none at all."
is_empty(td::TensorDict) = Raw.td_dict_is_empty(td) != 0
"Removes the dicts below that have no entries."
filter_empty!(td::TensorDict) = (call(Raw.td_dict_filter_empty_, td); td)

"Returns a dict of one level whose keys are joined with `separator`; `unflatten_keys` splits them again."
flatten_keys(td::TensorDict, separator::AbstractString = ".") =
    give(TensorDict, Raw.td_dict_flatten_keys, td, separator)
unflatten_keys(td::TensorDict, separator::AbstractString = ".") =
    give(TensorDict, Raw.td_dict_unflatten_keys, td, separator)

# ---- Names of dims

"Returns the names of the batch dims; `nothing` for a dim without one."
dim_names(td::TensorDict) =
    Union{Nothing,String}[name_of(give(Union{Nothing,String}, Raw.td_dict_name, td, i - 1)) for i in 1:ndims(td)]
name_of(x) = x
rawtype(::Type{Union{Nothing,String}}) = Raw.td_string
take(::Type{Union{Nothing,String}}, p::Ptr{Raw.td_string}) = p == C_NULL ? nothing : take(String, p)

"Names the batch dims, here and below; no names remove all."
set_names!(td::TensorDict, names...) = (call(Raw.td_dict_set_names, td, collect(names), length(names)); td)
"Names the dims that have no name yet."
refine_names!(td::TensorDict, names...) = (call(Raw.td_dict_refine_names, td, collect(names), length(names)); td)
"Renames dims, all together: `rename_names!(td, \"a\" => \"b\", \"b\" => nothing)`."
rename_names!(td::TensorDict, pairs::Pair...) =
    (call(Raw.td_dict_rename_names, td, collect(map(first, pairs)), collect(map(last, pairs)), length(pairs)); td)
