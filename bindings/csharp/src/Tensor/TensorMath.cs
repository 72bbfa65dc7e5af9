#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

public sealed unsafe partial class Tensor
{
    /// <summary>Calls an operator of LibTorch with this tensor as the first argument and returns its only
    /// tensor.</summary>
    public Tensor Op(string name, params Value[] arguments) => Op(name, arguments, []);

    /// <summary>Calls an operator with this tensor first, then these arguments by position and by name.</summary>
    public Tensor Op(string name, ReadOnlySpan<Value> arguments, ReadOnlySpan<NamedValue> named) =>
        Operator.Call(name, [this, .. arguments], named).AsTensor();

    private static Tensor Binary(string name, Value left, Value right) =>
        Operator.Call(name, [left, right], []).AsTensor();

#pragma warning disable CS1591 // operators are what they are
    public static Tensor operator +(Tensor left, Tensor right) => Binary("add", left, right);
    public static Tensor operator +(Tensor left, Value right) => Binary("add", left, right);
    public static Tensor operator +(Value left, Tensor right) => Binary("add", right, left);
    public static Tensor operator -(Tensor left, Tensor right) => Binary("sub", left, right);
    public static Tensor operator -(Tensor left, Value right) => Binary("sub", left, right);
    public static Tensor operator -(Value left, Tensor right) => Binary("rsub", right, left);
    public static Tensor operator *(Tensor left, Tensor right) => Binary("mul", left, right);
    public static Tensor operator *(Tensor left, Value right) => Binary("mul", left, right);
    public static Tensor operator *(Value left, Tensor right) => Binary("mul", right, left);
    public static Tensor operator /(Tensor left, Tensor right) => Binary("div", left, right);
    public static Tensor operator /(Tensor left, Value right) => Binary("div", left, right);
    public static Tensor operator /(Value left, Tensor right)
    {
        using Tensor inverse = right.Op("reciprocal");
        return Binary("mul", inverse, left);
    }
    public static Tensor operator -(Tensor tensor) => tensor.Op("neg");
#pragma warning restore CS1591

    // ---- Autograd ----

    /// <summary>Whether operations on the tensor are recorded; a leaf can be told to.</summary>
    public bool RequiresGrad
    {
        get => Native.tensor_requires_grad(this);
        set => Native.tensor_requires_grad_(this, value);
    }
    /// <summary>Adds the gradient of this tensor to every leaf that it was computed from.</summary>
    public void Backward(Tensor? gradient = null, bool retainGraph = false) =>
        Native.tensor_backward(this, gradient, retainGraph);
    /// <summary>The collected gradient; null if there is none.</summary>
    public Tensor? Grad => Native.tensor_grad(this);
    /// <summary>Returns a tensor with the same data and without its history.</summary>
    public Tensor Detach() => Native.tensor_detach(this);

    // ---- Files ----

    /// <summary>Makes a file of zeros and maps it.</summary>
    public static Tensor MemmapZeros(string path, ReadOnlySpan<long> dims, DType dtype = DType.Float32) =>
        Native.tensor_memmap_zeros(path, dims, dtype, null);
    /// <summary>Makes a file of one number and maps it.</summary>
    public static Tensor MemmapFull(string path, ReadOnlySpan<long> dims, Value value, DType dtype = DType.Float32) =>
        Native.tensor_memmap_full(path, dims, value, dtype, null);
    /// <summary>Writes the elements into a file and maps it.</summary>
    public Tensor Memmap(string path) => Native.tensor_memmap_from(this, path, null);
    /// <summary>Maps a file that holds nothing but elements.</summary>
    public static Tensor MemmapOpen(string path, ReadOnlySpan<long> dims, DType dtype, OpenMode mode = OpenMode.Read) =>
        Native.tensor_memmap_open(path, dims, dtype, mode);
    /// <summary>The file that the tensor is mapped from; null if it is not.</summary>
    public string? SavedPath => Native.tensor_saved_path(this);

    // ---- DLPack ----

    /// <summary>Exports the tensor as a DLManagedTensorVersioned; the receiver calls its deleter once.</summary>
    public nint ToDLPack()
    {
        DLManagedTensorVersioned* made;
        Native.tensor_to_dlpack(this, &made);
        return (nint)made;
    }

    /// <summary>Imports a DLManagedTensorVersioned, which is taken over, also if the call fails.</summary>
    public static Tensor FromDLPack(nint managed) => Native.tensor_from_dlpack((DLManagedTensorVersioned*)managed);
}
