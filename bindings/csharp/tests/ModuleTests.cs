using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace LibTensorDict.Tests;

public static class ModuleTests
{
    private const string OneByOne = "{\"in_features\": 1, \"out_features\": 1}";

    private static Module Double(string from, string to) => Module.Create([from], [to], x => x * 2);

    [Test]
    public static void DelegatesAreModules()
    {
        using Module first = Double("x", "y"), second = Double("y", "z");
        using Module both = Module.Sequential(first, second);
        Check.Sequence(new Key[] { "x" }, both.InKeys);
        Check.Sequence(new Key[] { "y", "z" }, both.OutKeys);
        Check.Equal(2, both.Count);
        using TensorDict td = CoreTests.WithX(1, -3);
        using (TensorDict same = both.Run(td)) Check.That(same.Same(td));
        CoreTests.Expect(td, "z", 4, -12);
        using Module kept = Module.Create(["x"], ["same"], x => x.Share());
        kept.Forward(td);
        CoreTests.Expect(td, "same", 1, -3);
        using Module identity = Module.Create(["x"], ["itself"], (Tensor x) => x);
        identity.Forward(td);
        CoreTests.Expect(td, "itself", 1, -3);
        using Module wrong = Module.Create(["x"], ["a", "b"], x => x.Share());
        Check.Throws<ArgumentException>(() => wrong.Forward(td));
        using TensorDict empty = new(2);
        Check.Throws<KeyNotFoundException>(() => both.Forward(empty));
        using Module values = Module.FromValues((arguments, named) => [arguments[0].AsTensor() + 1, Data.Of("three")]);
        using Module onKeys = Module.OnKeys(values, ["x"], ["plus", "three"]);
        onKeys.Forward(td);
        Check.Equal<object?>("three", td.GetData("three").Value);
        CoreTests.Expect(td, "plus", 2, -2);
        Value[] dispatched = first.Dispatch([td.Get("x")]);
        Check.Sequence([2f, -6], dispatched[0].AsTensor().ToArray<float>());
    }

    [Test]
    public static void TypesOfPluginsLearn()
    {
        Library.Seed(0);
        using Module net = Module.New("td.linear", OneByOne, ["x"], ["y"], new Generator(1));
        using TensorDict state = net.State;
        using Optimizer adam = Optimizer.Adam(state, lr: 0.1);
        using Schedule schedule = Schedule.StepLr(adam, 50, 0.5);
        Check.Equal(0.1, adam[0, "lr"]);
        using TensorDict data = new(4);
        using Tensor x = Tensor.From([0f, 1, 2, 3], 4, 1), wanted = x * 2 + 1;
        data["x"] = x;
        double first = 0, last = 0;
        for (int i = 0; i < 100; i++)
        {
            net.Forward(data);
            using Tensor y = data["y"], error = y - wanted, square = error * error, loss = square.Op("mean");
            adam.ZeroGrad();
            loss.Backward();
            adam.Step();
            schedule.Step();
            last = loss.Item<float>();
            if (i == 0) first = last;
        }
        Check.That(last < first / 4, $"{first} became {last}");
        Check.Equal(0.025, adam[0, "lr"]);
        Check.Equal(100L, schedule.Steps);
        using TensorDict saved = net.StateDict();
        using Module other = Module.New("td.linear", OneByOne, ["x"], ["y"]);
        (Key[] missing, Key[] unexpected) = other.LoadStateDict(saved);
        Check.That(missing.Length == 0 && unexpected.Length == 0);
        Check.Equal(2, other.Parameters().Length);
        Check.That(other.Modules().Count >= 1);
        using TensorDict zero = new();
        Check.Throws<KeyNotFoundException>(() => other.LoadStateDict(zero));
    }

    [Test]
    public static void EnsemblesAndVmap()
    {
        using Module one = Module.New("td.linear", OneByOne, ["x"], ["y"]);
        using Module three = Module.Ensemble(one, 3);
        using TensorDict data = new(2);
        using Tensor x = Tensor.From([1f, 2], 2, 1);
        data["x"] = x;
        using TensorDict made = three.Run(data);
        Check.Sequence([3L, 2], made.BatchSize);
        Value[] mapped = Module.VmapFunction(a => [a[0].AsTensor() * 2 + a[1].AsTensor()], [x, x]);
        Check.Sequence([3f, 6], mapped[0].AsTensor().ToArray<float>());
        Check.Throws<InvalidDataException>(() => Module.VmapFunction(_ => throw new InvalidDataException(), [x]));
        using TensorDict states = Module.StackStates([one, one]);
        using TensorDict twice = one.Vmap(states, data);
        Check.Sequence([2L, 2], twice.BatchSize);
    }

