using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace LibTensorDict.Tests.Replay;

public static partial class VectorReplayTests
{
    /// <summary>"td.lkj_cholesky" of "LKJCholesky"; tensordict's own types have names that torch.distributions uses for
    /// others.</summary>
    private static string TypeOf(string name)
    {
        if (name == "OneHotCategorical(tensordict)") return "td.int_one_hot_categorical";
        string letters = name.Split('(')[0];
        bool Lower(int i) => i < letters.Length && char.IsLower(letters[i]);
        var made = new StringBuilder("td.");
        for (int i = 0; i < letters.Length; i++)
        {
            if (i > 0 && char.IsUpper(letters[i]) && (Lower(i - 1) || Lower(i + 1))) made.Append('_');
            made.Append(char.ToLowerInvariant(letters[i]));
        }
        return made.ToString();
    }

    private static TensorDict Params(Obj given, DType dtype)
    {
        var d = new TensorDict();
        foreach (string name in given.Keys) d[name] = Made(given[name], dtype);
        return d;
    }

    private static Dictionary<string, string[]>? schemas;

    /// <summary>What Python gives by name and the type does not take as tensors.</summary>
    private static string[] ConfigMembers(string type)
    {
        schemas ??= LibTensorDict.Plugins.List().ToDictionary(
            one => $"{one.GetData("kind").Value} {one.GetData("id").Value}",
            one => one.Find(("schema", "properties")).Dict?.Keys().Select(k => k.ToString()).ToArray() ?? []);
        return schemas.FirstOrDefault(pair => pair.Key.EndsWith($" {type}", StringComparison.Ordinal)).Value ?? [];
    }

    /// <summary>Makes a distribution of its name in Python and its parameters by name.</summary>
    private static Distribution Dist(string name, Obj given, DType dtype)
    {
        if (name.StartsWith("Independent(", StringComparison.Ordinal))
        {
            string[] inner = name["Independent(".Length..^1].Split(',');
            long dims = given["reinterpreted_batch_ndims"] as long?
                ?? (inner.Length > 1 ? long.Parse(inner[1].Trim()) : 1);
            return Distribution.Independent(Dist(inner[0], Without(given, "reinterpreted_batch_ndims"), dtype), dims);
        }
        if (name == "MixtureSameFamily")
            return Distribution.Mixture(Named(given["mixture"], dtype), Named(given["components"], dtype));
        string type = TypeOf(name);
        string[] members = ConfigMembers(type).Where(given.Has).ToArray();
        Obj config = new(members.Select(member => (member, given[member])).ToArray());
        return Distribution.New(type, Params(Without(given, members), dtype),
            members.Length == 0 ? null : Program.Written(config));
    }

    /// <summary>One of {"dist": its name, and its parameters}.</summary>
    private static Distribution Named(object? o, DType dtype) =>
        Dist((string)((Obj)o!)["dist"]!, Without((Obj)o, "dist"), dtype);

    private static Tensor Ask(Distribution d, string what, Tensor? value) => what switch
    {
        "log_prob" => d.LogProb(value!),
        "cdf" => d.Cdf(value!),
        "icdf" => d.Icdf(value!),
        "enumerate" => d.EnumerateSupport(),
        _ => d.Get(Enum.Parse<DistStat>(what, ignoreCase: true)),
    };

    private static void DistributionKind(Obj v)
    {
        DType dtype = DTypeIn(v);
        double tolerance = dtype == DType.Float32 ? 1e-6 : 1e-9;
        Distribution d = Dist((string)v["dist"]!, (Obj)v["params"]!, dtype);
        if (v.Has("batch_shape")) CheckShape(d.BatchShape, v["batch_shape"], "the batch");
        if (v.Has("event_shape")) CheckShape(d.EventShape, v["event_shape"], "an event");
        if (v.Has("has_rsample")) Check.Equal(Is(v, "has_rsample"), d.HasRSample, "has_rsample:");
        Tensor points = Made(v["points"], dtype);
        foreach (string what in new[] { "log_prob", "mean", "variance", "mode", "entropy", "cdf" }.Where(v.Has))
            CheckValues(Ask(d, what, points), v[what], tolerance, what);
        if (v.Has("icdf")) CheckValues(d.Icdf(Made(v["icdf_q"], dtype)), v["icdf"], tolerance, "icdf");
        if (!v.Has("not_implemented")) return;
        foreach (string what in ListOf(v["not_implemented"]).Cast<string>())
            Unsupported(() => Ask(d, what, points), what);
    }

    private static void Divergence(Obj v) => CheckValues(
        Distribution.KlDivergence(Named(v["p"], DType.Float64), Named(v["q"], DType.Float64)), v["value"], 1e-9,
        "the divergence");

    /// <summary>The vectors name these cases; here are their arguments, and that of log_prob.</summary>
    private static readonly Dictionary<string, (string Name, string Params, string? Value)> Refusals = new()
    {
        ["Normal_nan_loc"] = ("Normal", """{"loc": "nan", "scale": 1}""", null),
        ["Normal_scale_0"] = ("Normal", """{"loc": 0, "scale": 0}""", null),
        ["Uniform_low_eq_high"] = ("Uniform", """{"low": 1, "high": 1}""", null),
        ["Bernoulli_p_1.5"] = ("Bernoulli", """{"probs": 1.5}""", null),
        ["Bernoulli_both"] = ("Bernoulli", """{"probs": 0.5, "logits": 0}""", null),
        ["Categorical_0d"] = ("Categorical", """{"probs": 0.5}""", null),
        ["MVN_two"] = ("MultivariateNormal",
            """{"loc": [0, 0], "covariance_matrix": [[1, 0], [0, 1]], "scale_tril": [[1, 0], [0, 1]]}""", null),
        ["Geometric_0"] = ("Geometric", """{"probs": 0}""", null),
        ["Exponential_logprob_neg"] = ("Exponential", """{"rate": 1}""", "-1"),
        ["Normal_shape"] = ("Normal", """{"loc": [0, 0, 0], "scale": [1, 1, 1]}""", "[0, 0, 0, 0]"),
        ["Poisson_negative"] = ("Poisson", """{"rate": -1}""", null),
        ["Dirichlet_0d"] = ("Dirichlet", """{"concentration": 1}""", null),
        ["Independent_ndims"] = ("Independent(Normal,2)", """{"loc": [0, 0], "scale": [1, 1]}""", null),
    };

    /// <summary>The distribution is refused, or the value that it is asked about.</summary>
    private static void DistError(Obj v)
    {
        (string name, Obj given, object? value, bool asked) = ("", new Obj(), (object?)null, false);
        if (v.Has("dist"))
        {
            (name, given, value, asked) = ((string)v["dist"]!, (Obj)v["params"]!, v["value"], v.Has("value"));
        }
        else
        {
            (string Name, string Params, string? Value) r = Refusals[((string)v["id"]!).Split('.', 2)[1]];
            (name, given, asked) = (r.Name, (Obj)Comparison.Parse(r.Params)!, r.Value != null);
            if (r.Value != null) value = Comparison.Parse(r.Value);
        }
        Distribution Make() => Dist(name, given, DType.Float32);
        Distribution? d = asked ? Make() : null;
        Exception e = Refused(() => _ = asked ? d!.LogProb(Made(value, DType.Float32)) : (object)Make(), name);
        var says = (string)(v["says"] ?? ListOf(v["error"])[1])!;
        Check.That(e.Message.Contains(says, StringComparison.Ordinal), $"\"{e.Message}\" is not \"{says}\"");
    }
}
