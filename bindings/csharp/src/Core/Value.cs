#nullable enable
using System;
using System.Numerics;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>An argument of an operator, or its result: a tensor, a dict, a number, text, an array of them, a dtype, a
/// generator, data, or nothing. All of these convert to it.</summary>
public readonly struct Value
{
    private readonly ValueKind kind;
    private readonly long bits, more;
    private readonly object? reference;

    private Value(ValueKind kind, long bits = 0, object? reference = null, long more = 0)
    {
        this.kind = kind;
        this.bits = bits;
        this.more = more;
        this.reference = reference;
    }

    /// <summary>No value, for an optional parameter.</summary>
    public static Value None { get; } = new(ValueKind.None);
    /// <summary>The default of the operator.</summary>
    public static Value Default => default;
    /// <summary>What kind of value this is.</summary>
    public ValueKind Kind => kind;

#pragma warning disable CS1591 // conversions say what they do
    public static implicit operator Value(Tensor? tensor) => tensor == null ? None : new(ValueKind.Tensor, 0, tensor);
    public static implicit operator Value(TensorDict? dict) => dict == null ? None : new(ValueKind.Dict, 0, dict);
    public static implicit operator Value(Generator? generator) =>
        generator == null ? None : new(ValueKind.Generator, 0, generator);
    public static implicit operator Value(long number) => new(ValueKind.Int, number);
    public static implicit operator Value(int number) => new(ValueKind.Int, number);
    public static implicit operator Value(ulong number) => new(ValueKind.UInt, (long)number);
    public static implicit operator Value(double number) =>
        new(ValueKind.Double, BitConverter.DoubleToInt64Bits(number));
    public static implicit operator Value(bool truth) => new(ValueKind.Bool, truth ? 1 : 0);
    public static implicit operator Value(Complex number) =>
        new(ValueKind.Complex, BitConverter.DoubleToInt64Bits(number.Real), null,
            BitConverter.DoubleToInt64Bits(number.Imaginary));
    public static implicit operator Value(DType dtype) => new(ValueKind.DType, (long)dtype);
    public static implicit operator Value(string? text) => text == null ? None : new(ValueKind.Str, 0, text);
    public static implicit operator Value(long[] numbers) => new(ValueKind.Ints, 0, numbers);
    public static implicit operator Value(double[] numbers) => new(ValueKind.Doubles, 0, numbers);
    public static implicit operator Value(bool[] truths) => new(ValueKind.Bools, 0, truths);
    public static implicit operator Value(string[] texts) => new(ValueKind.Strs, 0, texts);
    public static implicit operator Value(Tensor?[] tensors) => new(ValueKind.Tensors, 0, tensors);
    public static implicit operator Value(Data data) => new(ValueKind.Data, 0, data);
#pragma warning restore CS1591

    internal unsafe void Fill(Frame c, td_value* value)
    {
        *value = new td_value { kind = kind };
        switch (kind)
        {
            case ValueKind.Tensor or ValueKind.Dict or ValueKind.Generator:
                value->@as.tensor = (td_tensor*)((NativeObject)reference!).Pointer;
                break;
            case ValueKind.Str:
                value->@as.str = c.String((string)reference!);
                break;
            case ValueKind.Ints:
                value->@as.ints = c.Copy<long>((long[])reference!);
                value->size = (nuint)((long[])reference!).Length;
                break;
            case ValueKind.Doubles:
                value->@as.doubles = c.Copy<double>((double[])reference!);
                value->size = (nuint)((double[])reference!).Length;
                break;
            case ValueKind.Bools:
                var truths = (bool[])reference!;
                value->@as.bools = c.Many<byte>(truths.Length);
                for (int i = 0; i < truths.Length; i++) value->@as.bools[i] = Marshalled.Byte(truths[i]);
                value->size = (nuint)truths.Length;
                break;
            case ValueKind.Strs:
                value->@as.strs = c.Strings((string[])reference!);
                value->size = (nuint)((string[])reference!).Length;
                break;
            case ValueKind.Tensors:
                value->@as.tensors = (td_tensor**)c.Handles<Tensor?>((Tensor?[])reference!);
                value->size = (nuint)((Tensor?[])reference!).Length;
                break;
            case ValueKind.Data:
                td_data_list* list = ((Data)reference!).Make();
                c.Own(list);
                value->@as.data = list;
                break;
            default:
                value->@as.c = new td_complex
                {
                    re = BitConverter.Int64BitsToDouble(bits),
                    im = BitConverter.Int64BitsToDouble(more),
                };
                break;
        }
    }

    /// <summary>Takes over what a result of the library owns.</summary>
    internal static unsafe Value Take(td_value* value)
    {
        switch (value->kind)
        {
            case ValueKind.Tensor: return Tensor.TakeOrNull(value->@as.tensor);
            case ValueKind.Dict: return TensorDict.TakeOrNull((td_dict*)value->@as.dict);
            case ValueKind.TensorList: return new(ValueKind.Tensors, 0, Marshalled.TakeTensors(value->@as.list));
            case ValueKind.Data: return Marshalled.TakeData(value->@as.data);
            case ValueKind.Complex:
                return new Complex(value->@as.c.re, value->@as.c.im);
            default: return new(value->kind, value->@as.i);
        }
    }

    private T As<T>(ValueKind wanted) => kind == wanted ? (T)reference!
        : throw new InvalidCastException($"The value is of kind {kind}, not {wanted}.");

    /// <summary>The tensor.</summary>
    public Tensor AsTensor() => As<Tensor>(ValueKind.Tensor);
    /// <summary>The dict.</summary>
    public TensorDict AsDict() => As<TensorDict>(ValueKind.Dict);
    /// <summary>The tensors of a list; null where there is none.</summary>
    public Tensor?[] AsTensors() => As<Tensor?[]>(ValueKind.Tensors);
    /// <summary>The data.</summary>
    public Data AsData() => As<Data>(ValueKind.Data);
    /// <summary>The text.</summary>
    public string AsText() => As<string>(ValueKind.Str);
    /// <summary>The number, whatever its kind, as an integer.</summary>
    public long AsLong() => kind switch
    {
        ValueKind.Int or ValueKind.Bool or ValueKind.DType => bits,
        ValueKind.UInt => checked((long)(ulong)bits),
        ValueKind.Double => checked((long)BitConverter.Int64BitsToDouble(bits)),
        _ => throw new InvalidCastException($"A value of kind {kind} is no number."),
    };
    /// <summary>The number, whatever its kind, as floating point.</summary>
    public double AsDouble() => kind switch
    {
        ValueKind.Double => BitConverter.Int64BitsToDouble(bits),
        ValueKind.UInt => (ulong)bits,
        _ => AsLong(),
    };
    /// <summary>The truth of a bool, or of a number that is not 0.</summary>
    public bool AsBool() => kind == ValueKind.Double ? AsDouble() != 0 : AsLong() != 0;
    /// <summary>The complex number, or a real one as such.</summary>
    public Complex AsComplex() => kind == ValueKind.Complex
        ? new Complex(BitConverter.Int64BitsToDouble(bits), BitConverter.Int64BitsToDouble(more))
            : new Complex(AsDouble(), 0);
    /// <summary>The dtype.</summary>
    public DType AsDType() => kind == ValueKind.DType ? (DType)bits
        : throw new InvalidCastException($"The value is of kind {kind}, not {ValueKind.DType}.");

    /// <summary>What it is as an object: a boxed number, text, an array, a tensor, a dict, data, or null.</summary>
    public object? Boxed => kind switch
    {
        ValueKind.None or ValueKind.Default => null,
        ValueKind.Int => bits,
        ValueKind.UInt => (ulong)bits,
        ValueKind.Double => AsDouble(),
        ValueKind.Bool => bits != 0,
        ValueKind.Complex => AsComplex(),
        ValueKind.DType => AsDType(),
        _ => reference,
    };

    /// <inheritdoc/>
    public override string ToString() => Boxed?.ToString() ?? kind.ToString();
}

/// <summary>An argument by name, after those by position.</summary>
/// <param name="Name">The name of the parameter.</param>
/// <param name="Value">Its value.</param>
public readonly record struct NamedValue(string Name, Value Value);

/// <summary>A key with its value, for a new dict.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">A tensor, a dict, data, text, or numbers, which become tensors.</param>
public readonly record struct Item(Key Key, Value Value)
{
    internal unsafe void Fill(Frame c, td_item* item)
    {
        item->key = c.Key(Key);
        Value.Fill(c, &item->value);
    }
}
