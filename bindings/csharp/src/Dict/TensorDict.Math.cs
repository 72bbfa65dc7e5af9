#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>How leaves that some dicts lack are treated by pointwise operators.</summary>
public readonly struct MissingLeaves
{
    internal Missing How { get; private init; }
    internal Value? With { get; private init; }

    /// <summary>They are an error.</summary>
    public static MissingLeaves Fail => default;
    /// <summary>The result lacks them too.</summary>
    public static MissingLeaves Skip { get; } = new() { How = Missing.Skip };
    /// <summary>A number, or a tensor without dims, stands for them.</summary>
    public static MissingLeaves FillWith(Value value) => new() { How = Missing.Fill, With = value };
}

public sealed unsafe partial class TensorDict
{
    /// <summary>Calls a pointwise operator for each leaf. Operands are dicts, at least one, tensors and numbers;
    /// operators whose name ends in an underscore write the leaves of the first.</summary>
    public static TensorDict Pointwise(string op, ReadOnlySpan<Value> operands,
        ReadOnlySpan<NamedValue> named = default, MissingLeaves missing = default)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        using Operator found = Operator.Find(op);
        var options = new td_pointwise_options { missing = missing.How, fill = c.Value(missing.With) };
        return Native.dict_pointwise(found, operands, named, &options)!;
    }

    /// <summary>Calls a pointwise operator with this dict as the first operand.</summary>
    public TensorDict Pointwise(string op, params Value[] operands) => Pointwise(op, [this, .. operands]);

    /// <summary>Calls an operator once for each leaf, with other arguments unchanged; returns a dict for each
    /// result.</summary>
    public static TensorDict[] ApplyOp(string op, int results, ReadOnlySpan<Value> arguments,
        ReadOnlySpan<NamedValue> named = default)
    {
        using Operator found = Operator.Find(op);
        td_dict** made = stackalloc td_dict*[results];
        Native.dict_apply_op(found, arguments, named, made, results);
        return TakeAll(made, results);
    }

#pragma warning disable CS1591 // operators are what they are
    public static TensorDict operator +(TensorDict left, TensorDict right) => Pointwise("add", [left, right]);
    public static TensorDict operator +(TensorDict left, Tensor right) => Pointwise("add", [left, right]);
    public static TensorDict operator +(Tensor left, TensorDict right) => Pointwise("add", [left, right]);
    public static TensorDict operator +(TensorDict left, Value right) => Pointwise("add", [left, right]);
    public static TensorDict operator +(Value left, TensorDict right) => Pointwise("add", [right, left]);
    public static TensorDict operator -(TensorDict left, TensorDict right) => Pointwise("sub", [left, right]);
    public static TensorDict operator -(TensorDict left, Tensor right) => Pointwise("sub", [left, right]);
    public static TensorDict operator -(Tensor left, TensorDict right) => Pointwise("sub", [left, right]);
    public static TensorDict operator -(TensorDict left, Value right) => Pointwise("sub", [left, right]);
    public static TensorDict operator -(Value left, TensorDict right) => Pointwise("rsub", [right, left]);
    public static TensorDict operator *(TensorDict left, TensorDict right) => Pointwise("mul", [left, right]);
    public static TensorDict operator *(TensorDict left, Tensor right) => Pointwise("mul", [left, right]);
    public static TensorDict operator *(Tensor left, TensorDict right) => Pointwise("mul", [left, right]);
    public static TensorDict operator *(TensorDict left, Value right) => Pointwise("mul", [left, right]);
    public static TensorDict operator *(Value left, TensorDict right) => Pointwise("mul", [right, left]);
    public static TensorDict operator /(TensorDict left, TensorDict right) => Pointwise("div", [left, right]);
    public static TensorDict operator /(TensorDict left, Tensor right) => Pointwise("div", [left, right]);
    public static TensorDict operator /(Tensor left, TensorDict right) => Pointwise("div", [left, right]);
    public static TensorDict operator /(TensorDict left, Value right) => Pointwise("div", [left, right]);
    public static TensorDict operator -(TensorDict dict) => Pointwise("neg", [dict]);
