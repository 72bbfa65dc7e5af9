#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>What a forward hook sees while it runs; setting something replaces it once the hook has returned.</summary>
public readonly unsafe ref struct HookCall
{
    private readonly td_hook_call* call;

    internal HookCall(td_hook_call* call) => this.call = call;

    /// <summary>The dict that the module runs on; null if it runs on tensors.</summary>
    public TensorDict? Data
    {
        get => call->data == null ? null : TensorDict.Borrow(call->data);
        set => Native.hook_call_set_data(call, value!);
    }
    /// <summary>The dict that the module gave; null before the run, and if it runs on tensors.</summary>
    public TensorDict? Result
    {
        get => call->result == null ? null : TensorDict.Borrow(call->result);
        set => Native.hook_call_set_result(call, value!);
    }
    /// <summary>The number of inputs of a module that runs on tensors.</summary>
    public int InputCount => (int)call->n_inputs;
    /// <summary>The number of outputs of a module that ran on tensors.</summary>
    public int OutputCount => (int)call->n_outputs;
    /// <summary>An input.</summary>
    public Tensor Input(int index) => Tensor.Borrow(At(call->inputs, index, InputCount))!;
    /// <summary>An output.</summary>
    public Tensor Output(int index) => Tensor.Borrow(At(call->outputs, index, OutputCount))!;
    /// <summary>Replaces an input.</summary>
    public void SetInput(int index, Tensor tensor) => Native.hook_call_set_input(call, index, tensor);
    /// <summary>Replaces an output.</summary>
    public void SetOutput(int index, Tensor tensor) => Native.hook_call_set_output(call, index, tensor);

    internal static td_tensor* At(td_tensor** tensors, int index, int n) =>
        (uint)index < (uint)n ? tensors[index] : throw new ArgumentOutOfRangeException(nameof(index));
}

/// <summary>What a backward hook sees while it runs; null is no gradient.</summary>
public readonly unsafe ref struct BackwardCall
{
    private readonly td_backward_call* call;

    internal BackwardCall(td_backward_call* call) => this.call = call;

    /// <summary>The number of gradients of inputs; 0 in a pre-hook.</summary>
    public int InputCount => (int)call->n_inputs;
    /// <summary>The number of gradients of outputs.</summary>
    public int OutputCount => (int)call->n_outputs;
    /// <summary>The gradient of an input.</summary>
    public Tensor? GradInput(int index) => Tensor.Borrow(HookCall.At(call->grad_inputs, index, InputCount));
    /// <summary>The gradient of an output.</summary>
    public Tensor? GradOutput(int index) => Tensor.Borrow(HookCall.At(call->grad_outputs, index, OutputCount));
    /// <summary>Replaces the gradient of an input.</summary>
    public void SetGradInput(int index, Tensor? grad) => Native.backward_call_set_grad_input(call, index, grad);
    /// <summary>Replaces the gradient of an output.</summary>
    public void SetGradOutput(int index, Tensor? grad) => Native.backward_call_set_grad_output(call, index, grad);
}

/// <summary>Runs before or after a module.</summary>
public delegate void ForwardHook(Module module, HookCall call);
/// <summary>Runs when gradients are computed through a module.</summary>
public delegate void BackwardHook(Module module, BackwardCall call);
/// <summary>Runs when a state is made or loaded.</summary>
public delegate void StateHook(Module module, TensorDict state, string prefix);