    [Test]
    public static void HooksSeeAndReplace()
    {
        using Module module = Double("x", "y");
        using TensorDict td = CoreTests.WithX(1, 2);
        var seen = new List<string>();
        ulong id = module.AddForwardPreHook((_, call) =>
        {
            using TensorDict data = call.Data!;
            seen.Add($"before {data.Count}");
            using TensorDict other = data * 10;
            call.Data = other;
        });
        module.AddForwardHook((_, call) =>
        {
            using TensorDict result = call.Result!;
            seen.Add($"after {result.Count}");
        });
        using (TensorDict made = module.Run(td)) CoreTests.Expect(made, "y", 20, 40);
        Check.Sequence(["before 1", "after 2"], seen);
        module.RemoveHook(id);
        module.AddForwardHook((_, _) => throw new InvalidDataException());
        Check.Throws<InvalidDataException>(() => module.Run(td));

        using Module linear = Module.New("td.linear", OneByOne, ["x"], ["y"]);
        int backward = 0;
        linear.AddBackwardHook((_, call) => backward += call.InputCount);
        linear.AddStateHook(StateHookKind.StateDict, (_, state, prefix) => state[prefix + "extra"] = "hooked");
        linear.SetExtraState(() => "mine", null);
        using (TensorDict state = linear.StateDict())
        {
            Check.Equal<object?>("hooked", state.GetData("extra").Value);
            Check.That(state.Keys().Any(key => key.ToString().EndsWith("_extra_state", StringComparison.Ordinal)));
        }
        using TensorDict data = new(2);
        using Tensor x = Tensor.From([1f, 2], 2, 1);
        x.RequiresGrad = true;
        data["x"] = x;
        linear.Forward(data);
        using Tensor y = data["y"], sum = y.Op("sum");
        sum.Backward();
        Check.Equal(1, backward);
        using Tensor grad = x.Grad!;
        Check.Equal(2L, grad.Count);
    }

    [Test]
    public static void ParametersForATime()
    {
        using Module linear = Module.New("td.linear", OneByOne, ["x"], ["y"]);
        using TensorDict state = linear.State, zero = state.NewFull([], 0);
        using TensorDict data = new(1);
        using Tensor x = Tensor.From([5f], 1, 1);
        data["x"] = x;
        linear.WithParams(zero, () =>
        {
            linear.Forward(data);
            CoreTests.Expect(data, "y", 0);
        });
        linear.Forward(data, zero);
        CoreTests.Expect(data, "y", 0);
        Check.Throws<InvalidDataException>(() => linear.WithParams(zero, () => throw new InvalidDataException()));
    }

    [Test]
    public static void DistributionsAndTheirModules()
    {
        using Distribution normal = Distribution.New("td.normal", ("loc", 0.0), ("scale", 2.0));
        Check.That(normal.ToString().StartsWith("Normal(", StringComparison.Ordinal), normal.ToString());
        using Tensor mean = normal.Mean, zero = Tensor.Scalar(0f), density = normal.LogProb(zero);
        Check.Equal(0f, mean.Item<float>());
        Check.That(Math.Abs(density.Item<float>() + 1.612086) < 1e-5);
        using var generator = new Generator(3);
        using Tensor sample = normal.Sample([5], generator);
        generator.Seed = 3;
        using Tensor again = normal.Sample([5], generator);
        Check.That(sample.EqualTo(again));
        using Distribution wide = Distribution.New("td.normal", ("loc", 0.0), ("scale", 4.0));
        using Tensor divergence = Distribution.KlDivergence(normal, wide);
        Check.That(divergence.Item<float>() > 0);
        using Distribution squashed = Distribution.Transformed(normal, "\"tanh\"");
        using Transform tanh = Transform.New("\"tanh\"");
        using Distribution same = Distribution.Transformed(normal, tanh);
        using Tensor half = Tensor.Scalar(0.5f), a = squashed.LogProb(half), b = same.LogProb(half);
        Check.That(a.EqualTo(b));
        using Module module = Module.Probabilistic("td.normal", ["loc", "scale"], ["action"],
            new ProbabilisticOptions { ReturnLogProb = true });
        using TensorDict td = TensorDict.From([2], ("loc", Tensor.Zeros(2)), ("scale", Tensor.Ones(2)));
        using (TensorDict made = module.Run(td, interaction: Interaction.Mean)) CoreTests.Expect(made, "action", 0, 0);
        Check.That(td.ContainsKey("action_log_prob"));
        using (Distribution made = module.GetDistribution(td)) Check.Sequence([2L], made.BatchShape);
        using Module own = Module.ProbabilisticFunction(p => Distribution.New("td.normal", p), ["loc", "scale"],
            ["drawn"]);
        Library.WithInteraction(Interaction.Random, () => own.Run(td).Dispose());
        Check.That(td.ContainsKey("drawn"));
        Check.Equal(Interaction.Default, Library.Interaction);
        Check.Throws<FileNotFoundException>(() => Distribution.New("no.such", td));
    }
}
