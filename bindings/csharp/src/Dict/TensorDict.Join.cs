#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

public sealed unsafe partial class TensorDict
{
    /// <summary>Stacks dicts along a new batch dim.</summary>
    public static TensorDict Stack(ReadOnlySpan<TensorDict> dicts, long dim = 0) => Native.dict_stack(dicts, dim);
    /// <summary>Joins dicts along a batch dim.</summary>
    public static TensorDict Cat(ReadOnlySpan<TensorDict> dicts, long dim = 0) => Native.dict_cat(dicts, dim);
    /// <summary>Stacks dicts into the memory of another.</summary>
    public static void StackInto(TensorDict target, ReadOnlySpan<TensorDict> dicts, long dim = 0) =>
        Native.dict_stack_into(dicts, dim, target);
    /// <summary>Joins dicts into the memory of another.</summary>
    public static void CatInto(TensorDict target, ReadOnlySpan<TensorDict> dicts, long dim = 0) =>
        Native.dict_cat_into(dicts, dim, target);
    /// <summary>Pads batch dims: how many elements before and after each, beginning with the first.</summary>
    public TensorDict Pad(ReadOnlySpan<long> pairs, Value? value = null) => Native.dict_pad(this, pairs, value ?? 0);

    /// <summary>Stacks dicts after padding one dim of each entry to the longest.</summary>
    public static TensorDict PadSequence(ReadOnlySpan<TensorDict> dicts, long padDim = 0, Value? value = null,
        Key? maskKey = null, bool left = false)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_pad_sequence_options { pad_dim = padDim, value = c.Value(value), mask_key = c.Key(maskKey),
            left = Marshalled.Byte(left) };
        return Native.dict_pad_sequence(dicts, &options);
    }

    /// <summary>Splits what <see cref="PadSequence"/> made into a lazy stack of the samples.</summary>
    public TensorDict UnpadSequence(long padDim = 0, Key? maskKey = null, TensorDict? masks = null, Tensor? mask = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_unpad_sequence_options
        {
            pad_dim = padDim,
            mask_key = c.Key(maskKey),
            masks = (td_dict*)PointerOrNull(masks),
            mask = (td_tensor*)PointerOrNull(mask),
        };
        TensorDict made = Native.dict_unpad_sequence(this, &options);
        GC.KeepAlive(masks);
        GC.KeepAlive(mask);
        return made;
    }

    // ---- Lazy stacks ----

    /// <summary>Shows dicts as if they were stacked, without copying them; their shapes and keys may differ.</summary>
    public static TensorDict LazyStack(ReadOnlySpan<TensorDict> dicts, long dim = 0) =>
        Native.dict_lazy_stack(dicts, dim);
    /// <summary>Makes a lazy stack without members, which will have this batch size.</summary>
    public static TensorDict EmptyLazyStack(ReadOnlySpan<long> element, long dim = 0) =>
        Native.dict_lazy_new(element, dim);
    /// <summary>Stacks densely where keys and shapes agree, lazily where they do not.</summary>
    public static TensorDict MaybeDenseStack(ReadOnlySpan<TensorDict> dicts, long dim = 0) =>
        Native.dict_maybe_dense_stack(dicts, dim);
    /// <summary>Returns a lazy stack of the elements of a dim.</summary>
    public TensorDict ToLazyStack(long dim = 0) => Native.dict_to_lazy_stack(this, dim);
    /// <summary>The dim along which the members are stacked; -1 if it is no lazy stack.</summary>
    public long StackDim => Native.dict_stack_dim(this);
    /// <summary>The members themselves.</summary>
    public TensorDict[] Members() => Native.dict_members(this);
    /// <summary>Inserts members before the one at an index.</summary>
    public void Insert(long index, params TensorDict[] dicts) => Native.dict_insert(this, index, dicts);
    /// <summary>Adds a member at the end.</summary>
    public void Append(TensorDict dict) => Native.dict_append(this, dict);
    /// <summary>The shape of an entry; -1 where members differ.</summary>
    public long[] EntryShape(Key key)
    {
        long* few = stackalloc long[64];
        long n = Native.dict_entry_shape(this, key, few, 64);
        return new ReadOnlySpan<long>(few, (int)n).ToArray();
    }
    /// <summary>The keys of the tensors whose shapes differ between members.</summary>
    public Key[] RaggedKeys() => Native.dict_ragged_keys(this);
    /// <summary>The keys that this member has and another lacks.</summary>
    public Key[] ExclusiveKeys(long index) => Native.dict_exclusive_keys(this, index);
    /// <summary>The members' tensors themselves.</summary>
    public Tensor[] GetList(Key key) => Native.dict_get_list(this, key);
    /// <summary>Sets one tensor in each member.</summary>
    public void SetList(Key key, params Tensor[] tensors) => Native.dict_set_list(this, key, tensors);

    /// <summary>The members' tensors padded and stacked, with a mask that is true for values.</summary>
    public (Tensor Values, Tensor Mask) GetPadded(Key key, Value? value = null, bool left = false)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_padding_options { value = c.Value(value), left = Marshalled.Byte(left) };
        (Tensor values, Tensor? mask) = Native.dict_get_padded(this, key, &options);
        return (values, mask!);
    }
    /// <summary>The members' tensors joined, with offsets that say where each begins.</summary>
    public (Tensor Values, Tensor Offsets) GetJagged(Key key) => Native.dict_get_jagged(this, key);
    /// <summary>Returns a dense dict with the members padded.</summary>
    public TensorDict Densify(Value? value = null, bool left = false, Key? maskKey = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_padding_options { value = c.Value(value), left = Marshalled.Byte(left),
            mask_key = c.Key(maskKey) };
        return Native.dict_densify(this, &options);
    }

    // ---- Rows ----

    /// <summary>Chooses elements along a dim by their indices.</summary>
    public TensorDict Gather(long dim, Tensor index) => Native.dict_gather(this, dim, index);
    /// <summary>The elements for which a mask is true.</summary>
    public TensorDict MaskedSelect(Tensor mask) => Native.dict_masked_select(this, mask);
    /// <summary>Elements of this dict where the condition is true, of the other where it is not.</summary>
    public TensorDict Where(Tensor condition, TensorDict other, Value? pad = null) =>
        Native.dict_where(this, condition, other, pad);
    /// <summary>Returns a copy with a number where a mask is true.</summary>
    public TensorDict MaskedFill(Tensor mask, Value value) => Native.dict_masked_fill(this, mask, value);
    /// <summary>Writes a number where a mask is true.</summary>
    public void MaskedFillInPlace(Tensor mask, Value value) => Native.dict_masked_fill_(this, mask, value);
    /// <summary>Whether each row is one of the rows of another dict.</summary>
    public Tensor IsIn(TensorDict reference, Key key, long dim = 0) => Native.dict_isin(this, reference, key, dim);
    /// <summary>Returns the first of equal rows, and which of them each row is.</summary>
    public (TensorDict Unique, Tensor? Inverse) RemoveDuplicates(Key key, long dim = 0) =>
        Native.dict_remove_duplicates(this, key, dim);
    /// <summary>Groups the rows by the values under a key, which are a tensor or data.</summary>
    public (Tensor? Values, Data? Data, TensorDict[] Groups) GroupBy(Key key) => Native.dict_group_by(this, key);

    // ---- Packing ----

    /// <summary>Joins the features of all tensors along a new dim, as a layout says or in the order of their keys, and
    /// says where each is.</summary>
    public (Tensor Packed, PackLayout Layout) Pack(long dim = -1, PackLayout? layout = null)
    {
        (Tensor packed, PackLayout? made) = Native.dict_pack(this, dim, layout);
        return (packed, made!);
    }
}

