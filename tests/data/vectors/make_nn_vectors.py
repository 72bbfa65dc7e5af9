#!/usr/bin/env python3
"""What stock tensordict.nn gives: compositions of distributions, states of several modules, batch sizes under vmap, runs of
sequences and of parts of them, infinite moments, and what is refused.

    make_nn_vectors.py > nn_made.json      (tensordict 0.15.3, torch 2.13)
"""
import json
import sys
import warnings

import tensordict
import torch
from tensordict import TensorDict
from tensordict.nn import CompositeDistribution, TensorDictModule, TensorDictSequential, set_composite_lp_aggregate
from torch import distributions as D

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)
VECTORS = []


def add(name, kind, **rest):
    VECTORS.append({"id": name, "kind": kind, **rest})


def plain(x):
    """As JSON: numbers, lists, and texts for what JSON has no numbers for."""
    if isinstance(x, torch.Tensor):
        return plain(x.tolist())
    if isinstance(x, (list, tuple)):
        return [plain(one) for one in x]
    if isinstance(x, float) and (x != x or abs(x) == float("inf")):
        return str(x)
    return x


def one_value(t):
    """A text for what is the same nan or infinity everywhere."""
    values = {str(x) for x in t.flatten().tolist()}
    if len(values) == 1 and values <= {"nan", "inf", "-inf"}:
        return values.pop()
    return plain(t)


# ---- Distributions
def make(dist, params):
    """Independent(Normal,1), MixtureSameFamily of {"dist": ...}, or a class of torch.distributions."""
    if dist.startswith("Independent("):
        base, ndims = dist[len("Independent("):-1].split(",")
        return D.Independent(make(base, params), int(ndims))
    if dist == "MixtureSameFamily":
        parts = [dict(params[name]) for name in ("mixture", "components")]
        return D.MixtureSameFamily(*(make(part.pop("dist"), part) for part in parts))
    return getattr(D, dist)(**{name: torch.tensor(value) for name, value in params.items()})


def distribution(name, dist, params, points):
    d = make(dist, params)
    points = torch.tensor(points)
    out = {"dist": dist, "params": params, "batch_shape": list(d.batch_shape), "event_shape": list(d.event_shape),
           "has_rsample": d.has_rsample, "points": plain(points), "log_prob": plain(d.log_prob(points))}
    missing = []
    for stat in ("mean", "variance", "mode", "entropy"):
        try:
            value = getattr(d, stat)
            out[stat] = one_value(value() if callable(value) else value)
        except NotImplementedError:
            missing.append(stat)
    try:
        out["cdf"] = plain(d.cdf(points))
    except NotImplementedError:
        missing.append("cdf")
    add("dist." + name, "distribution", **out, not_implemented=missing)


def distributions():
    simplex = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
    distribution("LogisticNormal/one", "LogisticNormal", {"loc": [0.0, 0.5], "scale": [1.0, 2.0]}, simplex)
    distribution("LogisticNormal/batch", "LogisticNormal",
                 {"loc": [[0.0, 0.5], [1.0, -1.0]], "scale": [[1.0, 2.0], [0.5, 0.25]]}, simplex)
    weights = {"dist": "Categorical", "probs": [0.25, 0.75]}
    distribution("MixtureSameFamily/gamma", "MixtureSameFamily",
                 {"mixture": weights, "components": {"dist": "Gamma", "concentration": [2.0, 5.0], "rate": [1.0, 2.0]}},
                 [0.5, 1.0, 3.0])
    distribution("MixtureSameFamily/vectors", "MixtureSameFamily",
                 {"mixture": weights, "components": {"dist": "Independent(Normal,1)", "loc": [[0.0, 1.0], [2.0, -1.0]],
                                                     "scale": [[1.0, 1.0], [0.5, 2.0]]}},
                 [[0.0, 0.0], [1.0, -1.0]])
    distribution("MixtureSameFamily/batch", "MixtureSameFamily",
                 {"mixture": {"dist": "Categorical", "logits": [[0.0, 1.0], [1.0, -1.0]]},
                  "components": {"dist": "Bernoulli", "probs": [[0.25, 0.5], [0.75, 0.125]]}}, [1.0, 0.0])
    distribution("StudentT/inf_and_nan", "StudentT", {"df": [1.5, 1.0], "loc": [0.0, 1.0], "scale": [1.0, 2.0]},
                 [0.5, -0.5])
    distribution("StudentT/variance_inf", "StudentT", {"df": 1.5, "loc": 0.0, "scale": 1.0}, [0.5, -0.5])
    distribution("Pareto/variance_inf", "Pareto", {"scale": 1.0, "alpha": 1.5}, [1.5, 4.0])
    distribution("HalfCauchy/inf", "HalfCauchy", {"scale": 2.0}, [0.5, 3.0])
    distribution("Cauchy/nan", "Cauchy", {"loc": 1.0, "scale": 2.0}, [0.5, 3.0])
    distribution("InverseGamma/inf", "InverseGamma", {"concentration": 1.0, "rate": 2.0}, [0.5, 3.0])
    distribution("FisherSnedecor/nan", "FisherSnedecor", {"df1": 3.0, "df2": 1.0}, [0.5, 3.0])
    distribution("Independent/two", "Independent(Laplace,2)", {"loc": [[0.0, 1.0]], "scale": [[1.0, 2.0]]},
                 [[[0.0, 0.5]], [[1.0, 1.0]]])


