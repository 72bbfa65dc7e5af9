using System;
using System.Runtime.InteropServices;
using System.Threading;
using LibTensorDict;
using LibTensorDict.Raw;

namespace LibTensorDict.Examples;

/// <summary>Prints the rows of tests/bench/languages/bench.c in C#: process time, which has the collector's
/// too.</summary>
public static unsafe class Program
{
    [StructLayout(LayoutKind.Sequential)]
    private struct Timespec
    {
        public long Seconds, Nanoseconds;
    }

    [DllImport("libc", ExactSpelling = true)]
    private static extern int clock_gettime(int clock, Timespec* time);

    private static double Now()
    {
        const int CLOCK_PROCESS_CPUTIME_ID = 2;
        Timespec time;
        _ = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return time.Seconds * 1e9 + time.Nanoseconds;
    }

    private static double Run(Action call, long calls)
    {
        double start = Now();
        for (long i = 0; i < calls; i++) call();
        return Now() - start;
    }

    private static void Row(string name, Action call)
    {
        for (int warm = 0; warm < 5; warm++) // until the code is compiled for speed
        {
            Run(call, 2000);
            Thread.Sleep(150);
        }
        long calls = 1;
        while (Run(call, calls) < 20e6) calls *= 2;
        var times = new double[9];
        for (int i = 0; i < times.Length; i++) times[i] = Run(call, calls) / calls;
        Array.Sort(times);
        Console.WriteLine(FormattableString.Invariant($"{name}\t{times[4]:F1}"));
    }

    private static void Must(bool holds)
    {
        if (!holds) throw new InvalidOperationException("another result than expected");
    }

    /// <summary>Prints all rows.</summary>
    public static void Main()
    {
        using Tensor obs = Tensor.Zeros(128, 4), small = Tensor.Zeros(4);
        using TensorDict td = new(128), wide = new();
        td["next", "obs"] = obs;
        for (int i = 0; i < 100; i++) wide[$"leaf_{i}"] = small;
        using var path = new KeyPath("next", "obs");
        using var slot = new TensorSlot();
        using Module identity = Module.FromFunction(x => [x[0].Share()]);

        Row("an empty call", () => Api.td_abi_version());
        Row("get, prepared key", () => slot.Get(td, path));
        Row("get, prepared key, an object for each", () => td.Get(path).Dispose());
        Row("get, two strings", () => td.Get(("next", "obs")).Dispose());
        Row("look-up of a missing key", () => Must(td.Find(("next", "none")).Kind == EntryKind.None));
        Row("iterate 100 entries", () =>
        {
            long elements = 0;
            foreach ((_, Entry entry) in wide)
            {
                elements += entry.Tensor!.Count;
                entry.Dispose();
            }
            Must(elements == 400);
        });
        Row("view of a tensor", () => Must(obs.AsSpan<float>()[511] == 0));
        Row("a callback", () => identity.Call(obs).Dispose());
    }
}
