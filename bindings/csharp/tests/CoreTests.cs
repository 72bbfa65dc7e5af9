using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Threading;
using System.Threading.Tasks;

namespace LibTensorDict.Tests;

public static class CoreTests
{
    internal static Tensor Numbers(params float[] numbers) => Tensor.From(numbers);

    internal static TensorDict WithX(params float[] numbers)
    {
        var td = new TensorDict(numbers.Length);
        using Tensor x = Numbers(numbers);
        td["x"] = x;
        return td;
    }

    internal static void Expect(TensorDict td, Key key, params float[] numbers)
    {
        using Tensor x = td.Get(key);
        Check.Sequence(numbers, x.ToArray<float>(), key.ToString());
    }

    [Test]
    public static void SlotsShowOneTensorAfterTheOther()
    {
        using TensorDict one = WithX(1, 2), other = WithX(3);
        using KeyPath path = new("x"), missing = new("y");
        using var slot = new TensorSlot();
        for (int round = 0; round < 3; round++)
        {
            foreach (TensorDict td in new[] { one, other })
            {
                using Tensor x = td.Get("x");
                Check.That(slot.Get(td, path).Same(x), "another tensor");
            }
        }
        Check.Throws<KeyNotFoundException>(() => slot.Get(one, missing));
        using Tensor kept = slot.Get(one, path).Share();
        slot.Get(other, path).Dispose(); // empties the slot
        Check.Equal(2L, kept.Count);
        Forgotten(one, path);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Forgotten(TensorDict td, KeyPath path)
    {
        var slot = new TensorSlot();
        slot.Get(td, path).Dispose();
        slot.Get(td, path); // the collector gives this one back
    }

    [Test]
    public static void EntriesByTheirKeys()
    {
        using var td = new TensorDict(3);
        using Tensor obs = Tensor.From([1f, 2, 3, 4, 5, 6], 3, 2);
        td["next", "obs"] = obs;
        td["task"] = "digits";
        td["a", "b", "c", "d"] = obs;
        using Tensor same = td["next", "obs"];
        Check.That(same.Same(obs));
        using (Tensor again = td[("next", "obs")]) Check.That(again.Same(obs));
        using (Tensor again = td[new[] { "a", "b", "c", "d" }]) Check.That(again.Same(obs));
        using (TensorDict next = td["next"]) Check.Equal(1, next.Count);
        Check.Equal("digits", ((Data)td["task"]).As<string>());
        Check.That(td.TryGet(("next", "obs"), out Tensor? found) && found.Same(obs));
        found!.Dispose();
        Check.That(!td.TryGet("next", out Tensor? _), "a dict is no tensor");
        Check.That(!td.TryGet("missing", out TensorDict? _));
        Check.Equal(EntryKind.None, td.Find(("next", "obs", "deeper")).Kind);
        using var path = new KeyPath("next", "obs");
        using (Tensor again = td.Get(path)) Check.That(again.Same(obs));
        using (Tensor again = td[path]) Check.That(again.Same(obs));
        Check.Equal<Key>(("next", "obs"), path.Key);
        Check.Sequence(["next", "task", "a"], td.Select(pair => pair.Key));
        foreach ((string key, Entry entry) in td)
        {
            using Entry one = entry;
            Check.Equal(key == "task" ? EntryKind.Data : EntryKind.Dict, one.Kind, key);
        }
        Check.Throws<InvalidCastException>(() => _ = (TensorDict)td["task"]);
        td.Remove("task");
        Check.That(!td.ContainsKey("task"));
    }

    [Test]
    public static void IndexAndRangeOfBatchDims()
    {
        using TensorDict td = WithX(0, 1, 2, 3, 4);
        using (TensorDict part = td[..2]) Expect(part, "x", 0, 1);
        using (TensorDict part = td[1..^1]) Expect(part, "x", 1, 2, 3);
        using (TensorDict part = td[^2..]) Expect(part, "x", 3, 4);
        using (TensorDict last = td[^1]) Check.Equal(0, last.BatchSize.Length);
        using (TensorDict first = td[0]) Check.Equal(0, first.BatchSize.Length);
        using (TensorDict part = td[IndexPart.Slice(0, 5, 2)]) Expect(part, "x", 0, 2, 4);
        using (TensorDict part = td[IndexPart.NewDim, ..2]) Check.Sequence([1L, 2], part.BatchSize);
        using (TensorDict part = td[new long[] { 4, 0 }]) Expect(part, "x", 4, 0);
        using (Tensor mask = Tensor.From([true, false, false, false, true]))
        using (TensorDict part = td[mask]) Expect(part, "x", 0, 4);
        using (TensorDict two = WithX(8, 9)) td[..2] = two;
        Expect(td, "x", 8, 9, 2, 3, 4);
        td.SetAt(7, ^1);
        Expect(td, "x", 8, 9, 2, 3, 7);
        Check.Throws<ArgumentOutOfRangeException>(() => _ = td[5]);
        Check.Throws<ArgumentOutOfRangeException>(() => _ = td[^0]);
        using TensorDict window = td.Window(1..3);
        window.Fill("x", 0);
        Expect(td, "x", 8, 0, 0, 3, 7);
    }

    [Test]
    public static void Arithmetic()
    {
        using TensorDict td = WithX(1, 2);
        using (TensorDict sum = td + 1) Expect(sum, "x", 2, 3);
        using (TensorDict sum = td + td) Expect(sum, "x", 2, 4);
        using (TensorDict sum = 1 - td) Expect(sum, "x", 0, -1);
        using (TensorDict twice = 2 * td) Expect(twice, "x", 2, 4);
        using (TensorDict negative = -td) Expect(negative, "x", -1, -2);
        using (TensorDict mean = td.Mean()) Expect(mean, "x", 1.5f);
        using Tensor x = td["x"], y = x * 3 - x / 2 + x, z = 1 - x;
        Check.Sequence([3.5f, 7], y.ToArray<float>());
        Check.Sequence([0f, -1], z.ToArray<float>());
        using Tensor total = td.ReduceToTensor("sum");
        Check.Equal(3f, total.Item<float>());
        Check.Equal(3.0, total.Item().AsDouble());
        using TensorDict equal = td.Eq(td);
        Check.That(equal.All());
        Check.That(td.EqualTo(td) && td.Difference(equal) != null);
    }

    [Test]
    public static void ElementsWithoutACopy()
    {
        using Tensor t = Tensor.From([1, 2, 3, 4, 5, 6], 2, 3);
        Check.Equal(DType.Int32, t.DType);
        t.AsWritableSpan<int>()[5] = 60;
        Check.Sequence([1, 2, 3, 4, 5, 60], t.AsSpan<int>().ToArray());
        Check.Throws<InvalidOperationException>(() => _ = t.AsSpan<float>().Length);
        using Tensor turned = t.Op("t");
        Check.Throws<InvalidOperationException>(() => _ = turned.AsSpan<int>().Length);
        StridedView<int> view = turned.View<int>();
        Check.Equal(60, view[2, 1]);
        view[0, 1] = 40;
        Check.Sequence([1, 2, 3, 40, 5, 60], t.ToArray<int>());
        Check.Sequence([1, 40, 2, 5, 3, 60], turned.ToArray<int>());
        try
        {
            _ = turned.View<int>()[3, 0];
            Check.That(false);
        }
        catch (IndexOutOfRangeException)
        {
        }
        Memory<int> memory = t.AsMemory<int>();
        memory.Span[0] = 10;
        Check.Equal(10, t.View<int>()[0, 0]);
        using Tensor part = t[0, 1..];
        Check.Sequence([2, 3], part.ToArray<int>());
        using (Tensor nine = Tensor.Scalar(9)) t[1] = nine;
        Check.Sequence([10, 2, 3, 9, 9, 9], t.ToArray<int>());
        using Tensor z = Tensor.From([new Complex(1, 2)]), b = Tensor.From([true]), h = Tensor.From([(Half)0.5]);
        Check.Equal(new Complex(1, 2), z.Item<Complex>());
        Check.Equal(true, b.Item<bool>());
        Check.Equal((Half)0.5, h.Item<Half>());
        Check.Throws<ArgumentException>(() => Tensor.From([1f], 2));
    }

    [Test]
    public static void MemoryOfCSharpIsShared()
    {
        var numbers = new double[] { 1, 2, 3, 4 };
        using (Tensor over = Tensor.Over(numbers, 2, 2))
        {
            numbers[3] = 40;
            GC.Collect(2, GCCollectionMode.Forced, true, true);
            Check.Equal(40.0, over.View<double>()[1, 1]);
            over.Op("mul_", 2).Dispose();
        }
        Check.Sequence([2.0, 4, 6, 80], numbers);
        var weak = Forgotten();
        for (int i = 0; i < 10 && weak.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Check.That(!weak.IsAlive, "the array is still pinned");

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static WeakReference Forgotten()
        {
            var array = new float[1000];
            Tensor.Over(array); // for the collector
            return new WeakReference(array);
        }
    }

    [Test]
    public static void NonTensorData()
    {
        using var td = new TensorDict(2);
        td["b"] = true;
        td["i"] = 41;
        td["f"] = 0.5;
        td["s"] = "жук";
        td["bytes"] = Data.Of(new byte[] { 0, 255 });
        td["json"] = Data.Of(new JsonText("[1,{\"a\":null}]"));
        td["none"] = Data.Of((string?)null);
        td["each"] = Data.Stack([2], "left", "right");
        Check.Equal<object?>(true, td.GetData("b").Value);
        Check.Equal<object?>(41L, td.GetData("i").Value);
        Check.Equal<object?>(0.5, td.GetData("f").Value);
        Check.Equal<object?>("жук", td.GetData("s").Value);
        Check.Sequence(new byte[] { 0, 255 }, td.GetData("bytes").As<byte[]>());
        Check.Equal("[1,{\"a\":null}]", td.GetData("json").As<JsonText>().Text);
        Check.Equal<object?>(null, td.GetData("none").Value);
        using TensorDict second = td[1];
        Check.Equal<object?>("right", second.GetData("each").Value);
        Check.That(td.GetData("each").IsStack);
        Check.Throws<InvalidOperationException>(() => _ = td.GetData("each").Value);
        Check.Throws<ArgumentException>(() => Data.Stack([2], new object()));
        using TensorDict parsed = TensorDict.FromJson("{\"a\": {\"b\": 3}}");
        Check.Equal<object?>(3L, parsed.GetData(("a", "b")).Value);
        using TensorDict made = TensorDict.From([], ("x", 1.5), ("t", "text"), ("d", Data.Stack([], "one")));
        Check.Equal<object?>("text", made.GetData("t").Value);
    }

    [Test]
    public static void LongKeysAndManyOfThem()
    {
        using var td = new TensorDict();
        string key = new('ж', 5000);
        using Tensor one = Tensor.Scalar(1L);
        td[key, "second"] = one;
        using (Tensor again = td[key, "second"]) Check.That(again.Same(one));
        var keys = Enumerable.Range(0, 300).Select(i => new Key($"key number {i}")).ToArray();
        using TensorDict many = TensorDict.FromKeys(one, keys);
        using TensorDict some = many.Select(keys[..200]);
        Check.Equal(200, some.Count);
        Check.Sequence(keys, many.Keys());
    }

    [Test]
    public static void ClosedObjectsAreRefused()
    {
        TensorDict td = WithX(1);
        Tensor x = td["x"];
        td.Dispose();
        td.Dispose();
        x.Dispose();
        Check.That(td.IsDisposed);
        Check.Throws<ObjectDisposedException>(() => td.Clone());
        Check.Throws<ObjectDisposedException>(() => _ = td["x"]);
        Check.Throws<ObjectDisposedException>(() => _ = td.BatchSize);
        Check.Throws<ObjectDisposedException>(() => _ = x.AsSpan<float>().Length);
        using TensorDict other = WithX(1);
        Check.Throws<ObjectDisposedException>(() => other["y"] = x);
        Check.Throws<ObjectDisposedException>(() => _ = other + x);
        Check.Throws<ObjectDisposedException>(() => TensorDict.Stack([other, td]));
        Check.Equal("TensorDict (disposed)", td.ToString());
    }

    [Test]
    public static void ArgumentsThatCannotBePassed()
    {
        using TensorDict td = WithX(1);
        Check.Throws<ArgumentNullException>(() => _ = td[(string)null!]);
        Check.Throws<ArgumentException>(() => _ = td[new Key()]);
        Check.Throws<ArgumentException>(() => td.MoveDim([0, 1], [0]));
        Check.Throws<ArgumentNullException>(() => td.Map((Func<Tensor, Tensor?>)null!));
        Check.Throws<ArgumentNullException>(() => td["x"] = (Tensor)null!);
        Check.Throws<NotSupportedException>(() => Tensor.From(new char[1]));
    }

    [Test]
    public static void ScopesEndAndAreUndone()
    {
        using TensorDict td = WithX(1, 2);
        td.Lock();
        using Tensor y = Numbers(3, 4);
        td.WithUnlocked(() => td["y"] = y);
        Check.That(td.IsLocked && td.ContainsKey("y"));
        td.Unlock();
        td.WithView(view => { using Tensor z = Tensor.Zeros(1, 2); view["z"] = z; }, 1, 2);
        Check.Sequence([2L], td.BatchSize);
        Check.That(td.ContainsKey("z"));
        Check.Throws<TimeoutException>(() => td.WithFlatKeys(flat =>
        {
            flat.Remove("z");
            throw new TimeoutException();
        }));
        Check.That(td.ContainsKey("z"), "what was thrown undoes the change");
    }

    [Test]
    public static void NoGradEndsWithItsAction()
    {
        using TensorDict td = WithX(1, 2);
        td.RequiresGrad = true;
        Library.NoGrad(() =>
        {
            Check.That(!Library.IsGradEnabled);
            using TensorDict twice = td * 2;
            Check.That(!twice.RequiresGrad);
        });
        Check.That(Library.IsGradEnabled);
        Check.Throws<InvalidDataException>(() => Library.NoGrad((Action)(() => throw new InvalidDataException())));
        Check.That(Library.IsGradEnabled);
        Check.Equal(3, Library.NoGrad(() => 3));
        using TensorDict square = td * td;
        square.Backward(td);
        using TensorDict grad = td.Grad!;
        Expect(grad, "x", 2, 8);
    }

    [Test]
    public static async Task NoGradDoesNotLeakOverAnAwait()
    {
        async Task<bool> Recorded()
        {
            bool inside = Library.NoGrad(() => Library.IsGradEnabled);
            Check.That(!inside);
            await Task.Yield();
            return Library.IsGradEnabled;
        }
        bool[] recorded = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => Task.Run(Recorded)));
        Check.That(recorded.All(one => one));
    }

