#nullable enable
using System;
using System.Buffers;
using System.Numerics;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>A tensor of LibTorch.</summary>
public sealed unsafe partial class Tensor : NativeObject
{
    private Tensor(td_tensor* tensor) : base(tensor) { }

    internal static Tensor Take(td_tensor* tensor) => new(tensor);
    internal static Tensor? TakeOrNull(td_tensor* tensor) => tensor == null ? null : new(tensor);

    internal static Tensor? Borrow(td_tensor* tensor)
    {
        Api.td_tensor_retain(tensor);
        return TakeOrNull(tensor);
    }

    private protected override void Release(void* pointer) => Api.td_tensor_release((td_tensor*)pointer);

    /// <summary>An object without a tensor, for a slot.</summary>
    internal Tensor() : base(null) { }

    /// <summary>Takes over a reference and gives the one before back.</summary>
    internal void Show(td_tensor* next)
    {
        nint before = Exchange(next);
        if (before != 0) Api.td_tensor_release((td_tensor*)before);
    }

    // ---- Make ----

    /// <summary>Makes a tensor with a copy of these elements, row-major. Without dims it has one, their
    /// number.</summary>
    public static Tensor From<T>(ReadOnlySpan<T> elements, params long[] dims) where T : unmanaged
    {
        ReadOnlySpan<long> shape = dims.Length == 0 ? [elements.Length] : dims;
        Fits(elements.Length, shape);
        fixed (T* data = elements) return Native.tensor_copy_from(data, DTypes.Of<T>(), shape);
    }

    /// <inheritdoc cref="From{T}(ReadOnlySpan{T}, long[])"/>
    public static Tensor From<T>(T[] elements, params long[] dims) where T : unmanaged =>
        From((ReadOnlySpan<T>)elements, dims);

    /// <summary>Makes a tensor without dims.</summary>
    public static Tensor Scalar<T>(T element) where T : unmanaged =>
        Native.tensor_copy_from(&element, DTypes.Of<T>(), []);

    /// <summary>Makes a tensor over memory of C#, without a copy: the memory stays pinned while any tensor uses
    /// it.</summary>
    public static Tensor Over<T>(Memory<T> elements, params long[] dims) where T : unmanaged
    {
        ReadOnlySpan<long> shape = dims.Length == 0 ? [elements.Length] : dims;
        Fits(elements.Length, shape);
        var pinned = new Pinned(elements.Pin());
        return Native.tensor_from_memory(pinned.Pointer, DTypes.Of<T>(), shape, [], Callbacks.Destroy,
            Callbacks.Hold(pinned));
    }

    /// <inheritdoc cref="Over{T}(Memory{T}, long[])"/>
    public static Tensor Over<T>(T[] elements, params long[] dims) where T : unmanaged =>
        Over(elements.AsMemory(), dims);

    private sealed class Pinned(MemoryHandle handle) : IDisposable
    {
        private MemoryHandle handle = handle;
        internal void* Pointer => handle.Pointer;
        public void Dispose() => handle.Dispose();
    }

    private static void Fits(long n, ReadOnlySpan<long> dims)
    {
        long product = 1;
        foreach (long dim in dims) product = checked(product * dim);
        if (product != n)
            throw new ArgumentException($"{n} elements do not fill the shape ({string.Join(',', dims.ToArray())}).");
    }

    /// <summary>Makes a tensor with undefined contents; float32 if no dtype is given.</summary>
    public static Tensor Empty(ReadOnlySpan<long> dims, DType dtype = DType.None, string? device = null) =>
        Native.tensor_empty(dims, dtype, device);
    /// <summary>Makes a tensor of zeros; float32 if no dtype is given.</summary>
    public static Tensor Zeros(ReadOnlySpan<long> dims, DType dtype = DType.None, string? device = null) =>
        Native.tensor_zeros(dims, dtype, device);
    /// <summary>Makes a float32 tensor of zeros.</summary>
    public static Tensor Zeros(params long[] dims) => Native.tensor_zeros(dims, DType.None, null);
    /// <summary>Makes a float32 tensor of ones.</summary>
    public static Tensor Ones(params long[] dims) => Native.tensor_full(dims, 1, DType.None, null);
    /// <summary>Makes a tensor of one number; float32 if no dtype is given.</summary>
    public static Tensor Full(ReadOnlySpan<long> dims, Value value, DType dtype = DType.None, string? device = null) =>
        Native.tensor_full(dims, value, dtype, device);
    /// <summary>Makes a tensor of standard normal numbers; float32 if no dtype is given.</summary>
    public static Tensor Randn(ReadOnlySpan<long> dims, DType dtype = DType.None, string? device = null,
        Generator? generator = null) =>
        Native.tensor_randn(dims, dtype, device, generator);
    /// <summary>Makes a float32 tensor of standard normal numbers.</summary>
    public static Tensor Randn(params long[] dims) => Native.tensor_randn(dims, DType.None, null, null);

