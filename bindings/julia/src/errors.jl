# Typed exceptions, one for each status.

"""
    TensorDictException

What every exception of the library is. Each status has a type of its own, for instance [`TensorDictKeyError`](@ref).

- `message`: what was wrong, where, and what to do
- `key`: the key that it is about, like `("next", "obs")`, or empty
- `where`: the file, segment, operator or plugin that it is about, or empty
- `hint`: what to do about it, or empty
- `cause`: the exception that it follows from, or `nothing`
"""
abstract type TensorDictException <: Exception end

const STATUSES = [
    :ARGUMENT => :TensorDictArgumentError, :KEY => :TensorDictKeyError, :SHAPE => :TensorDictShapeError,
    :DTYPE => :TensorDictDtypeError, :DEVICE => :TensorDictDeviceError, :INDEX => :TensorDictIndexError,
    :LOCKED => :TensorDictLockedError, :UNSUPPORTED => :TensorDictUnsupportedError,
    :VERSION => :TensorDictVersionError, :IO => :TensorDictIOError, :NOSPACE => :TensorDictNoSpaceError,
    :CORRUPT => :TensorDictCorruptError, :PLUGIN => :TensorDictPluginError, :CALLBACK => :TensorDictCallbackError,
    :TIMEOUT => :TensorDictTimeoutError, :CLOSED => :TensorDictClosedError, :TORCH => :TensorDictTorchError,
    :OOM => :TensorDictOutOfMemoryError, :INTERNAL => :TensorDictInternalError,
    :NOT_FOUND => :TensorDictNotFoundError, :EXISTS => :TensorDictExistsError,
    :CANCELLED => :TensorDictCancelledError, :BUSY => :TensorDictBusyError,
]

for (name, type) in STATUSES
    doc = "    $type\n\nThe status `TD_ERR_$name`: see [`TensorDictException`](@ref)."
    @eval begin
        struct $type <: TensorDictException
            message::String
            key::String
            where::String
            hint::String
            cause::Union{Nothing,Exception}
        end
        @doc $doc $type
        $type(message::AbstractString; key = "", where = "", hint = "", cause = nothing) =
            $type(message, key, where, hint, cause)
        statuscode(::Type{$type}) = Raw.$(Symbol(:TD_ERR_, name))
        export $type
    end
end
export TensorDictException

const EXCEPTIONS = Dict{Int32,DataType}(statuscode(T) => T for T in map(s -> getfield(@__MODULE__, s[2]), STATUSES))

exceptiontype(status) = get(EXCEPTIONS, status, TensorDictInternalError)

"""
    status(e::TensorDictException) -> Symbol

Returns the name of the status, for instance `:KEY`.
"""
status(e::TensorDictException) = first(STATUSES[findfirst(s -> getfield(@__MODULE__, s[2]) === typeof(e), STATUSES)])

function Base.showerror(io::IO, e::TensorDictException)
    print(io, nameof(typeof(e)), ": ", e.message)
    if e.cause isa Exception && !occursin(sprint(showerror, e.cause), e.message)
        print(io, "\ncaused by: ")
        showerror(io, e.cause)
    end
end

text(s::Raw.td_str) = s.data == C_NULL ? "" : unsafe_string(s.data, s.size)

# The names of the header in a hint, as this package has them: {dict_lock_} is `lock!`.
function julian(hint)
    return replace(hint, r"\{[^}]*\}" => function (named)
        name = named[2:end-1]
        own = replace(replace(name, r"^(dict|tensor|module|optimizer|dist|query)_" => ""), r"_$" => "!")
        return isdefined(@__MODULE__, Symbol(own)) ? "`$own`" : "`Raw.td_$name`"
    end)
end

# The exception of a Julia function that the library called, if this error or one that caused it carries one.
function own_exception(e)
    while e != C_NULL
        id = Raw.td_error_userdata(e, FORGET[])
        id == C_NULL || return kept(id)
        e = Raw.td_error_cause(e)
    end
    return nothing
end

function exception(e)
    cause = Raw.td_error_cause(e)
    message, hint = text(Raw.td_error_message(e)), text(Raw.td_error_hint(e))
    ours = julian(text(Raw.td_error_hint_format(e)))
    isempty(hint) || (message = replace(message, hint => ours))
    return exceptiontype(Raw.td_error_code(e))(
        message, text(Raw.td_error_key(e)), text(Raw.td_error_where(e)), ours,
        cause == C_NULL ? nothing : exception(cause),
    )
end

const ErrorRef = Base.RefValue{Ptr{Raw.td_error}}

# Throws what a call left behind; an exception of a Julia function that was called goes on as it was.
@noinline function fail(status, err::ErrorRef)
    e = err[]
    e == C_NULL && throw(exceptiontype(status)(text(Raw.td_status_name(status))))
    err[] = C_NULL
    own = try
        own_exception(e)
    catch
        nothing
    end
    made = own === nothing ? exception(e) : own
    Raw.td_error_release(e)
    throw(made)
end
