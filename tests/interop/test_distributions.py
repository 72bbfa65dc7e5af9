"""Every distribution type with random parameters, here and in stock Python.

The library runs in programs/dist_peer.c, never in this process: two LibTorch cannot live in one.
"""

import math
import os
import pathlib
import subprocess
import sys
import unittest

try:
    import torch
    import torch.distributions as d
    from tensordict.nn.distributions import Delta, TruncatedNormal
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

try:  # its own types are compared where it is installed
    from torchrl.modules.distributions import MaskedCategorical, OneHotOrdinal, Ordinal, TanhNormal

    TORCHRL = True
except ImportError:
    TORCHRL = False

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "dist_peer")
SEED = int(os.environ.get("TD_TEST_SEED", "0"))
WORDS = ("log_prob", "cdf", "icdf", "mean", "mode", "variance", "stddev", "entropy")
torch.set_default_dtype(torch.float64)


def text(t):
    t = t.detach()
    return " ".join(map(str, [t.dim(), *t.shape, *(repr(float(v)) for v in t.reshape(-1).tolist())]))


def real(*shape):
    return torch.randn(shape)


def positive(*shape):
    return torch.rand(shape) * 3 + 0.2


def unit(*shape):
    return torch.rand(shape) * 0.9 + 0.05


def simplex(*shape):
    return torch.softmax(torch.randn(shape), -1)


def tril(*shape):
    t = torch.randn(shape).tril(-1)
    return t + torch.diag_embed(torch.rand(shape[:-1]) + 0.5)


def spread(make):
    return lambda **k: make(**dict(zip(k, torch.broadcast_tensors(*k.values()))))


# type: constructor, parameters, config.
TYPES = {
    "normal": (d.Normal, lambda: {"loc": real(3), "scale": positive(2, 3)}),
    "log_normal": (d.LogNormal, lambda: {"loc": real(3), "scale": positive(2, 3) / 3}),
    "half_normal": (d.HalfNormal, lambda: {"scale": positive(3)}),
    "laplace": (d.Laplace, lambda: {"loc": real(3), "scale": positive(2, 3)}),
    "cauchy": (d.Cauchy, lambda: {"loc": real(3), "scale": positive(2, 3)}),
    "half_cauchy": (d.HalfCauchy, lambda: {"scale": positive(3)}),
    "gumbel": (spread(d.Gumbel), lambda: {"loc": real(3), "scale": positive(2, 3)}),
    "uniform": (d.Uniform, lambda: {"low": -positive(3), "high": positive(2, 3)}),
    "gamma": (d.Gamma, lambda: {"concentration": positive(3), "rate": positive(2, 3)}),
    "chi2": (d.Chi2, lambda: {"df": positive(3)}),
    "exponential": (d.Exponential, lambda: {"rate": positive(3)}),
    "inverse_gamma": (spread(d.InverseGamma), lambda: {"concentration": positive(3) + 3, "rate": positive(2, 3)}),
    "fisher_snedecor": (d.FisherSnedecor, lambda: {"df1": positive(3), "df2": positive(2, 3) + 5}),
    "student_t": (d.StudentT, lambda: {"df": positive(3), "loc": real(2, 3), "scale": positive(1)}),
    "beta": (d.Beta, lambda: {"concentration1": positive(3), "concentration0": positive(2, 3)}),
    "dirichlet": (d.Dirichlet, lambda: {"concentration": positive(2, 4)}),
    "weibull": (d.Weibull, lambda: {"scale": positive(3), "concentration": positive(2, 3)}),
    "pareto": (d.Pareto, lambda: {"scale": positive(3), "alpha": positive(2, 3)}),
    "kumaraswamy": (d.Kumaraswamy, lambda: {"concentration1": positive(3), "concentration0": positive(2, 3)}),
    "von_mises": (d.VonMises, lambda: {"loc": real(3), "concentration": positive(2, 3)}),
    "poisson": (d.Poisson, lambda: {"rate": positive(3)}),
    "bernoulli": (d.Bernoulli, lambda: {"logits": real(3)}),
    "continuous_bernoulli": (d.ContinuousBernoulli, lambda: {"probs": unit(3)}),
    "geometric": (d.Geometric, lambda: {"probs": unit(3)}),
    "binomial": (d.Binomial, lambda: {"total_count": torch.full((3,), 7.0), "probs": unit(3)}),
    "negative_binomial": (d.NegativeBinomial, lambda: {"total_count": positive(3), "logits": real(3)}),
    "relaxed_bernoulli": (d.RelaxedBernoulli, lambda: {"temperature": torch.tensor(0.7), "logits": real(3)}),
    "categorical": (d.Categorical, lambda: {"logits": real(2, 4)}),
    "one_hot_categorical": (d.OneHotCategorical, lambda: {"probs": simplex(2, 4)}),
    "multinomial": (lambda **k: d.Multinomial(5, **k), lambda: {"probs": simplex(2, 4)}, '{"total_count": 5}'),
    "relaxed_one_hot_categorical": (d.RelaxedOneHotCategorical, lambda: {"temperature": torch.tensor(0.7), "logits": real(2, 4)}),
    "multivariate_normal": (d.MultivariateNormal, lambda: {"loc": real(2, 3), "scale_tril": tril(3, 3)}),
    "low_rank_multivariate_normal": (d.LowRankMultivariateNormal, lambda: {"loc": real(3), "cov_factor": real(2, 3, 2), "cov_diag": positive(2, 3)}),
    "logistic_normal": (d.LogisticNormal, lambda: {"loc": real(2, 3), "scale": positive(2, 3)}),
    "wishart": (d.Wishart, lambda: {"df": positive(2) + 3, "scale_tril": tril(2, 3, 3)}),
    "lkj_cholesky": (lambda concentration: d.LKJCholesky(3, concentration), lambda: {"concentration": positive(2)}, '{"dim": 3}'),
    "truncated_normal": (TruncatedNormal, lambda: {"loc": real(3), "scale": positive(3), "a": -positive(3), "b": positive(3)}),
}


