"""Writes dist.txt beside itself: what stock torch.distributions and tensordict give for every distribution type.

    python tests/data/vectors/make_dist_vectors.py

One line a fact: a word, then a tensor as `dtype ndim sizes... values...`. A case begins with `case` and ends with `end`.
`draw` is rsample (or sample) of shape (3,) after torch.manual_seed(0), `grad` the gradient of its sum to each parameter.
"""
import pathlib

import torch
import torch.distributions as d
from tensordict.nn.distributions import Delta, OneHotCategorical, TruncatedNormal
from torchrl.modules.distributions import Ordinal

torch.set_default_dtype(torch.float64)
lines = []


def tensor_text(t):
    names = {torch.float64: "f64", torch.float32: "f32", torch.int64: "i64", torch.bool: "bool"}
    values = " ".join(repr(float(v)) for v in t.detach().reshape(-1).tolist())
    return f"{names[t.dtype]} {t.dim()} {' '.join(map(str, t.shape))} {values}".replace("  ", " ").strip()


# LibTorch builds differ in these streams (with MKL or without), or the order of draws is not part of their contract.
other_streams = ("exponential", "weibull", "pareto", "wishart", "lkj", "binomial", "poisson", "multinomial", "mixture")


def case(name, type_, params, make, points, config="{}", transforms=None, independent=0):
    params = {k: (v if isinstance(v, torch.Tensor) else torch.tensor(v)) for k, v in params.items()}
    leaves = {k: v.clone().requires_grad_(v.is_floating_point()) for k, v in params.items()}
    dist = make(**leaves)
    lines.append(f"case {name}")
    lines.append(f"type {type_}")
    lines.append(f"config {config}")
    if transforms:
        lines.append(f"transforms {transforms}")
    if independent:
        lines.append(f"independent {independent}")
    for k, v in params.items():
        lines.append(f"param {k} {tensor_text(v)}")
    lines.append("batch " + " ".join(map(str, [len(dist.batch_shape), *dist.batch_shape])))
    lines.append("event " + " ".join(map(str, [len(dist.event_shape), *dist.event_shape])))
    value = torch.tensor(points) if not isinstance(points, torch.Tensor) else points
    lines.append(f"value {tensor_text(value)}")
    lines.append(f"log_prob {tensor_text(dist.log_prob(value))}")
    quantiles = torch.tensor([0.1, 0.5, 0.9])
    for _ in dist.batch_shape:
        quantiles = quantiles.unsqueeze(-1)
    for word, get in {
        "cdf": lambda: dist.cdf(value),
        "icdf": lambda: dist.icdf(quantiles),
        "mean": lambda: dist.mean,
        "mode": lambda: dist.mode,
        "variance": lambda: dist.variance,
        "stddev": lambda: dist.stddev,
        "entropy": lambda: dist.entropy(),
        "enumerate": lambda: dist.enumerate_support(),
    }.items():
        try:
            lines.append(f"{word} {tensor_text(get())}")
        except NotImplementedError:
            lines.append(f"without {word}")
    if not any(s in type_ for s in other_streams):
        torch.manual_seed(0)
        draw = dist.rsample((3,)) if dist.has_rsample else dist.sample((3,))
        lines.append(f"draw {tensor_text(draw)}")
        if dist.has_rsample and draw.requires_grad:
            draw.sum().backward()
            for k, v in leaves.items():
                if v.grad is not None:
                    lines.append(f"grad {k} {tensor_text(v.grad)}")
    lines.append("end")


def scalar_pair(name, cls, a, b, values, points):
    case(name, f"td.{name}", {a: values[0], b: values[1]}, cls, points)
    wide = {a: torch.tensor([values[0], values[0] * 1.5]), b: torch.tensor([[values[1]], [values[1] + 0.25]])}
    case(f"{name}/broadcast", f"td.{name}", wide, lambda **k: cls(*torch.broadcast_tensors(k[a], k[b])), points[:2])


