#nullable enable
using System;
using System.Numerics;

namespace LibTensorDict;

/// <summary>The element types of C# and of the library.</summary>
public static class DTypes
{
    /// <summary>The dtype of a type of C#.</summary>
    public static DType Of<T>() where T : unmanaged =>
        typeof(T) == typeof(float) ? DType.Float32 : typeof(T) == typeof(double) ? DType.Float64
        : typeof(T) == typeof(long) ? DType.Int64 : typeof(T) == typeof(int) ? DType.Int32
        : typeof(T) == typeof(short) ? DType.Int16 : typeof(T) == typeof(sbyte) ? DType.Int8
        : typeof(T) == typeof(byte) ? DType.UInt8 : typeof(T) == typeof(bool) ? DType.Bool
        : typeof(T) == typeof(ushort) ? DType.UInt16 : typeof(T) == typeof(uint) ? DType.UInt32
        : typeof(T) == typeof(ulong) ? DType.UInt64 : typeof(T) == typeof(Half) ? DType.Float16
        : typeof(T) == typeof(Complex) ? DType.Complex128
        : throw new NotSupportedException($"{typeof(T)} is no element type of tensors");

    /// <summary>The name in Python, for instance "float32".</summary>
    public static string Name(this DType dtype) => Native.dtype_name(dtype) ?? "";
    /// <summary>The size of one element in bytes.</summary>
    public static long Size(this DType dtype) => Native.dtype_size(dtype);
    /// <summary>The dtype with a name of Python, with or without "torch." before it.</summary>
    public static DType Parse(string name) => Native.dtype_from_name(name);
}