TYPES.update(
    {
        "logit_relaxed_bernoulli": (d.relaxed_bernoulli.LogitRelaxedBernoulli, lambda: {"temperature": torch.tensor(0.7), "logits": real(3)}),
        "exp_relaxed_categorical": (d.relaxed_categorical.ExpRelaxedCategorical, lambda: {"temperature": torch.tensor(0.7), "probs": simplex(2, 4)}),
        "delta": (lambda param: Delta(param, batch_shape=(2, 3), event_shape=()), lambda: {"param": real(2, 3)}, '{"event_dims": 0}'),
    }
)
if hasattr(d, "GeneralizedPareto"):
    TYPES["generalized_pareto"] = (
        d.GeneralizedPareto, lambda: {"loc": real(3), "scale": positive(2, 3), "concentration": torch.tensor([0.0, 0.4, -0.7])}
    )
if TORCHRL:
    TYPES.update(
        {
            "ordinal": (Ordinal, lambda: {"scores": real(2, 4)}),
            "one_hot_ordinal": (OneHotOrdinal, lambda: {"scores": real(2, 4)}),
            "masked_categorical": (
                lambda logits, mask: MaskedCategorical(logits=logits, mask=mask.bool(), neg_inf=-5.0, use_cross_entropy=False),
                lambda: {"logits": real(2, 4), "mask": torch.tensor([[1.0, 0, 1, 1], [1, 1, 1, 0]])}, '{"neg_inf": -5.0}',
            ),
            "tanh_normal": (
                lambda loc, scale: TanhNormal(loc, scale, low=-2.0, high=3.0, event_dims=0),
                lambda: {"loc": real(2, 3), "scale": positive(2, 3) / 3}, '{"event_dims": 0, "low": -2.0, "high": 3.0}',
            ),
        }
    )  # fmt: skip


def given(name, params):
    config = TYPES[name][2:]
    return [f"type td.{name}", f"config {config[0] if config else '{}'}", *(f"param {k} {text(v)}" for k, v in params.items())]


