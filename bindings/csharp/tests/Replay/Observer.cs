using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;
using System.Text;

namespace LibTensorDict.Tests.Replay;

/// <summary>Pictures of dicts and tensors. Objects get numbers in the order in which they are met, so that equal
/// pictures mean equal sharing.</summary>
public sealed class Observer : IDisposable
{
    private readonly List<TensorDict> dicts = [];
    private readonly List<(Tensor Tensor, Obj Seen)> tensors = [];

    public void Dispose()
    {
        foreach (TensorDict dict in dicts) dict.Dispose();
        foreach ((Tensor tensor, _) in tensors) tensor.Dispose();
    }

    private static object? Plain(object? value) => value switch
    {
        double d => Comparison.Number(d),
        byte[] bytes => Encoding.UTF8.GetString(bytes),
        Pickle pickle => Encoding.UTF8.GetString(pickle.Bytes),
        JsonText json => Comparison.Parse(json.Text),
        _ => value,
    };

    private static object? Nested(Data data, int depth, ref int at)
    {
        if (depth == data.Shape.Count) return Plain(data.Values[at++]);
        var list = new List<object?>();
        for (long i = 0; i < data.Shape[depth]; i++) list.Add(Nested(data, depth + 1, ref at));
        return list;
    }

    public static Obj Seen(Data data)
    {
        int at = 0;
        return data.IsStack ? new Obj(("stack", Nested(data, 0, ref at))) : new Obj(("one", Plain(data.Values[0])));
    }

    private static List<object?> All<T>(Tensor tensor, DType dtype, Func<T, object?> convert) where T : unmanaged
    {
        using Tensor same = tensor.To(dtype);
        return same.ToArray<T>().Select(convert).ToList();
    }

    private static List<object?> Elements(Tensor tensor)
    {
        using Tensor values = tensor.Detach();
        return tensor.DType switch
        {
            DType.Complex32 or DType.Complex64 or DType.Complex128 => All<Complex>(values, DType.Complex128,
                z => new List<object?> { Comparison.Number(z.Real), Comparison.Number(z.Imaginary) }),
            DType.Float16 or DType.BFloat16 or DType.Float32 or DType.Float64 =>
                All<double>(values, DType.Float64, x => Comparison.Number(x)),
            DType.Bool => All<bool>(values, DType.Bool, b => b),
            _ => All<long>(values, DType.Int64, i => i),
        };
    }

    private static List<object?> Longs(IEnumerable<long> sizes) => sizes.Select(size => (object?)size).ToList();

    public Obj Tensor(Tensor tensor)
    {
        var seen = new Obj(("dtype", tensor.DType.Name()), ("shape", Longs(tensor.Shape)), ("data", Elements(tensor)));
        if (tensor.RequiresGrad) seen["requires_grad"] = true;
        tensors.Add((tensor.Share(), seen));
        return seen;
    }

    private Obj Entry(Entry entry)
    {
        using Entry one = entry;
        return one.Dict is { } dict ? Dict(dict) : one.Tensor is { } tensor ? Tensor(tensor) : Seen(one.Data!);
    }

    public Obj Dict(TensorDict dict)
    {
        int known = dicts.FindIndex(one => one.Same(dict));
        if (known >= 0) return new Obj(("same", (long)known));
        var seen = new Obj(("dict", (long)dicts.Count), ("batch", Longs(dict.BatchSize)));
        dicts.Add(dict.Share());
        string?[] names = dict.Names;
        if (names.Any(name => name != null)) seen["names"] = names.Select(name => (object?)name).ToList();
        if (dict.IsLocked) seen["locked"] = true;
        if (dict.Device is { } device) seen["device"] = device;
        if (dict.Kind == DictKind.LazyStack) return Members(dict, seen);
        if (dict.Kind == DictKind.Params) seen["kind"] = "params";
        var entries = new Obj();
        foreach ((Key key, Entry entry) in dict.Items())
        {
            bool unbatched = entry.Tensor != null && dict.IsUnbatched(key);
            Obj one = Entry(entry);
            if (unbatched) one["unbatched"] = true;
            entries[key.Parts[0]] = one;
        }
        seen["entries"] = entries;
        return seen;
    }

    private Obj Members(TensorDict dict, Obj seen)
    {
        seen["stack_dim"] = dict.StackDim;
        seen["keys"] = dict.Keys().Select(key => (object?)key.Parts[0]).ToList();
        var members = new List<object?>();
        foreach (TensorDict member in dict.Members())
        {
            using (member) members.Add(Dict(member));
        }
        seen["members"] = members;
        return seen;
    }

    /// <summary>Tells [class, bytes from its start] of tensors of which another one has some of the same
    /// bytes.</summary>
    public void AddMemory()
    {
        var spans = tensors.Select((t, place) => (Extent: t.Tensor.Memory(), Place: place))
            .Where(s => s.Extent.Start != s.Extent.Stop).OrderBy(s => s.Extent.Start).ToList();
        var groups = new List<(nint Base, nint Stop, List<(nint Start, int Place)> Members)>();
        foreach (((nint start, nint stop), int place) in spans)
        {
            if (groups.Count == 0 || start >= groups[^1].Stop) groups.Add((start, stop, []));
            (nint first, nint last, List<(nint, int)> members) = groups[^1];
            members.Add((start, place));
            groups[^1] = (first, Math.Max(last, stop), members);
        }
        int number = 0;
        foreach ((nint first, _, List<(nint Start, int Place)> members) in groups.Where(g =>
            g.Members.Count > 1).OrderBy(g => g.Members.Min(m => m.Place)))
        {
            foreach ((nint start, int place) in members) tensors[place].Seen["memory"] =
                new List<object?> { (long)number, (long)(start - first) };
            number++;
        }
    }
}