scalar_pair("normal", d.Normal, "loc", "scale", (0.5, 2.0), [-1.0, 0.5, 3.0])
scalar_pair("log_normal", d.LogNormal, "loc", "scale", (0.2, 0.6), [0.5, 1.0, 3.0])
scalar_pair("laplace", d.Laplace, "loc", "scale", (1.0, 0.5), [0.0, 1.0, 2.5])
scalar_pair("cauchy", d.Cauchy, "loc", "scale", (0.5, 2.0), [-1.0, 0.5, 5.0])
scalar_pair("gumbel", d.Gumbel, "loc", "scale", (0.5, 2.0), [-1.0, 0.5, 5.0])
scalar_pair("uniform", d.Uniform, "low", "high", (-1.0, 3.0), [-1.0, 0.0, 3.0])
scalar_pair("gamma", d.Gamma, "concentration", "rate", (2.5, 1.5), [0.2, 1.0, 4.0])
scalar_pair("inverse_gamma", d.InverseGamma, "concentration", "rate", (3.0, 2.0), [0.5, 2.0])
scalar_pair("beta", d.Beta, "concentration1", "concentration0", (2.0, 3.0), [0.0, 0.2, 0.7])
scalar_pair("weibull", d.Weibull, "scale", "concentration", (1.5, 2.0), [0.5, 2.0])
scalar_pair("pareto", d.Pareto, "scale", "alpha", (1.5, 3.0), [2.5, 4.0])
scalar_pair("kumaraswamy", d.Kumaraswamy, "concentration1", "concentration0", (2.0, 3.0), [0.2, 0.7])
scalar_pair("fisher_snedecor", d.FisherSnedecor, "df1", "df2", (3.0, 5.0), [0.5, 2.0])
scalar_pair("von_mises", d.VonMises, "loc", "concentration", (0.5, 2.0), [0.0, 3.0])
case("von_mises/large", "td.von_mises", {"loc": 0.0, "concentration": 20.0}, d.VonMises, [0.1])
case("von_mises/tiny", "td.von_mises", {"loc": 0.0, "concentration": 1e-7}, d.VonMises, [0.1])
case("beta/low", "td.beta", {"concentration1": [0.5, 1.0], "concentration0": [0.25, 1.0]}, d.Beta, [0.5])
case("uniform/f32", "td.uniform", {"low": torch.tensor([0.0], dtype=torch.float32), "high": torch.tensor([2.0], dtype=torch.float32)}, d.Uniform, torch.tensor([1.5], dtype=torch.float32))
case("normal/inf", "td.normal", {"loc": 0.0, "scale": float("inf")}, d.Normal, [1.0])
case("gamma/edge", "td.gamma", {"concentration": [1.0, 0.5], "rate": 1.0}, lambda concentration, rate: d.Gamma(concentration, rate), [0.0])
case("half_normal", "td.half_normal", {"scale": [2.0, 0.5]}, d.HalfNormal, [[0.0], [1.5]])
case("half_cauchy", "td.half_cauchy", {"scale": [2.0, 0.5]}, d.HalfCauchy, [[0.0], [1.5]])
case("exponential", "td.exponential", {"rate": [1.5, 0.5]}, d.Exponential, [[0.0], [0.7]])
case("chi2", "td.chi2", {"df": [3.0, 1.0]}, d.Chi2, [[0.5], [2.0]])
case("student_t", "td.student_t", {"df": [3.0, 1.5, 0.5], "loc": 0.5, "scale": 2.0}, d.StudentT, [[-1.0], [2.0]])
case("student_t/defaults", "td.student_t", {"df": 4.0}, d.StudentT, [-1.0, 2.0])
case("dirichlet", "td.dirichlet", {"concentration": [[1.5, 2.0, 0.5], [0.5, 0.25, 0.1]]}, d.Dirichlet, [[0.2, 0.3, 0.5]])
case("poisson", "td.poisson", {"rate": [2.5, 0.0]}, d.Poisson, [[0.0], [2.0]])
for word, value in (("probs", [0.0, 0.3, 0.5, 1.0]), ("logits", [-0.75, 0.0, 3.0])):
    case(f"bernoulli/{word}", "td.bernoulli", {word: value}, d.Bernoulli, [[0.0], [1.0]])
    case(f"continuous_bernoulli/{word}", "td.continuous_bernoulli", {word: value}, d.ContinuousBernoulli, [[0.0], [0.3], [1.0]])
    inner = [v for v in value if v != 0.0]
    case(f"geometric/{word}", "td.geometric", {word: inner}, d.Geometric, [[0.0], [3.0]])
    case(f"binomial/{word}", "td.binomial", {"total_count": 4.0, word: value}, d.Binomial, [[0.0], [3.0], [4.0]])
    under_one = [v for v in value if v != 1.0]
    case(f"negative_binomial/{word}", "td.negative_binomial", {"total_count": [3.0], word: under_one}, d.NegativeBinomial, [[0.0], [2.0]])
    case(f"relaxed_bernoulli/{word}", "td.relaxed_bernoulli", {"temperature": 0.5, word: inner}, d.RelaxedBernoulli, [[0.2], [0.9]])
