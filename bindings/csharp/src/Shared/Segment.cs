#nullable enable
using System;
using System.Threading;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>One dict in shared memory, under a name. Any process of the user, stock Python too, opens it without a
/// copy.</summary>
public sealed unsafe class Segment : NativeObject
{
    private Segment(td_segment* segment) : base(segment) { }

    internal static Segment Take(td_segment* segment) => new(segment);
    private protected override void Release(void* pointer) => Api.td_segment_release((td_segment*)pointer);

    /// <summary>Copies a dict into a new segment, which appears atomically.</summary>
    /// <param name="name">The name.</param>
    /// <param name="dict">What is copied.</param>
    /// <param name="keep">The name stays when this object is disposed of.</param>
    /// <param name="replaceDead">Replaces a segment of this name whose owner has ended.</param>
    /// <param name="largePages">Asks the system for large pages.</param>
    /// <param name="snapshots">How many buffers for <see cref="Snapshot"/>: 0, or 2 to 8.</param>
    public static Segment Create(string name, TensorDict dict, bool keep = false, bool replaceDead = false,
        bool largePages = false, int snapshots = 0)
    {
        var options = new td_segment_options
        {
            keep = Marshalled.Byte(keep),
            replace_dead = Marshalled.Byte(replaceDead),
            large_pages = Marshalled.Byte(largePages),
            snapshots = snapshots,
        };
        return Native.segment_create(name, dict, &options);
    }

    /// <summary>Opens a segment read-only. With a timeout it waits for the name.</summary>
    public static Segment Open(string name, TimeSpan timeout = default, CancellationToken token = default,
        bool populate = false, bool largePages = false) =>
        Cancel.During(token, cancel =>
        {
            var options = new td_segment_open_options
            {
                populate = Marshalled.Byte(populate),
                large_pages = Marshalled.Byte(largePages),
                timeout_ms = Cancel.Milliseconds(timeout),
                cancel = (td_cancel*)PointerOrNull(cancel),
            };
            return Native.segment_open(name, &options);
        });

    /// <summary>The dict in the segment: views of the shared memory, writable for the owner only.</summary>
    public TensorDict Dict => Native.segment_dict(this);
    /// <summary>Copies values into the segment in place; other processes see them.</summary>
    public void Update(TensorDict source) => Native.segment_update(this, source);
    /// <summary>The newest complete state, which no update changes while one of its tensors lives.</summary>
    public TensorDict Snapshot() => Native.segment_snapshot(this);
    /// <summary>The number of beginnings and ends of updates; odd during an update.</summary>
    public ulong Version => Native.segment_version(this);
    /// <summary>Waits for an update after the version <paramref name="seen"/>, and returns the version then.</summary>
    public ulong Wait(ulong seen, TimeSpan? timeout = null, CancellationToken token = default) =>
        Cancel.During(token, cancel => Native.segment_wait(this, seen, Cancel.Milliseconds(timeout), cancel));
    /// <summary>The file that stock Python opens.</summary>
    public string Path => Native.segment_path(this)!;
    /// <summary>The size of the whole segment in bytes.</summary>
    public long Bytes => Native.segment_nbytes(this);

    /// <summary>Removes a name; who has the segment open can still use it.</summary>
    public static void Unlink(string name) => Native.segment_unlink(name);
    /// <summary>The segments, channels and maps of this user whose names begin with a prefix.</summary>
    public static TensorDict[] List(string prefix = "") => TensorDict.ListFromJson(Native.segment_list(prefix));
    /// <summary>Removes names that killed processes left, and returns their number.</summary>
    public static long Prune(string prefix = "") => Native.segment_prune(prefix);

    /// <summary>Sends a copy of a dict through a Unix socket, in sealed memory.</summary>
    public static void Send(TensorDict dict, int socket) => Native.segment_send(dict, socket);
    /// <summary>Receives what <see cref="Send"/> sends.</summary>
    public static Segment Receive(int socket, TimeSpan? timeout = null) =>
        Native.segment_receive(socket, Cancel.Milliseconds(timeout));
    /// <summary>Copies a dict into sealed memory without a name; the caller closes the descriptor.</summary>
    public static int Export(TensorDict dict) => Native.segment_export(dict);
    /// <summary>Opens memory that <see cref="Export"/> made in another process.</summary>
    public static Segment Import(int descriptor) => Native.segment_import(descriptor);
}
