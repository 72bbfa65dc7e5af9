#nullable enable
using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using LibTensorDict.Raw;

namespace LibTensorDict;

public sealed unsafe partial class TensorDict : IEnumerable<KeyValuePair<string, Entry>>
{
    /// <summary>The entry under a key; a missing key is a <see cref="KeyNotFoundException"/>.</summary>
    public Entry this[Key key]
    {
        get => Find(key) is { Kind: not EntryKind.None } found ? found : Native.dict_get(this, key); // which throws
        set => Set(key, value);
    }

    /// <inheritdoc cref="this[Key]"/>
    public Entry this[string key]
    {
        get => this[new Key(key)];
        set => Set(key, value);
    }

    /// <inheritdoc cref="this[Key]"/>
    public Entry this[string key, string next]
    {
        get => this[new Key(key, next)];
        set => Set((key, next), value);
    }

    /// <inheritdoc cref="this[Key]"/>
    public Entry this[string key, string next, params string[] further]
    {
        get => this[new Key([key, next, .. further])];
        set => Set(new Key([key, next, .. further]), value);
    }

    /// <summary>Sets an entry of any kind.</summary>
    public void Set(Key key, Entry entry)
    {
        switch (entry.Value)
        {
            case Tensor tensor: Native.dict_set(this, key, tensor); break;
            case TensorDict dict: Native.dict_set_dict(this, key, dict); break;
            case Data { IsStack: true } data: Native.dict_set_data_stack(this, key, data.All); break;
            case Data data: Native.dict_set_data(this, key, DataValue.Of(data.Value)); break;
            default: throw new ArgumentNullException(nameof(entry));
        }
    }

    /// <summary>Sets a tensor.</summary>
    public void Set(Key key, Tensor tensor) => Native.dict_set(this, key, tensor);

    /// <summary>Sets a tensor of any shape that belongs to the whole batch.</summary>
    public void SetUnbatched(Key key, Tensor tensor) => Native.dict_set_unbatched(this, key, tensor);
    /// <summary>Whether the tensor under the key belongs to the whole batch.</summary>
    public bool IsUnbatched(Key key) => Native.dict_is_unbatched(this, key);
    /// <summary>Copies elements into the memory of the tensor under the key; allowed on a locked dict.</summary>
    public void CopyInto(Key key, Tensor value) => Native.dict_copy_into(this, key, value);
    /// <summary>Replaces non-tensor data by one value; allowed on a locked dict.</summary>
    public void SetDataInPlace(Key key, DataValue value) => Native.dict_set_data_(this, key, value);
    /// <summary>Writes one number into the tensor under the key.</summary>
    public void Fill(Key key, Value value) => Native.dict_fill_(this, key, value);
    /// <summary>Writes 0 into all tensors.</summary>
    public void Zero() => Native.dict_zero_(this);

    /// <summary>The tensor under a key; a missing key is a <see cref="KeyNotFoundException"/>.</summary>
    public Tensor Get(Key key) => Native.dict_get(this, key);

    /// <summary>The tensor under a prepared key: the fastest look-up.</summary>
    public Tensor Get(KeyPath path) => Native.dict_get_path(this, path);

    /// <summary>The tensors under prepared keys: all of them, or none.</summary>
    public Tensor[] GetMany(params KeyPath[] paths)
    {
        td_tensor** made = stackalloc td_tensor*[paths.Length];
        Native.dict_get_many(this, paths, made);
        var tensors = new Tensor[paths.Length];
        for (int i = 0; i < tensors.Length; i++) tensors[i] = Tensor.Take(made[i]);
        return tensors;
    }

    /// <summary>Sets tensors under prepared keys: all of them, or none.</summary>
    public void SetMany(ReadOnlySpan<KeyPath> paths, ReadOnlySpan<Tensor> tensors) =>
        Native.dict_set_many(this, paths, tensors);

    /// <summary>The dict under a key; changes of it show here.</summary>
    public TensorDict GetDict(Key key) => Native.dict_get_dict(this, key);
    /// <summary>The non-tensor data under a key.</summary>
    public Data GetData(Key key) => Native.dict_get_data(this, key);