for word, value in (("probs", [[1.0, 2.0, 5.0], [0.0, 1.0, 1.0]]), ("logits", [[0.5, -1.0, 2.0], [0.0, 1.0, 1.0]])):
    value = torch.tensor(value)
    case(f"categorical/{word}", "td.categorical", {word: value}, d.Categorical, torch.tensor([[0], [2]]))
    hot = torch.tensor([[[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]]])
    case(f"one_hot/{word}", "td.one_hot_categorical", {word: value}, d.OneHotCategorical, hot)
    case(f"straight_through/{word}", "td.one_hot_categorical_straight_through", {word: value}, d.OneHotCategoricalStraightThrough, hot)
    torch.set_default_dtype(torch.float32)  # as it is: Multinomial.entropy computes in it
    case(f"multinomial/{word}", "td.multinomial", {word: value}, lambda **k: d.Multinomial(4, **k), torch.tensor([[0.0, 1.0, 3.0]]), '{"total_count": 4}')
    torch.set_default_dtype(torch.float64)
    case(f"relaxed_one_hot/{word}", "td.relaxed_one_hot_categorical", {"temperature": 0.5, word: value}, d.RelaxedOneHotCategorical, torch.tensor([[0.2, 0.2, 0.6]]))
torch.set_default_dtype(torch.float32)  # what integers become
case("categorical/integers", "td.categorical", {"probs": torch.tensor([1, 2, 5])}, d.Categorical, torch.tensor([0, 1, 2]))
torch.set_default_dtype(torch.float64)
cov = torch.tensor([[2.0, 0.3], [0.3, 1.0]])
tril = torch.linalg.cholesky(cov)
many = torch.stack([tril, 2 * tril])
for word, value in (("covariance_matrix", cov), ("precision_matrix", cov), ("scale_tril", tril)):
    case(f"multivariate_normal/{word}", "td.multivariate_normal", {"loc": [0.5, -0.5], word: value}, d.MultivariateNormal, torch.tensor([[0.0, 0.0], [1.0, -1.0]]))
    case(f"wishart/{word}", "td.wishart", {"df": 3.5, word: value}, lambda df, **k: d.Wishart(df, **k), cov.expand(2, 2, 2))
