using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace LibTensorDict.Tests.Replay;

/// <summary>The vectors of tests/data/vectors: what a kind of vector makes of it is in the other files. What they make
/// is left to the collector.</summary>
public static partial class VectorReplayTests
{
    private static readonly Dictionary<string, Action<Obj>> Kinds = new()
    {
        ["from_module"] = v => CheckLeaves(Network(0).State, (Obj)v["leaves"]!),
        ["from_modules"] = FromModules,
        ["from_modules_error"] = FromModulesError,
        ["stack_module_state"] = StackState,
        ["stack_module_state_error"] = StackStateError,
        ["vmap"] = v => (v.Has("out_batch") ? (Action<Obj>)VmapBatchSizes : VmapEnsemble)(v),
        ["seq_keys"] = v => CheckModuleKeys(Sequence(v["spec"]), v["in_keys"], v["out_keys"], "the sequence"),
        ["select_subsequence"] = Subsequence,
        ["dispatch"] = Dispatched,
        ["run"] = RunKind,
        ["mapping"] = Mapping,
        ["npe"] = Extractor,
        ["distribution"] = DistributionKind,
        ["kl"] = Divergence,
        ["dist_error"] = DistError,
        ["prob_keys"] = ProbabilisticKeys,
        ["prob"] = ProbabilisticShapes,
        ["rng"] = RandomNumbers,
        ["deterministic"] = Deterministic,
        ["composite"] = CompositeKind,
    };

    private static string DataFile(string name,
        [System.Runtime.CompilerServices.CallerFilePath] string here = "") =>
        Path.Combine(Path.GetDirectoryName(here)!, "../../../../tests/data/vectors", name);

    private static Obj Parsed(string file) => (Obj)Comparison.Parse(File.ReadAllText(DataFile(file)))!;

    [Test]
    public static void EveryVectorOfModulesAndDistributions()
    {
        int run = 0;
        var failed = new List<string>();
        foreach (string file in new[] { "nn.json", "nn_made.json" })
        {
            foreach (Obj v in ListOf(Parsed(file)["vectors"]).Cast<Obj>())
            {
                run++;
                Tried(() => Kinds[(string)v["kind"]!](v), (string)v["id"]!, failed);
            }
        }
        Report($"{run} vectors run", failed);
        Check.That(run > 150, $"only {run} vectors");
    }

    private static void Tried(Action action, string name, List<string> failed)
    {
        try
        {
            action();
        }
        catch (Exception e)
        {
            failed.Add($"{name}: {(e is CheckFailedException ? e.Message : e.ToString())}");
        }
    }

    private static void Report(string what, List<string> failed)
    {
        Console.WriteLine($"replay: {what}, {failed.Count} differences");
        Check.That(failed.Count == 0, string.Join("\n  ", failed.Take(30)));
    }

    // ---- What vectors hold ----

    private static List<object?> ListOf(object? v) => v as List<object?> ?? [v];
    private static bool Is(Obj v, string name) => v[name] is true;
    private static bool Says(Obj v, string part) => ((string)v["id"]!).Contains(part, StringComparison.Ordinal);
    private static long[] Ints(object? v) => ListOf(v).Select(i => (long)i!).ToArray();
    private static Key KeyIn(object? v) =>
        v is string one ? one : new Key(ListOf(v).Select(part => (string)part!).ToArray());
    private static Key[] KeysIn(object? v) => ListOf(v).Select(KeyIn).ToArray();
    private static Key[]? KeysOrNull(object? v) => v == null ? null : KeysIn(v);
    private static DType DTypeIn(Obj v) => v["dtype"] is "float32" ? DType.Float32 : DType.Float64;

    private static Obj Without(Obj o, params string[] names) =>
        new(o.Keys.Where(key => !names.Contains(key)).Select(key => (key, o[key])).ToArray());

    private static IEnumerable<double> Numbers(object? v) =>
        v is List<object?> list ? list.SelectMany(Numbers) : [Comparison.Real(v)];

