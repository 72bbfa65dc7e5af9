using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace LibTensorDict.Tests.Replay;

/// <summary>Registers hold a TensorDict, a Tensor, a PackLayout or an Obj for plain values.</summary>
public sealed partial class Program
{
    private Obj step = new();
    private readonly Dictionary<string, object> registers = [];
    private readonly List<string> order = [];
    private readonly List<Tensor> temporary = [];

    private object? At(string name) =>
        step.Has(name) ? step[name] : throw new BadProgramException($"the step has no {name}");
    private bool Given(string name) => step[name] != null;
    private string Word(string name) => (string)At(name)!;
    private long Integer(string name) => (long)Comparison.Real(At(name));
    private long IntegerOr(string name, long otherwise) => Given(name) ? Integer(name) : otherwise;
    private double RealOr(string name, double otherwise) => Given(name) ? Comparison.Real(At(name)) : otherwise;
    private bool Flag(string name, bool otherwise = false) => step.Has(name) ? (bool)At(name)! : otherwise;
    private static long[] IntsOf(object? v) =>
        v is long one ? [one] : ((List<object?>)v!).Select(i => (long)i!).ToArray();
    private long[] Ints(string name) => IntsOf(At(name));
    private long[] IntsOrNone(string name) => Given(name) ? Ints(name) : [];
    private DType DTypeOf(string name) => Given(name) ? DTypes.Parse(Word(name)) : DType.None;

    private object Register(object? name) =>
        registers.TryGetValue((string)name!, out object? r) ? r
        : throw new BadProgramException($"no such register: {name}");
    private TensorDict DictOf(object? name) =>
        Register(name) as TensorDict ?? throw new BadProgramException($"not a dict: {name}");
    private TensorDict Dict(string name = "td") => DictOf(At(name));
    private TensorDict[] Dicts(string name) => ((List<object?>)At(name)!).Select(DictOf).ToArray();

    private Tensor TensorOf(object? spec)
    {
        if (spec is Obj literal) return KeepUntilEnd(Literal(literal));
        return Register(spec) as Tensor ?? throw new BadProgramException($"not a tensor: {Comparison.Show(spec)}");
    }

    private Tensor Tensor(string name = "value") => TensorOf(At(name));

    private Tensor KeepUntilEnd(Tensor tensor)
    {
        temporary.Add(tensor);
        return tensor;
    }

    private static Key KeyOf(object? spec) =>
        spec is string one ? one : new Key(((List<object?>)spec!).Select(p => (string)p!).ToArray());
    private static Key[] KeysOf(object? spec) => ((List<object?>)spec!).Select(KeyOf).ToArray();
    private Key Key(string name = "key") => KeyOf(At(name));
    private Key[] Keys() => KeysOf(At("keys"));
    private static string?[] NamesOf(object? spec) =>
        spec is List<object?> list ? list.Select(n => (string?)n).ToArray() : [];

    private IndexPart[] Index() => ((List<object?>)At("index")!).Select(part => part switch
    {
        long i => i,
        null => IndexPart.NewDim,
        List<object?> slice => IndexPart.Slice(slice.ElementAtOrDefault(0) as long? ?? 0,
            slice.ElementAtOrDefault(1) as long? ?? Raw.Api.TD_END, slice.ElementAtOrDefault(2) as long? ?? 1),
        "..." => IndexPart.Ellipsis,
        _ => (IndexPart)TensorOf(part),
    }).ToArray();

    /// <summary>A register, a number or a tensor.</summary>
    private Value ValueOf(object? spec) => spec switch
    {
        string s when !registers.ContainsKey(s) => Comparison.Real(s),
        string s => Register(s) is TensorDict dict ? dict : TensorOf(s),
        Obj => TensorOf(spec),
        List<object?> => IntsOf(spec),
        null => Value.None,
        bool b => b,
        long i => i,
        double d => d,
        _ => throw new BadProgramException($"no value: {spec}"),
    };

