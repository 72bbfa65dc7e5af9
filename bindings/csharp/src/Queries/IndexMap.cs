#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>A map from hashes to indices from 0 up that C# implements, for a <see cref="Query"/>. What a method throws
/// comes back as itself; it must then have changed nothing.</summary>
public interface IIndexMap
{
    /// <summary>Writes the index of each hash, or -1.</summary>
    void LookUp(ReadOnlySpan<long> hashes, Span<long> indices);
    /// <summary>Adds hashes, which are distinct and new, and writes their indices.</summary>
    void Insert(ReadOnlySpan<long> hashes, Span<long> indices);
    /// <summary>Removes those of the hashes that are in the map.</summary>
    void Erase(ReadOnlySpan<long> hashes);
    /// <summary>How many hashes there are, and one more than the largest index so far.</summary>
    (long Size, long Next) Size { get; }
    /// <summary>Removes all.</summary>
    void Clear();
    /// <summary>Writes the contents to an empty dict.</summary>
    void Save(TensorDict state);
    /// <summary>Replaces the contents by what <see cref="Save"/> wrote.</summary>
    void Load(TensorDict state);
}

internal static unsafe class IndexMaps
{
    internal static td_index_map Fill(IIndexMap map)
    {
        ArgumentNullException.ThrowIfNull(map);
        return new td_index_map
        {
            look_up = &LookUp,
            insert = &Insert,
            erase = &Erase,
            size = &Size,
            clear = &Clear,
            state = &State,
            load = &Load,
            userdata = Callbacks.Hold(new Holder(map)),
            destroy = Callbacks.Destroy,
        };
    }

    // Not the map itself: a map that is IDisposable belongs to the caller.
    private sealed record Holder(IIndexMap Map);

    private static IIndexMap Map(void* userdata) => Callbacks.Held<Holder>(userdata).Map;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status LookUp(void* userdata, long* hashes, nuint n, long* indices, td_error** err)
    {
        try
        {
            Map(userdata).LookUp(new(hashes, checked((int)n)), new(indices, (int)n));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Insert(void* userdata, long* hashes, nuint n, long* indices, td_error** err)
    {
        try
        {
            Map(userdata).Insert(new(hashes, checked((int)n)), new(indices, (int)n));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Erase(void* userdata, long* hashes, nuint n, td_error** err)
    {
        try
        {
            Map(userdata).Erase(new(hashes, checked((int)n)));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Size(void* userdata, long* size, long* next, td_error** err)
    {
        try
        {
            (*size, *next) = Map(userdata).Size;
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Clear(void* userdata, td_error** err)
    {
        try
        {
            Map(userdata).Clear();
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status State(void* userdata, td_dict* state, td_error** err)
    {
        try
        {
            using TensorDict dict = TensorDict.Borrow(state);
            Map(userdata).Save(dict);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Load(void* userdata, td_dict* state, td_error** err)
    {
        try
        {
            using TensorDict dict = TensorDict.Borrow(state);
            Map(userdata).Load(dict);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }
}
