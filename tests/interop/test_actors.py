"""A learner in stock Python trains a policy that actors in other languages play with: the weights go to them in a memmap
directory, and what they see comes back in a segment, both without a copy."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest

try:
    import torch
    import tensordict  # noqa: F401, the learner needs it
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import matrix_peers as peers

LEARNER = peers.ROOT / "bindings/go/examples/actor/learner.py"
ACTORS = {"Go": peers.go, "C#": peers.csharp, "Julia": peers.julia}


class Actors(unittest.TestCase):
    def test_learning(self):
        spec = importlib.util.spec_from_file_location("learner", LEARNER)
        learner = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(learner)
        for language, make in ACTORS.items():
            with self.subTest(language), tempfile.TemporaryDirectory() as directory:
                try:
                    actor = make(pathlib.Path(directory), "actor")
                except peers.Missing as why:
                    print(f"{language}: SKIPPED: {why}", file=sys.stderr)
                    continue
                torch.manual_seed(0)
                self.assertGreater(learner.learn(actor, 150, peers.ENVIRONMENT), -0.5)


if __name__ == "__main__":
    unittest.main()