    private Value Number(string name) => At(name) is string s ? Comparison.Real(s) : ValueOf(At(name));

    private Value[] Arguments(string name) =>
        step.Has(name) ? ((List<object?>)At(name)!).Select(ValueOf).ToArray() : [];

    private NamedValue[] Named(string name)
    {
        if (!step.Has(name)) return [];
        var o = (Obj)At(name)!;
        return o.Keys.Select(key => new NamedValue(key, (key, o[key]) switch
        {
            ("dtype", string dtype) => DTypes.Parse(dtype),
            (_, List<object?> list) => list.Select(Comparison.Real).ToArray(),
            (_, var one) => ValueOf(one),
        })).ToArray();
    }

    private static DataValue DataOf(object? spec) =>
        spec is Obj or List<object?> ? new JsonText(Written(spec)) : DataValue.Of(spec);

    /// <summary>JSON with the members in their order.</summary>
    internal static string Written(object? v) => v switch
    {
        Obj o => "{" + string.Join(",", o.Keys.Select(k => JsonSerializer.Serialize(k) + ":" + Written(o[k]))) + "}",
        List<object?> list => "[" + string.Join(",", list.Select(Written)) + "]",
        double d => d.ToString("R", System.Globalization.CultureInfo.InvariantCulture),
        _ => JsonSerializer.Serialize(v),
    };

    private void Put(object made) => PutAt("", made);

    private void PutAll(IReadOnlyList<object> made)
    {
        for (int i = 0; i < made.Count; i++) PutAt($".{i}", made[i]);
    }

    private void PutAt(string suffix, object made)
    {
        if (step["to"] is not string to)
        {
            (made as IDisposable)?.Dispose();
            return;
        }
        string name = to + suffix;
        if (registers.TryGetValue(name, out object? old)) (old as IDisposable)?.Dispose();
        else order.Add(name);
        registers[name] = made;
    }

    private void PutValue(object? v) => Put(new Obj(("value", v)));

    private void Release(string name)
    {
        (Register(name) as IDisposable)?.Dispose();
        registers.Remove(name);
        order.Remove(name);
    }

    private void EndStep()
    {
        foreach (Tensor tensor in temporary) tensor.Dispose();
        temporary.Clear();
    }

    /// <summary>As torch.tensor(numbers).to(dtype): whole numbers through int64, others through float64.</summary>
    private static Tensor Literal(Obj spec)
    {
        long[] shape = IntsOf(spec["shape"]);
        DType dtype = spec["dtype"] is string name ? DTypes.Parse(name) : DType.Float32;
        long n = shape.Aggregate(1L, (a, b) => a * b);
        List<object?> values;
        if (spec["data"] is List<object?> data) values = data;
        else if (spec.Has("full")) values = Enumerable.Repeat(spec["full"], (int)n).ToList();
        else
        {
            long start = (long)spec["arange"]!;
            values = Enumerable.Range(0, (int)n).Select(i =>
                (object?)(dtype == DType.Bool ? ((start + i) % 2 + 2) % 2 : start + i)).ToList();
        }
        using Tensor made = values.All(v => v is long or bool)
            ? LibTensorDict.Tensor.From<long>(values.Select(v => (long)Comparison.Real(v)).ToArray()).Shaped(shape)
            : LibTensorDict.Tensor.From<double>(values.Select(Comparison.Real).ToArray()).Shaped(shape);
        return made.To(dtype);
    }

    public Obj Observe()
    {
        using var observer = new Observer();
        var seen = new Obj();
        foreach (string name in order)
        {
            seen[name] = registers[name] switch
            {
                TensorDict dict => observer.Dict(dict),
                Tensor tensor => observer.Tensor(tensor),
                var plain => plain,
            };
        }
        observer.AddMemory();
        return seen;
    }
}

internal static class Shapes
{
    /// <summary>The tensor in another shape; it is taken over.</summary>
    internal static Tensor Shaped(this Tensor tensor, long[] shape)
    {
        using (tensor) return tensor.Op("reshape", shape);
    }
}
