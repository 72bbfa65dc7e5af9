using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace LibTensorDict.Tests;

public static class StressTests
{
    /// <summary>Collects all the time beside an action.</summary>
    private static void BesideCollections(Action action)
    {
        bool end = false;
        var collector = new Thread(() =>
        {
            while (!Volatile.Read(ref end))
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        });
        collector.Start();
        try
        {
            action();
        }
        finally
        {
            Volatile.Write(ref end, true);
            collector.Join();
        }
    }

    [Test]
    public static void NothingIsCollectedDuringItsCall() => BesideCollections(() =>
    {
        using Module module = Module.Create(["x"], ["y"], x => x + 1);
        Parallel.For(0, 4, thread =>
        {
            for (int i = 0; i < 150; i++)
            {
                // Nothing is disposed of, and nothing lives longer than its last call.
                TensorDict td = TensorDict.From([2], ("x", Tensor.From([1f, 2])), (("n", "y"), Tensor.From([3f, 4])),
                    ("d", Data.Of("text")));
                TensorDict sum = TensorDict.Stack([td + 1, (td + td)[..2]]);
                float[] got = sum.Select("x").Get("x").ToArray<float>();
                Check.Sequence([2f, 3, 2, 4], got);
                module.Forward(td);
                Check.Equal(2f, td.Get("y").ToArray<float>()[0]);
                Check.Equal(3, TensorDict.Cat([td, td.Clone()]).Map(x => x * 2).Leaves().Length);
                Check.Equal(3f, td.Get(new KeyPath("n", "y")).ToArray<float>()[0]);
                Check.That(td.EqualTo(td.Clone()));
            }
        });
    });

    [Test]
    public static void ForgottenObjectsAreGivenBack()
    {
        for (int i = 0; i < 5; i++)
        {
            GC.Collect(); // what the tests before this one forgot
            GC.WaitForPendingFinalizers();
        }
        long before = Library.LiveObjects(ObjectKind.Tensor);
        Forget();
        for (int i = 0; i < 20 && Library.LiveObjects(ObjectKind.Tensor) > before; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Check.Equal(before, Library.LiveObjects(ObjectKind.Tensor));

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static void Forget()
        {
            TensorDict td = CoreTests.WithX(1, 2);
            for (int i = 0; i < 1000; i++) _ = td.Get("x");
        }
    }

    [Test]
    public static void CallbacksOnManyThreads() => BesideCollections(() =>
    {
        int calls = 0;
        Tensor Throwing(Tensor x) => throw new InvalidTimeZoneException();
        using Module module = Module.Create(["x"], ["y"], x =>
        {
            Interlocked.Increment(ref calls);
            return x.Op("neg");
        });
        Parallel.For(0, 8, _ =>
        {
            for (int i = 0; i < 50; i++)
            {
                using TensorDict td = CoreTests.WithX(i);
                module.Forward(td);
                CoreTests.Expect(td, "y", -i);
                if (i % 10 == 0) Check.Throws<InvalidTimeZoneException>(() => td.Map(Throwing));
            }
        });
        Check.Equal(400, calls);
    });

    [Test]
    public static void ObjectsThatSurviveAreUsable() => BesideCollections(() =>
    {
        var kept = new List<Tensor>();
        for (int i = 0; i < 300; i++)
        {
            TensorDict td = CoreTests.WithX(i);
            kept.Add(td["x"]); // the dict is garbage, its tensor is not
        }
        Check.Sequence(Enumerable.Range(0, 300).Select(i => (float)i), kept.Select(tensor => tensor.Item<float>()));
    });
}
