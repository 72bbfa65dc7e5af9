using System;
using System.Collections.Generic;
using System.Linq;

namespace LibTensorDict.Tests.Replay;

public static partial class VectorReplayTests
{
    /// <summary>A module of {"in": [...], "out": [...]}: output i is input i (of the n there are) plus n.</summary>
    private static Module Keyed(Obj spec)
    {
        Key[] outKeys = KeysIn(spec["out"]);
        return Module.Create(KeysIn(spec["in"]), outKeys,
            x => outKeys.Select((_, i) => x[i % x.Length].Op("add", x.Length)).ToArray());
    }

    /// <summary>A sequence of those and of {"seq": [...]}.</summary>
    private static Module Sequence(object? spec, SequentialOptions? options = null) => Module.Sequential(
        ListOf(spec).Cast<Obj>().Select(o => o.Has("seq") ? Sequence(o["seq"]) : Keyed(o)).ToArray(),
        options ?? new());

    /// <summary>0, 1, ... under keys.</summary>
    private static TensorDict Counted(params Key[] keys)
    {
        var d = new TensorDict();
        for (int i = 0; i < keys.Length; i++) d[keys[i]] = Tensor.Scalar((float)i);
        return d;
    }

    private static void CheckModuleKeys(Module m, object? inKeys, object? outKeys, string what)
    {
        CheckKeys(m.InKeys, inKeys, $"the in-keys of {what}");
        CheckKeys(m.OutKeys, outKeys, $"the out-keys of {what}");
    }

    /// <summary>The members have the keys of the spec, at every depth.</summary>
    private static void CheckMembers(Module m, List<object?> spec)
    {
        Check.Equal(spec.Count, m.Count, "the number of members:");
        for (int i = 0; i < spec.Count; i++)
        {
            var o = (Obj)spec[i]!;
            if (o.Has("seq")) CheckMembers(m[i], ListOf(o["seq"]));
            else CheckModuleKeys(m[i], o["in"], o["out"], $"member {i}");
        }
    }

    private static void Subsequence(Obj v)
    {
        Module whole = Sequence(v["spec"]);
        Module Chosen() => whole.SelectSubsequence(KeysOrNull(v["in_keys"]), KeysOrNull(v["out_keys"]));
        if (v.Has("error"))
        {
            Refused(() => Chosen(), "the selection");
            return;
        }
        Module part = Chosen();
        CheckMembers(part, ListOf(v["result"]));
        CheckModuleKeys(part, v["result_in_keys"], v["result_out_keys"], "the result");
    }

    private static void Dispatched(Obj v)
    {
        Module m = Keyed((Obj)v["module"]!);
        Value[] arguments = v.Has("args") ? ListOf(v["args"]).Select(x => (Value)Comparison.Real(x)).ToArray() : [];
        Obj kwargs = v["kwargs"] as Obj ?? new Obj();
        NamedValue[] named = kwargs.Keys.Select(k => new NamedValue(k, Comparison.Real(kwargs[k]))).ToArray();
        if (v.Has("error"))
        {
            Exception e = Refused(() => m.Dispatch(arguments, named), "dispatch");
            if (v["message"] is string says) Check.That(e.Message.Contains(says), e.Message);
            return;
        }
        Value[] outs = m.Dispatch(arguments, named);
        List<object?> expected = ListOf(v["out"]);
        Check.Equal(expected.Count, outs.Length, "the number of outputs:");
        for (int i = 0; i < outs.Length; i++) CheckValues(outs[i].AsTensor(), expected[i], 1e-6, "an output");
    }

    private static void RunKind(Obj v)
    {
        if (v.Has("module")) RunModule(v);
        else if (v.Has("spec")) RunSequence(v);
        else RunToNewDict(v);
    }

    private static void RunModule(Obj v)
    {
        Module m = Keyed((Obj)v["module"]!);
        if (v.Has("select")) m.SelectOutKeys(KeysIn(v["select"]));
        TensorDict data = Counted(KeysIn(v["input_keys"]));
        TensorDict result = m.Run(data);
        CheckSameSet(LeafKeys(result), v["output_keys"], "the keys of the output");
        if (v.Has("same_object")) Check.Equal(Is(v, "same_object"), result.Same(data), "the same object:");
        if (v.Has("dispatch_value"))
            CheckValues(m.Dispatch([0.0, 1.0]).Single().AsTensor(), v["dispatch_value"], 1e-6, "the dispatched value");
    }