    /// <summary>A tensor of nested lists.</summary>
    private static Tensor Made(object? v, DType dtype)
    {
        var dims = new List<long>();
        for (object? at = v; at is List<object?> list; at = list.Count == 0 ? null : list[0]) dims.Add(list.Count);
        return Reshaped(Numbers(v).ToArray(), dims.ToArray(), dtype);
    }

    private static Tensor Reshaped(double[] numbers, long[] dims, DType dtype)
    {
        using Tensor wide = Tensor.From<double>(numbers).Shaped(dims);
        return wide.To(dtype);
    }

    private static double[] ValuesOf(Tensor t)
    {
        using Tensor plain = t.Detach();
        using Tensor wide = plain.To(DType.Float64);
        return wide.ToArray<double>();
    }

    // ---- What must hold ----

    private static bool Near(double a, double b, double tolerance) =>
        a == b || double.IsNaN(a) && double.IsNaN(b) || Math.Abs(a - b) <= tolerance * Math.Max(1, Math.Abs(b));

    private static void CheckNumbers(double[] got, double[] wanted, double tolerance, string what)
    {
        Check.Equal(wanted.Length, got.Length, $"the number of elements of {what}:");
        for (int i = 0; i < got.Length; i++)
            Check.That(Near(got[i], wanted[i], tolerance), $"{what}[{i}] = {got[i]}, not {wanted[i]}");
    }

    /// <summary>A text stands for a value that is the same everywhere: "nan", "inf", "-inf".</summary>
    private static void CheckValues(Tensor t, object? expected, double tolerance, string what)
    {
        double[] got = ValuesOf(t);
        double[] wanted = expected is string text
            ? Enumerable.Repeat(Comparison.Real(text), got.Length).ToArray() : Numbers(expected).ToArray();
        CheckNumbers(got, wanted, tolerance, what);
    }

    private static void CheckShape(long[] got, object? expected, string what) =>
        Check.Sequence(Ints(expected), got, $"the shape of {what}:");

    private static void CheckKeys(Key[] got, object? expected, string what) =>
        Check.Sequence(KeysIn(expected), got, $"{what}:");

    private static void CheckSameSet(Key[] got, object? expected, string what) =>
        Check.Sequence(KeysIn(expected).Select(k => k.ToString()).Order(StringComparer.Ordinal),
            got.Select(k => k.ToString()).Order(StringComparer.Ordinal), $"{what}:");

    private static Key[] LeafKeys(TensorDict d) => d.Keys(KeysFlags.Nested | KeysFlags.Leaves);

    private static void CheckLeafValues(TensorDict d, object? expected, double tolerance)
    {
        Check.Equal(ListOf(expected).Count, LeafKeys(d).Length, "the number of leaves:");
        foreach (List<object?> leaf in ListOf(expected).Cast<List<object?>>())
            CheckValues(d.Get(KeyIn(leaf[0])), leaf[1], tolerance, Comparison.Show(leaf[0]));
    }

    private static void CheckLeafShapes(TensorDict d, object? expected)
    {
        foreach (List<object?> leaf in ListOf(expected).Cast<List<object?>>())
            CheckShape(d.Get(KeyIn(leaf[0])).Shape, leaf[1], Comparison.Show(leaf[0]));
    }

    /// <summary>The exception is typed and says something.</summary>
    private static Exception Refused(Action action, string what)
    {
        try
        {
            action();
        }
        catch (Exception e) when (e is ITensorDictError error)
        {
            Check.That(e.Message.Length > 0 && error.Status != Status.Internal, $"{what}: {e}");
            return e;
        }
        throw new CheckFailedException($"{what} succeeded");
    }

    private static void Unsupported(Action action, string what)
    {
        Exception e = Refused(action, what);
        Check.That(e is TensorDictUnsupportedException, $"{what}: {e}");
    }
}
