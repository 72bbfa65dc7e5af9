# Waiting: never inside of the library, so that other tasks and the garbage collector go on.

"""
    Cancel()

Ends waits before their time: give it to calls that wait, as `cancel`, and call [`request!`](@ref).
"""
@handle Cancel td_cancel TD_OBJECT_CANCEL
Cancel() = give(Cancel, Raw.td_cancel_new)
"Ends the waits that a [`Cancel`](@ref) was given to, now and later."
request!(c::Cancel) = (Raw.td_cancel_request(c); c)
"Returns whether [`request!`](@ref) was called."
requested(c::Cancel) = Raw.td_cancel_requested(c) != 0
requested(::Nothing) = false

struct Deadline
    at::Float64
end
Deadline(::Nothing) = Deadline(Inf)
Deadline(seconds::Real) = Deadline(time() + seconds)
left(d::Deadline) = d.at - time()

const LONGEST_PAUSE = 0.05

# Collects what holds slots or memory: soon what is young, later everything. Returns the next stage.
function collect_while_waiting(stage, waited)
    if stage == 0 && waited > 0.01
        GC.gc(false)
        release_collected()
        return 1
    elseif stage == 1 && waited > 0.2
        GC.gc()
        release_collected()
        return 2
    end
    return stage
end

# Asks `attempt()`, which throws one of `again` as long as there is nothing, until `deadline`; `pause(seconds)` waits.
function poll_until(attempt, pause, deadline::Deadline, cancel, again)
    began, stage = time(), 0
    while true
        requested(cancel) && throw(TensorDictCancelledError("the wait was cancelled"))
        try
            return attempt()
        catch e
            (e isa again && left(deadline) > 0) || rethrow()
        end
        stage = collect_while_waiting(stage, time() - began)
        pause(max(0.001, min(left(deadline), LONGEST_PAUSE)))
    end
end