def refusal(name, dist, params, value=None, says=None):
    """`says`: the part of the text that does not name a distribution inside of the one that was asked for."""
    try:
        d = make(dist, params)
        if value is not None:
            d.log_prob(torch.tensor(value))
    except (ValueError, RuntimeError) as error:
        text = [type(error).__name__, str(error).splitlines()[0]]
    else:
        raise SystemExit(f"{name} is not refused")
    if says is not None and says not in text[1]:
        raise SystemExit(f"{name}: {text[1]}")
    add("dist_error." + name, "dist_error", dist=dist, params=plain(params),
        **({} if value is None else {"value": value}), **({} if says is None else {"says": says}), error=text)


def refusals():
    refusal("Gamma_rate", "Gamma", {"concentration": 1.0, "rate": -1.0})
    refusal("Beta_zero", "Beta", {"concentration1": 0.0, "concentration0": 1.0},
            says="Expected parameter concentration")
    refusal("LogisticNormal_scale", "LogisticNormal", {"loc": [0.0, 0.0], "scale": [1.0, -1.0]},
            says="Expected parameter scale (Tensor of shape (2,)) of distribution")
    refusal("Dirichlet_negative", "Dirichlet", {"concentration": [1.0, -1.0]})
    refusal("Categorical_negative", "Categorical", {"probs": [0.5, -0.5]})
    refusal("Laplace_broadcast", "Laplace", {"loc": [0.0, 0.0], "scale": [1.0, 1.0, 1.0]}, says="")
    refusal("StudentT_df", "StudentT", {"df": 0.0, "loc": 0.0, "scale": 1.0},
            says="Expected parameter df (Tensor of shape ()) of distribution")
    refusal("Mixture_batch", "MixtureSameFamily",
            {"mixture": {"dist": "Categorical", "probs": [0.5, 0.5]},
             "components": {"dist": "Normal", "loc": [0.0, 0.0, 0.0], "scale": [1.0, 1.0, 1.0]}})
    refusal("Poisson_half", "Poisson", {"rate": 1.0}, 0.5)
    refusal("Bernoulli_two", "Bernoulli", {"probs": 0.5}, 2.0)
    refusal("LogisticNormal_outside", "LogisticNormal", {"loc": [0.0, 0.0], "scale": [1.0, 1.0]}, [0.5, 0.5, 0.5],
            says="to be within the support (Simplex()) of the distribution LogisticNormal(")


# ---- Composites
def leaves(td):
    return [[list(key) if isinstance(key, tuple) else [key], plain(value)]
            for key, value in td.items(True, True)]


