#nullable enable
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>JSON as one value of non-tensor data: a list, an object, or an integer beyond 64 bits.</summary>
/// <param name="Text">The JSON.</param>
public sealed record JsonText(string Text);

/// <summary>A pickle of Python as one value of non-tensor data. It is never run.</summary>
/// <param name="Bytes">The pickle.</param>
/// <param name="Index">-1, or the place of the value in a pickled list.</param>
public sealed record Pickle(byte[] Bytes, long Index = -1);

/// <summary>One value of non-tensor data: null, a bool, an integer, a floating-point number, text, bytes,
/// <see cref="JsonText"/> or a <see cref="LibTensorDict.Pickle"/>.</summary>
public readonly struct DataValue
{
    /// <summary>The value.</summary>
    public object? Value { get; }

    private DataValue(object? value) => Value = value;

    /// <summary>Takes a value of one of these types; other integers and float become long and double.</summary>
    public static DataValue Of(object? value) => value switch
    {
        null or bool or long or double or string or byte[] or JsonText or Pickle => new(value),
        int or short or sbyte or byte or ushort or uint => new(System.Convert.ToInt64(value)),
        float one => new((double)one),
        _ => throw new ArgumentException($"{value.GetType()} is no non-tensor data"),
    };

#pragma warning disable CS1591 // conversions say what they do
    public static implicit operator DataValue(bool truth) => new(truth);
    public static implicit operator DataValue(long number) => new(number);
    public static implicit operator DataValue(int number) => new((long)number);
    public static implicit operator DataValue(double number) => new(number);
    public static implicit operator DataValue(string? text) => new(text);
    public static implicit operator DataValue(byte[] bytes) => new(bytes);
    public static implicit operator DataValue(JsonText json) => new(json);
    public static implicit operator DataValue(Pickle pickle) => new(pickle);
#pragma warning restore CS1591

    internal unsafe void Fill(Frame c, td_data* data)
    {
        *data = default;
        switch (Value)
        {
            case null: data->kind = DataKind.None; break;
            case bool truth: (data->kind, data->i) = (DataKind.Bool, truth ? 1 : 0); break;
            case long number: (data->kind, data->i) = (DataKind.Int, number); break;
            case double number: (data->kind, data->f) = (DataKind.Double, number); break;
            case string text: (data->kind, data->text) = (DataKind.Str, c.String(text)); break;
            case JsonText json: (data->kind, data->text) = (DataKind.Json, c.String(json.Text)); break;
            case byte[] bytes: (data->kind, data->text) = (DataKind.Bytes, Raw(c, bytes)); break;
            case Pickle pickle:
                (data->kind, data->text, data->i) = (DataKind.Pickle, Raw(c, pickle.Bytes), pickle.Index);
                break;
        }
    }

    private static unsafe td_str Raw(Frame c, byte[] bytes)
    {
        byte* here = (byte*)c.Bytes((nuint)bytes.Length + 1);
        bytes.CopyTo(new Span<byte>(here, bytes.Length));
        return new td_str { data = here, size = (nuint)bytes.Length };
    }

    internal static unsafe object? Read(td_data* data)
    {
        var bytes = new ReadOnlySpan<byte>(data->text.data, checked((int)data->text.size));
        return data->kind switch
        {
            DataKind.Bool => data->i != 0,
            DataKind.Int => data->i,
            DataKind.Double => data->f,
            DataKind.Str => Encoding.UTF8.GetString(bytes),
            DataKind.Bytes => bytes.ToArray(),
            DataKind.Json => new JsonText(Encoding.UTF8.GetString(bytes)),
            DataKind.Pickle => new Pickle(bytes.ToArray(), data->i),
            _ => null,
        };
    }
}

/// <summary>Non-tensor data of one entry: one value for the whole batch, or one for each batch element.</summary>
public sealed class Data
{
    /// <summary>The values, row-major.</summary>
    public IReadOnlyList<object?> Values { get; }
    /// <summary>The dims of a stack of values; empty for a single one.</summary>
    public IReadOnlyList<long> Shape { get; }
    /// <summary>Whether each batch element has its own value.</summary>
    public bool IsStack { get; }

    private Data(object?[] values, long[] shape, bool stack)
    {
        Values = values;
        Shape = shape;
        IsStack = stack;
    }

    /// <summary>One value for the whole batch.</summary>
    public static Data Of(DataValue value) => new([value.Value], [], false);

    /// <summary>One value for each element of a batch of this shape, row-major.</summary>
    public static Data Stack(ReadOnlySpan<long> shape, params object?[] values) =>
        new(values.Select(v => DataValue.Of(v).Value).ToArray(), shape.ToArray(), true);

    /// <summary>The value for the whole batch.</summary>
    public object? Value =>
        IsStack ? throw new InvalidOperationException("Each batch element has its own value.") : Values[0];

    /// <summary>The value as text, a number or what else it is.</summary>
    public T As<T>() => (T)Value!;

    internal DataValue[] All => Values.Select(DataValue.Of).ToArray();

    internal unsafe td_data_list* Make()
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_data_list* made;
        long* shape = null;
        if (IsStack)
        {
            shape = c.Many<long>(Shape.Count + 1); // not null even without dims
            for (int i = 0; i < Shape.Count; i++) shape[i] = Shape[i];
        }
        if (IsStack)
        {
            long n = 1;
            foreach (long size in Shape) n *= size;
            Frame.Match(Values.Count, checked((int)n), false);
        }
        Status status = Api.td_data_list_new(c.DataValues(All), shape, IsStack ? (nuint)Shape.Count : 0, &made, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made;
    }

    internal static unsafe Data Read(td_data_list* list)
    {
        var values = new object?[(int)Api.td_data_list_size(list)];
        for (int i = 0; i < values.Length; i++)
        {
            td_data one = default;
            td_error* err = null;
            Status status = Api.td_data_list_get(list, i, &one, &err);
            if (status != Status.Ok) Errors.Throw(status, err);
            values[i] = DataValue.Read(&one);
        }
        long[] shape = Marshalled.Sizes((sizes, n) => Api.td_data_list_shape(list, sizes, n));
        return new Data(values, shape, Api.td_data_list_is_stack(list) != 0);
    }

    /// <inheritdoc/>
    public override string ToString() => IsStack ? $"[{string.Join(", ", Values)}]" : Values[0]?.ToString() ?? "null";
}
