using System;
using System.IO;
using System.Threading.Tasks;

namespace LibTensorDict.Peer;

internal static class Channels
{
    private const int Payload = 4096; // enough that a message is not written at once

    private static Channel Create(string name, string mode, ChannelRole roles)
    {
        using var schema = new TensorDict();
        using Tensor id = Tensor.Scalar(0L);
        schema["id"] = id;
        Saves.Put(schema, "x", new float[Payload], Payload);
        return Channel.Create(name, schema, new ChannelOptions
        {
            Mode = mode == "broadcast" ? ChannelMode.Broadcast : ChannelMode.Queue,
            Roles = roles,
            Slots = 4,
        });
    }

    /// <summary>Fills the first elements of an acquired message.</summary>
    private static void Write(Message message, int id, int elements)
    {
        using TensorDict td = message.Dict;
        using Tensor number = td.Get("id"), x = td.Get("x");
        number.AsWritableSpan<long>()[0] = id;
        x.AsWritableSpan<float>()[..elements].Fill(id);
    }

    private static void Publish(Channel channel, int id)
    {
        using Message message = channel.Acquire();
        Write(message, id, Payload);
        message.Publish();
    }

    internal static async Task Produce(string name, string mode, int n, int consumers)
    {
        using Channel channel = Create(name, mode, ChannelRole.Produces);
        Console.WriteLine(channel.Path);
        while (channel.Statistics().Consumers < consumers) await Task.Delay(1);
        for (int id = 0; id < n; id++)
        {
            using Message message = await channel.AcquireAsync() ?? throw new EndOfStreamException();
            Write(message, id, Payload);
            message.Publish();
        }
        channel.Close();
        Program.Lines(_ => { });
    }

    internal static void Join(string name, int first, int n)
    {
        using Channel channel = Channel.Open(name, ChannelRole.Produces);
        for (int id = 0; id < n; id++) Publish(channel, first + id);
        channel.Close();
    }

    internal static void Flood(string name)
    {
        Channel channel = Channel.Open(name, ChannelRole.Produces);
        for (int id = 0; ; id++) Publish(channel, id);
    }

    internal static int Half(string name, int n)
    {
        Channel channel = Channel.Open(name, ChannelRole.Produces);
        for (int id = 0; id < n; id++) Publish(channel, id);
        Message message = channel.Acquire();
        Write(message, n, Payload / 2);
        Console.WriteLine("half");
        Program.Lines(_ => { });
        GC.KeepAlive(message);
        return 1; // the test kills it before
    }

    internal static int Hold(string name)
    {
        using Channel channel = Channel.Open(name, ChannelRole.Consumes);
        using Message message = channel.Take();
        Console.WriteLine(Read(message));
        Program.Lines(_ => { });
        return 1; // as above
    }

    internal static async Task Host(string name, string mode)
    {
        using Channel channel = Create(name, mode, ChannelRole.Consumes);
        await Take(channel);
    }

    internal static async Task Consume(string name)
    {
        using Channel channel = Channel.Open(name, ChannelRole.Consumes);
        await Take(channel);
    }

    private static async Task Take(Channel channel)
    {
        Console.WriteLine("ready");
        await foreach (Message message in channel.ReadAllAsync())
        {
            using (message) Console.WriteLine(Read(message));
        }
    }

    /// <summary>The number of a message, all elements of which must have come from the same write.</summary>
    private static long Read(Message message)
    {
        using TensorDict td = message.Dict;
        using Tensor number = td.Get("id"), x = td.Get("x");
        long id = number.Item<long>();
        foreach (float one in x.AsSpan<float>())
        {
            if (one != id) throw new InvalidDataException("a torn message");
        }
        return id;
    }
}
