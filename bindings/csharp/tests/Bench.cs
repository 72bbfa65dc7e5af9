using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict.Tests;

/// <summary>The speed of look-ups beside C and the empty call: the least of several rounds.</summary>
public static unsafe class Bench
{
    /// <summary>The other way to own a handle, for comparison: the runtime counts its uses.</summary>
    private sealed class SafeTensor : SafeHandle
    {
        internal SafeTensor(nint tensor) : base(0, true) => SetHandle(tensor);
        public override bool IsInvalid => handle == 0;
        protected override bool ReleaseHandle()
        {
            Api.td_tensor_release((td_tensor*)handle);
            return true;
        }
    }

    private static void Row(string name, int n, Action<int> run)
    {
        for (int warm = 0; warm < 5; warm++) run(n / 5); // until the code is compiled for speed
        System.Threading.Thread.Sleep(200);
        double best = double.MaxValue;
        for (int round = 0; round < 150; round++)
        {
            var clock = Stopwatch.StartNew();
            run(n);
            best = Math.Min(best, clock.Elapsed.TotalNanoseconds / n);
        }
        Console.WriteLine($"{name,-58} {best,8:F1} ns");
    }

    public static int Run()
    {
        using TensorDict td = CoreTests.WithX(1, 2);
        using Tensor x = td["x"];
        td["next", "obs"] = x;
        for (int i = 0; i < 98; i++) td[$"entry {i}"] = x;
        using var path = new KeyPath("next", "obs");
        var rawPath = (td_path*)path.Pointer;
        var rawDict = (td_dict*)td.Pointer;
        Row("empty call (td_error_code of NULL, [leaf])", 50_000, n =>
        {
            for (int i = 0; i < n; i++) Api.td_error_code(null);
        });
        Row("empty call with a GC transition (td_fast_level)", 50_000, n =>
        {
            for (int i = 0; i < n; i++) Api.td_get_fast_level();
        });
        Row("get by path + release, raw", 5_000, n =>
        {
            for (int i = 0; i < n; i++)
            {
                td_tensor* t;
                td_error* err = null;
                Api.td_dict_get_path(rawDict, rawPath, &t, &err);
                Api.td_tensor_release(t);
            }
        });
        Row("get by path + Dispose, finalizer handle (this binding)", 5_000, n =>
        {
            for (int i = 0; i < n; i++) td.Get(path).Dispose();
        });
        Row("get by path + Dispose, SafeHandle with one use", 5_000, n =>
        {
            for (int i = 0; i < n; i++)
            {
                td_tensor* t;
                td_error* err = null;
                bool mine = false;
                Api.td_dict_get_path(rawDict, rawPath, &t, &err);
                var safe = new SafeTensor((nint)t);
                safe.DangerousAddRef(ref mine);
                Api.td_tensor_ndim((td_tensor*)safe.DangerousGetHandle());
                safe.DangerousRelease();
                safe.Dispose();
            }
        });
        Row("get by path + Dispose, finalizer handle with one use", 5_000, n =>
        {
            for (int i = 0; i < n; i++)
            {
                Tensor t = td.Get(path);
                _ = t.Rank;
                t.Dispose();
            }
        });
        Row("get by two strings + Dispose", 5_000, n =>
        {
            for (int i = 0; i < n; i++) td.Get(("next", "obs")).Dispose();
        });
        Row("look-up of a missing key (TryGet)", 5_000, n =>
        {
            for (int i = 0; i < n; i++) td.TryGet("missing", out Tensor? _);
        });
        Row("a missing key as an exception", 100, n =>
        {
            for (int i = 0; i < n; i++)
            {
                try
                {
                    td.Get("missing");
                }
                catch (System.Collections.Generic.KeyNotFoundException)
                {
                }
            }
        });
        Row("iterate 100 entries", 20, n =>
        {
            for (int i = 0; i < n; i++)
            {
                foreach ((_, Entry entry) in td) entry.Dispose();
            }
        });
        Row("view of a tensor (AsSpan)", 5_000, n =>
        {
            for (int i = 0; i < n; i++) _ = x.AsSpan<float>().Length;
        });
        using TensorDict one = CoreTests.WithX(1, 2);
        Row("a callback (Map over one leaf)", 300, n =>
        {
            for (int i = 0; i < n; i++) one.Map(t => t.Share()).Dispose();
        });
        return 0;
    }
}
