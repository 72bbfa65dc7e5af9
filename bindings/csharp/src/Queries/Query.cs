#nullable enable
using System;
using System.Linq;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>How a query maps rows to indices. What is not given has the default of the library.</summary>
public sealed record QueryOptions
{
    /// <summary>The key of the indices; none given: "_index".</summary>
    public Key? IndexKey { get; init; }
    /// <summary>The key of the hashes; none given: "_hash".</summary>
    public Key? HashKey { get; init; }
    /// <summary>The type of the hash; none given: "td.siphash".</summary>
    public string? HashType { get; init; }
    /// <summary>Its config as JSON.</summary>
    public string? HashConfig { get; init; }
    /// <summary>A hash for all keys, instead of a type.</summary>
    public Hash? Hash { get; init; }
    /// <summary>A hash for each key, instead of a type.</summary>
    public Hash[] Hashes { get; init; } = [];
    /// <summary>Hashes the hashes of several keys.</summary>
    public Hash? Aggregator { get; init; }
    /// <summary>Shares the map of this query.</summary>
    public Query? MapOf { get; init; }
    /// <summary>The largest number of entries; 0: no limit.</summary>
    public long Capacity { get; init; }
    /// <summary>What a row that is not in the map gets if the map is not extended.</summary>
    public QueryMiss Miss { get; init; }
    /// <summary>Threads for hashing and look-up; 0: one; -1: as LibTorch.</summary>
    public int Threads { get; init; }
    /// <summary>Calling returns a copy of the data.</summary>
    public bool ReturnCopy { get; init; }
    /// <summary>Compares the rows themselves.</summary>
    public bool Exact { get; init; }
    /// <summary>0.0 equals -0.0, and all NaNs are equal.</summary>
    public bool Canonical { get; init; }

    internal unsafe td_query_options Fill(Frame c) => new()
    {
        index_key = c.Key(IndexKey),
        hash_key = c.Key(HashKey),
        hash_type = c.String(HashType),
        hash_config = c.String(HashConfig),
        hash = (td_hash*)NativeObject.PointerOrNull(Hash),
        hashes = (td_hash**)c.Handles<Hash>(Hashes),
        n_hashes = (nuint)Hashes.Length,
        aggregator = (td_hash*)NativeObject.PointerOrNull(Aggregator),
        map_of = (td_query*)NativeObject.PointerOrNull(MapOf),
        capacity = Capacity,
        miss = Miss,
        threads = Threads,
        clone = Marshalled.Byte(ReturnCopy),
        exact = Marshalled.Byte(Exact),
        canonical = Marshalled.Byte(Canonical),
    };
}

/// <summary>Statistics of the map of a query.</summary>
/// <param name="Size">Rows in the map.</param>
/// <param name="Next">One more than the largest index so far.</param>
/// <param name="Collisions">Different rows with equal hashes, in exact maps.</param>
/// <param name="Evictions">Entries whose index was given to another row.</param>
/// <param name="Bytes">The size of the map's memory.</param>
public readonly record struct QueryStatistics(long Size, long Next, long Collisions, long Evictions, long Bytes);

/// <summary>Maps rows to dense indices, with the hash values of torchrl.</summary>
public sealed unsafe class Query : NativeObject
{
    private Query(td_query* query) : base(query) { }

    internal static Query Take(td_query* query) => new(query);
    private protected override void Release(void* pointer) => Api.td_query_release((td_query*)pointer);

    /// <summary>Makes a query with an empty map over these keys.</summary>
    public static Query New(ReadOnlySpan<Key> inKeys, QueryOptions? options = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_query_options raw = (options ??= new()).Fill(c);
        Query made = Native.query_new(inKeys, &raw);
        GC.KeepAlive(options);
        return made;
    }

    /// <summary>Makes a query over a map that C# implements.</summary>
    public static Query New(ReadOnlySpan<Key> inKeys, IIndexMap map, QueryOptions? options = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_query_options raw = (options ??= new()).Fill(c);
        td_index_map callbacks = IndexMaps.Fill(map);
        Query made = Native.query_new_with_map(inKeys, &raw, &callbacks);
        GC.KeepAlive(options);
        return made;
    }

    /// <summary>Looks up every row and writes its index.</summary>
    public void Forward(TensorDict data, QueryFlags flags = QueryFlags.Default) =>
        Native.query_forward(this, data, flags);

    /// <summary>Looks up rows, and returns the data or a copy.</summary>
    public TensorDict Run(TensorDict data, QueryFlags flags = QueryFlags.Default,
        QueryTarget target = QueryTarget.Default, Key? foundKey = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_query_call_options { flags = flags, target = target, found_key = c.Key(foundKey) };
        return Native.query_call(this, data, &options);
    }

