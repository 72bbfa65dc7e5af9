# Rows to dense indices.

const MISSES = (size = Raw.TD_QUERY_MISS_SIZE, minus_one = Raw.TD_QUERY_MISS_MINUS_ONE, error = Raw.TD_QUERY_MISS_ERROR)

"""
    Query(in_keys...; index_key, hash_key, hash_type, hash_config, hash, hashes, aggregator, map_of, capacity = 0,
          miss = :size, threads = 0, clone = false, exact = false, canonical = false)

Maps rows to dense indices: the first occurrence of a row gets the next free one. `query(td)` writes `"_index"` (from 0)
and `"_hash"`; `look_up(query, td)`, `contains_rows(query, td)` and `delete!(query, td)` work on rows.
"""
@handle Query td_query TD_OBJECT_QUERY

function query_options(; index_key = nothing, hash_key = nothing, hash_type = nothing, hash_config = nothing,
                       hash = nothing, hashes = nothing, aggregator = nothing, map_of = nothing, capacity = 0,
                       miss = :size, threads = 0, clone = false, exact = false, canonical = false)
    many = hashes === nothing ? Ptr{Ptr{Raw.td_hash}}(C_NULL) : convert(Vector{Hash}, hashes)
    return options(
        Raw.td_query_options; index_key = index_key, hash_key = hash_key, hash_type = hash_type,
        hash_config = config_text(hash_config, ()), hash = hash, hashes = many, n_hashes = counted(hashes),
        aggregator = aggregator, map_of = map_of, capacity = capacity, miss = MISSES[miss], threads = threads,
        clone = clone, exact = exact, canonical = canonical)
end
Query(in_keys::Key...; given...) =
    give(Query, Raw.td_query_new, collect(Any, in_keys), length(in_keys), query_options(; given...))

query_flags(extend, write_hash) =
    UInt64((extend ? 0 : Raw.TD_QUERY_NO_EXTEND) | (write_hash ? 0 : Raw.TD_QUERY_NO_HASH))

"""
    forward!(query, td; extend = true, write_hash = true)
    query(td; extend = true, write_hash = true, copy = nothing, found_key = nothing)

Looks up every row and writes its index, and its hash; without `extend`, new rows get no index. `copy` writes to a copy.
"""
forward!(q::Query, td::TensorDict; extend = true, write_hash = true) =
    (call(Raw.td_query_forward, q, td, query_flags(extend, write_hash)); td)
function (q::Query)(td::TensorDict; extend = true, write_hash = true, copy = nothing, found_key = nothing)
    target = copy === nothing ? Raw.TD_QUERY_TARGET_DEFAULT : copy ? Raw.TD_QUERY_TARGET_COPY : Raw.TD_QUERY_TARGET_DATA
    o = options(Raw.td_query_call_options; flags = query_flags(extend, write_hash), target = target,
        found_key = found_key)
    return give(TensorDict, Raw.td_query_call, q, td, o)
end

"Makes a module that runs a query and shares its map."
TensorDictModule(q::Query) = give(TensorDictModule, Raw.td_module_query, q)

"Returns for each row whether it is in the map, its index (from 0, or -1), or its hash."
contains_rows(q::Query, td::TensorDict) = give(Tensor, Raw.td_query_contains, q, td)
look_up(q::Query, td::TensorDict) = give(Tensor, Raw.td_query_look_up, q, td)
row_hashes(q::Query, td::TensorDict) = give(Tensor, Raw.td_query_hash, q, td)
"Removes the rows of a dict from the map; returns how many there were."
remove_rows!(q::Query, td::TensorDict) = Int(give(Int64, Raw.td_query_remove, q, td))
Base.empty!(q::Query) = (call(Raw.td_query_clear, q); q)
Base.length(q::Query) = Int(Raw.td_query_size(q))

select_out_keys!(q::Query, keys::AbstractVector) = (call(Raw.td_query_select_out_keys, q, keys, length(keys)); q)
reset_out_keys!(q::Query) = (call(Raw.td_query_reset_out_keys, q); q)
in_keys(q::Query) = give(KeyList, Raw.td_query_in_keys, q)
out_keys(q::Query) = give(KeyList, Raw.td_query_out_keys, q)
state(q::Query) = give(TensorDict, Raw.td_query_state, q)
load_state!(q::Query, state::TensorDict; any_hash = false) =
    (call(Raw.td_query_load_state, q, state, UInt64(any_hash ? Raw.TD_QUERY_LOAD_ANY_HASH : 0)); q)
