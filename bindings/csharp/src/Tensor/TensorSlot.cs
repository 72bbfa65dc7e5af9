#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>Shows one tensor after the other, for loops that get many: to make an object, and to register it with the
/// collector, costs more than the look-up itself.</summary>
/// <remarks>The tensor that <see cref="Get"/> returns is valid until the next Get: <c>Share()</c> keeps it. A slot is
/// for one thread at a time.</remarks>
public sealed unsafe class TensorSlot : IDisposable
{
    private readonly Tensor shown = new();

    /// <summary>The tensor under a prepared key, in place of the one before. If there is none, the slot keeps what it
    /// has.</summary>
    public Tensor Get(TensorDict dict, KeyPath path)
    {
        td_error* err = null;
        td_tensor* found;
        Status status = Api.td_dict_get_path((td_dict*)dict.Pointer, (td_path*)path.Pointer, &found, &err);
        GC.KeepAlive(dict);
        GC.KeepAlive(path);
        if (status != Status.Ok) Errors.Throw(status, err);
        shown.Show(found);
        return shown;
    }

    /// <summary>Empties the slot; it may be used again.</summary>
    public void Dispose() => shown.Dispose();
}
