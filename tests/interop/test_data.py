"""Stock Python tensordict and the library read each other's non-tensor data.

The library runs in programs/data_peer.c, never in this process: two LibTorch cannot live in one.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
    from tensordict import NonTensorData, NonTensorStack, TensorDict
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
from programs import run

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "data_peer")
DATA = pathlib.Path(os.environ.get("TD_TEST_DATA", pathlib.Path(__file__).parents[1] / "data"))


def peer(*arguments):
    return run("data_peer", *arguments)


# What data_peer saves: key, batch size, values.
EXAMPLE = {
    "s": ((2,), "h\u00e9\n"),
    "inf": ((2,), float("-inf")),
    ("n", "json"): ((2,), {"k": [1, None, 1e16], "\u0436": {}}),
    ("n", "two"): ((2,), ["it's", 2.5]),
    ("deep", "four"): ((2, 2), [[1, None], [True, "d"]]),
}


def values(td, keys=EXAMPLE):
    found = {}
    for key in keys:
        entry = td.get(key)
        found[key] = (tuple(entry.batch_size), entry.tolist() if isinstance(entry, NonTensorStack) else entry.data)
    return found


class Data(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)

    def test_python_loads_what_we_save(self):
        peer("save", self.path / "save")
        self.assertEqual(values(TensorDict.load_memmap(self.path / "save")), EXAMPLE)

    def test_what_python_saves_survives_our_copy(self):
        td = TensorDict(
            {
                "x": torch.zeros(2),
                "text": "a",
                "long": NonTensorData(2**70, batch_size=[2]),
                "none": NonTensorData(None, batch_size=[2]),
                "list": NonTensorData([1, [True, {"a": 0.1}]], batch_size=[2]),
                "stack": NonTensorStack("a", 1),
                "deep": NonTensorStack(NonTensorStack("a", "b"), NonTensorStack("c", "d"), stack_dim=1),
            },
            [2],
        )
        td.memmap(self.path / "one")
        peer("copy", self.path / "one", self.path / "two")
        keys = ("text", "long", "none", "list", "stack", "deep")
        loaded = TensorDict.load_memmap(self.path / "two")
        self.assertEqual(values(loaded, keys), values(TensorDict.load_memmap(self.path / "one"), keys))
        self.assertEqual(values(loaded, keys), values(td, keys))

    def test_python_loads_our_copies_of_old_saves(self):
        for case in ("nontensor_json", "nontensor_str_int_json", "nontensor_batch", "nontensorstack_nested"):
            with self.subTest(case):
                old = DATA / "fixtures" / "memmap" / case
                peer("copy", old, self.path / case)
                copy, original = TensorDict.load_memmap(self.path / case), TensorDict.load_memmap(old)
                self.assertEqual(str(copy.to_dict()), str(original.to_dict()))

    def test_python_opens_a_segment_with_data(self):
        owner = subprocess.Popen(
            [PEER, "own", f"td-data-{os.getpid()}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            td = TensorDict.from_consolidated(owner.stdout.readline().strip())
            self.assertEqual(values(td), EXAMPLE)
        finally:
            owner.communicate()
        self.assertEqual(owner.returncode, 0)


if __name__ == "__main__":
    unittest.main()
