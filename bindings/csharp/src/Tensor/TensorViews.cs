#nullable enable
using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>The elements of a strided tensor, without a copy.</summary>
/// <remarks>Valid while the tensor is: declare the tensor with <c>using</c>, which keeps it alive to the end of the
/// block.</remarks>
public readonly unsafe ref struct StridedView<T> where T : unmanaged
{
    private readonly T* first;

    internal StridedView(T* first, ReadOnlySpan<long> shape, ReadOnlySpan<long> strides, bool readOnly)
    {
        this.first = first;
        Shape = shape;
        Strides = strides;
        IsReadOnly = readOnly;
    }

    /// <summary>The size of each dim.</summary>
    public ReadOnlySpan<long> Shape { get; }
    /// <summary>The stride of each dim, in elements.</summary>
    public ReadOnlySpan<long> Strides { get; }
    /// <summary>Whether writing is refused.</summary>
    public bool IsReadOnly { get; }

    /// <summary>The element at these indices.</summary>
    public T this[params long[] at]
    {
        get => *At(at);
        set
        {
            if (IsReadOnly) throw new InvalidOperationException("The memory of the tensor is read-only.");
            *At(at) = value;
        }
    }

    private T* At(ReadOnlySpan<long> at)
    {
        if (at.Length != Shape.Length) throw new ArgumentException($"{at.Length} indices for {Shape.Length} dims");
        long offset = 0;
        for (int i = 0; i < at.Length; i++)
        {
            if ((ulong)at[i] >= (ulong)Shape[i])
                throw new IndexOutOfRangeException($"{at[i]} is not in dim {i} of size {Shape[i]}");
            offset += at[i] * Strides[i];
        }
        return first + offset;
    }
}

public sealed unsafe partial class Tensor
{
    private void Typed<T>() where T : unmanaged
    {
        if (DTypes.Of<T>() != DType)
            throw new InvalidOperationException($"The elements are {DType}, not {DTypes.Of<T>()}.");
    }

    private int DenseCount()
    {
        if (!IsContiguous)
            throw new InvalidOperationException("The tensor is not row-major: use View, or Contiguous first.");
        return checked((int)Count);
    }

    private void* Data()
    {
        void* data;
        Native.tensor_data(this, &data);
        return data;
    }

    private void* MutableData()
    {
        void* data;
        Native.tensor_mutable_data(this, &data);
        return data;
    }

    /// <summary>The elements of a row-major tensor, without a copy.</summary>
    /// <remarks>Valid while the tensor is: declare it with <c>using</c>, which keeps it alive to the end of the block.
    /// </remarks>
    public ReadOnlySpan<T> AsSpan<T>() where T : unmanaged
    {
        Typed<T>();
        return new ReadOnlySpan<T>(Data(), DenseCount());
    }

    /// <summary>The elements of a row-major tensor, to write in place; read-only memory is refused.</summary>
    /// <remarks>Valid as long as <see cref="AsSpan{T}"/>.</remarks>
    public Span<T> AsWritableSpan<T>() where T : unmanaged
    {
        Typed<T>();
        return new Span<T>(MutableData(), DenseCount());
    }

    /// <summary>The elements of a row-major tensor as memory that keeps the tensor, also over an await.</summary>
    public Memory<T> AsMemory<T>() where T : unmanaged
    {
        Typed<T>();
        return new Lent<T>(Share(), MutableData(), DenseCount()).Memory;
    }

    /// <summary>The elements of any strided tensor.</summary>
    public StridedView<T> View<T>() where T : unmanaged
    {
        Typed<T>();
        bool readOnly = IsReadOnly;
        return new StridedView<T>((T*)(readOnly ? Data() : MutableData()), Shape, Strides, readOnly);
    }

    /// <summary>The addresses of the first byte of its elements and of the one behind the last; equal without
    /// elements.</summary>
    public (nint Start, nint Stop) Memory()
    {
        var start = (nint)Data();
        long last = 0;
        long[] shape = Shape, strides = Strides;
        for (int i = 0; i < shape.Length; i++) last += (shape[i] - 1) * strides[i];
        return (start, Count == 0 ? start : start + (nint)((last + 1) * ItemSize));
    }

    /// <summary>Copies the elements, row-major, into an array.</summary>
    public T[] ToArray<T>() where T : unmanaged
    {
        Typed<T>();
        using Tensor detached = Detach();
        using Tensor dense = detached.Contiguous();
        return dense.AsSpan<T>().ToArray();
    }

    /// <summary>The only element.</summary>
    public T Item<T>() where T : unmanaged
    {
        Typed<T>();
        if (Count != 1) throw new InvalidOperationException($"The tensor has {Count} elements, not one.");
        T item = *(T*)Data();
        GC.KeepAlive(this);
        return item;
    }

    /// <summary>The only element as a number, whatever its dtype.</summary>
    public Value Item()
    {
        td_value value;
        Native.tensor_item(this, &value);
        return Value.Take(&value);
    }

    private sealed class Lent<T>(Tensor tensor, void* data, int length) : MemoryManager<T> where T : unmanaged
    {
        private readonly nint data = (nint)data;

        public override Span<T> GetSpan() => new((void*)data, tensor.IsDisposed ? 0 : length);
        public override MemoryHandle Pin(int elementIndex = 0) => new((T*)data + elementIndex, default, this);
        public override void Unpin() { }
        protected override void Dispose(bool disposing) => tensor.Dispose();
    }
}