#pragma warning restore CS1591

    /// <summary>Whether each element of each leaf equals that of another dict, tensor or number.</summary>
    public TensorDict Eq(Value other) => Pointwise("eq", [this, other]);

    /// <summary>Over what a reduction goes: these batch dims, all feature dims, or everything.</summary>
    public readonly record struct Over
    {
        /// <summary>Batch dims; null for everything.</summary>
        public long[]? Dims { get; init; }
        /// <summary>The dims stay, with size 1.</summary>
        public bool KeepDim { get; init; }
        /// <summary>All feature dims of a leaf become one number.</summary>
        public bool Feature { get; init; }

        /// <summary>Batch dims.</summary>
        public static implicit operator Over(long[] dims) => new() { Dims = dims };
        /// <summary>One batch dim.</summary>
        public static implicit operator Over(long dim) => new() { Dims = [dim] };

        internal td_reduce_options Fill(Frame c) => new()
        {
            dims = c.Copy<long>(Dims),
            n_dims = (nuint)(Dims?.Length ?? 0),
            keepdim = Marshalled.Byte(KeepDim),
            feature = Marshalled.Byte(Feature),
        };
    }

    /// <summary>Calls a reduction for each leaf; max, min, cummax and cummin along a dim return values and
    /// indices.</summary>
    public TensorDict[] ReduceAll(string op, Over over = default, ReadOnlySpan<NamedValue> named = default)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        using Operator found = Operator.Find(op);
        td_reduce_options options = over.Fill(c);
        td_dict** made = stackalloc td_dict*[2];
        Native.dict_reduce(this, found, named, &options, made, 2);
        return TakeAll(made, 2);
    }

    /// <summary>Calls a reduction that has one result for each leaf.</summary>
    public TensorDict Reduce(string op, Over over = default, ReadOnlySpan<NamedValue> named = default)
    {
        TensorDict[] made = ReduceAll(op, over, named);
        for (int i = 1; i < made.Length; i++) made[i].Dispose();
        return made[0];
    }

    /// <summary>Reduces all leaves together to one tensor.</summary>
    public Tensor ReduceToTensor(string op, Over over = default, ReadOnlySpan<NamedValue> named = default)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        using Operator found = Operator.Find(op);
        td_reduce_options options = over.Fill(c);
        return Native.dict_reduce_all(this, found, named, &options);
    }

    /// <summary>The sum of each leaf.</summary>
    public TensorDict Sum(Over over = default) => Reduce("sum", over);
    /// <summary>The mean of each leaf.</summary>
    public TensorDict Mean(Over over = default) => Reduce("mean", over);
    /// <summary>Whether every element of every tensor is not 0.</summary>
    public bool All() => Native.dict_all(this);
    /// <summary>Whether an element of a tensor is not 0.</summary>
    public bool Any() => Native.dict_any(this);

    // ---- Autograd ----

    /// <summary>Whether operations on some tensor are recorded; setting it starts or stops that on every
    /// tensor.</summary>
    public bool RequiresGrad
    {
        get => Native.dict_requires_grad(this);
        set => Native.dict_requires_grad_(this, value);
    }
    /// <summary>Returns the same data without its history.</summary>
    public TensorDict Detach() => Native.dict_detach(this);
    /// <summary>Removes the history of the tensors themselves.</summary>
    public void DetachInPlace() => Native.dict_detach_(this);
    /// <summary>The collected gradients; null if no leaf has one.</summary>
    public TensorDict? Grad => Native.dict_grad(this);
    /// <summary>Removes the collected gradients, or writes zeros into them.</summary>
    public void ZeroGrad(bool setToNone = true) => Native.dict_zero_grad(this, setToNone);
    /// <summary>Adds the gradients of all tensors to the leaves that they were computed from.</summary>
    public void Backward(TensorDict? gradient = null, TensorDict? inputs = null, bool retainGraph = false,
        bool createGraph = false)
    {
        var options = new td_backward_options { retain_graph = Marshalled.Byte(retainGraph),
            create_graph = Marshalled.Byte(createGraph) };
        Native.dict_backward(this, gradient, inputs, &options);
    }
    /// <summary>Returns the gradients of the inputs, without collecting them.</summary>
    public TensorDict AutogradGrad(TensorDict inputs, TensorDict? gradient = null, bool retainGraph = false,
        bool createGraph = false, bool allowUnused = false)
    {
        var options = new td_backward_options
        {
            retain_graph = Marshalled.Byte(retainGraph),
            create_graph = Marshalled.Byte(createGraph),
            allow_unused = Marshalled.Byte(allowUnused),
        };
        return Native.dict_autograd_grad(this, inputs, gradient, &options);
    }
    /// <summary>The state, as Python's state_dict.</summary>
    public TensorDict StateDict() => Native.dict_state_dict(this);
    /// <summary>Takes over a state.</summary>
    public void LoadStateDict(TensorDict state, bool lenient = false, bool assign = false)
    {
        var options = new td_load_state_options { lenient = Marshalled.Byte(lenient),
            assign = Marshalled.Byte(assign) };
        Native.dict_load_state_dict(this, state, &options);
    }

    // ---- Parameters ----

    /// <summary>Returns a dict whose floating-point leaves require grad, for optimizers and ensembles.</summary>
    public TensorDict Params(bool noConvert = false, bool @lock = false)
    {
        var options = new td_params_options { no_convert = Marshalled.Byte(noConvert), @lock = Marshalled.Byte(@lock) };
        return Native.dict_params(this, &options);
    }
    /// <summary>The tensors that require grad.</summary>
    public System.Collections.Generic.KeyValuePair<Key, Tensor>[] Parameters() => Pair(Native.dict_parameters(this));
    /// <summary>The tensors that do not.</summary>
    public System.Collections.Generic.KeyValuePair<Key, Tensor>[] Buffers() => Pair(Native.dict_buffers(this));
    /// <summary>Scales the gradients so that their joined norm is at most this; returns the norm that they
    /// had.</summary>
    public double ClipGradNorm(double maxNorm, double normType = 2, bool errorIfNonFinite = false) =>
        Native.dict_clip_grad_norm_(this, maxNorm, normType, errorIfNonFinite);
    /// <summary>Limits each element of the gradients.</summary>
    public void ClipGradValue(double maxValue) => Native.dict_clip_grad_value_(this, maxValue);
}
