# One dict in shared memory, for many processes.

"""
    Segment(name, td; keep = false, large_pages = false, replace_dead = false, snapshots = 0)
    Segment(name; timeout = 0, populate = false, large_pages = false, cancel = nothing)

Creates a segment, a dict in named shared memory, with a copy of `td`; or opens one, read-only, and waits up to
`timeout` seconds for it (`nothing`: without limit). With a function first, it is closed when that returns:

    Segment("result", td) do segment
        update!(segment, next)
    end
    Segment("result") do segment
        segment[]        # the dict, a view of the shared memory
    end
"""
@handle Segment td_segment TD_OBJECT_SEGMENT

# What has a name is closed at exit, since the name goes with its owner.
const NAMED = WeakKeyDict{Any,Nothing}()
named(x) = (NAMED[x] = nothing; x)
function close_named()
    foreach(x -> (try; close(x); catch; end), collect(keys(NAMED)))
    return nothing
end

function Segment(name::AbstractString, td::TensorDict; keep = false, large_pages = false, replace_dead = false,
                 snapshots = 0)
    o = options(Raw.td_segment_options; keep = keep, large_pages = large_pages, replace_dead = replace_dead,
                snapshots = snapshots)
    return named(give(Segment, Raw.td_segment_create, name, td, o))
end

function Segment(name::AbstractString; timeout = 0, populate = false, large_pages = false, cancel = nothing)
    o = options(Raw.td_segment_open_options; populate = populate, large_pages = large_pages)
    return wait_for_name(() -> named(give(Segment, Raw.td_segment_open, name, o)), timeout, cancel)
end

# Without a wait, a name that does not exist is NOT_FOUND; after one, TIMEOUT.
function wait_for_name(attempt, timeout, cancel)
    timeout == 0 && return attempt()
    try
        return poll_until(attempt, sleep, Deadline(timeout), cancel, TensorDictNotFoundError)
    catch e
        e isa TensorDictNotFoundError || rethrow()
        throw(TensorDictTimeoutError(e.message; where = e.where))
    end
end

Segment(f::Function, name::AbstractString, td::TensorDict; kwargs...) = closing(f, Segment(name, td; kwargs...))
Segment(f::Function, name::AbstractString; kwargs...) = closing(f, Segment(name; kwargs...))

"""
    segment[]

Returns the dict in a segment or of a message: views of the shared memory, locked.
"""
Base.getindex(s::Segment) = give(TensorDict, Raw.td_segment_dict, s)
"Copies the values of `src` into a segment's tensors in place; other processes see them without reopening."
update!(s::Segment, src::TensorDict) = (call(Raw.td_segment_update, s, src); s)
"Returns the newest complete state of a segment, which no update changes."
take_snapshot(s::Segment) = give(TensorDict, Raw.td_segment_snapshot, s)
"Returns the number of beginnings and ends of updates, which is odd during one."
version(s::Segment) = Raw.td_segment_version(s)

"""
    wait(segment, seen = version(segment); timeout = nothing, cancel = nothing) -> version

Waits until an update ended that [`version`](@ref) did not count when it returned `seen`.
"""
Base.wait(s::Segment, seen::Integer = version(s); timeout = nothing, cancel = nothing) = poll_until(
    () -> give(UInt64, Raw.td_segment_wait, s, UInt64(seen), Int64(0), nothing), t -> sleep(min(t, 0.005)),
    Deadline(timeout), cancel, TensorDictTimeoutError)

"Returns the file that stock Python opens."
path(s::Segment) = text(Raw.td_segment_path(s))
nbytes(s::Segment) = Int(Raw.td_segment_nbytes(s))

"Removes the name of a segment; who has it open can still use it."
unlink_segment(name::AbstractString) = call(Raw.td_segment_unlink, name)
"Returns the segments, channels and maps of this user whose names begin with `prefix`, each as a dict of data."
function list_segments(prefix::AbstractString = "")
    found = give(String, Raw.td_segment_list, prefix)
    return give(DictList, Raw.td_dict_list_from_json, found)
end
"Removes names that begin with `prefix` and that killed processes left; returns how many."
prune_segments(prefix::AbstractString = "") = give(Int64, Raw.td_segment_prune, prefix)

descriptor(x::Integer) = Int32(x)
descriptor(x::RawFD) = reinterpret(Int32, x)
"Sends a copy of a dict through a Unix socket, in memory that no process can change; `receive_segment` receives it."
send_segment(td::TensorDict, socket) = call(Raw.td_segment_send, td, descriptor(socket))
receive_segment(socket; timeout = nothing, cancel = nothing) = poll_until(
    () -> give(Segment, Raw.td_segment_receive, descriptor(socket), Int64(0)), t -> sleep(min(t, 0.005)),
    Deadline(timeout), cancel, TensorDictTimeoutError)
"Copies a dict into memory without a name and returns its descriptor, which the caller sends and closes."
export_segment(td::TensorDict) = RawFD(give(Int32, Raw.td_segment_export, td))
"Opens memory that [`export_segment`](@ref) made in another process."
import_segment(fd) = give(Segment, Raw.td_segment_import, descriptor(fd))
