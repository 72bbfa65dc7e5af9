# Julia functions that the library calls. The library knows them by a number in this table, never by an address.

const TABLE = Dict{Int,Any}()
const TABLE_LOCK = Threads.SpinLock()
const LAST = Ref(0)

function keep(x)
    lock(TABLE_LOCK)
    id = LAST[] += 1
    TABLE[id] = x
    unlock(TABLE_LOCK)
    return Ptr{Cvoid}(UInt(id))
end

function kept(id::Ptr{Cvoid})
    lock(TABLE_LOCK)
    x = get(TABLE, Int(UInt(id)), nothing)
    unlock(TABLE_LOCK)
    return x
end

function forget(id::Ptr{Cvoid})::Cvoid
    lock(TABLE_LOCK)
    delete!(TABLE, Int(UInt(id)))
    unlock(TABLE_LOCK)
    return nothing
end

# The address of `forget`, by which errors of this package are known; set when the package is loaded.
const FORGET = Ref(C_NULL)

"Keeps `x` in the table while `f(id)` runs."
function with_kept(f, x)
    id = keep(x)
    try
        return f(id)
    finally
        forget(id)
    end
end

# Runs the body of a callback: no exception may pass through the library, so it is handed over as an error.
@inline function guarded(f::F, err::Ptr{Ptr{Raw.td_error}})::Int32 where {F}
    try
        f()
        return Raw.TD_OK
    catch e
        return report(e, err)
    end
end

@noinline function report(e, err)::Int32
    status = e isa TensorDictException ? statuscode(typeof(e)) : Raw.TD_ERR_CALLBACK
    message = try
        sprint(showerror, e)
    catch
        string(typeof(e))
    end
    err == C_NULL || unsafe_store!(err, Raw.td_error_new_with(status, message, keep(e), FORGET[]))
    return status
end

# Runs `f` where no other task may go on in its place on this thread, nor it on another one.
function bound_to_thread(f)
    task = current_task()
    before = task.sticky
    task.sticky = true
    try
        return f()
    finally
        task.sticky = before
    end
end

run_kept(id::Ptr{Cvoid}, err::Ptr{Ptr{Raw.td_error}})::Int32 = guarded(() -> kept(id)(), err)

# Calls a function of the library that runs `f` once, and returns what `f` returned.
function run_inside(raw, f, before...)
    result = Ref{Any}(nothing)
    bound_to_thread() do
        with_kept(() -> (result[] = f(); nothing)) do id
            call(raw, before..., @cfunction(run_kept, Int32, (Ptr{Cvoid}, Ptr{Ptr{Raw.td_error}})), id)
        end
    end
    return result[]
end

"Makes the struct of a callback that the library keeps: `destroy` takes `f` out of the table."
callback(::Type{T}, pointer, f; members...) where {T} =
    Native{T}(Ref(T(; fn = pointer, userdata = keep(f), destroy = FORGET[], members...)), Any[])