/// <summary>Where each tensor of a dict is in the packed tensor.</summary>
public sealed unsafe class PackLayout : NativeObject, IEquatable<PackLayout>
{
    private PackLayout(td_pack_layout* layout) : base(layout) { }

    internal static PackLayout Take(td_pack_layout* layout) => new(layout);
    internal static PackLayout? TakeOrNull(td_pack_layout* layout) => layout == null ? null : new(layout);
    private protected override void Release(void* pointer) => Api.td_pack_layout_release((td_pack_layout*)pointer);

    /// <summary>A column with its feature dims, or a node with its further batch dims.</summary>
    /// <param name="Key">The key.</param>
    /// <param name="Dims">The dims.</param>
    public readonly record struct Part(Key Key, long[] Dims);

    /// <summary>Makes a layout of these columns, in this order.</summary>
    public static PackLayout Of(ReadOnlySpan<Part> columns, ReadOnlySpan<Part> nested = default, long dim = -1,
        string? device = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        return Native.pack_layout_new(Parts(c, columns), columns.Length, Parts(c, nested), nested.Length, dim, device);
    }

    private static td_pack_entry* Parts(Frame c, ReadOnlySpan<Part> parts)
    {
        td_pack_entry* made = c.Many<td_pack_entry>(parts.Length);
        for (int i = 0; i < parts.Length; i++)
        {
            made[i] = new td_pack_entry { key = c.Key(parts[i].Key), dims = c.Copy<long>(parts[i].Dims),
                ndim = (nuint)parts[i].Dims.Length };
        }
        return made;
    }

    /// <summary>Returns a dict whose tensors are views of the packed tensor.</summary>
    public TensorDict Unpack(Tensor packed) => Native.pack_layout_unpack(this, packed);
    /// <summary>The keys of the columns.</summary>
    public Key[] Keys() => Native.pack_layout_keys(this);
    /// <summary>The keys of the nodes.</summary>
    public Key[] Nested() => Native.pack_layout_nested(this);
    /// <summary>The feature dims of a column.</summary>
    public long[] Shape(long index)
    {
        long[] shape = Marshalled.Sizes((at, n) => Api.td_pack_layout_shape((td_pack_layout*)Pointer, index, at, n));
        GC.KeepAlive(this);
        return shape;
    }
    /// <summary>Where a column begins; -1 beyond the last.</summary>
    public long Offset(long index) => Native.pack_layout_offset(this, index);
    /// <summary>The size of the packed dim.</summary>
    public long Count => Native.pack_layout_numel(this);
    /// <summary>The position of the packed dim.</summary>
    public long Dim => Native.pack_layout_dim(this);
    /// <summary>The device of the dict that was packed; null if it had none.</summary>
    public string? Device => Native.pack_layout_device(this);
    /// <summary>Whether both have the same columns, nodes, dim and device.</summary>
    public bool Equals(PackLayout? other) => other != null && Native.pack_layout_equal(this, other);
    /// <inheritdoc/>
    public override bool Equals(object? other) => Equals(other as PackLayout);
    /// <inheritdoc/>
    public override int GetHashCode() => Count.GetHashCode();
    /// <inheritdoc/>
    public override string ToString() => Native.pack_layout_repr(this);
}
