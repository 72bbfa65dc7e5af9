#nullable enable
using System;
using System.Collections.Generic;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>A batched, nested, ordered map from keys to tensors, dicts and non-tensor data.</summary>
public sealed unsafe partial class TensorDict : NativeObject
{
    private TensorDict(td_dict* dict) : base(dict) { }

    internal static TensorDict Take(td_dict* dict) => new(dict);
    internal static TensorDict? TakeOrNull(td_dict* dict) => dict == null ? null : new(dict);

    internal static TensorDict Borrow(td_dict* dict)
    {
        Api.td_dict_retain(dict);
        return new(dict);
    }

    internal static TensorDict[] TakeAll(td_dict** dicts, int n)
    {
        var made = new List<TensorDict>(n);
        for (int i = 0; i < n; i++)
        {
            if (dicts[i] != null) made.Add(new(dicts[i]));
        }
        return made.ToArray();
    }

    private protected override void Release(void* pointer) => Api.td_dict_release((td_dict*)pointer);

    // ---- Make ----

    /// <summary>Makes an empty dict with a batch size.</summary>
    public TensorDict(params long[] batchSize) : base(Make(batchSize, null)) { }

    /// <summary>Makes an empty dict that moves every tensor to a device.</summary>
    public static TensorDict On(string device, params long[] batchSize) => new(Make(batchSize, device));

    private static td_dict* Make(ReadOnlySpan<long> batchSize, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_dict_options { device = c.String(device) };
        td_dict* made;
        Status status;
        fixed (long* sizes = batchSize) status = Api.td_dict_new(sizes, (nuint)batchSize.Length, &options, &made, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made;
    }

    /// <summary>Makes a dict with these entries, in their order: tensors, dicts, data, text, or numbers, which become
    /// tensors.</summary>
    public static TensorDict From(ReadOnlySpan<long> batchSize, params (Key Key, Value Value)[] items) =>
        From(batchSize, Array.ConvertAll(items, item => new Item(item.Key, item.Value)).AsSpan());
    /// <summary>Makes a dict with these entries, in their order.</summary>
    public static TensorDict From(ReadOnlySpan<long> batchSize, ReadOnlySpan<Item> items) =>
        Native.dict_from_items(batchSize, items, null);
    /// <summary>Makes a dict without batch dims that has the same tensor under every key.</summary>
    public static TensorDict FromKeys(Tensor value, params Key[] keys) => Native.dict_from_keys(keys, value);
    /// <summary>Makes a dict without batch dims from a JSON object.</summary>
    public static TensorDict FromJson(string json) => Native.dict_from_json(json);
    /// <summary>Makes dicts without batch dims from a JSON array of objects.</summary>
    public static TensorDict[] ListFromJson(string json) => Native.dict_list_from_json(json);
    /// <summary>Merges dicts into one; of entries that several have, those of the first stay.</summary>
    public static TensorDict Merge(params TensorDict[] dicts) => Native.dict_merge(dicts);
    /// <summary>Reads what <see cref="ToString()"/> printed, with zeros in the tensors.</summary>
    public static TensorDict Parse(string text, string? device = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_parse_options { device = c.String(device) };
        return Native.dict_parse(text, &options);
    }

    /// <summary>One leaf of a dict that is made from a description.</summary>
    /// <param name="Key">Its key.</param>
    /// <param name="DType">Its dtype.</param>
    /// <param name="Dims">Its dims after those of the batch.</param>
    public readonly record struct SchemaEntry(Key Key, DType DType, long[] Dims);

    /// <summary>Makes a dict of zeros from a description, in memory or in files.</summary>
    public static TensorDict FromSchema(ReadOnlySpan<long> batchSize, ReadOnlySpan<SchemaEntry> entries,
        Storage storage = Storage.Memory,
        string? path = null, string? device = null, bool overwrite = false)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var save = new td_save_options { overwrite = Marshalled.Byte(overwrite) };
        var options = new td_schema_options { storage = storage, path = c.String(path), device = c.String(device),
            save = path == null ? null : &save };
        td_schema_entry* list = c.Many<td_schema_entry>(entries.Length);
        for (int i = 0; i < entries.Length; i++)
        {
            long[] dims = entries[i].Dims;
            list[i] = new td_schema_entry { key = c.Key(entries[i].Key), dtype = entries[i].DType,
                dims = c.Copy<long>(dims), ndim = (nuint)dims.Length };
        }
        return Native.dict_from_schema(list, entries.Length, batchSize, &options);
    }

    /// <summary>Makes one more reference to the same dict.</summary>
    public TensorDict Share()
    {
        TensorDict same = Borrow((td_dict*)Pointer);
        GC.KeepAlive(this);
        return same;
    }

    /// <summary>Whether both are one dict.</summary>
    public bool Same(TensorDict other) => Pointer == other.Pointer;

    // ---- Inspect ----

