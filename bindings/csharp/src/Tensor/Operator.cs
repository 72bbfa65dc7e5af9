#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>An operator of LibTorch.</summary>
public sealed unsafe class Operator : NativeObject
{
    private Operator(td_op* op) : base(op) { }

    internal static Operator Take(td_op* op) => new(op);
    private protected override void Release(void* pointer) => Api.td_op_release((td_op*)pointer);

    /// <summary>Finds an operator: "add" is any overload, "add.Tensor" that one.</summary>
    public static Operator Find(string name) => Native.op_find(name, null);

    /// <summary>The schemas, one per line.</summary>
    public string Schema => Native.op_schema(this);

    /// <summary>Calls the operator and returns its first result.</summary>
    public Value Call(params Value[] arguments) => CallAll(1, arguments, [])[0];

    /// <summary>Calls the operator and returns a number of results.</summary>
    public Value[] CallAll(int results, ReadOnlySpan<Value> arguments, ReadOnlySpan<NamedValue> named)
    {
        td_value* made = stackalloc td_value[results];
        Native.op_call(this, arguments, named, made, results);
        return TakeAll(made, results);
    }

    /// <summary>Finds an operator and calls it; what was found is kept.</summary>
    public static Value Call(string name, ReadOnlySpan<Value> arguments, ReadOnlySpan<NamedValue> named)
    {
        td_value made;
        Native.op_run(name, arguments, named, &made, 1);
        return Value.Take(&made);
    }

    /// <summary>Finds an operator, calls it, and returns a number of results.</summary>
    public static Value[] CallAll(string name, int results, ReadOnlySpan<Value> arguments,
        ReadOnlySpan<NamedValue> named)
    {
        td_value* made = stackalloc td_value[results];
        Native.op_run(name, arguments, named, made, results);
        return TakeAll(made, results);
    }

    internal static Value[] TakeAll(td_value* made, int n)
    {
        var values = new Value[n];
        for (int i = 0; i < n; i++) values[i] = Value.Take(made + i);
        return values;
    }
}

/// <summary>A source of random numbers: the same seed gives the same numbers as in Python.</summary>
public sealed unsafe class Generator : NativeObject
{
    private Generator(td_generator* generator) : base(generator) { }

    /// <summary>Makes a generator.</summary>
    public Generator(ulong seed) : base(Make(seed)) { }

    private static td_generator* Make(ulong seed)
    {
        td_error* err = null;
        td_generator* made;
        Status status = Api.td_generator_new(seed, &made, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made;
    }

    internal static Generator Take(td_generator* generator) => new(generator);
    private protected override void Release(void* pointer) => Api.td_generator_release((td_generator*)pointer);

    /// <summary>The seed that it began with, or was last restarted with; setting it restarts.</summary>
    public ulong Seed
    {
        get => Native.generator_initial_seed(this);
        set => Native.generator_seed(this, value);
    }

    /// <summary>The state, the same bytes as torch.Generator has; setting it continues from there.</summary>
    public Tensor State
    {
        get => Native.generator_state(this);
        set => Native.generator_load_state(this, value);
    }
}