public sealed unsafe partial class Module
{
    private static readonly delegate* unmanaged[Cdecl]<void*, td_module*, td_hook_call*, td_error**,
        Status> ForwardPointer = &RunForward;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_module*, td_backward_call*, td_error**,
        Status> BackwardPointer = &RunBackward;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_module*, td_dict*, td_str, td_error**,
        Status> StatePointer = &RunState;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_module*, td_dict*, td_error**,
        Status> GetExtraPointer = &RunGetExtra;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_module*, td_dict*, td_error**,
        Status> SetExtraPointer = &RunSetExtra;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunForward(void* userdata, td_module* module, td_hook_call* call, td_error** err)
    {
        try
        {
            using Module self = Borrow(module);
            Callbacks.Held<ForwardHook>(userdata)(self, new HookCall(call));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunBackward(void* userdata, td_module* module, td_backward_call* call, td_error** err)
    {
        try
        {
            using Module self = Borrow(module);
            Callbacks.Held<BackwardHook>(userdata)(self, new BackwardCall(call));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunState(void* userdata, td_module* module, td_dict* state, td_str prefix, td_error** err)
    {
        try
        {
            using Module self = Borrow(module);
            using TensorDict dict = TensorDict.Borrow(state);
            Callbacks.Held<StateHook>(userdata)(self, dict, Marshalled.Text(prefix) ?? "");
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    private static td_forward_hook Hooked(ForwardHook hook)
    {
        ArgumentNullException.ThrowIfNull(hook);
        return new td_forward_hook { fn = ForwardPointer, userdata = Callbacks.Hold(hook),
            destroy = Callbacks.Destroy };
    }

    private static td_backward_hook Hooked(BackwardHook hook)
    {
        ArgumentNullException.ThrowIfNull(hook);
        return new td_backward_hook { fn = BackwardPointer, userdata = Callbacks.Hold(hook),
            destroy = Callbacks.Destroy };
    }

    /// <summary>Adds a hook that runs before the module; the result is for <see cref="RemoveHook"/>.</summary>
    public ulong AddForwardPreHook(ForwardHook hook, HookFlags flags = 0)
    {
        Alive();
        td_forward_hook raw = Hooked(hook);
        return Native.module_add_forward_pre_hook(this, &raw, flags);
    }

    /// <summary>Adds a hook that runs after the module.</summary>
    public ulong AddForwardHook(ForwardHook hook, HookFlags flags = 0)
    {
        Alive();
        td_forward_hook raw = Hooked(hook);
        return Native.module_add_forward_hook(this, &raw, flags);
    }

    /// <summary>Adds a hook that runs when the gradients of all outputs are ready.</summary>
    public ulong AddBackwardPreHook(BackwardHook hook, HookFlags flags = 0)
    {
        Alive();
        td_backward_hook raw = Hooked(hook);
        return Native.module_add_backward_pre_hook(this, &raw, flags);
    }

    /// <summary>Adds a hook that runs when the gradients of all inputs are ready.</summary>
    public ulong AddBackwardHook(BackwardHook hook, HookFlags flags = 0)
    {
        Alive();
        td_backward_hook raw = Hooked(hook);
        return Native.module_add_backward_hook(this, &raw, flags);
    }

    /// <summary>Adds a hook that runs when a state is made or loaded.</summary>
    public ulong AddStateHook(StateHookKind kind, StateHook hook, HookFlags flags = 0)
    {
        Alive();
        ArgumentNullException.ThrowIfNull(hook);
        var raw = new td_state_hook { fn = StatePointer, userdata = Callbacks.Hold(hook), destroy = Callbacks.Destroy };
        return Native.module_add_state_hook(this, kind, &raw, flags);
    }

    /// <summary>Removes a hook.</summary>
    public void RemoveHook(ulong id) => Native.module_remove_hook(this, id);

    // ---- Extra state ----

    private sealed record Extra(Func<Entry>? Get, Action<Entry>? Set);

    private const string ExtraKey = "_extra_state";

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunGetExtra(void* userdata, td_module* module, td_dict* state, td_error** err)
    {
        try
        {
            using TensorDict dict = TensorDict.Borrow(state);
            using Entry made = Callbacks.Held<Extra>(userdata).Get!();
            dict[ExtraKey] = made;
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunSetExtra(void* userdata, td_module* module, td_dict* state, td_error** err)
    {
        try
        {
            using TensorDict dict = TensorDict.Borrow(state);
            Callbacks.Held<Extra>(userdata).Set!(dict[ExtraKey]);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    /// <summary>Replaces the state beside the tensors: how it is made, a tensor or data, and how it is taken.</summary>
    public void SetExtraState(Func<Entry>? get, Action<Entry>? set)
    {
        Alive();
        var raw = new td_extra_state
        {
            get = get == null ? null : GetExtraPointer,
            set = set == null ? null : SetExtraPointer,
            userdata = Callbacks.Hold(new Extra(get, set)),
            destroy = Callbacks.Destroy,
        };
        Native.module_set_extra_state(this, &raw);
    }
}
