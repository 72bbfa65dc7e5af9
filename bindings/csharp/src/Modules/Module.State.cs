#nullable enable
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

public sealed unsafe partial class Module
{
    // ---- States ----

    /// <summary>The state as a dict that mirrors the module tree; the tensors are the module's own.</summary>
    public TensorDict State => Native.dict_from_module(this);

    /// <summary>The states of modules stacked along a new batch dim 0.</summary>
    public static TensorDict StackStates(ReadOnlySpan<Module> modules, bool asModule = false, bool noLock = false,
        bool useStateDict = false,
        bool lazyStack = false, bool expandIdentical = false)
    {
        var options = new td_from_modules_options
        {
            as_module = Marshalled.Byte(asModule),
            no_lock = Marshalled.Byte(noLock),
            use_state_dict = Marshalled.Byte(useStateDict),
            lazy_stack = Marshalled.Byte(lazyStack),
            expand_identical = Marshalled.Byte(expandIdentical),
        };
        return Native.dict_from_modules(modules, &options);
    }

    /// <summary>The stacked parameters and buffers of modules, as two flat dicts.</summary>
    public static (TensorDict Params, TensorDict Buffers) StackModuleState(params Module[] modules) =>
        Native.module_stack_state(modules);

    /// <summary>The parameters, buffers and extra states in a flat dict with dotted names.</summary>
    public TensorDict StateDict(string? prefix = null, bool keepVars = false) =>
        Native.module_state_dict(this, prefix, keepVars);

    /// <summary>Loads a state; returns the names that were missing and those that were not expected.</summary>
    public (Key[] Missing, Key[] Unexpected) LoadStateDict(TensorDict state, bool lenient = false, bool assign = false)
    {
        var options = new td_load_options { lenient = Marshalled.Byte(lenient), assign = Marshalled.Byte(assign) };
        (Key[]? missing, Key[]? unexpected) = Native.module_load_state_dict(this, state, &options);
        return (missing!, unexpected!);
    }

    /// <summary>Runs an action while the module has the tensors of a dict. Afterwards the tensors that it has then are
    /// in the dict, and its own are restored.</summary>
    public void WithParams(TensorDict @params, Action action, bool preserveModuleState = false) =>
        Native.module_swap(this, @params, preserveModuleState).Run(action);

    // ---- The tree ----

    /// <summary>The parameters with their names.</summary>
    public KeyValuePair<Key, Tensor>[] Parameters(bool shallow = false, bool keepDuplicates = false)
    {
        td_list_options options = Listing(shallow, keepDuplicates);
        return TensorDict.Pair(Native.module_parameters(this, &options));
    }

    /// <summary>The buffers with their names.</summary>
    public KeyValuePair<Key, Tensor>[] Buffers(bool shallow = false, bool keepDuplicates = false)
    {
        td_list_options options = Listing(shallow, keepDuplicates);
        return TensorDict.Pair(Native.module_buffers(this, &options));
    }

    private static td_list_options Listing(bool shallow, bool keepDuplicates) =>
        new() { shallow = Marshalled.Byte(shallow), keep_duplicates = Marshalled.Byte(keepDuplicates) };

    private static readonly delegate* unmanaged[Cdecl]<void*, td_key*, td_module*, td_error**, Status> VisitPointer =
        &RunVisit;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunVisit(void* userdata, td_key* name, td_module* module, td_error** err)
    {
        try
        {
            Callbacks.Held<Action<Key, Module>>(userdata)(Key.From(name), Borrow(module));
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    /// <summary>The modules of the tree with their names, this one under an empty one.</summary>
    public List<KeyValuePair<Key, Module>> Modules(VisitOrder order = VisitOrder.Modules, bool keepDuplicates = false)
    {
        var found = new List<KeyValuePair<Key, Module>>();
        Action<Key, Module> visit = (name, module) => found.Add(new(name, module));
        td_list_options options = Listing(false, keepDuplicates);
        GCHandle handle = GCHandle.Alloc(visit);
        try
        {
            Native.module_visit(this, order, &options, VisitPointer, (void*)GCHandle.ToIntPtr(handle));
        }
        finally
        {
            handle.Free();
        }
        return found;
    }

    /// <summary>The parameter with this name.</summary>
    public Tensor GetParameter(Key name) => Native.module_get_parameter(this, name);
    /// <summary>The buffer with this name.</summary>
    public Tensor GetBuffer(Key name) => Native.module_get_buffer(this, name);
    /// <summary>The module with this name.</summary>
    public Module GetSubmodule(Key name) => Native.module_get_submodule(this, name);
    /// <summary>Replaces a parameter; null removes its value.</summary>
    public void SetParameter(Key name, Tensor? value) => Native.module_set_parameter(this, name, value);
    /// <summary>Replaces a buffer; null removes its value.</summary>
    public void SetBuffer(Key name, Tensor? value) => Native.module_set_buffer(this, name, value);
    /// <summary>Replaces a module, or adds it.</summary>
    public void SetSubmodule(Key name, Module module) => Native.module_set_submodule(this, name, module);
    /// <summary>Adds a parameter.</summary>
    public void RegisterParameter(string name, Tensor? value) => Native.module_register_parameter(this, name, value);
    /// <summary>Adds a buffer.</summary>
    public void RegisterBuffer(string name, Tensor? value, bool persistent = true) =>
        Native.module_register_buffer(this, name, value, persistent);
    /// <summary>Adds a module.</summary>
    public void RegisterModule(string name, Module? module) => Native.module_register_module(this, name, module);

    // ---- Every tensor ----

    /// <summary>Sets whether all parameters require grad.</summary>
    public void RequiresGrad(bool requiresGrad = true) => Native.module_requires_grad_(this, requiresGrad);
    /// <summary>Removes the collected gradients, or sets them to zero.</summary>
    public void ZeroGrad(bool setToNone = true) => Native.module_zero_grad(this, setToNone);
    /// <summary>Casts floating-point tensors and moves all of them.</summary>
    public void To(DType dtype = DType.None, string? device = null) => Native.module_to(this, dtype, device);
    /// <summary>Casts all tensors.</summary>
    public void ToType(DType dtype) => Native.module_to_type(this, dtype);
    /// <summary>Replaces all tensors by uninitialised ones on a device.</summary>
    public void ToEmpty(string device) => Native.module_to_empty(this, device);
    /// <summary>Moves all tensors to memory that forked processes share.</summary>
    public void ShareMemory() => Native.module_share_memory(this);
    /// <summary>Draws all parameters again; returns how many modules did.</summary>
    public long ResetParameters(Generator? generator = null)
    {
        (TensorDict? drawn, long n) = Native.module_reset_parameters(this, null, generator);
        drawn?.Dispose();
        return n;
    }
}
