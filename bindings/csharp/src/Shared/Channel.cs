#nullable enable
using System;
using System.Threading;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>How a channel is made. What is not given has the default of the library.</summary>
public sealed record ChannelOptions
{
    /// <summary>Whether one consumer or all get each message.</summary>
    public ChannelMode Mode { get; init; }
    /// <summary>What acquiring does if all slots are in use.</summary>
    public ChannelOverflow Overflow { get; init; }
    /// <summary>The roles of the creator; none given: it produces.</summary>
    public ChannelRole Roles { get; init; }
    /// <summary>How many messages can be in the channel, 1 to 64.</summary>
    public int Slots { get; init; }
    /// <summary>How many producers and consumers there can be.</summary>
    public int Members { get; init; }
    /// <summary>How often a queue delivers a message if consumers die with it.</summary>
    public int Deliveries { get; init; }
    /// <summary>How many messages one handle may hold.</summary>
    public int MaxHeld { get; init; }
    /// <summary>The name stays when the creator's object is disposed of.</summary>
    public bool Keep { get; init; }
    /// <summary>Replaces a channel of this name without a living process.</summary>
    public bool ReplaceDead { get; init; }
}

/// <summary>Statistics of a channel.</summary>
/// <param name="Published">Messages published.</param>
/// <param name="Dropped">Messages dropped for newer ones.</param>
/// <param name="Redelivered">Messages delivered again after a consumer died.</param>
/// <param name="DeadLetters">Messages given up because every consumer that took them died.</param>
/// <param name="Aborted">Messages acquired and never published.</param>
/// <param name="Swept">Dead members that were cleaned up after.</param>
/// <param name="Slots">All slots.</param>
/// <param name="Free">Free slots.</param>
/// <param name="Ready">Slots with a message that waits.</param>
/// <param name="Reading">Slots with a message that is read.</param>
/// <param name="Writing">Slots with a message that is written.</param>
/// <param name="Producers">Producers that live.</param>
/// <param name="Consumers">Consumers that live.</param>
/// <param name="IsClosed">Whether the channel is closed.</param>
public readonly record struct ChannelStatistics(long Published, long Dropped, long Redelivered, long DeadLetters,
    long Aborted, long Swept,
    int Slots, int Free, int Ready, int Reading, int Writing, int Producers, int Consumers, bool IsClosed);

/// <summary>Passes dicts of one structure from process to process without a copy.</summary>
public sealed unsafe partial class Channel : NativeObject
{
    private Channel(td_channel* channel) : base(channel) { }

    internal static Channel Take(td_channel* channel) => new(channel);
    private protected override void Release(void* pointer) => Api.td_channel_release((td_channel*)pointer);

    /// <summary>Makes a channel for messages with the structure of a dict, and joins it.</summary>
    public static Channel Create(string name, TensorDict schema, ChannelOptions? options = null)
    {
        options ??= new ChannelOptions();
        var raw = new td_channel_options
        {
            mode = options.Mode,
            overflow = options.Overflow,
            roles = options.Roles,
            slots = options.Slots,
            members = options.Members,
            deliveries = options.Deliveries,
            max_held = options.MaxHeld,
            keep = Marshalled.Byte(options.Keep),
            replace_dead = Marshalled.Byte(options.ReplaceDead),
        };
        return Native.channel_create(name, schema, &raw);
    }

    /// <summary>Opens a channel and joins it. With a timeout it waits for the name.</summary>
    public static Channel Open(string name, ChannelRole roles, TimeSpan timeout = default,
        CancellationToken token = default) =>
        Cancel.During(token, cancel =>
        {
            var options = new td_channel_open_options
            {
                timeout_ms = Cancel.Milliseconds(timeout),
                cancel = (td_cancel*)PointerOrNull(cancel),
            };
            return Native.channel_open(name, roles, &options);
        });

    /// <summary>Acquires a message to write. Without a timeout it waits until there is a slot.</summary>
    public Message Acquire(TimeSpan? timeout = null, CancellationToken token = default) =>
        Cancel.During(token, cancel => Native.channel_acquire(this, Cancel.Milliseconds(timeout), cancel));

    /// <summary>Takes the oldest message. Without a timeout it waits until there is one.</summary>
    public Message Take(TimeSpan? timeout = null, CancellationToken token = default) =>
        Cancel.During(token, cancel => Native.channel_take(this, Cancel.Milliseconds(timeout), cancel));