def questions(name):
    make, params = TYPES[name][:2]
    params = params()
    dist = make(**params)
    value = dist.sample()
    lines = given(name, params)
    wanted = []
    for word in WORDS:
        about = torch.rand(dist.batch_shape) if word == "icdf" else value
        try:
            get = getattr(dist, word)
            answer = get(about) if word in ("log_prob", "cdf", "icdf") else get() if callable(get) else get
        except (NotImplementedError, AttributeError, RuntimeError):
            answer = None
        lines += [f"value {text(about)}", f"ask {word}"]
        wanted.append((word, answer))
    lines += ["ask sample", "end"]
    wanted.append(("sample", dist))
    return lines, wanted


def close(got, wanted):
    if math.isnan(got) or math.isnan(wanted):
        return math.isnan(got) and math.isnan(wanted)
    if math.isinf(got) or math.isinf(wanted):
        return got == wanted
    return abs(got - wanted) <= 1e-7 * (1 + abs(wanted))


class Distributions(unittest.TestCase):
    def test_every_type_gives_what_stock_python_gives(self):
        torch.manual_seed(SEED)
        lines, wanted = [], []
        for name in TYPES:
            more, answers = questions(name)
            lines += more
            wanted += [(name, *answer) for answer in answers]
        self.compare(lines, wanted)

    def test_every_pair_of_types_diverges_as_in_stock_python(self):
        torch.manual_seed(SEED)
        lines, wanted = [], []
        for p in TYPES:
            params = TYPES[p][1]()
            lines += [*given(p, params), "keep", "end"]
            for q in TYPES:
                other = TYPES[q][1]()
                if p == q == "wishart":  # stock Python sums over batch dims by mistake
                    params, other = ({k: v[0] for k, v in x.items()} for x in (params, other))
                    lines += [*given(p, params), "keep", "end"]
                if p == q and p in ("weibull", "kumaraswamy", "tanh_normal"):
                    continue  # there, of equal parameters or bounds only: td_dist_transformed has those
                if p == "masked_categorical" or q == "masked_categorical":
                    continue  # in one direction only, here
                try:
                    answer = d.kl_divergence(TYPES[p][0](**params), TYPES[q][0](**other))
                except NotImplementedError:
                    answer = None
                except (RuntimeError, IndexError):  # shapes that do not fit each other
                    continue
                lines += [*given(q, other), "ask kl", "end"]
                wanted.append((f"{p} to {q}", "kl", answer))
        self.compare(lines, wanted)

    def compare(self, lines, wanted):
        done = subprocess.run([PEER], input="\n".join(lines) + "\n", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = done.stdout.splitlines()
        self.assertEqual(len(answers), len(wanted))
        for line, (name, word, answer) in zip(answers, wanted):
            with self.subTest(type=name, asked=word, seed=SEED):
                said, *rest = line.split()
                self.assertEqual(said, word)
                if answer is None:
                    self.assertEqual(rest[0], "TD_ERR_UNSUPPORTED", line)
                    continue
                self.assertTrue(rest[0].isdigit(), line)
                ndim = int(rest[0])
                shape = tuple(map(int, rest[1 : 1 + ndim]))
                numbers = list(map(float, rest[1 + ndim :]))
                if word == "sample":
                    self.check_draws(answer, torch.tensor(numbers).reshape(shape))
                    continue
                self.assertEqual(shape, tuple(answer.shape))
                for got, want in zip(numbers, answer.reshape(-1).tolist()):
                    self.assertTrue(close(got, want), f"{got} instead of {want}")

    def check_draws(self, dist, draws):
        """Stock Python finds our draws possible, and as likely as its own."""
        own = dist.sample((4000,))
        self.assertEqual(draws.shape, own.shape)
        ours, theirs = dist.log_prob(draws.to(own.dtype)), dist.log_prob(own)
        if torch.isinf(theirs).all():  # one point
            self.assertTrue((draws == own).all())
            return
        ours, theirs = ours.clamp(-50, 50), theirs.clamp(-50, 50)  # where rounding reaches an end the density may be infinite
        spread = (ours.var(0) + theirs.var(0)).sqrt() / 4000**0.5
        difference = (ours.mean(0) - theirs.mean(0)).abs()
        self.assertTrue((difference <= 6 * spread + 1e-9).all(), f"log_prob of draws is {difference} off, {spread}")


if __name__ == "__main__":
    unittest.main()