def composite(name, batch, parts, sample):
    """`parts`: (name, distribution, parameters); `sample`: a value for each."""
    params, classes = TensorDict({}, batch), {}
    for key, dist, given in parts:
        params[key] = TensorDict({k: torch.tensor(v) for k, v in given.items()}, batch)
        classes[key] = getattr(D, dist)
    d = CompositeDistribution(params, distribution_map=classes)
    values = TensorDict({}, batch)
    for (key, _, _), value in zip(parts, sample):
        values[key] = torch.tensor(value)
    with set_composite_lp_aggregate(False):
        out = {"log_prob": leaves(d.log_prob(values)), "entropy": leaves(d.entropy())}
    with set_composite_lp_aggregate(True):
        out["log_prob_sum"], out["entropy_sum"] = plain(d.log_prob(values)), plain(d.entropy())
    for stat in ("mean", "mode", "deterministic_sample"):
        try:
            out[stat] = leaves(getattr(d, stat))
        except NotImplementedError:
            pass
    out["cdf"] = None
    try:
        out["cdf"] = leaves(d.cdf(values.clone()))
    except NotImplementedError:
        pass
    add("composite." + name, "composite", batch=batch, sample=leaves(values), shape_of_draws=[
        [key, shape] for key, shape in ((k, list(v.shape)) for k, v in (
            (list(k) if isinstance(k, tuple) else [k], v) for k, v in d.sample((4,)).items(True, True)))],
        parts=[{"name": list(k) if isinstance(k, tuple) else [k], "dist": dist, "params": p} for k, dist, p in parts], **out)


def composites():
    normal = {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}
    composite("one", [2], [("a", "Normal", normal)], [[0.5, -0.5]])
    composite("two", [2], [("a", "Normal", normal), ("b", "Laplace", normal)], [[0.5, -0.5], [1.0, 0.0]])
    composite("features", [2], [("a", "Normal", {"loc": [[0.0, 1.0, 2.0]] * 2, "scale": [[1.0, 2.0, 3.0]] * 2}),
                                ("b", "Exponential", {"rate": [1.0, 2.0]})],
              [[[0.5, -0.5, 1.0], [0.0, 0.0, 0.0]], [1.0, 0.5]])
    composite("nested", [2], [(("n", "a"), "Normal", normal), (("n", "m", "b"), "Gumbel", normal)],
              [[0.5, -0.5], [1.0, 0.0]])
    composite("discrete", [2], [("a", "Categorical", {"probs": [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]}),
                                ("b", "Bernoulli", {"probs": [0.25, 0.75]})], [[1.0, 2.0], [1.0, 0.0]])
    composite("no_batch", [], [("a", "Normal", {"loc": 0.0, "scale": 1.0}), ("b", "Uniform", {"low": 0.0, "high": 2.0})],
              [0.5, 1.5])
    composite("events", [2], [("a", "Dirichlet", {"concentration": [[1.5, 2.0, 3.0], [2.0, 2.0, 2.0]]}),
                              ("b", "Gamma", {"concentration": [2.0, 3.0], "rate": [1.0, 2.0]})],
              [[[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], [1.0, 2.0]])


# ---- The state of several modules
def network():
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Sequential(
        torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 1, bias=False)))


def states():
    with torch.random.fork_rng():
        torch.set_default_dtype(torch.float32)
        for name, shared, kwargs in (
                ("lazy", False, {"lazy_stack": True}), ("lazy_state_dict", False, {"lazy_stack": True, "use_state_dict": True}),
                ("expand", True, {"expand_identical": True}), ("shared", True, {}),
                ("expand_distinct", False, {"expand_identical": True}), ("as_module", False, {"as_module": True})):
            modules = [network()] * 3 if shared else [network() for _ in range(3)]
            state = TensorDict.from_modules(*modules, **kwargs)
            add("from_modules." + name, "from_modules", n=3, shared=shared, kwargs=kwargs, locked=state.is_locked,
                leaves={".".join(key): {"shape": list(value.shape), "dtype": str(value.dtype)[6:],
                                        "requires_grad": value.requires_grad, "stride0": value.stride(0)}
                        for key, value in state.items(True, True)})
        torch.set_default_dtype(torch.float64)


# ---- Batch sizes under vmap
def batch_sizes(name, batch, data_dim):
    """Three linear layers 2 -> 1 over data of a batch size, mapped along a dim of it or not."""
    module = TensorDictModule(torch.nn.Linear(2, 1), ["x"], ["y"])
    params = TensorDict.from_modules(*(TensorDictModule(torch.nn.Linear(2, 1), ["x"], ["y"]) for _ in range(3)))
    data = TensorDict({"x": torch.ones(*batch, 2), "n": {"z": torch.ones(*batch, 4)}}, batch)

    def call(p, d):
        with p.to_module(module):
            return module(d)

    out = torch.vmap(call, (0, data_dim))(params, data)
    add("vmap." + name, "vmap", batch=batch, data_dim=data_dim, out_batch=list(out.batch_size),
        shapes=[[list(key) if isinstance(key, tuple) else [key], list(value.shape)] for key, value in out.items(True, True)])