    /// <summary>Memory that does something when the library lets go of it.</summary>
    private sealed unsafe class Watched(Action released) : MemoryManager<float>
    {
        private readonly float[] numbers = GC.AllocateArray<float>(2, pinned: true);

        public override Span<float> GetSpan() => numbers;
        public override MemoryHandle Pin(int elementIndex = 0) =>
            new((float*)System.Runtime.InteropServices.Marshal.UnsafeAddrOfPinnedArrayElement(numbers, elementIndex),
                default, this);
        public override void Unpin() => released();
        protected override void Dispose(bool disposing) { }
    }

    [Test]
    public static void OneDictUnderTwoThreadsIsBusy()
    {
        using TensorDict td = new(2);
        using Tensor x = Numbers(1, 2);
        ITensorDictError? busy = null;
        // The dict is in use by the call that replaces a dict in it, while the other thread comes.
        var memory = new Watched(() =>
        {
            var other = new Thread(() => busy = Check.Throws<ITensorDictError>(() => td["other"] = x));
            other.Start();
            other.Join();
        });
        using (Tensor old = Tensor.Over(memory.Memory)) td["x", "below"] = old;
        td["x"] = x;
        Check.Equal(Status.Busy, busy?.Status);
        Check.That(busy is InvalidOperationException && busy.Hint != null);
        Check.That(!td.ContainsKey("other"));
    }

