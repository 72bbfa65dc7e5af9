#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

// Dicts on a server: their entries stay in Redis or Valkey, for many processes on many machines. Preview.
public sealed unsafe partial class TensorDict
{
    /// <summary>Opens a dict or a lazy stack on a Redis or Valkey server, in the layout of Python's TensorDictStore,
    /// without writing to it. Each Get reads the tensor, an index reads only its rows, and each change is one
    /// transaction; later calls, too, throw <see cref="TensorDictClosedException"/> and
    /// <see cref="TensorDictTimeoutException"/>. In Python: TensorDictStore.from_store(td_id=) and
    /// LazyStackedTensorDictStore.from_store. Preview.</summary>
    /// <param name="url">redis://HOST:PORT/DB?id=ID or unix:///PATH?id=ID.</param>
    /// <param name="mode">Read or ReadWrite.</param>
    /// <param name="timeout">How long each wait for the server may take, at least a millisecond; null: 10
    /// seconds.</param>
    /// <exception cref="TensorDictArgumentException">The URL, the mode or the timeout is bad.</exception>
    /// <exception cref="TensorDictNotFoundException">The server has no such dict.</exception>
    /// <exception cref="TensorDictCorruptException">What has the id is no dict.</exception>
    /// <exception cref="TensorDictClosedException">The server cannot be reached, or disconnected.</exception>
    /// <exception cref="TensorDictTimeoutException">The server does not answer.</exception>
    /// <exception cref="TensorDictUnsupportedException">The lazy stack has too many members, or this build has not the
    /// feature "redis".</exception>
    /// <exception cref="TensorDictIOException">The server refuses, for instance the password.</exception>
    public static TensorDict OpenRemote(string url, OpenMode mode = OpenMode.Read, TimeSpan? timeout = null)
    {
        var options = new td_remote_options { mode = mode, timeout_ms = ServerWait(timeout) };
        return Native.remote_open(url, &options);
    }

    /// <summary>Makes a dict without entries on a server and opens it for writing. Throws also what
    /// <see cref="OpenRemote"/> does. In Python: TensorDictStore(td_id=, batch_size=), which takes over what exists.
    /// Preview.</summary>
    /// <param name="url">As of <see cref="OpenRemote"/>.</param>
    /// <param name="batchSize">The batch size.</param>
    /// <param name="timeout">As of <see cref="OpenRemote"/>.</param>
    /// <exception cref="TensorDictExistsException">The server has a dict with this id.</exception>
    /// <exception cref="TensorDictShapeException">A size is negative.</exception>
    public static TensorDict CreateRemote(string url, ReadOnlySpan<long> batchSize, TimeSpan? timeout = null)
    {
        fixed (long* sizes = batchSize)
        {
            var options = new td_remote_options { batch_size = sizes, ndim = (nuint)batchSize.Length,
                timeout_ms = ServerWait(timeout) };
            return Native.remote_create(url, &options);
        }
    }

    /// <summary>The ids of the dicts and lazy stacks on a server, in alphabetical order. Throws what
    /// <see cref="OpenRemote"/> does. Python has no such function. Preview.</summary>
    /// <param name="url">As of <see cref="OpenRemote"/>, without an id.</param>
    /// <param name="timeout">As of <see cref="OpenRemote"/>.</param>
    public static string[] ListRemote(string url, TimeSpan? timeout = null)
    {
        var options = new td_remote_options { timeout_ms = ServerWait(timeout) };
        return Array.ConvertAll(Native.remote_list(url, &options), id => id.Parts[0]);
    }

    /// <summary>Removes a dict or a lazy stack with all its entries from a server. Throws also what
    /// <see cref="OpenRemote"/> does. In Python: TensorDictStore.clear_redis. Preview.</summary>
    /// <param name="url">As of <see cref="OpenRemote"/>.</param>
    /// <param name="timeout">As of <see cref="OpenRemote"/>.</param>
    /// <exception cref="TensorDictNotFoundException">The server has no such dict.</exception>
    /// <exception cref="TensorDictBusyException">Other processes change it all the time; it is still
    /// there.</exception>
    public static void RemoveRemote(string url, TimeSpan? timeout = null)
    {
        var options = new td_remote_options { timeout_ms = ServerWait(timeout) };
        Native.remote_remove(url, &options);
    }

    /// <summary>Asks the server how often this library, in any process, has changed the dict; nodes have the version of
    /// the root, and changes by Python do not count. Preview.</summary>
    /// <exception cref="TensorDictUnsupportedException">The dict is not on a server.</exception>
    /// <exception cref="TensorDictClosedException">The server cannot be reached, or disconnected.</exception>
    /// <exception cref="TensorDictTimeoutException">The server does not answer.</exception>
    /// <exception cref="TensorDictCorruptException">What has the id is no dict any more.</exception>
    public long RemoteVersion() => Native.remote_version(this);

    /// <summary>Takes over the entries of another dict, in one transaction, if this one still has a version: so several
    /// processes can read, compute and write without losing each other's changes. Throws also what
    /// <see cref="Update"/> does. Preview.</summary>
    /// <param name="source">The dict with the entries.</param>
    /// <param name="version">What <see cref="RemoteVersion"/> returned.</param>
    /// <exception cref="TensorDictBusyException">The dict has another version, or other processes change it meanwhile;
    /// nothing is written.</exception>
    /// <exception cref="TensorDictUnsupportedException">The dict is not on a server.</exception>
    /// <exception cref="TensorDictLockedException">The dict is locked, or opened read-only.</exception>
    /// <exception cref="TensorDictClosedException">The server cannot be reached, or disconnected; the change may have
    /// arrived, which <see cref="RemoteVersion"/> tells.</exception>
    /// <exception cref="TensorDictTimeoutException">The server does not answer; the change may have
    /// arrived.</exception>
    public void RemoteUpdateIf(TensorDict source, long version) => Native.remote_update_if(this, source, version);

    /// <summary>In C, 0 stands for the default.</summary>
    private static long ServerWait(TimeSpan? timeout) => timeout switch
    {
        null => 0,
        { Ticks: < 0 } given => (long)Math.Floor(given.TotalMilliseconds), // which the library refuses
        { } given => Math.Max(Cancel.Milliseconds(given), 1),
    };
}
