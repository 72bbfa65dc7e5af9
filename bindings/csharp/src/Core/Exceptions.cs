#nullable enable
using System;
using System.Collections.Generic;
using System.IO;

namespace LibTensorDict;

/// <summary>An argument that the library does not take.</summary>
public sealed class TensorDictArgumentException : ArgumentException, ITensorDictError
{
    internal TensorDictArgumentException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>No such key, or the path runs through a tensor.</summary>
public sealed class TensorDictKeyException : KeyNotFoundException, ITensorDictError
{
    internal TensorDictKeyException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>Shapes that do not fit each other, or the batch size.</summary>
public sealed class TensorDictShapeException : ArgumentException, ITensorDictError
{
    internal TensorDictShapeException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>A dtype that this operation does not take.</summary>
public sealed class TensorDictDTypeException : ArgumentException, ITensorDictError
{
    internal TensorDictDTypeException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>No such device, or data that is not where it must be.</summary>
public sealed class TensorDictDeviceException : ArgumentException, ITensorDictError
{
    internal TensorDictDeviceException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>An index or a dim out of range.</summary>
public sealed class TensorDictIndexException : ArgumentOutOfRangeException, ITensorDictError
{
    internal TensorDictIndexException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>A structural change of a locked dict, or a write to read-only memory.</summary>
public sealed class TensorDictLockedException : InvalidOperationException, ITensorDictError
{
    internal TensorDictLockedException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>Valid, but not offered by this object or this build.</summary>
public sealed class TensorDictUnsupportedException : NotSupportedException, ITensorDictError
{
    internal TensorDictUnsupportedException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>Made by, or for, another version.</summary>
public sealed class TensorDictVersionException : NotSupportedException, ITensorDictError
{
    internal TensorDictVersionException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>The operating system refused.</summary>
public sealed class TensorDictIOException : IOException, ITensorDictError
{
    internal TensorDictIOException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>No space on the device or in shared memory.</summary>
public sealed class TensorDictNoSpaceException : IOException, ITensorDictError
{
    internal TensorDictNoSpaceException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>A file, a directory or a segment contradicts itself.</summary>
public sealed class TensorDictCorruptException : IOException, ITensorDictError
{
    internal TensorDictCorruptException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>A plugin failed or broke its contract.</summary>
public sealed class TensorDictPluginException : InvalidOperationException, ITensorDictError
{
    internal TensorDictPluginException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>A callback of another language failed; what C# threw comes back as itself.</summary>
public sealed class TensorDictCallbackException : Exception, ITensorDictError
{
    internal TensorDictCallbackException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>The timeout expired.</summary>
public sealed class TensorDictTimeoutException : TimeoutException, ITensorDictError
{
    internal TensorDictTimeoutException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>A channel, message, file or scope that is closed or ended, or a server that cannot be
/// reached.</summary>
public sealed class TensorDictClosedException : InvalidOperationException, ITensorDictError
{
    internal TensorDictClosedException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>LibTorch failed; the message is LibTorch's.</summary>
public sealed class TorchException : InvalidOperationException, ITensorDictError
{
    internal TorchException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>Out of memory.</summary>
public sealed class TensorDictMemoryException : OutOfMemoryException, ITensorDictError
{
    internal TensorDictMemoryException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>A bug in the library.</summary>
public sealed class TensorDictInternalException : Exception, ITensorDictError
{
    internal TensorDictInternalException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>No such file, directory, segment, dict on a server, operator, plugin or type.</summary>
public sealed class TensorDictNotFoundException : FileNotFoundException, ITensorDictError
{
    internal TensorDictNotFoundException(ErrorInfo e) : base(e.Message, e.Where, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>The name is taken.</summary>
public sealed class TensorDictExistsException : IOException, ITensorDictError
{
    internal TensorDictExistsException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>The caller ended the wait.</summary>
public sealed class TensorDictCancelledException : OperationCanceledException, ITensorDictError
{
    internal TensorDictCancelledException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>Another thread is using the same dict, or other processes have changed it on its server.</summary>
public sealed class TensorDictBusyException : InvalidOperationException, ITensorDictError
{
    internal TensorDictBusyException(ErrorInfo e) : base(e.Message, e.Inner) => Error = e;

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}

/// <summary>libtensordict cannot be loaded: the message says what to install.</summary>
public sealed class LibraryNotFoundException : DllNotFoundException, ITensorDictError
{
    internal LibraryNotFoundException(string message) : base(message) => Error = new ErrorInfo(Status.Version, message);

    /// <inheritdoc/>
    public ErrorInfo Error { get; }
}