    /// <summary>The entry under a key, of kind None if there is none; that is neither an error nor slow.</summary>
    public Entry Find(Key key)
    {
        td_entry entry;
        Native.dict_lookup(this, key, &entry);
        return Entry.Take(&entry);
    }

    /// <summary>Looks for an entry of a type: <see cref="Tensor"/>, <see cref="TensorDict"/> or
    /// <see cref="Data"/>.</summary>
    public bool TryGet<T>(Key key, [NotNullWhen(true)] out T? entry) where T : class
    {
        Entry found = Find(key);
        entry = found.Value as T;
        if (entry == null) found.Dispose();
        return entry != null;
    }

    /// <summary>What kind of entry is under a key: None if there is none.</summary>
    public EntryKind KindOf(Key key) => Native.dict_entry_kind(this, key);
    /// <summary>Whether there is an entry.</summary>
    public bool ContainsKey(Key key) => KindOf(key) != EntryKind.None;

    /// <summary>The tensor under a key; first sets this one if there is none.</summary>
    public Tensor GetOrAdd(Key key, Tensor tensor) => Native.dict_set_default(this, key, tensor);
    /// <summary>Removes an entry; a missing key is a <see cref="KeyNotFoundException"/>.</summary>
    public void Remove(Key key) => Native.dict_remove(this, key);
    /// <summary>Removes a tensor and returns it.</summary>
    public Tensor Pop(Key key) => Native.dict_pop(this, key);
    /// <summary>Removes a dict and returns it.</summary>
    public TensorDict PopDict(Key key) => Native.dict_pop_dict(this, key);
    /// <summary>Removes the last entry and returns it.</summary>
    public KeyValuePair<string, Entry> PopLast()
    {
        (string key, Tensor? tensor, TensorDict? dict, Data? data) = Native.dict_popitem(this);
        return new(key, tensor != null ? tensor : dict != null ? dict : (Entry)data!);
    }
    /// <summary>Removes every entry.</summary>
    public void Clear() => Native.dict_clear(this);
    /// <summary>Makes an empty node, and the missing ones on the way.</summary>
    public void CreateNested(Key key) => Native.dict_create_nested(this, key);

    // ---- Enumerate ----

    /// <summary>The keys; those of the root if no flags are given.</summary>
    public Key[] Keys(KeysFlags flags = 0) => Native.dict_keys(this, flags);

    /// <summary>The keys with their entries; those of the root if no flags are given.</summary>
    public KeyValuePair<Key, Entry>[] Items(KeysFlags flags = 0) => Listed(flags, &Key.From);

    private static string FirstPart(td_key* key) => Marshalled.Text(key->parts[0])!;

    private KeyValuePair<TKey, Entry>[] Listed<TKey>(KeysFlags flags, delegate*<td_key*, TKey> read)
    {
        td_entries* entries;
        Native.dict_entries(this, (ulong)flags, &entries);
        try
        {
            td_error* err = null;
            td_key* keys;
            td_entry* found;
            nuint n;
            Status status = Api.td_entries_view(entries, &keys, &found, &n, &err);
            if (status != Status.Ok) Errors.Throw(status, err);
            var items = new KeyValuePair<TKey, Entry>[(int)n];
            for (int i = 0; i < items.Length; i++) items[i] = new(read(keys + i), Entry.Borrow(found + i));
            return items;
        }
        finally
        {
            Api.td_entries_release(entries);
        }
    }

    /// <summary>All tensors with their keys, below too.</summary>
    public KeyValuePair<Key, Tensor>[] Leaves() => Pair(Native.dict_leaves(this));

    internal static KeyValuePair<Key, Tensor>[] Pair((Key[] Keys, Tensor[] Tensors) lists)
    {
        var pairs = new KeyValuePair<Key, Tensor>[lists.Keys.Length];
        for (int i = 0; i < pairs.Length; i++) pairs[i] = new(lists.Keys[i], lists.Tensors[i]);
        return pairs;
    }

    /// <summary>The entries of the root as they are now: later changes do not disturb the enumeration.</summary>
    public IEnumerator<KeyValuePair<string, Entry>> GetEnumerator() =>
        ((IEnumerable<KeyValuePair<string, Entry>>)Listed(0, &FirstPart)).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
