#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>A change of a dict that lasts until the scope ends. The methods of <see cref="TensorDict"/> whose names
/// begin with With open and end it.</summary>
public sealed unsafe class Scope : NativeObject
{
    private Scope(td_scope* scope) : base(scope) { }

    internal static Scope Take(td_scope* scope) => new(scope);
    private protected override void Release(void* pointer) => Api.td_scope_release((td_scope*)pointer);

    /// <summary>Ends the change: the dict has its original form again, with what was written meanwhile.</summary>
    public void End() => Native.scope_end(this);
    /// <summary>Ends the change without writing anything back.</summary>
    public void Cancel() => Native.scope_cancel(this);

    internal static void Run((TensorDict Inside, Scope Scope) opened, Action<TensorDict> action)
    {
        using TensorDict inside = opened.Inside;
        opened.Scope.Run(() => action(inside));
    }

    internal void Run(Action action)
    {
        using Scope scope = this;
        try
        {
            action();
        }
        catch
        {
            scope.Cancel();
            throw;
        }
        scope.End();
    }
}

public sealed unsafe partial class TensorDict
{
    /// <summary>Runs an action while the dict is unlocked.</summary>
    public void WithUnlocked(Action action) => Native.scope_unlock(this).Run(action);
    /// <summary>Runs an action on the dict with flat keys; what it changes shows afterwards. What it throws undoes
    /// that.</summary>
    public void WithFlatKeys(Action<TensorDict> action, string separator = ".") =>
        Scope.Run(Native.scope_flatten_keys(this, separator), action);
    /// <summary>Runs an action on the dict with keys split at a separator.</summary>
    public void WithNestedKeys(Action<TensorDict> action, string separator = ".") =>
        Scope.Run(Native.scope_unflatten_keys(this, separator), action);
    /// <summary>Runs an action on the dict with another dtype or on another device.</summary>
    public void WithConverted(Action<TensorDict> action, DType dtype = DType.None, string? device = null) =>
        Scope.Run(Native.scope_to(this, dtype, device), action);
    /// <summary>Runs an action on the dict with another batch size.</summary>
    public void WithView(Action<TensorDict> action, params long[] sizes) =>
        Scope.Run(Native.scope_view(this, sizes), action);
    /// <summary>Runs an action on the dict with joined batch dims.</summary>
    public void WithFlatten(Action<TensorDict> action, long start = 0, long end = -1) =>
        Scope.Run(Native.scope_flatten(this, start, end), action);
    /// <summary>Runs an action on the dict with a split batch dim.</summary>
    public void WithUnflatten(Action<TensorDict> action, long dim, params long[] sizes) =>
        Scope.Run(Native.scope_unflatten(this, dim, sizes), action);
    /// <summary>Runs an action on the dict without batch dims of size 1.</summary>
    public void WithSqueeze(Action<TensorDict> action, params long[] dims) =>
        Scope.Run(Native.scope_squeeze(this, dims), action);
    /// <summary>Runs an action on the dict with one more batch dim.</summary>
    public void WithUnsqueeze(Action<TensorDict> action, long dim) =>
        Scope.Run(Native.scope_unsqueeze(this, dim), action);
    /// <summary>Runs an action on the dict with reordered batch dims.</summary>
    public void WithPermute(Action<TensorDict> action, params long[] dims) =>
        Scope.Run(Native.scope_permute(this, dims), action);
    /// <summary>Runs an action on the dict with two batch dims exchanged.</summary>
    public void WithTranspose(Action<TensorDict> action, long dim0, long dim1) =>
        Scope.Run(Native.scope_transpose(this, dim0, dim1), action);
    /// <summary>Runs an action on the dict with moved batch dims.</summary>
    public void WithMoveDim(Action<TensorDict> action, ReadOnlySpan<long> source, ReadOnlySpan<long> destination) =>
        Scope.Run(Native.scope_movedim(this, source, destination), action);
    /// <summary>Runs an action on the dict with reversed dims.</summary>
    public void WithFlip(Action<TensorDict> action, params long[] dims) =>
        Scope.Run(Native.scope_flip(this, dims), action);
    /// <summary>Runs an action on the dict with shifted dims.</summary>
    public void WithRoll(Action<TensorDict> action, ReadOnlySpan<long> shifts, ReadOnlySpan<long> dims = default) =>
        Scope.Run(Native.scope_roll(this, shifts, dims), action);
}