# ---- Runs of sequences, and of parts of them
class Add(torch.nn.Module):
    """Output i is input i (of the n there are) plus n."""

    def __init__(self, outputs):
        super().__init__()
        self.outputs = outputs

    def forward(self, *inputs):
        n = len(inputs)
        out = tuple(inputs[i % n] + n for i in range(self.outputs))
        return out if self.outputs > 1 else out[0]


def key(k):
    return tuple(k) if isinstance(k, list) else k


def sequence(spec, **kwargs):
    members = [sequence(m["seq"]) if "seq" in m else
               TensorDictModule(Add(len(m["out"])), [key(k) for k in m["in"]], [key(k) for k in m["out"]]) for m in spec]
    return TensorDictSequential(*members, **kwargs)


def names(td):
    return sorted([list(k) if isinstance(k, tuple) else k for k in td.keys(True, True)], key=str)


def run(name, spec, inputs, select=None, part=None, inplace=None, partial=False):
    kwargs = {k: v for k, v in (("selected_out_keys", [key(k) for k in select] if select else None), ("inplace", inplace),
                                ("partial_tolerant", partial or None)) if v is not None}
    seq = sequence(spec, **kwargs)
    extra = {k: v for k, v in (("select", select), ("inplace", inplace), ("partial_tolerant", partial or None)) if v is not None}
    if part:
        seq = seq.select_subsequence(**{k: [key(one) for one in v] for k, v in part.items()})
        extra["part"] = part
    data = TensorDict({}, [])
    for i, k in enumerate(inputs):
        data[key(k)] = torch.tensor(float(i))
    out = seq(data)
    add("run." + name, "run", spec=spec, **extra, input_keys=inputs, output_keys=names(out), input_keys_after=names(data),
        same_object=out is data,
        values=[[list(k) if isinstance(k, tuple) else [k], plain(v)] for k, v in out.items(True, True)])


def runs():
    chain = [{"in": ["a"], "out": ["b"]}, {"in": ["b"], "out": ["c"]}, {"in": ["c", "a"], "out": ["d", "e"]}]
    run("seq_chain", chain, ["a"])
    run("seq_part_out", chain, ["a"], part={"out_keys": ["c"]})
    run("seq_part_in", chain, ["a", "b"], part={"in_keys": ["b", "a"]})
    run("seq_part_both", chain, ["b", "zz"], part={"in_keys": ["b"], "out_keys": ["c"]})
    run("seq_selected_two", chain, ["a", "zz"], select=["c", "e"])
    run("seq_selected_part", chain, ["a"], select=["c", "d"], part={"out_keys": ["c"]})
    nested = [{"seq": chain[:2]}, {"in": ["c"], "out": [["n", "d"]]}]
    run("seq_nested", nested, ["a"])
    run("seq_nested_part", nested, ["a"], part={"out_keys": ["b"]})
    run("seq_nested_selected", nested, ["a", ["n", "x"]], select=[["n", "d"]])
    run("seq_partial_all", chain, ["zz"], partial=True)
    run("seq_partial_last", chain, ["c", "a"], partial=True)
    run("seq_partial_selected", chain, ["b"], partial=True, select=["c"])
    run("seq_inplace_false_selected", chain, ["a"], inplace=False, select=["e"])


if __name__ == "__main__":
    distributions()
    refusals()
    composites()
    states()
    for label, batch, dim in (("batch_sizes.shared", [5], None), ("batch_sizes.none", [], None), ("batch_sizes.mapped", [3], 0),
                              ("batch_sizes.second", [5, 3], 1), ("batch_sizes.last", [3, 5], -2)):
        batch_sizes(label, batch, dim)
    runs()
    meta = {"torch": torch.__version__.split("+")[0], "tensordict": tensordict.__version__, "dtype": "float64 unless stated",
            "encoding": "as in nn.json; leaves of dicts as [key, values]", "written by": "make_nn_vectors.py"}
    sys.stdout.write('{"meta": %s,\n"vectors": [\n%s\n]}\n' % (json.dumps(meta), ",\n".join(map(json.dumps, VECTORS))))
