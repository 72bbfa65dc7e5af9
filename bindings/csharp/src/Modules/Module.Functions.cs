#nullable enable
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>What a module of values gets and gives: tensors, dicts and data.</summary>
/// <param name="arguments">The values under the in-keys; a missing one is none.</param>
/// <param name="named">The values whose in-keys have argument names.</param>
public delegate Value[] ValuesFunction(Value[] arguments, IReadOnlyDictionary<string, Value> named);

// Modules of delegates. What a delegate is given is disposed of after the call, and what it returns is taken over: it
// returns x.Share() to keep one. What it throws comes back as itself from the call that ran the module.
public sealed unsafe partial class Module
{
    private static readonly delegate* unmanaged[Cdecl]<void*, td_tensor**, nuint, td_tensor**, nuint, td_error**,
        Status> TensorsPointer = &RunTensors;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_value*, nuint, td_named_value*, nuint, td_value*,
        nuint, nuint*, td_error**, Status> ValuesPointer = &RunValues;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_dict*, td_dict**, td_error**, Status> DictPointer =
        &RunDict;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_value*, nuint, td_value*, nuint, td_error**,
        Status> VmapPointer = &RunVmap;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunTensors(void* userdata, td_tensor** inputs, nuint nIn, td_tensor** outputs, nuint nOut,
        td_error** err)
    {
        var given = new Tensor[(int)nIn];
        try
        {
            for (int i = 0; i < given.Length; i++) given[i] = Tensor.Borrow(inputs[i])!;
            Callbacks.Give(Callbacks.Held<Func<Tensor[], Tensor[]>>(userdata)(given), outputs, nOut);
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
    private static Status RunDict(void* userdata, td_dict* data, td_dict** made, td_error** err)
    {
        try
        {
            using TensorDict given = TensorDict.Borrow(data);
            using TensorDict result = Callbacks.Held<Func<TensorDict, TensorDict>>(userdata)(given);
            *made = (td_dict*)result.Pointer;
            Api.td_dict_retain(*made);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    private static Value Borrowed(td_value* value) => value->kind switch
    {
        ValueKind.Tensor => Tensor.Borrow(value->@as.tensor),
        ValueKind.Dict => TensorDict.Borrow(value->@as.dict),
        ValueKind.Data => Data.Read(value->@as.data),
        _ => Value.None,
    };

    private static void Dispose(IEnumerable<Value> values)
    {
        foreach (Value one in values) (one.Boxed as IDisposable)?.Dispose();
    }

    /// <summary>Gives values to the library: references of its own.</summary>
    private static void Give(Value[] made, td_value* outs)
    {
        foreach (Value one in made)
        {
            if (one.Kind is not (ValueKind.Tensor or ValueKind.Dict or ValueKind.Data or ValueKind.Int
                or ValueKind.Double or ValueKind.Bool))
                throw new ArgumentException($"A function returned a value of kind {one.Kind}.");
            if (one.Boxed is NativeObject native) _ = native.Pointer; // all or none
        }
        for (int i = 0; i < made.Length; i++)
        {
            outs[i] = new td_value { kind = made[i].Kind };
            switch (made[i].Boxed)
            {
                case Tensor tensor:
                    outs[i].@as.tensor = (td_tensor*)tensor.Pointer;
                    Api.td_tensor_retain(outs[i].@as.tensor);
                    break;
                case TensorDict dict:
                    outs[i].@as.dict = (td_dict*)dict.Pointer;
                    Api.td_dict_retain(outs[i].@as.dict);
                    break;
                case Data data:
                    outs[i].@as.data = data.Make();
                    break;
                case double number:
                    outs[i].@as.f = number;
                    break;
                default:
                    outs[i].@as.i = made[i].AsLong();
                    break;
            }
        }
        Dispose(made);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunValues(void* userdata, td_value* args, nuint n, td_named_value* kwargs, nuint nNamed,
        td_value* outs,
        nuint capacity, nuint* nOuts, td_error** err)
    {
        var given = new Value[(int)n];
        var named = new Dictionary<string, Value>();
        try
        {
            for (int i = 0; i < given.Length; i++) given[i] = Borrowed(args + i);
            for (int i = 0; i < (int)nNamed; i++) named[Marshalled.Text(kwargs[i].name)!] = Borrowed(&kwargs[i].value);
            Value[] made = Callbacks.Held<ValuesFunction>(userdata)(given, named);
            if ((nuint)made.Length > capacity)
                throw new ArgumentException($"The function returned {made.Length} values, more than {capacity}.");
            Give(made, outs);
            *nOuts = (nuint)made.Length;
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
        finally
        {
            Dispose(given);
            Dispose(named.Values);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunVmap(void* userdata, td_value* args, nuint n, td_value* outs, nuint nOuts, td_error** err)
    {
        var given = new Value[(int)n];
        try
        {
            for (int i = 0; i < given.Length; i++) given[i] = Borrowed(args + i);
            Value[] made = Callbacks.Held<Func<Value[], Value[]>>(userdata)(given);
            if ((nuint)made.Length != nOuts)
                throw new ArgumentException($"The function returned {made.Length} values where {nOuts} are expected.");
            Give(made, outs);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
        finally
        {
            Dispose(given);
        }
    }

    // ---- Make ----

    /// <summary>A module of a function on tensors.</summary>
    public static Module FromFunction(Func<Tensor[], Tensor[]> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        var raw = new td_module_function { fn = TensorsPointer, userdata = Callbacks.Hold(function),
            destroy = Callbacks.Destroy };
        return Native.module_from_function(&raw);
    }

    /// <summary>A module of a function that reads and writes keys.</summary>
    public static Module Create(ReadOnlySpan<Key> inKeys, ReadOnlySpan<Key> outKeys, Func<Tensor[], Tensor[]> function)
    {
        using Module inner = FromFunction(function);
        return OnKeys(inner, inKeys, outKeys, strict: true); // a function gets no null in place of a missing input
    }

    /// <summary>A module of a function of one tensor.</summary>
    public static Module Create(ReadOnlySpan<Key> inKeys, ReadOnlySpan<Key> outKeys, Func<Tensor, Tensor> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return Create(inKeys, outKeys, x => [function(x[0])]);
    }

    /// <summary>A module of a function of two tensors.</summary>
    public static Module Create(ReadOnlySpan<Key> inKeys, ReadOnlySpan<Key> outKeys, Func<Tensor, Tensor,
        Tensor> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return Create(inKeys, outKeys, x => [function(x[0], x[1])]);
    }

    /// <summary>A module of a function that takes and returns anything that a dict can hold.</summary>
    public static Module FromValues(ValuesFunction function)
    {
        ArgumentNullException.ThrowIfNull(function);
        var raw = new td_values_function { fn = ValuesPointer, userdata = Callbacks.Hold(function),
            destroy = Callbacks.Destroy };
        return Native.module_from_values(&raw);
    }

    /// <summary>A module of a function from dict to dict: it may change the data and return
    /// <c>data.Share()</c>.</summary>
    public static Module Wrap(Func<TensorDict, TensorDict> function, ReadOnlySpan<Key> inKeys,
        ReadOnlySpan<Key> outKeys, bool inPlace = false)
    {
        ArgumentNullException.ThrowIfNull(function);
        var raw = new td_dict_function { fn = DictPointer, userdata = Callbacks.Hold(function),
            destroy = Callbacks.Destroy };
        return Native.module_wrap(&raw, inPlace, inKeys, outKeys);
    }

    /// <summary>In the mapped dims of <see cref="VmapFunction"/>: every member gets all of the argument.</summary>
    public const int Shared = Api.TD_VMAP_SHARED;

    /// <summary>Calls a function once for all members along a dim of the arguments, tensors and dicts,
    /// vectorised.</summary>
    public static Value[] VmapFunction(Func<Value[], Value[]> function, ReadOnlySpan<Value> arguments, int results = 1,
        ReadOnlySpan<int> inDims = default,
        ReadOnlySpan<long> outDims = default, Randomness randomness = Randomness.Error, long chunkSize = 0)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Frame.Match(inDims.Length, arguments.Length, true);
        Frame.Match(outDims.Length, results, true);
        var options = new td_vmap_function_options { randomness = randomness, in_dims = c.Copy(inDims),
            out_dims = c.Copy(outDims), chunk_size = chunkSize };
        td_value* outs = stackalloc td_value[results];
        GCHandle handle = GCHandle.Alloc(function ?? throw new ArgumentNullException(nameof(function)));
        try
        {
            Native.vmap(VmapPointer, (void*)GCHandle.ToIntPtr(handle), arguments, &options, outs, results);
        }
        finally
        {
            handle.Free();
        }
        return Operator.TakeAll(outs, results);
    }
}
