#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>The hash of each of <paramref name="n"/> rows, of <paramref name="rowBytes"/> bytes each, that begin
/// <paramref name="stride"/> bytes apart.</summary>
/// <param name="config">The JSON that the instance was made with.</param>
/// <param name="rows">The bytes of all rows.</param>
/// <param name="n">How many rows there are.</param>
/// <param name="rowBytes">The size of a row.</param>
/// <param name="stride">From the start of one row to that of the next.</param>
/// <param name="hashes">Where the hashes go.</param>
public delegate void HashRows(string config, ReadOnlySpan<byte> rows, int n, int rowBytes, int stride,
    Span<ulong> hashes);

/// <summary>Types of hashes, modules and distributions: loaded from files, or written in C#.</summary>
public static unsafe class Plugins
{
    private static readonly delegate* unmanaged[Cdecl]<void*, td_str, void*, nuint, nuint, nuint, ulong*, td_error**,
        Status> RowsPointer = &RunRows;

    /// <summary>Loads a plugin, or the one that a manifest names.</summary>
    public static void Load(string file) => Native.plugins_load(file);
    /// <summary>Loads every plugin of a directory.</summary>
    public static void AddPath(string directory) => Native.plugins_add_path(directory);
    /// <summary>The types in use.</summary>
    public static TensorDict[] List() => TensorDict.ListFromJson(Native.plugins_list());
    /// <summary>One line for each file: whether it was loaded, or why not.</summary>
    public static string Report() => Native.plugins_report();
    /// <summary>Removes a type from look-ups; existing instances continue to work.</summary>
    public static void Unregister(PluginKind kind, string id) => Native.plugins_unregister(kind, id);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunRows(void* userdata, td_str config, void* rows, nuint n, nuint rowBytes, nuint stride,
        ulong* hashes, td_error** err)
    {
        try
        {
            nuint size = n == 0 ? 0 : checked((n - 1) * stride + rowBytes);
            Callbacks.Held<HashRows>(userdata)(Marshalled.Text(config) ?? "{}",
                new ReadOnlySpan<byte>(rows, checked((int)size)),
                checked((int)n), (int)rowBytes, (int)stride, new Span<ulong>(hashes, (int)n));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    /// <summary>Registers a hash that is written in C#, under an id like "org.name".</summary>
    public static void RegisterHash(string id, HashRows hash, string? version = null, string? schema = null,
        PluginFlags flags = PluginFlags.Deterministic | PluginFlags.ThreadSafe)
    {
        ArgumentNullException.ThrowIfNull(hash);
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var info = new td_type_info { id = c.String(id), version = c.String(version), schema = c.String(schema),
            flags = flags };
        var callbacks = new td_hash_callbacks { hash_rows = RowsPointer, userdata = Callbacks.Hold(hash),
            destroy = Callbacks.Destroy };
        Native.plugins_register_hash(&info, &callbacks);
    }
}