case("multivariate_normal/batch", "td.multivariate_normal", {"loc": torch.tensor([[0.5, -0.5]]), "scale_tril": many}, d.MultivariateNormal, torch.tensor([[[0.0, 1.0]], [[1.0, 1.0]]]))
case("low_rank", "td.low_rank_multivariate_normal", {"loc": [0.0, 1.0], "cov_factor": [[1.0], [0.5]], "cov_diag": [1.0, 2.0]}, d.LowRankMultivariateNormal, torch.tensor([[0.3, 0.2]]))
case("logistic_normal", "td.logistic_normal", {"loc": [0.0, 0.5], "scale": [1.0, 0.5]}, d.LogisticNormal, torch.tensor([[0.2, 0.2, 0.6]]))
case("lkj", "td.lkj_cholesky", {"concentration": [1.5, 0.5]}, lambda concentration: d.LKJCholesky(2, concentration), torch.tensor([[1.0, 0.0], [0.6, 0.8]]), '{"dim": 2}')
case("truncated_normal", "td.truncated_normal", {"loc": [0.5, -3.0], "scale": 2.0, "a": -1.0, "b": 1.0}, TruncatedNormal, [[-0.5], [0.9]])
case("delta", "td.delta", {"param": [1.0, 2.0]}, Delta, torch.tensor([[1.0, 2.0], [1.0, 2.0001]]))
case("int_one_hot", "td.int_one_hot_categorical", {"logits": [0.0, 1.0, 2.0]}, OneHotCategorical, torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))


case("delta/elements", "td.delta", {"param": [1.0, 2.0]}, lambda param: Delta(param, batch_shape=(2,), event_shape=()), [[1.0, 2.0], [1.0, 2.0001]], '{"event_dims": 0}')
for word, value in (("probs", [0.3, 0.5, 1.0]), ("logits", [-0.75, 0.0, 3.0])):
    case(f"logit_relaxed_bernoulli/{word}", "td.logit_relaxed_bernoulli", {"temperature": 0.5, word: value}, d.relaxed_bernoulli.LogitRelaxedBernoulli, [[-0.2], [0.9]])
for word, value in (("probs", [[1.0, 2.0, 5.0], [0.0, 1.0, 1.0]]), ("logits", [[0.5, -1.0, 2.0], [0.0, 1.0, 1.0]])):
    case(f"exp_relaxed_categorical/{word}", "td.exp_relaxed_categorical", {"temperature": 0.5, word: value}, d.relaxed_categorical.ExpRelaxedCategorical, torch.tensor([[-0.2, -2.0, -3.0]]))
case("generalized_pareto", "td.generalized_pareto", {"loc": [0.5, 0.0, 1.0], "scale": [[2.0], [0.5]], "concentration": [0.1, 0.3, -0.25]},
     lambda **k: d.GeneralizedPareto(*torch.broadcast_tensors(*k.values())), [[1.1], [1.3]])
case("ordinal", "td.ordinal", {"scores": [[0.5, -1.0, 2.0], [0.0, 1.0, 1.0]]}, Ordinal, torch.tensor([[0], [2]]))


def transformed(name, make_transforms, text, points, params=None, base=d.Normal, type_="td.normal"):
    params = params or {"loc": 0.5, "scale": 2.0}
    case(f"transformed/{name}", type_, params, lambda **k: d.TransformedDistribution(base(**k), make_transforms()), points, transforms=text)


t = d.transforms
row = {"loc": [0.5, -0.5, 0.0], "scale": [1.0, 2.0, 0.5]}
transformed("exp", lambda: [t.ExpTransform()], '"exp"', [0.5, 3.0])
transformed("affine", lambda: [t.AffineTransform(1.0, -2.0)], '{"type": "affine", "loc": 1, "scale": -2.0}', [0.5, 3.0])
transformed("sigmoid", lambda: [t.SigmoidTransform()], '["sigmoid"]', [0.1, 0.6])
transformed("tanh", lambda: [t.TanhTransform()], '["tanh"]', [-0.9, 0.6])
transformed("softplus", lambda: [t.SoftplusTransform()], '["softplus"]', [0.3, 6.0])
transformed("power", lambda: [t.ExpTransform(), t.PowerTransform(torch.tensor(2.0))], '["exp", {"type": "power", "exponent": 2}]', [0.3, 6.0])
transformed("compose", lambda: [t.ComposeTransform([t.AffineTransform(0.0, 0.5), t.TanhTransform()]), t.AffineTransform(1.0, 3.0)],
            '[{"type": "compose", "of": [{"type": "affine", "scale": 0.5}, "tanh"]}, {"type": "affine", "loc": 1, "scale": 3}]', [-1.0, 2.0])
