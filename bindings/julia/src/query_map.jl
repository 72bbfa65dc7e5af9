# Maps of a query that Julia implements.

"""
    IndexMap

What a map of hashes to indices must do, for [`Query`](@ref)`(map, keys...)`: a type with these methods.

- `look_up(map, hashes) -> indices`, -1 for what is not there
- `insert!(map, hashes) -> indices`, of distinct hashes that are not there
- `map_size(map) -> (rows, next index)`
- where `can_erase(map)`: `erase!(map, hashes)`
- where `can_clear(map)`: `empty!(map)`
- where `can_save(map)`: `save_map(map, state)` writes the contents to an empty dict, under any keys but `"identity"`
  and `"hashes"`, and `load_map!(map, state)` replaces the contents by what it wrote; `TensorDicts.state(query)` and
  `load_state!(query, state)` call them
"""
abstract type IndexMap end
can_erase(::IndexMap) = false
can_clear(::IndexMap) = false
can_save(::IndexMap) = false
function map_size end
function erase! end
function save_map end
function load_map! end

const Hashes = Ptr{Int64}
const Err = Ptr{Ptr{Raw.td_error}}
# The hashes are only valid during the call, so the map gets a copy.
hashes_of(p, n) = copy(unsafe_wrap(Array, p, Int(n)))

function store_indices(out, indices, n)
    length(indices) == n ||
        throw(TensorDictArgumentError("the map gave $(length(indices)) indices for $(Int(n)) hashes"))
    foreach(i -> unsafe_store!(out, Int64(indices[i]), i), 1:Int(n))
    return nothing
end

map_looked_up(id::Ptr{Cvoid}, hashes::Hashes, n::Csize_t, out::Hashes, err::Err)::Int32 =
    guarded(() -> store_indices(out, look_up(kept(id), hashes_of(hashes, n)), n), err)
map_inserted(id::Ptr{Cvoid}, hashes::Hashes, n::Csize_t, out::Hashes, err::Err)::Int32 =
    guarded(() -> store_indices(out, insert!(kept(id), hashes_of(hashes, n)), n), err)
map_erased(id::Ptr{Cvoid}, hashes::Hashes, n::Csize_t, err::Err)::Int32 =
    guarded(() -> (erase!(kept(id), hashes_of(hashes, n)); nothing), err)
map_cleared(id::Ptr{Cvoid}, err::Err)::Int32 = guarded(() -> (empty!(kept(id)); nothing), err)
map_sized(id::Ptr{Cvoid}, rows::Hashes, next::Hashes, err::Err)::Int32 = guarded(err) do
    (size, following) = map_size(kept(id))
    unsafe_store!(rows, Int64(size))
    unsafe_store!(next, Int64(following))
    nothing
end
map_saved(id::Ptr{Cvoid}, state::Ptr{Raw.td_dict}, err::Err)::Int32 = with_state(save_map, id, state, err)
map_loaded(id::Ptr{Cvoid}, state::Ptr{Raw.td_dict}, err::Err)::Int32 = with_state(load_map!, id, state, err)
function with_state(f, id, state, err)
    guarded(err) do
        dict = borrowed(TensorDict, state)
        f(kept(id), dict)
        close(dict)
    end
end

function Query(map::IndexMap, in_keys::Key...; given...)
    native = Native{Raw.td_index_map}(Ref(Raw.td_index_map(
        look_up = @cfunction(map_looked_up, Int32, (Ptr{Cvoid}, Hashes, Csize_t, Hashes, Err)),
        insert = @cfunction(map_inserted, Int32, (Ptr{Cvoid}, Hashes, Csize_t, Hashes, Err)),
        erase = can_erase(map) ? @cfunction(map_erased, Int32, (Ptr{Cvoid}, Hashes, Csize_t, Err)) : C_NULL,
        size = @cfunction(map_sized, Int32, (Ptr{Cvoid}, Hashes, Hashes, Err)),
        clear = can_clear(map) ? @cfunction(map_cleared, Int32, (Ptr{Cvoid}, Err)) : C_NULL,
        state = can_save(map) ? @cfunction(map_saved, Int32, (Ptr{Cvoid}, Ptr{Raw.td_dict}, Err)) : C_NULL,
        load = can_save(map) ? @cfunction(map_loaded, Int32, (Ptr{Cvoid}, Ptr{Raw.td_dict}, Err)) : C_NULL,
        userdata = keep(map), destroy = FORGET[])), Any[])
    return give(Query, Raw.td_query_new_with_map, collect(Any, in_keys), length(in_keys), query_options(; given...),
        native)
end
