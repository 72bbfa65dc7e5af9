# Dicts passed from process to process.

const ROLES = (produces = Raw.TD_CHANNEL_ROLE_PRODUCES, consumes = Raw.TD_CHANNEL_ROLE_CONSUMES,
               both = Raw.TD_CHANNEL_ROLE_PRODUCES | Raw.TD_CHANNEL_ROLE_CONSUMES,
               observes = Raw.TD_CHANNEL_ROLE_OBSERVES)
const MODES = (queue = Raw.TD_CHANNEL_MODE_QUEUE, broadcast = Raw.TD_CHANNEL_MODE_BROADCAST)
const OVERFLOWS = (block = Raw.TD_CHANNEL_OVERFLOW_BLOCK, fail = Raw.TD_CHANNEL_OVERFLOW_FAIL,
                   drop_oldest = Raw.TD_CHANNEL_OVERFLOW_DROP_OLDEST)

"""
    TensorDictChannel(name, schema; role = :produces, mode = :queue, overflow = :block, slots = 0, members = 0,
                      deliveries = 0, max_held = 0, keep = false, replace_dead = false)
    TensorDictChannel(name; role = :consumes, timeout = 0, cancel = nothing)

Creates a channel for messages with the structure of `schema`, or opens one. Roles are `:produces`, `:consumes`, `:both`
and `:observes`. With a function first, the handle is closed when it returns.

    for message in TensorDictChannel("work")      # until the channel ends
        train(message[])                          # views of the message, valid until the next one
    end
    publish(channel) do td                        # fills the next message
        td["x"] .= 1
    end

Waiting lets other tasks and the garbage collector go on. A slot stays in use while tensors of its message are alive;
what the collector has not found yet is collected when a wait takes longer.
"""
@handle TensorDictChannel td_channel TD_OBJECT_CHANNEL

"A message of a channel: `message[]` is its dict, `close(message)` frees its slot."
@handle Message td_message TD_OBJECT_MESSAGE

function TensorDictChannel(name::AbstractString, schema::TensorDict; role = :produces, mode = :queue, overflow = :block,
                           slots = 0, members = 0, deliveries = 0, max_held = 0, keep = false, replace_dead = false)
    o = options(Raw.td_channel_options; mode = MODES[mode], overflow = OVERFLOWS[overflow], roles = ROLES[role],
                slots = slots, members = members, deliveries = deliveries, max_held = max_held, keep = keep,
                replace_dead = replace_dead)
    return named(give(TensorDictChannel, Raw.td_channel_create, name, schema, o))
end
function TensorDictChannel(name::AbstractString; role = :consumes, timeout = 0, cancel = nothing)
    attempt() = named(give(TensorDictChannel, Raw.td_channel_open, name, ROLES[role], nothing))
    return wait_for_name(attempt, timeout, cancel)
end
Base.unsafe_convert(::Type{Ptr{Raw.td_channel_open_options}}, ::Nothing) = Ptr{Raw.td_channel_open_options}(C_NULL)
TensorDictChannel(f::Function, name::AbstractString, schema::TensorDict; kwargs...) =
    closing(f, TensorDictChannel(name, schema; kwargs...))
TensorDictChannel(f::Function, name::AbstractString; kwargs...) = closing(f, TensorDictChannel(name; kwargs...))

# Sleeps until the descriptor of the role is readable, which needs no thread of ours.
function pause_for(ch, role)
    fd = Ref{Int32}(-1)
    return function (seconds)
        fd[] < 0 && (fd[] = give(Int32, Raw.td_channel_descriptor, ch, role))
        FileWatching.poll_fd(RawFD(fd[]), seconds; readable = true)
        return nothing
    end
end

const NOTHING_YET = Union{TensorDictTimeoutError,TensorDictNotFoundError}

"""
    take!(channel; timeout = nothing, cancel = nothing) -> Message

Takes the oldest message, and waits up to `timeout` seconds for it. Throws [`TensorDictClosedError`](@ref) if the
channel was ended and is empty. When the time is over it throws [`TensorDictTimeoutError`](@ref), or
[`TensorDictNotFoundError`](@ref) if there is no producer.
"""
Base.take!(ch::TensorDictChannel; timeout = nothing, cancel = nothing) = poll_until(
    () -> give(Message, Raw.td_channel_take, ch, Int64(0), nothing), pause_for(ch, Raw.TD_CHANNEL_ROLE_CONSUMES),
    Deadline(timeout), cancel, NOTHING_YET)

