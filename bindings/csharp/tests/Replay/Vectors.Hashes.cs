using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace LibTensorDict.Tests.Replay;

public static partial class VectorReplayTests
{
    private static ulong HashOf(string type, string config, ReadOnlySpan<byte> message)
    {
        using Hash h = Hash.New(type, config);
        if (message.Length > 0) return h.Rows(message, 1)[0];
        using Tensor rows = Tensor.Zeros([1, 0], DType.UInt8), hashed = h.Call(rows); // one row without bytes
        return (ulong)hashed.Item<long>();
    }

    private static int Expect(string what, string type, string config, ReadOnlySpan<byte> message, ulong wanted)
    {
        Check.Equal(wanted, HashOf(type, config, message), $"{what} of {message.Length} bytes:");
        return 1;
    }

    /// <summary>Vectors without their bytes say how these are made.</summary>
    private static byte[] MessageOf(Obj o)
    {
        if (o["hex"] is string text) return Convert.FromHexString(text);
        var n = (int)(long)o["len"]!;
        return Enumerable.Range(0, n).Select(i => (byte)(i * 7 + n)).ToArray();
    }

    private static ulong Unsigned(object? v) =>
        ulong.Parse(((string)v!)[2..], NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    private static readonly (string Name, string Rounds)[] Rounds = [("13", "[1, 3]"), ("24", "[2, 4]")];
    private static readonly (string Name, string Rounds)[] Published =
        [("siphash24_official", "[2, 4]"), ("siphash13_reference", "[1, 3]")];

    [Test]
    public static void EveryHash()
    {
        Obj all = Parsed("hash.json");
        int run = 0;
        foreach (Obj o in ListOf(((Obj)all["cpython_hash_bytes"]!)["vectors"]).Cast<Obj>())
        {
            foreach ((string name, string rounds) in Rounds)
            {
                foreach (int seed in new[] { 0, 42 })
                {
                    run += Expect("SipHash", "td.siphash", $$"""{"seed": {{seed}}, "rounds": {{rounds}}}""",
                        MessageOf(o), (ulong)(long)o[$"siphash{name}_seed{seed}"]!);
                }
            }
        }
        foreach ((string name, string rounds) in Published)
        {
            List<object?> values = ListOf(((Obj)all[name]!)["values"]);
            string config = $$"""
                {"cpython": false, "key": "000102030405060708090a0b0c0d0e0f", "rounds": {{rounds}}}
                """;
            for (int n = 0; n < values.Count; n++)
            {
                run += Expect(name, "td.siphash", config,
                    Enumerable.Range(0, n).Select(i => (byte)i).ToArray(), Unsigned(values[n]));
            }
        }
        run += Xxh3((Obj)all["xxh3_64"]!);
        Report($"{run} hashes compared", []);
    }

    private static int Xxh3(Obj o)
    {
        try
        {
            Hash.New("td.xxh3").Dispose();
        }
        catch (Exception e) when (e is ITensorDictError)
        {
            Console.WriteLine("without td.xxh3: this library was built without it");
            return 0;
        }
        Obj[] vectors = ListOf(o["vectors"]).Cast<Obj>().ToArray();
        var buffer = new byte[vectors.Max(v => (long)v["len"]!)];
        ulong g = 2654435761;
        for (int i = 0; i < buffer.Length; i++)
        {
            buffer[i] = (byte)(g >> 56);
            g *= 11400714785074694797;
        }
        (string, ulong)[] seeds = [("seed0", 0), ("seedP32", Unsigned(o["P32"])), ("seedP64", Unsigned(o["P64"]))];
        int run = 0;
        foreach (Obj v in vectors)
        {
            foreach ((string name, ulong seed) in seeds)
            {
                run += Expect($"xxh3 {name}", "td.xxh3", $$"""{"seed": {{seed}}}""",
                    buffer.AsSpan(0, (int)(long)v["len"]!), Unsigned(v[name]));
            }
        }
        return run;
    }

    /// <summary>A tensor with the elements that bytes spell in row-major order.</summary>
    private static Tensor TensorOfBytes(Obj o)
    {
        DType dtype = DTypes.Parse((string)o["dtype"]!);
        byte[] content = Convert.FromHexString((string)o["bytes_hex"]!);
        long[] shape = Ints(o["shape"]);
        return content.Length == 0 ? Tensor.Zeros(shape, dtype)
            : Tensor.From(content).Op("view.dtype", dtype).Shaped(shape);
    }

    [Test]
    public static void EveryQuery()
    {
        int run = 0;
        var failed = new List<string>();
        foreach (Obj v in ListOf(((Obj)Parsed("hash.json")["query_module"]!)["cases"]).Cast<Obj>())
        {
            if (!v.Has("steps")) continue; // a remark
            run++;
            Tried(() => ReplayQuery(v), (string)v["name"]!, failed);
        }
        Report($"{run} queries", failed);
        Check.That(run > 0, "no queries in the file");
    }

    private static void ReplayQuery(Obj v)
    {
        Query q = Query.New(KeysIn(v["in_keys"]));
        foreach (Obj step in ListOf(v["steps"]).Cast<Obj>())
        {
            var data = new TensorDict(Ints(step["batch_size"]));
            var inputs = (Obj)step["inputs"]!;
            foreach (string key in inputs.Keys) data[key] = TensorOfBytes((Obj)inputs[key]!);
            q.Run(data, ((Obj)step["call"]!)["extend"] is false ? QueryFlags.NoExtend : QueryFlags.Default);
            foreach ((string key, string wanted) in new[] { ("_index", "index"), ("_hash", "hash") })
                Check.Sequence(Ints(step[wanted]), data.Get(key).ToArray<long>(), $"{key}:");
            Check.Equal((long)step["map_size_after"]!, q.Count, "the rows in the map:");
        }
    }
}
