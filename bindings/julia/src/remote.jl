# Dicts on a server: their entries stay in Redis or Valkey, for many processes on many machines. A preview.

# Every wait has an end here; 0, which is none to the library, is as short as can be.
remote_options(timeout; members...) = options(
    Raw.td_remote_options; timeout_ms = timeout < 0 ? -1 : max(1, ceil(Int64, 1000timeout)), members...)

"""
    TensorDicts.open_remote(url; mode = :read, timeout = 10)

Opens a dict or a lazy stack whose entries stay on a Redis or Valkey server, as Python's `TensorDictStore.from_store`
and `LazyStackedTensorDictStore.from_store` do; it does not write to the server. Each look-up reads the tensor, an index
reads only its rows, and each change is one transaction. `mode` is `:read` or `:read_write`; `timeout` is in seconds,
for each wait for the server, which blocks the thread and the collector. [`file_of`](@ref), [`is_writable`](@ref) and
[`close_file`](@ref) are for these dicts, too.

    url = "redis://10.0.0.1:6379/0?id=replay"               # or "unix:///PATH?id=replay"
    replay = TensorDicts.create_remote(url; batch = 1000)
    replay = TensorDicts.open_remote(url; mode = :read_write)          # in another process

Nothing is encrypted: use servers only in networks that you trust.

Throws [`TensorDictArgumentError`](@ref) for a bad URL or option; [`TensorDictNotFoundError`](@ref);
[`TensorDictCorruptError`](@ref) if the id is not that of a dict; [`TensorDictClosedError`](@ref) if the server cannot
be reached; [`TensorDictTimeoutError`](@ref) if it does not answer; [`TensorDictIOError`](@ref), also for a wrong
password; [`TensorDictUnsupportedError`](@ref) for a lazy stack of too many members, and in a build without the feature
"redis". Later calls on the dict can throw `TensorDictClosedError` and `TensorDictTimeoutError`, too, and connect again;
a change that failed so may have arrived. They throw [`TensorDictBusyError`](@ref), and change nothing, if other
processes change the same entries faster than they can be read or written.
"""
open_remote(url::AbstractString; mode = :read, timeout = 10) =
    give(TensorDict, Raw.td_remote_open, url, remote_options(timeout; mode = OPEN_MODES[mode]))

"""
    TensorDicts.create_remote(url; batch = (), timeout = 10)

Makes a dict without entries on a server and opens it for writing. Python's `TensorDictStore(td_id=, batch_size=)` takes
over what exists; this throws [`TensorDictExistsError`](@ref). Throws [`TensorDictShapeError`](@ref) for a negative
size; others as [`open_remote`](@ref).
"""
create_remote(url::AbstractString; batch = (), timeout = 10) = give(
    TensorDict, Raw.td_remote_create, url, remote_options(timeout; batch_size = int64s(batch), ndim = length(batch)))

"""
    TensorDicts.list_remote(url; timeout = 10) -> Vector{String}

Returns the ids of the dicts and lazy stacks on a server, in alphabetical order; the URL has no id. Throws as
[`open_remote`](@ref).
"""
list_remote(url::AbstractString; timeout = 10) =
    String[first(id) for id in give(KeyList, Raw.td_remote_list, url, remote_options(timeout))]

"""
    TensorDicts.remove_remote(url; timeout = 10)

Removes a dict or a lazy stack with all its entries from a server, as Python's `TensorDictStore.clear_redis` does.
Throws [`TensorDictNotFoundError`](@ref); [`TensorDictBusyError`](@ref); others as [`open_remote`](@ref).
"""
remove_remote(url::AbstractString; timeout = 10) = call(Raw.td_remote_remove, url, remote_options(timeout))

"""
    TensorDicts.remote_version(td) -> Int

Returns how often this library, in any process, has changed the dict on the server; changes by Python do not count, and
nodes have the version of the root. Throws [`TensorDictUnsupportedError`](@ref) if the dict is not on a server;
[`TensorDictClosedError`](@ref); [`TensorDictTimeoutError`](@ref); [`TensorDictCorruptError`](@ref).
"""
remote_version(td::TensorDict) = Int(give(Int64, Raw.td_remote_version, td))

"""
    TensorDicts.remote_update_if!(td, src, version)

Updates like [`update!`](@ref), in one transaction, if the dict on the server still has this version: so several
processes read, compute and write without losing each other's changes. Throws [`TensorDictBusyError`](@ref) if it has
another version, or other processes change it meanwhile, and nothing is written then;
[`TensorDictUnsupportedError`](@ref) if the dict is not on a server; [`TensorDictLockedError`](@ref);
[`TensorDictClosedError`](@ref); [`TensorDictTimeoutError`](@ref); others as [`update!`](@ref).
"""
remote_update_if!(td::TensorDict, src::TensorDict, version::Integer) =
    (call(Raw.td_remote_update_if, td, src, Int64(version)); td)
remote_update_if!(td::TensorDict, src::AbstractDict, version::Integer) =
    remote_update_if!(td, converted_dict(td, src), version)
