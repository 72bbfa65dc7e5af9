"""The library prints tensors as stock torch does."""

import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
    from tensordict import TensorDict
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "text_peer")
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128)
INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool)


def some_shape(rng):
    if rng.random() < 0.15:  # too many elements to print them all
        return rng.choice([(1001,), (7, 150), (8, 7, 30), (2, 3, 4, 50), (40, 40), (1, 2000), (2000, 1)])
    return tuple(rng.choice([0, 1, 2, 3, 7, 12] if rng.random() < 0.2 else [1, 2, 3, 7, 12])
                 for _ in range(rng.randrange(4)))


def some_tensor(rng):
    shape, dtype = some_shape(rng), rng.choice(FLOATS + INTEGERS)
    if dtype in INTEGERS:
        high = rng.choice([2, 100, 127, 10**12 if dtype == torch.int64 else 128])
        return torch.randint(0 if dtype in (torch.uint8, torch.bool) else -high, min(high, 127) if
                             dtype in (torch.uint8, torch.int8) else high, shape).to(dtype)
    t = torch.randn(shape, dtype=torch.complex128 if dtype.is_complex else torch.float64)
    kind = rng.randrange(5)
    if kind == 0:
        t = t.mul(10).round() if not dtype.is_complex else torch.complex(t.real.round(), t.imag.mul(50).round())
    elif kind == 1:
        t = t * 10.0 ** rng.randrange(-9, 10)
    elif kind == 2:
        t = t * torch.pow(10.0, torch.randint(-4, 5, shape).double())
    if t.numel() and not dtype.is_complex and rng.random() < 0.5:
        flat = t.reshape(-1)
        for special in (math.nan, -math.inf, math.inf, 0.0, -0.0):
            if rng.random() < 0.4:
                flat[rng.randrange(flat.numel())] = special
    return t.to(dtype)


class Text(unittest.TestCase):
    def test_tensors_are_printed_alike(self):
        rng = random.Random(11)
        torch.manual_seed(11)
        tensors = {str(i): some_tensor(rng) for i in range(600)}
        with tempfile.TemporaryDirectory() as directory:
            TensorDict(tensors, []).memmap(directory)
            done = subprocess.run([PEER, "print", directory], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        texts = done.stdout.split("\0")[:-1]
        self.assertEqual(len(texts), len(tensors))
        for text, tensor in zip(texts, tensors.values()):
            self.assertEqual(text, repr(tensor))


if __name__ == "__main__":
    unittest.main()
