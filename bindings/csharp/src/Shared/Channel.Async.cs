#nullable enable
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace LibTensorDict;

public sealed partial class Channel
{
    /// <summary>Takes the oldest message; null once the channel is closed and empty. No thread waits
    /// meanwhile.</summary>
    public async ValueTask<Message?> TakeAsync(CancellationToken token = default) =>
        await Awaited(ChannelRole.Consumes, token).ConfigureAwait(false);

    /// <summary>Acquires a message to write; null once the channel is closed. No thread waits meanwhile.</summary>
    public async ValueTask<Message?> AcquireAsync(CancellationToken token = default) =>
        await Awaited(ChannelRole.Produces, token).ConfigureAwait(false);

    /// <summary>Copies a dict into a message and publishes it; no thread waits for the slot.</summary>
    public async ValueTask PublishAsync(TensorDict dict, CancellationToken token = default)
    {
        using Message message = await AcquireAsync(token).ConfigureAwait(false)
            ?? throw new InvalidOperationException("The channel is closed.");
        Fill(message, dict);
    }

    /// <summary>The messages as they come, until the channel is closed and empty. Dispose of each: its slot is free
    /// when its tensors are gone too.</summary>
    public async IAsyncEnumerable<Message> ReadAllAsync([EnumeratorCancellation] CancellationToken token = default)
    {
        while (await TakeAsync(token).ConfigureAwait(false) is { } message) yield return message;
    }

    private async ValueTask<Message?> Awaited(ChannelRole role, CancellationToken token)
    {
        while (true)
        {
            token.ThrowIfCancellationRequested();
            switch (Try(role, out Message? message))
            {
                case Status.Ok: return message;
                case Status.Closed: return null;
            }
            await Poller.Wait(Native.channel_descriptor(this, role), token).ConfigureAwait(false);
            GC.KeepAlive(this); // the descriptor lives as long
        }
    }
}
