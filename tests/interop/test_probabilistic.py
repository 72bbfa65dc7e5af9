"""Probabilistic modules beside tensordict's: the same keys, the same samples for a seed, the same log-probabilities.

The library runs in programs/probabilistic_peer.c, never in this process: two LibTorch cannot live in one.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
    from tensordict import TensorDict
    from tensordict.nn import ProbabilisticTensorDictModule, set_composite_lp_aggregate
    from tensordict.nn.distributions import Delta
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

from torch import distributions as d

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "probabilistic_peer")


def f(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)), dtype=torch.float64)


def case(id, made, interaction="random", out="a", aggregate=False, samples=None, config=None, **params):
    return dict(type=id, made=made, interaction=interaction, out=out, aggregate=aggregate, samples=samples, config=config or {}, params=params)


loc, scale = f(3, 4), f(3, 4).exp()
CONTINUOUS = [
    case("td.normal", d.Normal, loc=loc, scale=scale),
    case("td.normal", d.Normal, loc=loc.float(), scale=scale.float()),
    case("td.normal", d.Normal, out="n.a", loc=loc, scale=scale),
    case("td.normal", d.Normal, aggregate=True, loc=loc, scale=scale),
    case("td.normal", d.Normal, samples=5, loc=loc, scale=scale),
    case("td.normal", d.Normal, samples=0, loc=loc, scale=scale),
    case("td.uniform", d.Uniform, low=loc, high=loc + scale),
    case("td.exponential", d.Exponential, rate=scale),
    case("td.gamma", d.Gamma, concentration=scale, rate=scale + 1),
    case("td.laplace", d.Laplace, loc=loc, scale=scale),
    case("td.log_normal", d.LogNormal, loc=loc, scale=scale),
]
DISCRETE = [
    case("td.bernoulli", d.Bernoulli, logits=loc),
    case("td.bernoulli", d.Bernoulli, samples=3, probs=loc.sigmoid()),
    case("td.poisson", d.Poisson, rate=scale),
]
# multinomial() draws other numbers in other versions of LibTorch: our samples are scored by stock Python.
OWN_DRAWS = [
    case("td.categorical", d.Categorical, logits=loc),
    case("td.categorical", d.Categorical, probs=scale),
    case("td.categorical", d.Categorical, out="n.a", probs=scale),
    case("td.one_hot_categorical", d.OneHotCategorical, logits=loc),
]
OTHER = [
    case("td.normal", d.Normal, interaction, loc=loc, scale=scale) for interaction in ("mean", "mode", "deterministic")
] + [
    case("td.categorical", d.Categorical, interaction, logits=loc) for interaction in ("mode", "deterministic")
] + [
    case("td.gamma", d.Gamma, interaction, concentration=scale + 1, rate=scale) for interaction in ("mean", "mode", "deterministic")
] + [
    case("td.delta", Delta, "deterministic", param=loc),
    case("td.normal", d.Normal, "mean", samples=2, loc=loc, scale=scale),
]  # fmt: skip


class Probabilistic(unittest.TestCase):
    def same(self, ours, theirs, what):
        keys = set(ours.keys(True, True)), set(theirs.keys(True, True))
        self.assertEqual(*keys, what)
        self.assertEqual(ours.batch_size, theirs.batch_size, what)
        for key in keys[0]:
            a, b = ours.get(key), theirs.get(key)
            self.assertEqual((a.shape, a.dtype), (b.shape, b.dtype), (what, key))
            torch.testing.assert_close(a, b, rtol=1e-6, atol=1e-6, equal_nan=True, msg=lambda m: f"{what} {key}: {m}")

    def run_case(self, case, directory, seed):
        data = TensorDict(case["params"], [3])
        data.memmap(directory / "data")
        out = tuple(case["out"].split(".")) if "." in case["out"] else case["out"]
        with set_composite_lp_aggregate(case["aggregate"]):
            module = ProbabilisticTensorDictModule(
                in_keys=list(case["params"]), out_keys=[out], distribution_class=case["made"], return_log_prob=True,
                default_interaction_type=case["interaction"], num_samples=case["samples"], generator=seed,
            )  # fmt: skip
            result = module(data.clone())
            score = None if case["samples"] is not None else module.log_prob(result)
            keys = module.out_keys
        samples = -1 if case["samples"] is None else case["samples"]
        fields = (
            case["type"], json.dumps(case["config"]), directory, ",".join(case["params"]), case["out"],
            case["interaction"], int(case["aggregate"]), samples, seed,
        )  # fmt: skip
        self.peer.stdin.write("\t".join(map(str, fields)) + "\n")
        self.peer.stdin.flush()
        printed = self.peer.stdout.readline()
        if not printed:
            self.fail(self.peer.stderr.read())
        self.assertEqual(printed.strip().split(","), [".".join(k) if isinstance(k, tuple) else k for k in keys])
        load = lambda name: TensorDict.load_memmap(directory / name)
        if any(case is own for own in OWN_DRAWS):
            ours = load("result")
            result.set(out, ours.get(out))
            score = module.log_prob(result)
            result.set(keys[-1], score)
        self.same(load("result"), result.contiguous(), "result")
        if score is not None:
            self.same(load("score"), TensorDict(log_prob=score), "log_prob")

    def run_cases(self, cases):
        pipe = subprocess.PIPE
        self.peer = subprocess.Popen([PEER], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.addCleanup(self.peer.communicate)
        for i, case in enumerate(cases):
            with self.subTest(f"{i} {case['type']} {case['interaction']}"), tempfile.TemporaryDirectory() as directory:
                self.run_case(case, pathlib.Path(directory), seed=11 + i)

    def test_continuous_samples(self):
        self.run_cases(CONTINUOUS)

    def test_discrete_samples(self):
        self.run_cases(DISCRETE)

    def test_own_draws(self):
        self.run_cases(OWN_DRAWS)

    def test_other_interaction_types(self):
        self.run_cases(OTHER)


if __name__ == "__main__":
    unittest.main()