transformed("inverse", lambda: [t.ExpTransform().inv], '{"type": "inverse", "of": "exp"}', [-0.5, 0.5], {"low": 0.5, "high": 2.0}, d.Uniform, "td.uniform")
transformed("independent", lambda: [t.IndependentTransform(t.ExpTransform(), 1)], '{"type": "independent", "of": "exp", "ndims": 1}', [[0.5, 3.0, 1.0]], row)
transformed("reshape", lambda: [t.ReshapeTransform((3,), (3, 1))], '{"type": "reshape", "in": [3], "out": [3, 1]}', [[[0.5], [3.0], [1.0]]], row)
transformed("stick", lambda: [t.StickBreakingTransform()], '"stick_breaking"', [[0.2, 0.3, 0.4, 0.1]], row)
transformed("corr_cholesky", lambda: [t.CorrCholeskyTransform()], '"corr_cholesky"', [[[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]]], row)
transformed("cdf", lambda: [t.CumulativeDistributionTransform(d.Gumbel(torch.tensor(0.0), torch.tensor(1.0)))],
            '{"type": "cdf", "of": "td.gumbel", "params": {"loc": 0, "scale": 1}}', [0.1, 0.6])
transformed("stack", lambda: [t.StackTransform([t.ExpTransform(), t.TanhTransform(), t.AffineTransform(0.0, 2.0)])],
            '{"type": "stack", "of": ["exp", "tanh", {"type": "affine", "scale": 2}]}', [0.5, 0.3, 1.0], row)
transformed("cat", lambda: [t.CatTransform([t.ExpTransform(), t.SigmoidTransform()], -1, [2, 1])],
            '{"type": "cat", "of": ["exp", "sigmoid"], "dim": -1, "lengths": [2, 1]}', [[0.5, 0.3, 0.9]], row)
case("independent/1", "td.normal", row, lambda **k: d.Independent(d.Normal(**k), 1), [[0.5, 3.0, 1.0]], independent=1)
case("independent/2", "td.gamma", {"concentration": [[1.5, 2.0]], "rate": [[1.0], [2.0]]},
     lambda concentration, rate: d.Independent(d.Gamma(*torch.broadcast_tensors(concentration, rate)), 2), [[0.5, 3.0]], independent=2)
case("independent/categorical", "td.categorical", {"probs": [[0.2, 0.8], [0.6, 0.4]]}, lambda **k: d.Independent(d.Categorical(**k), 1), torch.tensor([[0, 1]]), independent=1)


def build(type_, **params):
    return type_, {k: torch.tensor(v) for k, v in params.items()}


