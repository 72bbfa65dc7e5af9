using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace LibTensorDict.Tests;

public static class ChannelTests
{
    private static Channel Create(string name, int slots = 4, ChannelRole roles = ChannelRole.Produces)
    {
        using TensorDict schema = CoreTests.WithX(0);
        return Channel.Create($"td-cs-{Environment.ProcessId}-{name}", schema,
            new ChannelOptions { Slots = slots, Roles = roles, ReplaceDead = true });
    }

    private static Channel Open(Channel channel, ChannelRole roles) =>
        Channel.Open(System.IO.Path.GetFileName(channel.Path), roles);

    [Test]
    public static async Task MessagesComeInTheirOrder()
    {
        using Channel producer = Create("order"), consumer = Open(producer, ChannelRole.Consumes);
        Task sends = Task.Run(async () =>
        {
            for (int i = 0; i < 100; i++)
            {
                using TensorDict td = CoreTests.WithX(i);
                await producer.PublishAsync(td);
            }
            producer.Close();
        });
        var got = new List<float>();
        await foreach (Message message in consumer.ReadAllAsync())
        {
            using (message)
            {
                using TensorDict td = message.Dict;
                using Tensor x = td["x"];
                got.Add(x.Item<float>());
            }
        }
        await sends;
        Check.Sequence(Enumerable.Range(0, 100).Select(i => (float)i), got);
        Check.Equal(100L, consumer.Statistics().Published);
        Check.That(consumer.Statistics().IsClosed);
        Check.Equal<Message?>(null, await consumer.TakeAsync());
    }

    [Test]
    public static async Task WaitingEndsByTheToken()
    {
        using Channel producer = Create("token", roles: ChannelRole.Produces), consumer =
            Open(producer, ChannelRole.Consumes);
        using var cancel = new CancellationTokenSource(50);
        await Check.ThrowsAsync<OperationCanceledException>(async () =>
        {
            await foreach (Message message in consumer.ReadAllAsync(cancel.Token)) message.Dispose();
        });
        using var second = new CancellationTokenSource(30);
        Check.Throws<OperationCanceledException>(() => consumer.Take(token: second.Token));
        Check.Throws<TimeoutException>(() => consumer.Take(TimeSpan.FromMilliseconds(10)));
        Check.Throws<OperationCanceledException>(() => consumer.Take(token: new CancellationToken(true)));
        using TensorDict td = CoreTests.WithX(3);
        producer.Publish(td);
        using Message one = consumer.Take();
        Check.Equal(0L, one.Number);
        using (TensorDict copy = one.Clone()) CoreTests.Expect(copy, "x", 3);
        Check.Equal(0L, one.OpenViews);
    }

    [Test]
    public static async Task WaitersHoldNoThreads()
    {
        using Channel producer = Create("many"), consumer = Open(producer, ChannelRole.Consumes);
        ThreadPool.GetAvailableThreads(out int before, out _);
        Task<Message?>[] waiting = Enumerable.Range(0, 100).Select(_ => consumer.TakeAsync().AsTask()).ToArray();
        await Task.Delay(50);
        ThreadPool.GetAvailableThreads(out int during, out _);
        Check.That(before - during < 20, $"{before - during} threads are in use");
        Check.That(Process.GetCurrentProcess().Threads.Count < 80, "threads");
        for (int i = 0; i < 100; i++)
        {
            using TensorDict td = CoreTests.WithX(i);
            await producer.PublishAsync(td);
            Task<Message?> done = await Task.WhenAny(waiting);
            waiting = waiting.Where(task => task != done).ToArray();
            (await done)!.Dispose();
        }
        Check.Equal(0, waiting.Length);
    }

    [Test]
    public static async Task FullChannelsMakeProducersWait()
    {
        using Channel producer = Create("full", slots: 1), consumer = Open(producer, ChannelRole.Consumes);
        using TensorDict td = CoreTests.WithX(1);
        await producer.PublishAsync(td);
        ValueTask second = producer.PublishAsync(td);
        await Task.Delay(20);
        Check.That(!second.IsCompleted);
        consumer.Take().Dispose();
        await second;
        consumer.Take().Dispose();
        producer.Close();
        await Check.ThrowsAsync<InvalidOperationException>(() => producer.PublishAsync(td).AsTask());
        Check.Equal(Status.Closed, Check.Throws<ITensorDictError>(() => consumer.Take()).Status);
    }
}
