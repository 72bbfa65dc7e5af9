#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>One component of an index. Integers, <see cref="Index"/>, <see cref="Range"/>, arrays of integers and
/// tensors (integers or a mask) convert to it.</summary>
public readonly struct IndexPart
{
    private readonly IndexKind kind;
    private readonly long start, stop, step;
    private readonly object? reference;

    private IndexPart(IndexKind kind, long start = 0, long stop = 0, long step = 0, object? reference = null)
    {
        this.kind = kind;
        this.start = start;
        this.stop = stop;
        this.step = step;
        this.reference = reference;
    }

    /// <summary>A new dim of size 1.</summary>
    public static IndexPart NewDim { get; } = new(IndexKind.None);
    /// <summary>Full slices of all remaining dims.</summary>
    public static IndexPart Ellipsis { get; } = new(IndexKind.Ellipsis);
    /// <summary>All of a dim.</summary>
    public static IndexPart All { get; } = new(IndexKind.Slice, 0, Api.TD_END, 1);
    /// <summary>Every step-th element from start to stop; negative numbers count from the end.</summary>
    public static IndexPart Slice(long start = 0, long stop = Api.TD_END, long step = 1) =>
        new(IndexKind.Slice, start, stop, step);

    private static long From(Index index) => index.IsFromEnd ? -(long)index.Value : index.Value;

#pragma warning disable CS1591 // conversions say what they do
    public static implicit operator IndexPart(long at) => new(IndexKind.Int, at);
    public static implicit operator IndexPart(int at) => new(IndexKind.Int, at);
    // ^0 is one past the end: as an element it is out of range, which -0 is not.
    public static implicit operator IndexPart(Index at) => new(IndexKind.Int, at.Equals(^0) ? Api.TD_END : From(at));
    public static implicit operator IndexPart(Range range) => new(IndexKind.Slice,
        range.Start.Equals(^0) ? Api.TD_END : From(range.Start), range.End.Equals(^0) ? Api.TD_END : From(range.End),
            1);
    public static implicit operator IndexPart(long[] at) => new(IndexKind.Ints, reference: at);
    public static implicit operator IndexPart(Tensor at) => new(IndexKind.Tensor, reference: at);
#pragma warning restore CS1591

    internal unsafe void Fill(Frame c, td_index* index)
    {
        *index = new td_index { kind = kind, start = start, stop = stop, step = step };
        if (reference is Tensor tensor)
        {
            index->tensor = (td_tensor*)tensor.Pointer;
        }
        else if (reference is long[] ints)
        {
            index->ints = c.Copy<long>(ints);
            index->n = (nuint)ints.Length;
        }
    }
}