    /// <summary>[a->b, b->c] with inplace=False.</summary>
    private static void RunToNewDict(Obj v)
    {
        Check.Equal("run.seq_inplace_false", (string)v["id"]!, "an unknown vector:");
        object spec = new List<object?> { new Obj(("in", "a"), ("out", "b")), new Obj(("in", "b"), ("out", "c")) };
        Module s = Sequence(spec, new SequentialOptions { Inplace = Inplace.False });
        var data = new TensorDict(3);
        data["a"] = Tensor.From([0f, 1, 2]);
        TensorDict result = s.Run(data);
        Check.That(!result.Same(data), "the result is the input");
        CheckSameSet(LeafKeys(result), v["output_keys"], "the keys of the output");
        CheckSameSet(LeafKeys(data), v["input_keys_after"], "the keys of the input");
        Check.Equal(ListOf(v["output_batch_size"]).Count, result.BatchSize.Length, "the batch dims:");
    }

    private static Inplace Writing(object? v) => v switch
    {
        true => Inplace.True,
        false => Inplace.False,
        string => Inplace.Empty,
        _ => Inplace.None,
    };

    private static void RunSequence(Obj v)
    {
        Module s = Sequence(v["spec"], new SequentialOptions
        {
            Inplace = Writing(v["inplace"]),
            PartialTolerant = Is(v, "partial_tolerant"),
            SelectedOutKeys = KeysOrNull(v["select"]) ?? [],
        });
        if (v["part"] is Obj part)
            s = s.SelectSubsequence(KeysOrNull(part["in_keys"]), KeysOrNull(part["out_keys"]));
        TensorDict data = v.Has("lazy")
            ? TensorDict.LazyStack(ListOf(v["lazy"]).Select(keys => Counted(KeysIn(keys))).ToArray())
            : Counted(KeysIn(v["input_keys"]));
        TensorDict result = s.Run(data);
        Check.Equal(Is(v, "same_object"), result.Same(data), "the same object:");
        if (v.Has("members"))
        {
            List<object?> members = ListOf(v["members"]);
            for (int i = 0; i < members.Count; i++)
                CheckSameSet(LeafKeys(result[i]), members[i], "the keys of a member");
            return;
        }
        CheckSameSet(LeafKeys(result), v["output_keys"], "the keys of the output");
        CheckSameSet(LeafKeys(data), v["input_keys_after"], "the keys of the input");
        if (v.Has("values")) CheckLeafValues(result, v["values"], 1e-6);
    }

    private static void Mapping(Obj v)
    {
        List<object?> x = ListOf(v["x"]);
        if (v["name"] is "inv_softplus")
        {
            CheckValues(Module.New("td.inv_softplus").Call(Made(x, DTypeIn(v))), v["y"], 1e-6, "y");
            return;
        }
        // A mapping is what the extractor does to the second half of its input, if its bound is out of the way.
        Module m = Module.New("td.normal_param_extractor",
            $$"""{"scale_mapping": "{{v["name"]}}", "scale_lb": -1e30}""");
        object both = Enumerable.Repeat((object?)0.0, x.Count).Concat(x).ToList();
        CheckValues(m.Call(2, Made(both, DTypeIn(v)))[1], v["y"], 1e-6, "y");
    }

    private static void Extractor(Obj v)
    {
        Module m = Module.New("td.normal_param_extractor",
            $$"""{"scale_mapping": "{{v["scale_mapping"]}}", "scale_lb": {{Comparison.Show(v["scale_lb"])}}}""");
        Tensor[] outs = m.Call(2, Made(v["x"], DType.Float32));
        CheckValues(outs[0], v["loc"], 1e-6, "loc");
        CheckValues(outs[1], v["scale"], 1e-6, "scale");
    }
}