    /// <summary>The size of each batch dim; -1 where the members of a lazy stack differ.</summary>
    public long[] BatchSize
    {
        get
        {
            long[] sizes = Marshalled.Sizes((at, n) => Api.td_dict_batch_size((td_dict*)Pointer, at, n));
            GC.KeepAlive(this);
            return sizes;
        }
        set => Native.dict_set_batch_size(this, value);
    }

    /// <summary>Sets the batch size to the longest one that all entries share, of at most <paramref name="limit"/>
    /// dims.</summary>
    public void AutoBatchSize(long limit = -1) => Native.dict_auto_batch_size_(this, limit);
    /// <summary>Where entries are moved to; null if they stay where they are.</summary>
    public string? Device => Native.dict_device(this);
    /// <summary>Removes the device, here and below; nothing is moved.</summary>
    public void ClearDevice() => Native.dict_clear_device_(this);
    /// <summary>Sets the device that all tensors are on, if they are on one.</summary>
    public void AutoDevice() => Native.dict_auto_device_(this);
    /// <summary>The size of the first batch dim; 0 without batch dims.</summary>
    public long Length => Native.dict_len(this);
    /// <summary>The number of entries at the root.</summary>
    public int Count => (int)Native.dict_count(this);
    /// <summary>The product of the batch size.</summary>
    public long ElementCount => Native.dict_numel(this);
    /// <summary>The size of all tensors in bytes, below too.</summary>
    public long Bytes => Native.dict_nbytes(this);
    /// <summary>How many levels of nodes are above the deepest tensor.</summary>
    public int Depth => (int)Native.dict_depth(this);
    /// <summary>The dtype of all tensors; None if they differ.</summary>
    public DType DType => Native.dict_dtype(this);
    /// <summary>Whether all tensors have a floating-point dtype.</summary>
    public bool IsFloatingPoint => Native.dict_is_floating_point(this);
    /// <summary>The number of elements of all tensors.</summary>
    public long ParamCount(bool countDuplicates = true) => Native.dict_param_count(this, countDuplicates);
    /// <summary>The bytes of all tensors and their gradients.</summary>
    public long ParamBytes(bool countDuplicates = true) => Native.dict_param_bytes(this, countDuplicates);
    /// <summary>Whether there are no entries other than nodes.</summary>
    public bool IsEmpty => Native.dict_is_empty(this);
    /// <summary>Whether all tensors are row-major.</summary>
    public bool IsContiguous => Native.dict_is_contiguous(this);
    /// <summary>What kind of dict it is.</summary>
    public DictKind Kind => Native.dict_kind_of(this);
    /// <summary>Whether changes of the structure are refused.</summary>
    public bool IsLocked => Native.dict_is_locked(this);
    /// <summary>Refuses changes of the structure from now on, here and below.</summary>
    public void Lock() => Native.dict_lock_(this);
    /// <summary>Allows changes of the structure again.</summary>
    public void Unlock() => Native.dict_unlock_(this);
    /// <summary>Moves all tensors to memory that forked processes share, and locks the dict.</summary>
    public void ShareMemory() => Native.dict_share_memory_(this);
    /// <summary>Whether the memory is shared.</summary>
    public bool IsShared => Native.dict_is_shared(this);

    /// <summary>What Python prints.</summary>
    public override string ToString() => IsDisposed ? "TensorDict (disposed)" : ToString(0);
    /// <summary>What Python prints, with these parts.</summary>
    public string ToString(ReprFlags flags) => Native.dict_repr(this, flags);

    /// <summary>Whether structure, dtypes and all values are equal, or within a tolerance.</summary>
    public bool EqualTo(TensorDict other, double relative = 0, double absolute = 0, bool equalNaN = false) =>
        Difference(other, relative, absolute, equalNaN) == null;

    /// <summary>The first difference from another dict, for people; null if there is none.</summary>
    public string? Difference(TensorDict other, double relative = 0, double absolute = 0, bool equalNaN = false)
    {
        var options = new td_equal_options { relative = relative, absolute = absolute,
            equal_nan = Marshalled.Byte(equalNaN) };
        (bool equal, string? difference) = Native.dict_equal(this, other, &options);
        return equal ? null : difference ?? "";
    }

    // ---- Copies ----

    /// <summary>Returns a dict with new nodes that shares the tensors.</summary>
    public TensorDict Copy() => Native.dict_copy(this);
    /// <summary>Returns a deep copy.</summary>
    public TensorDict Clone() => Native.dict_clone(this);
    /// <summary>Returns a deep, unlocked copy in which all nodes are plain dicts.</summary>
    public TensorDict ToTensorDict() => Native.dict_to_tensordict(this);
    /// <summary>Returns a dict with another dtype or device.</summary>
    public TensorDict To(DType dtype = DType.None, string? device = null) => Native.dict_to(this, dtype, device);
    /// <summary>Returns a dict in pinned memory.</summary>
    public TensorDict PinMemory() => Native.dict_pin_memory(this);
    /// <summary>Returns a locked copy with all tensors in one allocation.</summary>
    public TensorDict Consolidate() => Native.dict_consolidate(this);
}