    [Test]
    public static void ThreadsThatChangeOneDictAreServedOrRefused()
    {
        using TensorDict td = new(2);
        using Tensor x = Numbers(1, 2);
        Parallel.For(0, 4, thread =>
        {
            for (int i = 0; i < 300; i++)
            {
                try
                {
                    td[$"key {thread}"] = x;
                    if (td.TryGet($"key {(thread + 1) % 4}", out Tensor? found)) found.Dispose();
                    if (i % 3 == 0) td.Remove($"key {thread}");
                }
                catch (TensorDictBusyException)
                {
                }
            }
        });
    }

    [Test]
    public static void AMissingLibraryIsExplained()
    {
        var start = new System.Diagnostics.ProcessStartInfo(Environment.ProcessPath!,
            [typeof(CoreTests).Assembly.Location, "none"])
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        start.Environment["TENSORDICT_LIB_DIR"] = "/nowhere";
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        using var child = System.Diagnostics.Process.Start(start)!;
        System.Threading.Tasks.Task<string> said = child.StandardError.ReadToEndAsync();
        child.StandardOutput.ReadToEnd();
        child.WaitForExit();
        Check.That(child.ExitCode != 0);
        Check.That(said.Result.Contains("libtensordict was not found: cannot load /nowhere/libtensordict.so") &&
            said.Result.Contains("set TENSORDICT_LIB_DIR to the directory that has"), said.Result);
    }
}