    /// <summary>Makes one more reference to the same tensor.</summary>
    public Tensor Share()
    {
        Tensor same = Borrow((td_tensor*)Pointer)!;
        GC.KeepAlive(this);
        return same;
    }

    /// <summary>Whether both are one tensor.</summary>
    public bool Same(Tensor other) => Pointer == other.Pointer;

    // ---- Inspect ----

    /// <summary>The number of dims.</summary>
    public int Rank => (int)Native.tensor_ndim(this);
    /// <summary>The size of each dim.</summary>
    public long[] Shape
    {
        get
        {
            long[] shape = Marshalled.Sizes((at, n) => Api.td_tensor_shape((td_tensor*)Pointer, at, n));
            GC.KeepAlive(this);
            return shape;
        }
    }
    /// <summary>The stride of each dim, in elements; empty for layouts without strides.</summary>
    public long[] Strides
    {
        get
        {
            long[] strides = Marshalled.Sizes((at, n) => Api.td_tensor_strides((td_tensor*)Pointer, at, n));
            GC.KeepAlive(this);
            return strides;
        }
    }
    /// <summary>The number of elements.</summary>
    public long Count => Native.tensor_numel(this);
    /// <summary>The size of one element in bytes.</summary>
    public long ItemSize => Native.tensor_itemsize(this);
    /// <summary>The size of all elements in bytes.</summary>
    public long Bytes => Native.tensor_nbytes(this);
    /// <summary>The type of the elements.</summary>
    public DType DType => Native.tensor_dtype(this);
    /// <summary>The device, as "cpu" or "cuda:0".</summary>
    public string Device => Native.tensor_device(this)!;
    /// <summary>Whether the elements are in row-major order without gaps.</summary>
    public bool IsContiguous => Native.tensor_is_contiguous(this);
    /// <summary>Whether the memory is mapped read-only.</summary>
    public bool IsReadOnly => Native.tensor_is_read_only(this);
    /// <summary>Whether other processes may see writes to the memory.</summary>
    public bool IsShared => Native.tensor_is_shared(this);

    /// <summary>What Python prints.</summary>
    public override string ToString() => IsDisposed ? "Tensor (disposed)" : Native.tensor_repr(this);

    // ---- Copies ----

    /// <summary>Returns a copy with its own memory.</summary>
    public Tensor Clone() => Native.tensor_clone(this);
    /// <summary>Returns the tensor itself if it is row-major, else a row-major copy.</summary>
    public Tensor Contiguous() => Native.tensor_contiguous(this);
    /// <summary>Returns a copy with another dtype or on another device, or the tensor itself if nothing
    /// changes.</summary>
    public Tensor To(DType dtype = DType.None, string? device = null) => Native.tensor_to(this, dtype, device);
    /// <summary>Copies elements into this tensor's memory, with broadcasting and a cast.</summary>
    public void CopyFrom(Tensor source) => Native.tensor_copy_(this, source);

    /// <summary>Whether shape, dtype and all elements are equal, or within a tolerance.</summary>
    public bool EqualTo(Tensor other, double relative = 0, double absolute = 0, bool equalNaN = false)
    {
        var options = new td_equal_options { relative = relative, absolute = absolute,
            equal_nan = Marshalled.Byte(equalNaN) };
        return Native.tensor_equal(this, other, &options).Item1;
    }

    /// <summary>Repeats the tensor along new last dims up to a shape.</summary>
    public Tensor ExpandRight(params long[] dims) => Native.tensor_expand_right(this, dims);
    /// <summary>Repeats the tensor along new last dims up to the shape of another.</summary>
    public Tensor ExpandAsRight(Tensor other) => Native.tensor_expand_as_right(this, other);

    // ---- Index ----

    /// <summary>A part: a view, or a copy if the index has tensors or arrays of integers.</summary>
    [System.Runtime.CompilerServices.IndexerName("Part")]
    public Tensor this[params IndexPart[] index]
    {
        get => Native.tensor_index(this, index);
        set => Native.tensor_set_at(this, index, value);
    }
}