    /// <summary>Copies a dict into a message and publishes it.</summary>
    public void Publish(TensorDict dict, TimeSpan? timeout = null, CancellationToken token = default)
    {
        using Message message = Acquire(timeout, token);
        Fill(message, dict);
    }

    private static void Fill(Message message, TensorDict dict)
    {
        using (TensorDict inside = message.Dict) inside.UpdateInPlace(dict);
        message.Publish();
    }

    /// <summary>Does not wait. Without a producer the library says NotFound: one may still come.</summary>
    private Status Try(ChannelRole role, out Message? message)
    {
        td_message* made = null;
        td_error* err = null;
        Status status = role == ChannelRole.Consumes ? Api.td_channel_take((td_channel*)Pointer, 0, null, &made, &err)
            : Api.td_channel_acquire((td_channel*)Pointer, 0, null, &made, &err);
        GC.KeepAlive(this);
        message = status == Status.Ok ? Message.Take(made) : null;
        if (status is Status.Ok) return status;
        if (status is Status.Closed or Status.Timeout
            || (status is Status.NotFound && role == ChannelRole.Consumes)) Api.td_error_release(err);
        else Errors.Throw(status, err);
        return status;
    }

    /// <summary>A descriptor that is readable while taking (or acquiring) would not wait, for event loops.</summary>
    public int Descriptor(ChannelRole role) => Native.channel_descriptor(this, role);
    /// <summary>Closes the channel for all: consumers still get the remaining messages.</summary>
    public void Close() => Native.channel_close(this);
    /// <summary>Cleans up after dead members now, and returns their number.</summary>
    public int Sweep() => Native.channel_sweep(this);
    /// <summary>A dict of zeros with the structure of the messages.</summary>
    public TensorDict Schema() => Native.channel_schema(this);
    /// <summary>The file of the channel.</summary>
    public string Path => Native.channel_path(this)!;
    /// <summary>The size of the whole channel in bytes.</summary>
    public long Bytes => Native.channel_nbytes(this);
    /// <summary>The state of the channel as text for people.</summary>
    public string Dump() => Native.channel_dump(this);
    /// <summary>Removes a name; who has the channel open can still use it.</summary>
    public static void Unlink(string name) => Native.channel_unlink(name);

    /// <summary>The statistics.</summary>
    public ChannelStatistics Statistics()
    {
        var s = new td_channel_statistics();
        Native.channel_stats(this, &s);
        return new(s.published, s.dropped, s.redelivered, s.dead_letters, s.aborted, s.swept, s.slots, s.free, s.ready,
            s.reading, s.writing,
            s.producers, s.consumers, s.state == ChannelState.Closed);
    }

    /// <summary>The options that the channel was made with.</summary>
    public ChannelOptions Options()
    {
        var o = new td_channel_options();
        Native.channel_get_options(this, &o);
        return new ChannelOptions
        {
            Mode = o.mode,
            Overflow = o.overflow,
            Roles = o.roles,
            Slots = o.slots,
            Members = o.members,
            Deliveries = o.deliveries,
            MaxHeld = o.max_held,
            Keep = o.keep != 0,
            ReplaceDead = o.replace_dead != 0,
        };
    }
}

/// <summary>A message of a channel: a slot of its memory.</summary>
public sealed unsafe class Message : NativeObject
{
    private Message(td_message* message) : base(message) { }

    internal static Message Take(td_message* message) => new(message);
    private protected override void Release(void* pointer) => Api.td_message_release((td_message*)pointer);

    /// <summary>The message as a locked dict; one that was acquired can be written in place. It keeps the slot: dispose
    /// of it and of its tensors, or use <see cref="Clone"/>.</summary>
    public TensorDict Dict => Native.message_dict(this);
    /// <summary>A copy with memory of its own, which does not keep the slot.</summary>
    public TensorDict Clone() => Native.message_clone(this);
    /// <summary>How many tensors and dicts of the message are in use outside of it.</summary>
    public long OpenViews => Native.message_open_views(this);
    /// <summary>Publishes an acquired message.</summary>
    public void Publish() => Native.message_publish(this);
    /// <summary>The number in the order of publishing; -1 before it is published.</summary>
    public long Number => Native.message_number(this);
    /// <summary>How often the message was delivered, including this time.</summary>
    public int Delivery => Native.message_delivery(this);
    /// <summary>How many messages were dropped since this handle last took one.</summary>
    public long Lag => Native.message_lag(this);
}