    /// <summary>Whether each row is in the map.</summary>
    public Tensor Contains(TensorDict data) => Native.query_contains(this, data);
    /// <summary>The index of each row; -1 where it is not in the map.</summary>
    public Tensor LookUp(TensorDict data) => Native.query_look_up(this, data);
    /// <summary>The hash of each row.</summary>
    public Tensor HashOf(TensorDict data) => Native.query_hash(this, data);
    /// <summary>Removes rows, and returns their number.</summary>
    public long Remove(TensorDict data) => Native.query_remove(this, data);
    /// <summary>Removes all rows.</summary>
    public void Clear() => Native.query_clear(this);
    /// <summary>Restricts the out-keys.</summary>
    public void SelectOutKeys(params Key[] keys) => Native.query_select_out_keys(this, keys);
    /// <summary>Allows all out-keys again.</summary>
    public void ResetOutKeys() => Native.query_reset_out_keys(this);
    /// <summary>The keys that the query reads.</summary>
    public Key[] InKeys => Native.query_in_keys(this);
    /// <summary>The keys that the query writes.</summary>
    public Key[] OutKeys => Native.query_out_keys(this);
    /// <summary>The number of rows in the map.</summary>
    public long Count => Native.query_size(this);
    /// <summary>The map as a dict.</summary>
    public TensorDict State => Native.query_state(this);
    /// <summary>Replaces the map by a state.</summary>
    public void LoadState(TensorDict state, QueryLoadAnyFlags flags = 0) => Native.query_load_state(this, state, flags);

    /// <summary>The statistics.</summary>
    public QueryStatistics Statistics()
    {
        var s = new td_query_statistics();
        Native.query_stats(this, &s);
        return new(s.size, s.next, s.collisions, s.evictions, s.nbytes);
    }

    /// <summary>The options of the query: its hash, capacity, miss, threads and what it compares.</summary>
    public QueryOptions Options()
    {
        var o = new td_query_options();
        Native.query_get_options(this, &o);
        var made = new QueryOptions
        {
            HashType = Marshalled.Text(o.hash_type),
            HashConfig = Marshalled.Text(o.hash_config),
            Capacity = o.capacity,
            Miss = o.miss,
            Threads = o.threads,
            ReturnCopy = o.clone != 0,
            Exact = o.exact != 0,
            Canonical = o.canonical != 0,
        };
        GC.KeepAlive(this);
        return made;
    }

    // ---- Maps in files and in shared memory ----

    /// <summary>Moves the map into shared memory, under a name.</summary>
    public void Share(string name, long capacity = 0, bool keep = false, bool largePages = false)
    {
        var options = new td_query_share_options { capacity = capacity, keep = Marshalled.Byte(keep),
            large_pages = Marshalled.Byte(largePages) };
        Native.query_share(this, name, &options);
    }
    /// <summary>Saves the map as a file.</summary>
    public void Save(string path, long capacity = 0, bool overwrite = false)
    {
        var options = new td_query_save_options { capacity = capacity, overwrite = Marshalled.Byte(overwrite) };
        Native.query_save(this, path, &options);
    }
    /// <summary>Uses a map in a file or in shared memory.</summary>
    public void Attach(string name, QueryMapMode mode = QueryMapMode.Read) => Native.query_attach(this, name, mode);
    /// <summary>Removes the name of a map in shared memory.</summary>
    public static void Unlink(string name) => Native.query_unlink(name);
}

/// <summary>Rows by index.</summary>
public sealed unsafe class Store : NativeObject
{
    private Store(td_store* store) : base(store) { }

    internal static Store Take(td_store* store) => new(store);
    private protected override void Release(void* pointer) => Api.td_store_release((td_store*)pointer);

    /// <summary>Makes a store in memory, or in a memmap directory.</summary>
    public static Store New(long capacity = 0, bool preallocate = false, string? path = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_store_options { capacity = capacity, preallocate = Marshalled.Byte(preallocate),
            path = c.String(path) };
        return Native.store_new(&options);
    }

    /// <summary>Sets rows.</summary>
    public void Set(Tensor index, TensorDict rows) => Native.store_set(this, index, rows);
    /// <summary>Returns rows.</summary>
    public TensorDict Get(Tensor index) => Native.store_get(this, index);
    /// <summary>Whether there is a row for each index.</summary>
    public Tensor Contains(Tensor index) => Native.store_contains(this, index);
    /// <summary>Draws rows, with their indices.</summary>
    public (TensorDict Rows, Tensor Index) Sample(long batchSize, bool withoutReplacement = false,
        Generator? generator = null)
    {
        var options = new td_sample_options { without_replacement = Marshalled.Byte(withoutReplacement) };
        (TensorDict? rows, Tensor? index) = Native.store_sample(this, batchSize, &options, generator);
        return (rows!, index!);
    }
    /// <summary>Removes all rows.</summary>
    public void Clear() => Native.store_clear(this);
    /// <summary>The number of rows.</summary>
    public long Count => Native.store_size(this);
}

/// <summary>Rows under keys: a query and a store together.</summary>
public sealed unsafe class RowMap : NativeObject
{
    private RowMap(td_row_map* map) : base(map) { }

    internal static RowMap Take(td_row_map* map) => new(map);
    private protected override void Release(void* pointer) => Api.td_row_map_release((td_row_map*)pointer);

    /// <summary>Puts a query and a store together.</summary>
    public static RowMap New(Query query, Store store) => Native.row_map_new(query, store);
    /// <summary>Sets rows under keys.</summary>
    public void Set(TensorDict keys, TensorDict rows) => Native.row_map_set(this, keys, rows);
    /// <summary>Returns the rows under keys.</summary>
    public TensorDict Get(TensorDict keys) => Native.row_map_get(this, keys);
    /// <summary>Whether there is a row under each key.</summary>
    public Tensor Contains(TensorDict keys) => Native.row_map_contains(this, keys);
    /// <summary>Removes all rows.</summary>
    public void Clear() => Native.row_map_clear(this);
    /// <summary>The number of rows.</summary>
    public long Count => Native.row_map_size(this);
}
