#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>Computes a leaf: null drops it. The tensors are disposed of after the call, and what is returned is taken
/// over: return <c>tensors[0].Share()</c> to keep one.</summary>
/// <param name="key">The full key of the leaf.</param>
/// <param name="tensors">The leaf, then the leaves of the other dicts; null where one lacks it and that is
/// allowed.</param>
public delegate Tensor? MapFunction(Key key, Tensor?[] tensors);

/// <summary>Computes non-tensor data: null drops it; data or a tensor, which is taken over, replaces it.</summary>
/// <param name="key">The full key of the entry.</param>
/// <param name="data">The data, then that of the other dicts.</param>
public delegate Entry MapDataFunction(Key key, Data?[] data);

public sealed unsafe partial class TensorDict
{
    private static readonly delegate* unmanaged[Cdecl]<void*, td_key*, td_tensor**, nuint, td_tensor**, td_error**,
        Status> MapPointer = &MapLeaf;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_key*, td_data_list**, nuint, td_data_list**,
        td_tensor**, td_error**, Status> MapDataPointer = &MapData;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status MapLeaf(void* userdata, td_key* key, td_tensor** tensors, nuint n, td_tensor** made,
        td_error** err)
    {
        var given = new Tensor?[(int)n];
        try
        {
            for (int i = 0; i < given.Length; i++) given[i] = Tensor.Borrow(tensors[i]);
            Tensor? result = Callbacks.Held<MapFunction>(userdata)(Key.From(key), given);
            if (result != null) Callbacks.Give([result], made, 1);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
        finally
        {
            Callbacks.DisposeAll(given);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status MapData(void* userdata, td_key* key, td_data_list** lists, nuint n, td_data_list** data,
        td_tensor** tensor, td_error** err)
    {
        try
        {
            var given = new Data?[(int)n];
            for (int i = 0; i < given.Length; i++) given[i] = lists[i] == null ? null : Data.Read(lists[i]);
            Entry result = Callbacks.Held<MapDataFunction>(userdata)(Key.From(key), given);
            if (result.Data != null) *data = result.Data.Make();
            else if (result.Tensor != null) Callbacks.Give([result.Tensor], tensor, 1);
            else if (result.Dict != null) throw new ArgumentException("Data can become data or a tensor, not a dict.");
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    /// <summary>How <see cref="Map(MapFunction, MapOptions)"/> works.</summary>
    public sealed record MapOptions
    {
        /// <summary>Dicts whose leaves the function gets too.</summary>
        public TensorDict[] Others { get; init; } = [];
        /// <summary>The batch size of every node of the result; null keeps it.</summary>
        public long[]? BatchSize { get; init; }
        /// <summary>What happens to nodes that become empty.</summary>
        public Emptied Emptied { get; init; }
        /// <summary>Results are copied into the leaves; null keeps the leaf.</summary>
        public bool InPlace { get; init; }
        /// <summary>The function gets null for leaves that another dict lacks; else that is an error.</summary>
        public bool AllowMissing { get; init; }
        /// <summary>Computes non-tensor data; null keeps it.</summary>
        public MapDataFunction? Data { get; init; }
    }

    /// <summary>Makes a dict of what a function returns for each tensor.</summary>
    public TensorDict Map(Func<Tensor, Tensor?> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return Map((_, tensors) => function(tensors[0]!), new MapOptions());
    }

    /// <summary>Makes a dict of what a function returns for each tensor.</summary>
    public TensorDict Map(MapFunction function, MapOptions options)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Alive();
        td_map_function map = Mapping(function);
        td_map_data_function data = default;
        if (options.Data != null) data = new td_map_data_function { fn = MapDataPointer,
            userdata = Callbacks.Hold(options.Data), destroy = Callbacks.Destroy };
        long* sizes = null;
        if (options.BatchSize is { } wanted)
        {
            sizes = c.Many<long>(wanted.Length + 1); // not null even without dims
            wanted.CopyTo(new Span<long>(sizes, wanted.Length));
        }
        var raw = new td_map_options
        {
            batch_size = sizes,
            ndim = (nuint)(options.BatchSize?.Length ?? 0),
            emptied = options.Emptied,
            in_place = Marshalled.Byte(options.InPlace),
            missing_as_null = Marshalled.Byte(options.AllowMissing),
            data = options.Data == null ? null : &data,
        };
        return Native.dict_map(this, &map, options.Others, &raw)!;
    }

    /// <summary>Merges dicts; a function computes each tensor that all have, and null keeps that of the
    /// first.</summary>
    public static TensorDict MergeWith(MapFunction function, params TensorDict[] dicts)
    {
        td_map_function map = Mapping(function);
        return Native.dict_merge_with(dicts, &map);
    }

    private static td_map_function Mapping(MapFunction function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new td_map_function { fn = MapPointer, userdata = Callbacks.Hold(function),
            destroy = Callbacks.Destroy };
    }
}
