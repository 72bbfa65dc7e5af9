#nullable enable
using System;
using System.Buffers;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>A hash of rows.</summary>
public sealed unsafe class Hash : NativeObject
{
    private static readonly delegate* unmanaged[Cdecl]<void*, td_tensor*, td_tensor**, td_error**, Status> HashPointer =
        &RunHash;
    private static readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, td_error**, Status> WritePointer =
        &RunWrite;
    private static readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, nuint*, td_error**, Status> ReadPointer =
        &RunRead;

    private Hash(td_hash* hash) : base(hash) { }

    internal static Hash Take(td_hash* hash) => new(hash);
    private protected override void Release(void* pointer) => Api.td_hash_release((td_hash*)pointer);

    /// <summary>Makes a hash of a type, for instance "td.siphash"; the config is JSON.</summary>
    public static Hash New(string type, string? config = null) => Native.hash_new(type, config);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunHash(void* userdata, td_tensor* rows, td_tensor** made, td_error** err)
    {
        try
        {
            using Tensor given = Tensor.Borrow(rows)!;
            Callbacks.Give([Callbacks.Held<Func<Tensor, Tensor>>(userdata)(given)], made, 1);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    /// <summary>A function as a hash: it returns an integer for each row of the leading dim, which is taken
    /// over.</summary>
    public static Hash FromFunction(Func<Tensor, Tensor> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        var raw = new td_hash_function { fn = HashPointer, userdata = Callbacks.Hold(function),
            destroy = Callbacks.Destroy };
        return Native.hash_from_function(&raw);
    }

    /// <summary>Returns an independent hash with the same state.</summary>
    public Hash Clone() => Native.hash_clone(this);
    /// <summary>The int64 hash of each row of the leading dim.</summary>
    public Tensor Call(Tensor rows) => Native.hash_call(this, rows);

    /// <summary>The hash of each of <paramref name="n"/> rows of bytes that follow each other.</summary>
    public ulong[] Rows(ReadOnlySpan<byte> rows, int n)
    {
        if (n < 0
            || (n == 0 ? rows.Length != 0
            : rows.Length % n != 0)) throw new ArgumentException($"{rows.Length} bytes are not {n} equal rows.");
        var made = new ulong[n];
        long size = n == 0 ? 0 : rows.Length / n;
        fixed (byte* data = rows)
        fixed (ulong* at = made) Native.hash_rows(this, data, n, size, size, at);
        return made;
    }

    /// <summary>What it is, as JSON.</summary>
    public string Describe() => Native.hash_describe(this);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunWrite(void* userdata, void* bytes, nuint size, td_error** err)
    {
        try
        {
            Callbacks.Held<Stream>(userdata).Write(new ReadOnlySpan<byte>(bytes, checked((int)size)));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunRead(void* userdata, void* bytes, nuint size, nuint* got, td_error** err)
    {
        try
        {
            *got = (nuint)Callbacks.Held<Stream>(userdata).ReadAtLeast(new Span<byte>(bytes, checked((int)size)),
                (int)size, throwOnEndOfStream: false);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    /// <summary>Writes the state beyond the config.</summary>
    public void Save(Stream to)
    {
        GCHandle handle = GCHandle.Alloc(to ?? throw new ArgumentNullException(nameof(to)));
        try
        {
            var writer = new td_writer { write = WritePointer, userdata = (void*)GCHandle.ToIntPtr(handle) };
            Native.hash_save(this, &writer);
        }
        finally
        {
            handle.Free();
        }
    }

    /// <summary>Loads the state that <see cref="Save"/> wrote.</summary>
    public void Load(Stream from)
    {
        GCHandle handle = GCHandle.Alloc(from ?? throw new ArgumentNullException(nameof(from)));
        try
        {
            var reader = new td_reader { read = ReadPointer, userdata = (void*)GCHandle.ToIntPtr(handle) };
            Native.hash_load(this, &reader);
        }
        finally
        {
            handle.Free();
        }
    }
}