"""
    take!(f, channel; timeout = nothing, cancel = nothing)

Calls `f(message)` with the oldest message, and closes the message.
"""
Base.take!(f::Function, ch::TensorDictChannel; kwargs...) = closing(f, take!(ch; kwargs...))

"""
    acquire(channel; timeout = nothing, cancel = nothing) -> Message

Returns a message to write, with the values that were in its slot before; [`publish`](@ref) sends it.
"""
acquire(ch::TensorDictChannel; timeout = nothing, cancel = nothing) = poll_until(
    () -> give(Message, Raw.td_channel_acquire, ch, Int64(0), nothing), pause_for(ch, Raw.TD_CHANNEL_ROLE_PRODUCES),
    Deadline(timeout), cancel, TensorDictTimeoutError)

"""
    publish(message)
    publish(f, channel; timeout = nothing, cancel = nothing)
    put!(channel, td)

Publishes an acquired message; acquires one, calls `f` with its dict and publishes it; or publishes the values of `td`.
"""
publish(m::Message) = call(Raw.td_message_publish, m)
function publish(f::Function, ch::TensorDictChannel; timeout = nothing, cancel = nothing)
    m = acquire(ch; timeout = timeout, cancel = cancel)
    try
        td = m[]
        f(td)
        close(td)
        publish(m)
    finally
        close(m)
    end
    return nothing
end
Base.put!(ch::TensorDictChannel, td::TensorDict) = (publish(slot -> update_values!(slot, td), ch); ch)

# The message before is closed when the next one is taken.
function Base.iterate(ch::TensorDictChannel, before::Union{Nothing,Message} = nothing)
    before === nothing || close(before)
    m = try
        take!(ch)
    catch e
        e isa TensorDictClosedError && isopen(ch) && return nothing
        rethrow()
    end
    return m, m
end
Base.IteratorSize(::Type{TensorDictChannel}) = Base.SizeUnknown()
Base.eltype(::Type{TensorDictChannel}) = Message

"""
    finish(channel)

Ends a channel for every process: consumers still take what is there. `close(channel)` only leaves it.
"""
finish(ch::TensorDictChannel) = call(Raw.td_channel_close, ch)
"Cleans up after dead members now; returns their number."
sweep(ch::TensorDictChannel) = Int(give(Int32, Raw.td_channel_sweep, ch))

"Returns the statistics of a channel or of a query, as a named tuple."
function stats(ch::TensorDictChannel)
    out = Ref(Raw.td_channel_statistics())
    call(Raw.td_channel_stats, ch, out)
    return as_named_tuple(out[])
end
as_named_tuple(x::T) where {T} = (names = filter(n -> !(n in (:struct_size, :reserved)), fieldnames(T));
                                  NamedTuple{names}(map(n -> getfield(x, n), names)))

"Returns the state of a channel as text for people."
dump_text(ch::TensorDictChannel) = give(String, Raw.td_channel_dump, ch)
"Returns the options that a channel was created with; `roles` are those of this handle."
function channel_options(ch::TensorDictChannel)
    out = Ref(Raw.td_channel_options())
    call(Raw.td_channel_get_options, ch, out)
    return as_named_tuple(out[])
end
"Returns a dict of zeros with the structure of the messages."
schema(ch::TensorDictChannel) = give(TensorDict, Raw.td_channel_schema, ch)
path(ch::TensorDictChannel) = text(Raw.td_channel_path(ch))
nbytes(ch::TensorDictChannel) = Int(Raw.td_channel_nbytes(ch))
"Removes the name of a channel; who has it open can still use it."
unlink_channel(name::AbstractString) = call(Raw.td_channel_unlink, name)

# ---- Messages

Base.getindex(m::Message) = give(TensorDict, Raw.td_message_dict, m)
clone(m::Message) = give(TensorDict, Raw.td_message_clone, m)
"Returns how many tensors and dicts of a message are in use: 0 means that `close` frees its slot."
open_views(m::Message) = (release_collected(); Int(Raw.td_message_open_views(m)))
"Returns the number of a message in the order of publishing, from 0."
message_number(m::Message) = Int(Raw.td_message_number(m))
"Returns how often a message was delivered."
delivery(m::Message) = Int(Raw.td_message_delivery(m))
"Returns how many messages were dropped since this handle last took one."
lag(m::Message) = Int(Raw.td_message_lag(m))
