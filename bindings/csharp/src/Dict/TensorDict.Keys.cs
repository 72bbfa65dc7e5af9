#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

public sealed unsafe partial class TensorDict
{
    /// <summary>Renames an entry; with <paramref name="safe"/>, an existing new key is an error.</summary>
    public void RenameKey(Key oldKey, Key newKey, bool safe = false) =>
        Native.dict_rename_key_(this, oldKey, newKey, safe);
    /// <summary>Returns a dict with the entries under these keys; a missing one is an error.</summary>
    public TensorDict Select(params Key[] keys) => Native.dict_select(this, keys, true);
    /// <summary>Returns a dict with the entries under these keys.</summary>
    public TensorDict Select(ReadOnlySpan<Key> keys, bool strict) => Native.dict_select(this, keys, strict);
    /// <summary>Removes all entries except those under these keys.</summary>
    public void SelectInPlace(ReadOnlySpan<Key> keys, bool strict = true) => Native.dict_select_(this, keys, strict);
    /// <summary>Returns a dict with the entries that are not under these keys.</summary>
    public TensorDict Exclude(params Key[] keys) => Native.dict_exclude(this, keys);
    /// <summary>Removes the entries under these keys.</summary>
    public void ExcludeInPlace(params Key[] keys) => Native.dict_exclude_(this, keys);

    /// <summary>Splits into one dict for each set of keys, and one for the remaining entries.</summary>
    public TensorDict[] SplitKeys(ReadOnlySpan<Key[]> sets, bool lenient = false, bool reproduceStructure = false,
        Tensor? fill = null,
        ReadOnlySpan<Key[]> names = default)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_split_options
        {
            lenient = Marshalled.Byte(lenient),
            reproduce_struct = Marshalled.Byte(reproduceStructure),
            fill = (td_tensor*)PointerOrNull(fill),
            names = Sets(c, names),
        };
        if (!names.IsEmpty) Frame.Match(names.Length, sets.Length, false);
        td_dict** made = stackalloc td_dict*[sets.Length + 1];
        Native.dict_split_keys(this, Sets(c, sets), sets.Length, &options, made);
        GC.KeepAlive(fill);
        return TakeAll(made, sets.Length + 1);
    }

    private static td_key_set* Sets(Frame c, ReadOnlySpan<Key[]> sets)
    {
        td_key_set* made = c.Many<td_key_set>(sets.Length);
        for (int i = 0; i < sets.Length; i++)
        {
            made[i] = new td_key_set { keys = c.Keys(sets[i]), n = (nuint)sets[i].Length };
        }
        return made;
    }

    /// <summary>Removes the entries under these keys and returns a dict with them.</summary>
    public TensorDict Separate(ReadOnlySpan<Key> keys, bool lenient = false, bool keepEmpty = false,
        Tensor? fill = null)
    {
        var options = new td_separate_options
        {
            lenient = Marshalled.Byte(lenient),
            keep_empty = Marshalled.Byte(keepEmpty),
            fill = (td_tensor*)PointerOrNull(fill),
        };
        TensorDict made = Native.dict_separate(this, keys, &options);
        GC.KeepAlive(fill);
        return made;
    }

    /// <summary>Returns a copy without the non-tensor entries.</summary>
    public TensorDict WithoutData() => Native.dict_filter_non_tensor_data(this);
    /// <summary>Returns a dict like this one without entries; with <paramref name="recurse"/>, with its
    /// nodes.</summary>
    public TensorDict Empty(bool recurse = false) => Native.dict_empty(this, recurse);
    /// <summary>Removes nodes without entries.</summary>
    public void RemoveEmpty() => Native.dict_filter_empty_(this);
    /// <summary>Returns a dict with one level, whose keys are the parts joined.</summary>
    public TensorDict FlattenKeys(string separator = ".") => Native.dict_flatten_keys(this, separator);
    /// <summary>Splits the keys of the root at every separator.</summary>
    public TensorDict UnflattenKeys(string separator = ".") => Native.dict_unflatten_keys(this, separator);

    // ---- Many entries ----

    /// <summary>Takes over the entries of another dict.</summary>
    public void Update(TensorDict source, bool inPlace = false, bool clone = false, bool updateBatchSize = false,
        ReadOnlySpan<Key> keys = default)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_dict_update_options
        {
            inplace = Marshalled.Byte(inPlace),
            clone = Marshalled.Byte(clone),
            update_batch_size = Marshalled.Byte(updateBatchSize),
            keys = c.Keys(keys),
            n_keys = (nuint)keys.Length,
        };
        Native.dict_update(this, source, &options);
        Frame.Keep(keys);
    }

    /// <summary>Copies the entries of another dict into the memory of this one's.</summary>
    public void UpdateInPlace(TensorDict source) => Native.dict_update_(this, source);
    /// <summary>Returns a copy in which the entries of another dict stand.</summary>
    public TensorDict Replace(TensorDict source) => Native.dict_replace(this, source);
    /// <summary>Takes over batch size, names and entries of another dict, by reference.</summary>
    public void Become(TensorDict other) => Native.dict_become(this, other);

    /// <summary>Joins the tensors under these keys along a dim, under a new key.</summary>
    public void CatTensors(ReadOnlySpan<Key> keys, Key to, long dim = 0, bool keepEntries = false) =>
        Native.dict_cat_tensors(this, keys, to, dim, keepEntries);
    /// <summary>Stacks the tensors under these keys along a new dim, under a new key.</summary>
    public void StackTensors(ReadOnlySpan<Key> keys, Key to, long dim = 0, bool keepEntries = false) =>
        Native.dict_stack_tensors(this, keys, to, dim, keepEntries);
    /// <summary>Joins all tensors along a dim.</summary>
    public Tensor CatLeaves(long dim = 0, bool sorted = false) => Native.dict_cat_leaves(this, dim, sorted);
    /// <summary>Stacks all tensors along a new dim.</summary>
    public Tensor StackLeaves(long dim = 0, bool sorted = false) => Native.dict_stack_leaves(this, dim, sorted);

    // ---- Names of dims ----

    /// <summary>The names of the batch dims; null where a dim has none.</summary>
    public string?[] Names
    {
        get
        {
            var names = new string?[BatchSize.Length];
            for (int i = 0; i < names.Length; i++) names[i] = Native.dict_name(this, i);
            return names;
        }
        set => Native.dict_set_names(this, value);
    }
    /// <summary>Names the dims that have no name yet.</summary>
    public void RefineNames(params string?[] names) => Native.dict_refine_names(this, names);
    /// <summary>Renames dims, all together; null removes a name.</summary>
    public void RenameNames(ReadOnlySpan<string?> from, ReadOnlySpan<string?> to) =>
        Native.dict_rename_names(this, from, to);
}
