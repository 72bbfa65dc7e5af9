using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace LibTensorDict.Tests.Replay;

public static partial class VectorReplayTests
{
    private static readonly Key[] LocScale = ["loc", "scale"];

    private static Module NormalModule(Key[] inKeys, Key[] outKeys, ProbabilisticOptions options) =>
        Module.Probabilistic("td.normal", inKeys, outKeys, options);

    /// <summary>Parameters of types in deterministic values, and the order of arguments as in
    /// "LogNormal(0,1)".</summary>
    private static readonly (string Name, string Order, string Params)[] Typicals =
    [
        ("Bernoulli", "probs", """{"probs": 0.3}"""),
        ("Categorical", "", """{"probs": [0.2, 0.5, 0.3]}"""),
        ("OneHotCategorical", "", """{"probs": [0.2, 0.5, 0.3]}"""),
        ("LogNormal", "loc scale", """{"loc": 0.0, "scale": 1.0}"""),
        ("Normal", "loc scale", """{"loc": 0.0, "scale": 1.0}"""),
        ("Uniform", "low high", """{"low": 0.0, "high": 1.0}"""),
        ("Beta", "concentration1 concentration0", """{"concentration1": 2.0, "concentration0": 3.0}"""),
        ("Gamma", "concentration rate", """{"concentration": 2.0, "rate": 3.0}"""),
        ("Exponential", "rate", """{"rate": 1.5}"""),
        ("Geometric", "probs", """{"probs": 0.3}"""),
        ("Poisson", "rate", """{"rate": 2.5}"""),
        ("RelaxedBernoulli", "probs", """{"probs": 0.3, "temperature": 0.5}"""),
        ("Cauchy", "loc scale", """{"loc": 0.0, "scale": 1.0}"""),
        ("Independent(Categorical)", "", """{"probs": [[0.1, 0.7, 0.2], [0.6, 0.3, 0.1]]}"""),
    ];

    private static Distribution Typical(string id)
    {
        foreach ((string name, string order, string text) in Typicals)
        {
            if (!id.StartsWith(name, StringComparison.Ordinal)) continue;
            string rest = id[name.Length..];
            if (rest != "" && rest[0] != '(') continue;
            var given = (Obj)Comparison.Parse(text)!;
            string[] arguments = rest == "" ? [] : rest.Trim('(', ')').Split(',');
            for (int i = 0; i < arguments.Length; i++)
                given[order.Split(' ')[i]] = double.Parse(arguments[i], CultureInfo.InvariantCulture);
            return Dist(name, given, DType.Float64);
        }
        throw new BadProgramException("an unknown distribution");
    }

    private static void ProbabilisticKeys(Obj v)
    {
        Module m = NormalModule(KeysOrNull(v["in_keys_arg"]) ?? LocScale, KeysOrNull(v["out_keys_arg"]) ?? ["a"],
            new ProbabilisticOptions { ReturnLogProb = Is(v, "return_log_prob"), Aggregate = Is(v, "aggregate") });
        CheckModuleKeys(m, v["in_keys"], v["out_keys"], "the module");
        CheckKeys(m.LogProbKeys, v["log_prob_keys"], "the log-probability keys");
    }

    /// <summary>The dims before those of the data are the samples; the last dim is that of the features.</summary>
    private static void ProbabilisticShapes(Obj v)
    {
        var shapes = (Obj)v["shapes"]!;
        long[] all = Ints(shapes["loc"]);
        Module m = NormalModule(LocScale, ["a"], new ProbabilisticOptions
        {
            DefaultInteraction = Interaction.Random,
            ReturnLogProb = shapes.Has("a_log_prob"),
            NumSamples = all[..1],
        });
        var data = new TensorDict(all[1]);
        foreach (Key key in LocScale) data[key] = Tensor.Ones(all[1], all[2]);
        TensorDict result = m.Run(data);
        Check.That(!result.Same(data) && LeafKeys(data).Length == 2, "the input changed");
        CheckShape(result.BatchSize, v["out_batch"], "the batch");
        foreach (string name in shapes.Keys) CheckShape(result.Get(name).Shape, shapes[name], name);
    }

    private static void RandomNumbers(Obj v)
    {
        var seed = (ulong)(long)v["seed"]!;
        long n = ListOf(v["value"]).Count;
        var generator = new Generator(seed);
        Obj given = new(("loc", 0.0), ("scale", 1.0));
        CheckValues(Dist("Normal", given, DType.Float32).RSample([n], generator), v["value"], 1e-7, "the sample");
        generator.Seed = seed;
        Module m = NormalModule(LocScale, ["a"], new ProbabilisticOptions
        {
            DefaultInteraction = Interaction.Random,
            Generator = generator,
            NumSamples = [n],
        });
        CheckValues(m.Run(Params(given, DType.Float32)).Get("a"), v["via_module_generator_0"], 1e-7,
            "the module's sample");
    }

    private static void Deterministic(Obj v)
    {
        string id = ((string)v["id"]!).Split('.', 2)[1];
        CheckValues(Typical(id).Interact(Interaction.Deterministic), v["value"], 1e-9, "the value");
        Module m = Module.ProbabilisticFunction(_ => Typical(id), [], ["a"]);
        var data = new TensorDict();
        m.Forward(data);
        CheckValues(data.Get("a"), v["value"], 1e-9, "the module's value");
    }

    private static void CompositeKind(Obj v)
    {
        const double Tolerance = 1e-9;
        long[] batch = Ints(v["batch"]);
        TensorDict parameters = new(batch), sample = new(batch);
        var parts = new List<DistributionPart>();
        foreach (Obj part in ListOf(v["parts"]).Cast<Obj>())
        {
            TensorDict given = Params((Obj)part["params"]!, DType.Float64);
            given.BatchSize = batch;
            Key name = KeyIn(part["name"]);
            parameters[name] = given;
            parts.Add(new DistributionPart(name, TypeOf((string)part["dist"]!)));
        }
        Distribution d = Distribution.Composite(parameters, parts.ToArray());
        foreach (List<object?> leaf in ListOf(v["sample"]).Cast<List<object?>>())
            sample[KeyIn(leaf[0])] = Made(leaf[1], DType.Float64);
        CheckLeafValues(d.LogProbDict(sample), v["log_prob"], Tolerance);
        CheckValues(d.LogProbSum(sample), v["log_prob_sum"], Tolerance, "the sum of the log-probabilities");
        CheckLeafValues(d.GetDict(DistStat.Entropy), v["entropy"], Tolerance);
        CheckValues(d.Entropy, v["entropy_sum"], Tolerance, "the sum of the entropies");
        if (v.Has("mean")) CheckLeafValues(d.GetDict(DistStat.Mean), v["mean"], Tolerance);
        if (v.Has("mode")) CheckLeafValues(d.GetDict(DistStat.Mode), v["mode"], Tolerance);
        if (v.Has("deterministic_sample"))
            CheckLeafValues(d.InteractDict(Interaction.Deterministic), v["deterministic_sample"], Tolerance);
        CheckLeafShapes(d.SampleDict([4]), v["shape_of_draws"]);
        if (v["cdf"] == null)
        {
            Refused(() => d.CdfDict(sample), "cdf");
            return;
        }
        d.CdfDict(sample);
        CheckLeafValues(sample, v["cdf"], Tolerance);
    }
}
