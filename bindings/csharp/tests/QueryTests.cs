using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace LibTensorDict.Tests;

public static class QueryTests
{
    private static TensorDict Rows(params long[] rows)
    {
        using Tensor x = Tensor.From(rows, rows.Length, 1);
        var td = new TensorDict(rows.Length);
        td["x"] = x;
        return td;
    }

    private static long[] Index(TensorDict td)
    {
        using Tensor index = td["_index"];
        return index.ToArray<long>();
    }

    [Test]
    public static void RowsGetDenseIndices()
    {
        using Query query = Query.New(["x"], new QueryOptions { Capacity = 3, Miss = QueryMiss.MinusOne,
            Exact = true });
        using TensorDict td = Rows(5, 7, 5);
        query.Forward(td);
        Check.Sequence([0L, 1, 0], Index(td));
        Check.Equal(2L, query.Count);
        using (Tensor found = query.Contains(td)) Check.That(found.ToArray<bool>().All(one => one));
        using TensorDict more = Rows(8, 9, 5);
        using (TensorDict made = query.Run(more, QueryFlags.NoExtend, QueryTarget.Copy, "found"))
        {
            Check.Sequence([-1L, -1, 0], Index(made));
            using Tensor found = made["found"];
            Check.Sequence([false, false, true], found.ToArray<bool>());
        }
        Check.Equal(2L, query.Statistics().Size);
        Check.Equal("td.siphash", query.Options().HashType);
        using TensorDict state = query.State;
        using Query other = Query.New(["x"], new QueryOptions { Exact = true });
        Check.Equal(2L, query.Remove(td));
        Check.Equal(0L, query.Count);
        query.Clear();
    }

    [Test]
    public static void HashesInCSharp()
    {
        using Hash own = Hash.FromFunction(rows => rows.Op("flatten"));
        using Query query = Query.New(["x"], new QueryOptions { Hash = own });
        using TensorDict td = Rows(5, 7);
        query.Forward(td);
        using (Tensor hashes = td["_hash"]) Check.Sequence([5L, 7], hashes.ToArray<long>());
        using Hash failing = Hash.FromFunction(_ => throw new InvalidDataException());
        using Query failed = Query.New(["x"], new QueryOptions { Hash = failing });
        Check.Throws<InvalidDataException>(() => failed.Forward(td));

        const string id = "cs.sum";
        Plugins.RegisterHash(id, (config, rows, n, rowBytes, stride, hashes) =>
        {
            for (int i = 0; i < n; i++)
            {
                hashes[i] = (ulong)config.Length;
                foreach (byte one in rows.Slice(i * stride, rowBytes)) hashes[i] += one;
            }
        });
        try
        {
            using Hash sum = Hash.New(id);
            Check.Sequence([2UL + 3, 2UL + 7], sum.Rows([1, 2, 3, 4], 2));
            using Query byId = Query.New(["x"], new QueryOptions { HashType = id });
            byId.Forward(td);
            Check.Equal(2L, byId.Count);
            Check.That(Plugins.List().Any(type => type.GetData("id").As<string>() == id));
            Check.Throws<ArgumentException>(() => sum.Rows([1, 2, 3], 2));
        }
        finally
        {
            Plugins.Unregister(PluginKind.Hash, id);
        }
        Check.Throws<FileNotFoundException>(() => Hash.New(id));
        using var stream = new MemoryStream();
        using Hash sip = Hash.New("td.siphash"), clone = sip.Clone();
        sip.Save(stream);
        stream.Position = 0;
        clone.Load(stream);
        Check.Sequence(sip.Rows([1, 2], 1), clone.Rows([1, 2], 1));
    }

    private sealed class OwnMap : IIndexMap
    {
        private readonly Dictionary<long, long> indices = [];
        internal bool Fails { get; set; }

        public void LookUp(ReadOnlySpan<long> hashes, Span<long> found)
        {
            if (Fails) throw new InvalidDataException();
            for (int i = 0; i < hashes.Length; i++) found[i] = indices.TryGetValue(hashes[i], out long index) ? index
                : -1;
        }
        public void Insert(ReadOnlySpan<long> hashes, Span<long> made)
        {
            for (int i = 0; i < hashes.Length; i++) indices[hashes[i]] = made[i] = indices.Count;
        }
        public void Erase(ReadOnlySpan<long> hashes)
        {
            foreach (long hash in hashes) indices.Remove(hash);
        }
        public (long Size, long Next) Size => (indices.Count, indices.Count);
        public void Clear() => indices.Clear();
        public void Save(TensorDict state) => state["n"] = (long)indices.Count;
        public void Load(TensorDict state) => indices.Clear();
    }

    [Test]
    public static void MapsInCSharp()
    {
        var map = new OwnMap();
        using Query query = Query.New(["x"], map);
        using TensorDict td = Rows(4, 4, 6);
        query.Forward(td);
        Check.Sequence([0L, 0, 1], Index(td));
        Check.Equal(2L, query.Count);
        map.Fails = true;
        Check.Throws<InvalidDataException>(() => query.Forward(td));
        map.Fails = false;
        using TensorDict state = query.State;
        Check.Equal<object?>(2L, state.GetData("n").Value);
        query.Clear();
        Check.Equal(0L, query.Count);
    }

    [Test]
    public static void StoresAndRowsUnderKeys()
    {
        using Query query = Query.New(["x"]);
        using Store store = Store.New();
        using RowMap rows = RowMap.New(query, store);
        using TensorDict keys = Rows(1, 2), values = CoreTests.WithX(10, 20);
        rows.Set(keys, values);
        using TensorDict found = rows.Get(keys);
        CoreTests.Expect(found, "x", 10, 20);
        Check.Equal(2L, rows.Count);
        (TensorDict drawn, Tensor index) = store.Sample(4);
        Check.Equal(4L, drawn.Length);
        drawn.Dispose();
        index.Dispose();
    }
}
