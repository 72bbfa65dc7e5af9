#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

public sealed unsafe partial class TensorDict
{
    /// <summary>A part of the batch: a view, or a copy if the index has tensors or arrays. As a value, it is written
    /// into the rows.</summary>
    public TensorDict this[params IndexPart[] index]
    {
        get => Native.dict_index(this, index);
        set => Native.dict_set_at(this, index, value);
    }

    /// <inheritdoc cref="this[IndexPart[]]"/>
    public TensorDict this[Index at]
    {
        get => Native.dict_index(this, [at]);
        set => Native.dict_set_at(this, [at], value);
    }

    /// <inheritdoc cref="this[IndexPart[]]"/>
    public TensorDict this[Range range]
    {
        get => Native.dict_index(this, [range]);
        set => Native.dict_set_at(this, [range], value);
    }

    /// <summary>A dict that shows these rows without a copy, and writes to them.</summary>
    public TensorDict Window(params IndexPart[] index) => Native.dict_window(this, index);
    /// <summary>Writes one number into these rows of every tensor.</summary>
    public void SetAt(Value value, params IndexPart[] index) => Native.dict_set_at_value(this, index, value);
    /// <summary>Copies elements into a part of the tensor under a key.</summary>
    public void CopyIntoAt(Key key, Tensor value, params IndexPart[] index) =>
        Native.dict_copy_into_at(this, key, index, value);
    /// <summary>A part of the tensor under a key.</summary>
    public Tensor GetAt(Key key, params IndexPart[] index) => Native.dict_get_at(this, key, index);

    /// <summary>Returns a view with another batch size.</summary>
    public TensorDict View(params long[] sizes) => Native.dict_view(this, sizes);
    /// <summary>Returns a dict with another batch size: a view, or a copy where there must be one.</summary>
    public TensorDict Reshape(params long[] sizes) => Native.dict_reshape(this, sizes);
    /// <summary>Joins batch dims.</summary>
    public TensorDict Flatten(long start = 0, long end = -1) => Native.dict_flatten(this, start, end);
    /// <summary>Splits a batch dim.</summary>
    public TensorDict Unflatten(long dim, params long[] sizes) => Native.dict_unflatten(this, dim, sizes);
    /// <summary>Removes batch dims of size 1: these, or all.</summary>
    public TensorDict Squeeze(params long[] dims) => Native.dict_squeeze(this, dims);
    /// <summary>Adds a batch dim of size 1.</summary>
    public TensorDict Unsqueeze(long dim) => Native.dict_unsqueeze(this, dim);
    /// <summary>Repeats the batch without a copy.</summary>
    public TensorDict Expand(params long[] sizes) => Native.dict_expand(this, sizes);
    /// <summary>Repeats the batch to the batch size of another dict.</summary>
    public TensorDict ExpandAs(TensorDict other) => Native.dict_expand_as(this, other);
    /// <summary>Reorders the batch dims.</summary>
    public TensorDict Permute(params long[] dims) => Native.dict_permute(this, dims);
    /// <summary>Exchanges two batch dims.</summary>
    public TensorDict Transpose(long dim0, long dim1) => Native.dict_transpose(this, dim0, dim1);
    /// <summary>Moves batch dims.</summary>
    public TensorDict MoveDim(ReadOnlySpan<long> source, ReadOnlySpan<long> destination) =>
        Native.dict_movedim(this, source, destination);
    /// <summary>Returns a part of a batch dim.</summary>
    public TensorDict Narrow(long dim, long start, long length) => Native.dict_narrow(this, dim, start, length);
    /// <summary>Splits a batch dim into parts of a size.</summary>
    public TensorDict[] Split(long size, long dim = 0) => Native.dict_split(this, size, dim);
    /// <summary>Splits a batch dim into parts of these sizes.</summary>
    public TensorDict[] Split(ReadOnlySpan<long> sizes, long dim = 0) => Native.dict_split_sizes(this, sizes, dim);
    /// <summary>Splits a batch dim into at most this many parts.</summary>
    public TensorDict[] Chunk(long chunks, long dim = 0) => Native.dict_chunk(this, chunks, dim);
    /// <summary>Splits a batch dim into exactly this many parts.</summary>
    public TensorDict[] TensorSplit(long sections, long dim = 0) => Native.dict_tensor_split(this, sections, dim);
    /// <summary>Splits a batch dim at these indices.</summary>
    public TensorDict[] TensorSplit(ReadOnlySpan<long> indices, long dim = 0) =>
        Native.dict_tensor_split_at(this, indices, dim);
    /// <summary>Returns a view for each element of a batch dim.</summary>
    public TensorDict[] Unbind(long dim = 0) => Native.dict_unbind(this, dim);
    /// <summary>Returns a copy with the batch repeated along each dim.</summary>
    public TensorDict Repeat(params long[] repeats) => Native.dict_repeat(this, repeats);
    /// <summary>Returns a copy with the batch repeated along the last dims.</summary>
    public TensorDict Tile(params long[] repeats) => Native.dict_tile(this, repeats);
    /// <summary>Returns a copy with each element of a dim repeated.</summary>
    public TensorDict RepeatInterleave(ReadOnlySpan<long> repeats, long dim = 0) =>
        Native.dict_repeat_interleave(this, repeats, dim);
    /// <summary>Returns a copy with the elements of these dims in reverse order.</summary>
    public TensorDict Flip(params long[] dims) => Native.dict_flip(this, dims);
    /// <summary>Returns a copy with the elements of each dim shifted.</summary>
    public TensorDict Roll(ReadOnlySpan<long> shifts, ReadOnlySpan<long> dims = default) =>
        Native.dict_roll(this, shifts, dims);
    /// <summary>Returns a copy rotated by 90 degrees.</summary>
    public TensorDict Rot90(long times = 1, long dim0 = 0, long dim1 = 1) => Native.dict_rot90(this, times, dim0, dim1);
    /// <summary>Returns an unlocked dict with row-major tensors.</summary>
    public TensorDict Contiguous() => Native.dict_contiguous(this);

    // ---- Like this ----

    /// <summary>Returns a dict like this one with another batch size and undefined contents.</summary>
    public TensorDict NewEmpty(ReadOnlySpan<long> batchSize, DType dtype = DType.None) =>
        Native.dict_new_empty(this, batchSize, dtype);
    /// <summary>Returns a dict like this one with another batch size and one number everywhere.</summary>
    public TensorDict NewFull(ReadOnlySpan<long> batchSize, Value value, DType dtype = DType.None) =>
        Native.dict_new_full(this, batchSize, value, dtype);
    /// <summary>Returns a dict like this one with copies of a tensor, of numbers, or of the tensors of a
    /// dict.</summary>
    public TensorDict NewTensor(Value data, DType dtype = DType.None, bool requiresGrad = false, string? device = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_new_tensor_options { dtype = dtype, requires_grad = Marshalled.Byte(requiresGrad),
            device = c.String(device) };
        return Native.dict_new_tensor(this, data, &options);
    }
}