function stats(q::Query)
    out = Ref(Raw.td_query_statistics())
    call(Raw.td_query_stats, q, out)
    return as_named_tuple(out[])
end
"Returns the options of a query that are not objects."
function query_facts(q::Query)
    out = Ref(Raw.td_query_options())
    call(Raw.td_query_get_options, q, out)
    o = out[]
    return (hash_type = text(o.hash_type), hash_config = JSON(text(o.hash_config)), capacity = o.capacity,
            miss = keys(MISSES)[o.miss+1], threads = o.threads, clone = o.clone != 0, exact = o.exact != 0,
            canonical = o.canonical != 0)
end

# ---- Maps in files (preview)

"Moves the map of a query to shared memory under a name, and writes to it from now on."
share!(q::Query, name::AbstractString; capacity = 0, keep = false, large_pages = false) = (call(
    Raw.td_query_share, q, name, options(Raw.td_query_share_options; capacity = capacity, keep = keep,
                                         large_pages = large_pages)); q)
"Writes the map of a query to a file for [`attach!`](@ref)."
save(q::Query, path::AbstractString; capacity = 0, overwrite = false) = call(
    Raw.td_query_save, q, path, options(Raw.td_query_save_options; capacity = capacity, overwrite = overwrite))
const MAP_MODES = (read = Raw.TD_QUERY_MAP_READ, copy = Raw.TD_QUERY_MAP_COPY, write = Raw.TD_QUERY_MAP_WRITE)
"Replaces the map of a query by the one in shared memory with this name, or in a file."
attach!(q::Query, name::AbstractString, mode = :read) = (call(Raw.td_query_attach, q, name, MAP_MODES[mode]); q)
"Removes the name of a map in shared memory."
unlink_query(name::AbstractString) = call(Raw.td_query_unlink, name)

# ---- Stores, and rows under keys (preview)

"""
    Store(; capacity = 0, preallocate = false, path = nothing)

Rows of dicts by index (from 0): `set!(store, index, rows)`, `store[index]`, `sample(store, 32)`. Preview.
"""
@handle Store td_store TD_OBJECT_STORE
Store(; capacity = 0, preallocate = false, path = nothing) = give(
    Store, Raw.td_store_new, options(Raw.td_store_options; capacity = capacity, preallocate = preallocate, path = path))
set!(s::Store, index::AbstractArray, rows::TensorDict) = (call(Raw.td_store_set, s, Tensor(index), rows); s)
Base.getindex(s::Store, index::AbstractArray) = give(TensorDict, Raw.td_store_get, s, Tensor(index))
contains_rows(s::Store, index::AbstractArray) = give(Tensor, Raw.td_store_contains, s, Tensor(index))
"Draws rows of a store, each with the same probability: `sample(store, 32) -> rows, index`."
sample(s::Store, n::Integer; replace = true, generator = nothing) = two(
    TensorDict, Tensor, Raw.td_store_sample, s, Int64(n),
    options(Raw.td_sample_options; without_replacement = !replace), generator)
Base.empty!(s::Store) = (call(Raw.td_store_clear, s); s)
Base.length(s::Store) = Int(Raw.td_store_size(s))
function store_facts(s::Store)
    out = Ref(Raw.td_store_options())
    call(Raw.td_store_get_options, s, out)
    return (capacity = out[].capacity, preallocate = out[].preallocate != 0, path = text(out[].path))
end

"""
    RowMap(query, store)

Maps rows to rows: `set!(map, keys, rows)`, `map[keys]`, `contains_rows(map, keys)`. Preview.
"""
@handle RowMap td_row_map TD_OBJECT_ROW_MAP
RowMap(q::Query, s::Store) = give(RowMap, Raw.td_row_map_new, q, s)
set!(m::RowMap, keys::TensorDict, rows::TensorDict) = (call(Raw.td_row_map_set, m, keys, rows); m)
Base.getindex(m::RowMap, keys::TensorDict) = give(TensorDict, Raw.td_row_map_get, m, keys)
contains_rows(m::RowMap, keys::TensorDict) = give(Tensor, Raw.td_row_map_contains, m, keys)
Base.empty!(m::RowMap) = (call(Raw.td_row_map_clear, m); m)
Base.length(m::RowMap) = Int(Raw.td_row_map_size(m))