classes = {
    "normal": d.Normal, "laplace": d.Laplace, "gumbel": d.Gumbel, "uniform": d.Uniform, "beta": d.Beta, "gamma": d.Gamma,
    "exponential": d.Exponential, "pareto": d.Pareto, "bernoulli": d.Bernoulli, "poisson": d.Poisson, "cauchy": d.Cauchy,
    "binomial": d.Binomial, "geometric": d.Geometric, "categorical": d.Categorical, "dirichlet": d.Dirichlet,
    "one_hot_categorical": d.OneHotCategorical, "half_normal": d.HalfNormal, "chi2": d.Chi2, "log_normal": d.LogNormal,
    "multivariate_normal": d.MultivariateNormal, "low_rank_multivariate_normal": d.LowRankMultivariateNormal,
    "continuous_bernoulli": d.ContinuousBernoulli, "inverse_gamma": d.InverseGamma, "student_t": d.StudentT,
    "half_cauchy": d.HalfCauchy, "logistic_normal": d.LogisticNormal, "wishart": d.Wishart, "ordinal": Ordinal,
}
pool = [
    build("normal", loc=0.5, scale=2.0), build("normal", loc=1.0, scale=0.7), build("laplace", loc=1.0, scale=0.5),
    build("laplace", loc=0.5, scale=1.5), build("gumbel", loc=0.5, scale=2.0), build("gumbel", loc=0.2, scale=1.1),
    build("uniform", low=0.2, high=0.8), build("uniform", low=0.1, high=3.0), build("beta", concentration1=2.0, concentration0=3.0),
    build("beta", concentration1=1.5, concentration0=0.7), build("gamma", concentration=2.5, rate=1.5), build("gamma", concentration=1.2, rate=0.5),
    build("exponential", rate=1.5), build("exponential", rate=0.4), build("pareto", scale=1.5, alpha=3.0), build("pareto", scale=0.1, alpha=2.5),
    build("bernoulli", probs=[0.0, 0.3, 1.0]), build("bernoulli", logits=[-1.0, 0.5, 0.0]), build("poisson", rate=2.5), build("poisson", rate=1.1),
    build("cauchy", loc=0.5, scale=2.0), build("cauchy", loc=0.1, scale=1.0), build("binomial", total_count=4.0, probs=0.3),
    build("geometric", probs=0.3), build("geometric", probs=0.6), build("categorical", probs=[0.2, 0.0, 0.8]), build("categorical", logits=[0.1, 0.2, 0.3]),
    build("dirichlet", concentration=[1.5, 2.0, 0.5]), build("dirichlet", concentration=[1.0, 1.0, 1.0]),
    build("one_hot_categorical", probs=[0.2, 0.3, 0.5]), build("one_hot_categorical", probs=[0.5, 0.5, 0.0]),
    build("half_normal", scale=2.0), build("half_normal", scale=0.5), build("chi2", df=3.0), build("chi2", df=1.0),
    build("log_normal", loc=0.2, scale=0.6), build("log_normal", loc=0.0, scale=1.0), build("student_t", df=3.0),
    build("multivariate_normal", loc=[0.5, -0.5], covariance_matrix=cov.tolist()), build("multivariate_normal", loc=[0.0, 0.0], scale_tril=[[1.0, 0.0], [0.5, 2.0]]),
    build("low_rank_multivariate_normal", loc=[0.0, 1.0], cov_factor=[[1.0], [0.5]], cov_diag=[1.0, 2.0]),
    build("low_rank_multivariate_normal", loc=[0.3, 0.0], cov_factor=[[0.2], [0.5]], cov_diag=[0.5, 1.0]),
    build("continuous_bernoulli", probs=0.3), build("continuous_bernoulli", probs=0.5),
    build("half_cauchy", scale=2.0), build("half_cauchy", scale=0.5), build("ordinal", scores=[0.5, -1.0, 2.0]),
    build("logistic_normal", loc=[0.0, 0.5], scale=[1.0, 0.5]), build("logistic_normal", loc=[1.0, 0.5], scale=[0.3, 0.5]),
    build("wishart", df=3.5, covariance_matrix=cov.tolist()), build("wishart", df=5.0, scale_tril=[[1.0, 0.0], [0.5, 2.0]]),
]
left_out = {("inverse_gamma", "inverse_gamma")}  # stock falls back on gradients of the log-normaliser
for pn, pp in pool:
    for qn, qp in pool:
        if (pn, qn) in left_out:
            continue
        try:
            value = d.kl_divergence(classes[pn](**pp), classes[qn](**qp))
        except NotImplementedError:
            value = None
        lines.append("kl")
        for side, (name, params) in (("p", (pn, pp)), ("q", (qn, qp))):
            lines.append(f"type {side} td.{name}")
            for k, v in params.items():
                lines.append(f"param {side} {k} {tensor_text(v)}")
        lines.append("without kl" if value is None else f"result {tensor_text(value)}")
        lines.append("end")

pathlib.Path(__file__).with_name("dist.txt").write_text("\n".join(lines) + "\n")
print(sum(line.startswith("case") for line in lines), "cases,", sum(line == "kl" for line in lines), "divergences")
