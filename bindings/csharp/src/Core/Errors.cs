#nullable enable
using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.ExceptionServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>What every exception of the library says, whichever exception of the platform it derives from.</summary>
public interface ITensorDictError
{
    /// <summary>What the library said of the failure.</summary>
    ErrorInfo Error { get; }
    /// <summary>The kind of failure.</summary>
    Status Status => Error.Status;
    /// <summary>The key that it is about, like ("next", "obs"); null if it is about none.</summary>
    string? Key => Error.Key;
    /// <summary>The file, segment, operator or plugin that it is about; null if it is about none.</summary>
    string? Where => Error.Where;
    /// <summary>What to do about it; null if there is nothing to say.</summary>
    string? Hint => Error.Hint;
}

/// <summary>What the library said of a failure.</summary>
/// <param name="Status">The kind of failure.</param>
/// <param name="Message">What was wrong, where, and what to do.</param>
/// <param name="Key">The key that it is about.</param>
/// <param name="Where">The file, segment, operator or plugin that it is about.</param>
/// <param name="Hint">What to do about it.</param>
/// <param name="Inner">What it follows from.</param>
public sealed record ErrorInfo(Status Status, string Message, string? Key = null, string? Where = null,
    string? Hint = null, Exception? Inner = null);

/// <summary>Failures of the library as exceptions.</summary>
internal static unsafe class Errors
{
    /// <summary>Takes the error over and throws it: an exception that a callback threw as itself.</summary>
    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    internal static void Throw(Status status, td_error* err)
    {
        Exception made = From(status, err, out ExceptionDispatchInfo? thrown);
        Api.td_error_release(err);
        thrown?.Throw();
        throw made;
    }

    /// <summary>The exception for an error, which stays the caller's.</summary>
    internal static Exception From(Status status, td_error* err, out ExceptionDispatchInfo? thrown)
    {
        thrown = null;
        for (td_error* one = err; one != null && thrown == null; one = Api.td_error_cause(one))
        {
            thrown = Callbacks.Thrown(one);
        }
        return thrown?.SourceException ?? Make(Read(status, err));
    }

    private static ErrorInfo Read(Status status, td_error* err)
    {
        if (err == null) return new ErrorInfo(status, Marshalled.Text(Api.td_status_name(status)) ?? "");
        td_error* cause = Api.td_error_cause(err);
        string message = Marshalled.Text(Api.td_error_message(err)) ?? "";
        string? hint = Given(Api.td_error_hint(err));
        if (hint != null && Given(Api.td_error_hint_format(err)) is { } format)
        {
            string named = Hints.Named(format);
            message = message.Replace(hint, named); // the message ends with it
            hint = named;
        }
        return new ErrorInfo(status, message, Given(Api.td_error_key(err)), Given(Api.td_error_where(err)), hint,
            cause == null ? null : Make(Read(Api.td_error_code(cause), cause)));
    }

    private static string? Given(td_str text) => text.size == 0 ? null : Marshalled.Text(text);

    private static Exception Make(ErrorInfo e) => e.Status switch
    {
        Status.Argument => new TensorDictArgumentException(e),
        Status.Key => new TensorDictKeyException(e),
        Status.Shape => new TensorDictShapeException(e),
        Status.DType => new TensorDictDTypeException(e),
        Status.Device => new TensorDictDeviceException(e),
        Status.Index => new TensorDictIndexException(e),
        Status.Locked => new TensorDictLockedException(e),
        Status.Unsupported => new TensorDictUnsupportedException(e),
        Status.Version => new TensorDictVersionException(e),
        Status.IO => new TensorDictIOException(e),
        Status.NoSpace => new TensorDictNoSpaceException(e),
        Status.Corrupt => new TensorDictCorruptException(e),
        Status.Plugin => new TensorDictPluginException(e),
        Status.Callback => new TensorDictCallbackException(e),
        Status.Timeout => new TensorDictTimeoutException(e),
        Status.Closed => new TensorDictClosedException(e),
        Status.Torch => new TorchException(e),
        Status.OutOfMemory => new TensorDictMemoryException(e),
        Status.NotFound => new TensorDictNotFoundException(e),
        Status.Exists => new TensorDictExistsException(e),
        Status.Cancelled => new TensorDictCancelledException(e),
        Status.Busy => new TensorDictBusyException(e),
        _ => new TensorDictInternalException(e),
    };

    /// <summary>The status with which a callback reports an exception.</summary>
    internal static Status StatusOf(Exception e) => e switch
    {
        ITensorDictError ours => ours.Status,
        OperationCanceledException => Status.Cancelled,
        TimeoutException => Status.Timeout,
        OutOfMemoryException => Status.OutOfMemory,
        _ => Status.Callback,
    };
}
