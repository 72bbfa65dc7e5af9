using System;
using System.Collections.Generic;
using System.Linq;

namespace LibTensorDict.Tests.Replay;

public static partial class VectorReplayTests
{
    private static Module Typed(string type, string? config = null, ulong seed = 0)
    {
        using var generator = new Generator(seed);
        return Module.New(type, config, generator);
    }

    private static Module Linear(int inputs, int outputs, bool bias = true, ulong seed = 0) => Typed("td.linear",
        $$"""{"in_features": {{inputs}}, "out_features": {{outputs}}, "bias": {{(bias ? "true" : "false")}}}""", seed);

    /// <summary>Sequential(Linear(2, 3), ReLU, Sequential(BatchNorm1d(3), Linear(3, 1, bias=False)))</summary>
    private static Module Network(ulong seed) => Module.Chain(Linear(2, 3, seed: seed), Typed("td.relu"),
        Module.Chain(Typed("td.batch_norm1d", """{"num_features": 3}"""), Linear(3, 1, false, seed)));

    private static void CheckLeaves(TensorDict d, Obj leaves)
    {
        Key[] keys = LeafKeys(d);
        Check.Equal(leaves.Keys.Count, keys.Length, "the number of leaves:");
        foreach (Key key in keys)
        {
            string name = key.ToString();
            Check.That(leaves.Has(name), $"{name} is too many");
            var leaf = (Obj)leaves[name]!;
            Tensor t = d.Get(key);
            CheckShape(t.Shape, leaf["shape"], name);
            Check.Equal((string)leaf["dtype"]!, t.DType.Name(), $"the dtype of {name}:");
            Check.Equal((bool)leaf["requires_grad"]!, t.RequiresGrad, $"{name} requires grad:");
            if (leaf.Has("stride0")) Check.Equal((long)leaf["stride0"]!, t.Strides[0], $"the first stride of {name}:");
        }
    }

    private static TensorDict Stacked(Module[] modules, Obj kwargs, bool useStateDict = false) =>
        Module.StackStates(modules, asModule: Is(kwargs, "as_module"), lazyStack: Is(kwargs, "lazy_stack"),
            useStateDict: useStateDict || Is(kwargs, "use_state_dict"),
            expandIdentical: Is(kwargs, "expand_identical"));

    private static void FromModules(Obj v)
    {
        var leaves = (Obj)v["leaves"]!;
        var n = (int)Ints(((Obj)leaves[leaves.Keys[0]]!)["shape"])[0];
        Module first = Network(0);
        Module[] modules = Enumerable.Range(0, n)
            .Select(i => i == 0 || Is(v, "shared") ? first : Network((ulong)i)).ToArray();
        Obj kwargs = v["kwargs"] as Obj ?? new Obj();
        TensorDict state = Stacked(modules, kwargs, (string)v["id"]! == "from_modules.use_state_dict");
        CheckLeaves(state, leaves);
        Check.Sequence([n], state.BatchSize, "the batch:");
        if (v.Has("locked")) Check.Equal(Is(v, "locked"), state.IsLocked, "locked:");
        if (!v.Has("kwargs")) return;
        DictKind kind = Is(kwargs, "as_module") ? DictKind.Params
            : Is(kwargs, "lazy_stack") ? DictKind.LazyStack : DictKind.TensorDict;
        Check.Equal(kind, state.Kind, "the kind of the dict:");
    }

    private static void FromModulesError(Obj v)
    {
        Module second = Says(v, "shape") ? Linear(1, 2) : Linear(1, 1, !Says(v, "missing"));
        Module[] modules = Says(v, "none") ? [] : [Linear(1, 1), second];
        Refused(() => Stacked(modules, (Obj)v["kwargs"]!), "from_modules");
    }

    private static void CheckStacked(TensorDict d, Obj leaves)
    {
        Check.Equal(leaves.Keys.Count, LeafKeys(d).Length, "the number of leaves:");
        foreach (string name in leaves.Keys)
        {
            List<object?> leaf = ListOf(leaves[name]);
            Tensor t = d.Get(name);
            CheckShape(t.Shape, leaf[0], name);
            Check.Equal((bool)leaf[1]!, t.RequiresGrad, $"{name} requires grad:");
        }
    }

    private static void StackState(Obj v)
    {
        (TensorDict parameters, TensorDict buffers) = Module.StackModuleState(Network(0), Network(1));
        CheckStacked(parameters, (Obj)v["params"]!);
        CheckStacked(buffers, (Obj)v["buffers"]!);
    }

    private static void StackStateError(Obj v)
    {
        Module other = Says(v, "class") || Says(v, "type") ? Typed("td.relu") : Linear(1, Says(v, "shape") ? 2 : 1);
        if (Says(v, "train")) other.Training = false;
        if (Says(v, "requires_grad")) other.GetParameter("weight").RequiresGrad = false;
        Module[] modules = Says(v, "empty") ? [] : [Linear(1, 1), other];
        Refused(() => Module.StackModuleState(modules), "stack_module_state");
    }

    private static Module Policy() => Module.OnKeys(Linear(2, 1), ["x"], ["y"]);

    /// <summary>Three linear layers over data of a batch size: what batch size and shapes come out.</summary>
    private static void VmapBatchSizes(Obj v)
    {
        Module[] modules = [Policy(), Policy(), Policy()];
        long[] batch = Ints(v["batch"]);
        var data = new TensorDict(batch);
        data["x"] = Tensor.Ones([.. batch, 2]);
        data["n", "z"] = Tensor.Ones([.. batch, 4]);
        TensorDict result = modules[0].Vmap(Module.StackStates(modules), data, v["data_dim"] != null,
            (int)(v["data_dim"] as long? ?? 0));
        CheckShape(result.BatchSize, v["out_batch"], "the batch");
        Check.Equal(ListOf(v["shapes"]).Count, LeafKeys(result).Length, "the number of leaves:");
        CheckLeafShapes(result, v["shapes"]);
    }

    /// <summary>An ensemble of linear layers, forwards and backwards.</summary>
    private static void VmapEnsemble(Obj v)
    {
        int n = ListOf(v["weights"]).Count;
        TensorDict states = Module.StackStates(Enumerable.Range(0, n).Select(_ => Linear(2, 1)).ToArray());
        object biases = Enumerable.Range(0, n).Select(_ => (object?)new List<object?> { v["bias"] }).ToList();
        Library.NoGrad(() =>
        {
            states.CopyInto("weight", Made(v["weights"], DType.Float32));
            states.CopyInto("bias", Made(biases, DType.Float32));
        });
        TensorDict data = new(), under = new(n); // the states as the module with keys has them
        data["x"] = Made(v["x"], DType.Float32);
        under["module"] = states;
        Tensor y = Policy().Vmap(under, data)["y"];
        CheckValues(y, v["y"], 1e-6, "y");
        y.Op("sum").Backward();
        CheckValues(states.Get("weight").Grad!, v["grad_weight"], 1e-6, "the gradient of weight");
        CheckValues(states.Get("bias").Grad!, v["grad_bias"], 1e-6, "the gradient of bias");
    }
}
