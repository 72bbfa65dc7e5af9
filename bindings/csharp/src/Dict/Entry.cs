#nullable enable
using System;
using System.Collections.Generic;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>What is under a key: a tensor, a dict or non-tensor data. Tensors, dicts, text and numbers convert to it,
/// and it converts to the one that it is.</summary>
public readonly unsafe struct Entry : IDisposable
{
    private readonly object? content;

    private Entry(object? content) => this.content = content;

    /// <summary>The tensor; null if it is something else.</summary>
    public Tensor? Tensor => content as Tensor;
    /// <summary>The dict; null if it is something else.</summary>
    public TensorDict? Dict => content as TensorDict;
    /// <summary>The non-tensor data; null if it is something else.</summary>
    public Data? Data => content as Data;
    /// <summary>The tensor, the dict or the data.</summary>
    public object? Value => content;
    /// <summary>What kind of entry it is.</summary>
    public EntryKind Kind => content switch
    {
        LibTensorDict.Tensor => EntryKind.Tensor,
        TensorDict => EntryKind.Dict,
        LibTensorDict.Data => EntryKind.Data,
        _ => EntryKind.None,
    };

    /// <summary>Disposes of the tensor or the dict.</summary>
    public void Dispose() => (content as IDisposable)?.Dispose();

#pragma warning disable CS1591 // conversions say what they do
    public static implicit operator Entry(Tensor tensor) => new(tensor);
    public static implicit operator Entry(TensorDict dict) => new(dict);
    public static implicit operator Entry(Data data) => new(data);
    public static implicit operator Entry(string text) => new(LibTensorDict.Data.Of(text));
    public static implicit operator Entry(bool truth) => new(LibTensorDict.Data.Of(truth));
    public static implicit operator Entry(long number) => new(LibTensorDict.Data.Of(number));
    public static implicit operator Entry(double number) => new(LibTensorDict.Data.Of(number));
    public static implicit operator Tensor(Entry entry) => entry.As<Tensor>();
    public static implicit operator TensorDict(Entry entry) => entry.As<TensorDict>();
    public static implicit operator Data(Entry entry) => entry.As<Data>();
#pragma warning restore CS1591

    /// <summary>The entry as one of <see cref="LibTensorDict.Tensor"/>, <see cref="TensorDict"/> and
    /// <see cref="LibTensorDict.Data"/>.</summary>
    public T As<T>() where T : class => content as T
        ?? throw new InvalidCastException($"The entry is of kind {Kind}, not a {typeof(T).Name}.");

    /// <inheritdoc/>
    public override string ToString() => content?.ToString() ?? "None";

    internal static Entry Take(td_entry* entry) => entry->kind switch
    {
        EntryKind.Tensor => new(LibTensorDict.Tensor.Take(entry->tensor)),
        EntryKind.Dict => new(TensorDict.Take(entry->dict)),
        EntryKind.Data => new(Marshalled.TakeData(entry->data)),
        _ => default,
    };

    internal static Entry Borrow(td_entry* entry) => entry->kind switch
    {
        EntryKind.Tensor => new(LibTensorDict.Tensor.Borrow(entry->tensor)),
        EntryKind.Dict => new(TensorDict.Borrow(entry->dict)),
        EntryKind.Data => new(LibTensorDict.Data.Read(entry->data)),
        _ => default,
    };
}
