#nullable enable
using System;
using System.Collections.Generic;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>A module: a type of a plugin, a delegate, or a sequence of modules.</summary>
public sealed unsafe partial class Module : NativeObject
{
    private Module(td_module* module) : base(module) { }

    internal static Module Take(td_module* module) => new(module);

    internal static Module Borrow(td_module* module)
    {
        Api.td_module_retain(module);
        return new(module);
    }

    private protected override void Release(void* pointer) => Api.td_module_release((td_module*)pointer);

    // ---- Make ----

    /// <summary>Makes a module of a plugin type, for instance "td.mlp"; the config is JSON.</summary>
    public static Module New(string type, string? config = null, Generator? generator = null) =>
        Native.module_new(type, config, generator);

    /// <summary>A module that holds the tensors of a dict: floating-point ones are parameters, others
    /// buffers.</summary>
    public static Module FromParams(TensorDict @params) => Native.module_from_params(@params);

    /// <summary>Runs a module on keys: reads the in-keys, in order, and writes the results to the out-keys.</summary>
    public static Module OnKeys(Module inner, ReadOnlySpan<Key> inKeys, ReadOnlySpan<Key> outKeys,
        Inplace inplace = Inplace.Default,
        bool strict = false, ReadOnlySpan<string?> argumentNames = default)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Frame.Match(argumentNames.Length, inKeys.Length, true);
        var options = new td_tensordict_options { inplace = inplace, strict = Marshalled.Byte(strict),
            argument_names = c.Strings(argumentNames) };
        return Native.module_tensordict(inner, inKeys, outKeys, &options);
    }

    /// <summary>A module of a plugin type that reads and writes keys.</summary>
    public static Module New(string type, string? config, ReadOnlySpan<Key> inKeys, ReadOnlySpan<Key> outKeys,
        Generator? generator = null)
    {
        using Module inner = New(type, config, generator);
        return OnKeys(inner, inKeys, outKeys);
    }

    /// <summary>Chains modules that have keys.</summary>
    public static Module Sequential(params Module[] modules) => Sequential(modules, new SequentialOptions());

    /// <summary>Chains modules that have keys.</summary>
    public static Module Sequential(ReadOnlySpan<Module> modules, SequentialOptions options)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_sequential_options raw = options.Fill(c, modules.Length);
        return Native.module_sequential(modules, &raw);
    }

    /// <summary>Chains modules of tensors: each gets the results of the one before it.</summary>
    public static Module Chain(params Module[] modules) => Native.module_chain(modules, []);
    /// <summary>Chains modules of tensors, with names.</summary>
    public static Module Chain(ReadOnlySpan<Module> modules, ReadOnlySpan<string?> names) =>
        Native.module_chain(modules, names);
    /// <summary>Holds modules for other code to call.</summary>
    public static Module List(ReadOnlySpan<Module> modules, ReadOnlySpan<string?> names = default) =>
        Native.module_list(modules, names);
    /// <summary>Copies of a module, each with its own parameters; the results have a new batch dim 0.</summary>
    public static Module Ensemble(Module module, long copies, bool expandInput = true, Generator? generator = null) =>
        Native.module_ensemble(module, copies, expandInput, generator);
    /// <summary>A module that runs a query.</summary>
    public static Module FromQuery(Query query) => Native.module_query(query);

    // ---- Run ----

    /// <summary>Runs the module on a dict, in place.</summary>
    public void Forward(TensorDict data) => Native.module_forward(this, data);
    /// <summary>Runs the module with other parameters and buffers; it does not change.</summary>
    public void Forward(TensorDict data, TensorDict state) => Native.module_forward_with_state(this, state, data);

    /// <summary>Runs the module and returns the dict with the outputs: the data itself, or another.</summary>
    public TensorDict Run(TensorDict data, TensorDict? into = null, Interaction interaction = Interaction.Default,
        bool skipExisting = false, bool noGrad = false)
    {
        var options = new td_run_options
        {
            tensordict_out = (td_dict*)PointerOrNull(into),
            interaction = interaction,
            skip_existing = Marshalled.Byte(skipExisting),
            no_grad = Marshalled.Byte(noGrad),
        };
        TensorDict made = Native.module_run(this, data, &options);
        GC.KeepAlive(into);
        return made;
    }

    /// <summary>Runs a module on tensors that has one result.</summary>
    public Tensor Call(params Tensor[] inputs) => Call(1, inputs)[0];

    /// <summary>Runs a module on tensors.</summary>
    public Tensor[] Call(int results, params Tensor[] inputs)
    {
        td_tensor** made = stackalloc td_tensor*[results];
        Native.module_call(this, inputs, made, results);
        return Taken(made, results);
    }

    /// <summary>Runs a module on tensors, with the tensors of these dicts instead of its own.</summary>
    public Tensor[] FunctionalCall(ReadOnlySpan<TensorDict> states, int results, ReadOnlySpan<Tensor> inputs,
        bool untieWeights = false, bool strict = false)
    {
        var options = new td_functional_options { untie_weights = Marshalled.Byte(untieWeights),
            strict = Marshalled.Byte(strict) };
        td_tensor** made = stackalloc td_tensor*[results];
        Native.module_functional_call(this, states, &options, inputs, made, results);
        return Taken(made, results);
    }

    private static Tensor[] Taken(td_tensor** made, int n)
    {
        var tensors = new Tensor[n];
        for (int i = 0; i < n; i++) tensors[i] = Tensor.Take(made[i]);
        return tensors;
    }

    /// <summary>Calls a module that has keys with values by position and by name, and returns the values of the
    /// out-keys.</summary>
    public Value[] Dispatch(ReadOnlySpan<Value> arguments, ReadOnlySpan<NamedValue> named = default,
        string? separator = null)
    {
        int capacity = OutKeys.Length;
        td_value* made = stackalloc td_value[capacity];
        long n = Native.module_dispatch(this, arguments, named, separator, made, capacity);
        return Operator.TakeAll(made, (int)n);
    }

    /// <summary>Runs the module once for each of the stacked states, vectorised.</summary>
    public TensorDict Vmap(TensorDict states, TensorDict data, bool mapData = false, int dataDim = 0,
        Randomness randomness = Randomness.Error)
    {
        var options = new td_vmap_options { randomness = randomness, map_data = Marshalled.Byte(mapData),
            data_dim = dataDim };
        return Native.module_vmap(this, states, data, &options);
    }

    // ---- Keys ----

    /// <summary>The keys that the module reads.</summary>
    public Key[] InKeys => Native.module_in_keys(this);
    /// <summary>The keys that the module writes.</summary>
    public Key[] OutKeys => Native.module_out_keys(this);
    /// <summary>The keys that the module would write without a selection.</summary>
    public Key[] OutKeysSource => Native.module_out_keys_source(this);
    /// <summary>Selects out-keys; other outputs are removed from the result.</summary>
    public void SelectOutKeys(params Key[] keys) => Native.module_select_out_keys(this, keys);
    /// <summary>Selects all out-keys again.</summary>
    public void ResetOutKeys() => Native.module_reset_out_keys(this);
    /// <summary>Whether the module reads and writes keys.</summary>
    public bool HasKeys => Native.module_has_keys(this);

    // ---- Members ----

    /// <summary>The number of members of a sequence, a chain or a list.</summary>
    public int Count => (int)Native.module_size(this);
    /// <summary>A member; setting it replaces it.</summary>
    public Module this[int index]
    {
        get => Native.module_member(this, index);
        set => Native.module_set_member(this, index, value);
    }
    /// <summary>A sequence of some members.</summary>
    public Module Slice(long start, long stop, long step = 1) => Native.module_slice(this, start, stop, step);
    /// <summary>Removes a member.</summary>
    public void RemoveMember(int index) => Native.module_remove_member(this, index);
    /// <summary>A sequence of the members that can run with these in-keys and that these out-keys depend on; null
    /// chooses none.</summary>
    public Module SelectSubsequence(Key[]? inKeys = null, Key[]? outKeys = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_error* err = null;
        td_module* made;
        Status status = Api.td_module_select_subsequence((td_module*)Pointer, c.KeysOrNull(inKeys),
            (nuint)(inKeys?.Length ?? 0), c.KeysOrNull(outKeys), (nuint)(outKeys?.Length ?? 0), &made, &err);
        GC.KeepAlive(this);
        Frame.Keep<Key>(inKeys);
        Frame.Keep<Key>(outKeys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return new(made);
    }

    /// <summary>The type: the id of a plugin type, or the name that is printed.</summary>
    public string TypeName => Native.module_type_name(this);
    /// <summary>The config that the module was made with, as JSON.</summary>
    public string Config => Native.module_config(this);
    /// <summary>Whether the module is in training mode; setting it sets the members too.</summary>
    public bool Training
    {
        get => Native.module_is_training(this);
        set => Native.module_train(this, value);
    }
    /// <summary>What Python prints.</summary>
    public override string ToString() => IsDisposed ? "Module (disposed)" : Native.module_repr(this);
}

/// <summary>How modules are chained.</summary>
public sealed record SequentialOptions
{
    /// <summary>Where the sequence writes its outputs.</summary>
    public Inplace Inplace { get; init; }
    /// <summary>A member whose inputs are missing does not run.</summary>
    public bool PartialTolerant { get; init; }
    /// <summary>The keys that stay; none given: all.</summary>
    public Key[] SelectedOutKeys { get; init; } = [];
    /// <summary>The names of the members; none given: numbers.</summary>
    public string[] Names { get; init; } = [];

    internal unsafe td_sequential_options Fill(Frame c, int modules)
    {
        Frame.Match(Names.Length, modules, true);
        return new td_sequential_options
        {
            inplace = Inplace,
            partial_tolerant = Marshalled.Byte(PartialTolerant),
            selected_out_keys = c.Keys(SelectedOutKeys),
            n_selected = (nuint)SelectedOutKeys.Length,
            names = c.Strings(Names),
        };
    }
}
