"""Stock Python tensordict and the library read and write each other's HDF5 files.

The library runs in programs/hdf5_peer.c, never in this process: two LibTorch cannot live in one.
"""

import os
import pathlib
import sys
import tempfile
import unittest

try:
    import h5py
    import torch
    from tensordict import NonTensorStack, PersistentTensorDict, TensorDict
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict h5py`")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
from programs import run

DATA = pathlib.Path(os.environ.get("TD_TEST_DATA", pathlib.Path(__file__).parents[1] / "data")) / "fixtures" / "hdf5"


def peer(*arguments):
    return run("hdf5_peer", *arguments)


def read(path):
    """What stock Python has in memory for the file."""
    td = PersistentTensorDict.from_h5(path)
    try:
        return td.to_tensordict()
    finally:
        td.close()


def leaves(td):
    """{key: (dtype, shape, bytes)} of the tensors, as hdf5_peer shows them."""
    found = {}
    for key in td.keys(include_nested=True, leaves_only=True):
        value = td.get(key)
        if isinstance(value, torch.Tensor):
            raw = value.contiguous().flatten().view(torch.uint8) if value.numel() else []
            name = "|".join(key) if isinstance(key, tuple) else key
            found[name] = (str(value.dtype)[6:], tuple(value.shape), bytes(list(map(int, raw))).hex())
    return found


def shown(text):
    rows = [line.split("\t") for line in text.splitlines()]
    return {key: (dtype, tuple(int(n) for n in shape.split(",") if n), data) for key, dtype, shape, data in rows}


def everything():
    """All dtypes that both have in the oldest LibTorch, nested and empty entries."""
    types = "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128".split()
    return TensorDict(
        {
            **{name: torch.arange(6).view(2, 3).to(getattr(torch, name)) for name in types},
            "n": {"ж.x": torch.randn(2, 3), "deep": {"none": torch.zeros(2, 0)}},
        },
        batch_size=[2],
    )


class Hdf5(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name)
        self.file = self.path / "file.h5"

    def python_writes(self, td, **options):
        PersistentTensorDict.from_dict(td, self.file, **options).close()

    def test_we_open_what_python_writes(self):
        for options in ({}, {"compression": "gzip", "chunks": True}):
            with self.subTest(options):
                td = everything()
                self.python_writes(td, **options)
                self.assertEqual(shown(peer("show", self.file)), leaves(td))

    def test_python_opens_what_we_write(self):
        peer("create", self.file)
        td = PersistentTensorDict.from_h5(self.file, batch_size=[4])
        self.assertEqual(td.batch_size, torch.Size([4]))
        self.assertTrue((td["a"] == torch.arange(4.0).view(4, 1).expand(4, 2)).all())
        self.assertEqual(td["n", "flags"].tolist(), [False, True, False, True])
        self.assertEqual(td["n", "z"].tolist(), [0, -1, -2, -3])
        self.assertEqual(td["ж"].dtype, torch.int8)
        text = td["text"]
        self.assertEqual(text.decode() if isinstance(text, bytes) else text, "hé")
        self.assertEqual(int(td["number"]), 3)
        self.assertEqual(td[1:3]["a"].tolist(), [[1, 1], [2, 2]])
        if hasattr(td.get("words"), "tolist"):  # stacks of strings came with 0.15
            self.assertEqual([str(w.decode() if isinstance(w, bytes) else w) for w in td.get("words").tolist()], list("abcd"))
        td.close()

    def test_what_python_writes_survives_our_copy(self):
        td = everything()
        td.set_non_tensor("text", "hé")
        td.set_non_tensor("number", 3)
        td.set_non_tensor("list", [1, 2])
        self.python_writes(td)
        peer("copy", self.file, self.path / "copy.h5")
        before, after = read(self.file), read(self.path / "copy.h5")
        self.assertEqual(leaves(after), leaves(before))
        self.assertEqual(set(after.keys()), set(before.keys()))
        for key in ("text", "number", "list"):
            self.assertEqual(str(after[key]), str(before[key]))

    def test_stacks_of_values_go_both_ways(self):
        td = TensorDict({"a": torch.zeros(2), "s": NonTensorStack("a", "bc"), "i": NonTensorStack(1, 2)}, [2])
        try:
            self.python_writes(td)
        except (AttributeError, TypeError, ValueError) as e:
            self.skipTest(f"this tensordict writes no stacks: {e}")
        peer("copy", self.file, self.path / "copy.h5")
        before, after = read(self.file), read(self.path / "copy.h5")
        for key in ("s", "i"):
            self.assertEqual(list(map(str, after[key])), list(map(str, before[key])))

    def test_we_write_into_files_of_python_and_python_into_ours(self):
        td = TensorDict({"a": torch.zeros(3, 2), "n": {"b": torch.arange(3)}}, [3])
        self.python_writes(td)
        peer("change", self.file)
        changed = read(self.file)
        self.assertEqual(changed["m"].tolist(), [[0, 0], [9, 9], [9, 9]])
        self.assertEqual(changed["n", "b"].tolist(), [0, 9, 9])
        self.assertEqual(changed["n", "c"].tolist(), [[2], [2], [2]])
        self.assertNotIn("a", changed.keys())
        peer("create", self.path / "ours.h5")
        ours = PersistentTensorDict.from_h5(self.path / "ours.h5", mode="r+", batch_size=[4])
        ours["a"] = torch.full((4, 2), 5.0)
        ours["new"] = torch.ones(4)
        ours.close()
        there = shown(peer("show", self.path / "ours.h5"))
        self.assertEqual(there["a"][2], "0000a040" * 8)
        self.assertIn("new", there)

    def test_fixtures_have_the_same_leaves(self):
        for case in ("basic", "dtypes", "empty", "lazy", "names", "zero_dim", "gzip", "slash_key"):
            with self.subTest(case):
                td = PersistentTensorDict.from_h5(DATA / f"{case}.h5")
                expected = leaves(td)
                td.close()
                if case == "dtypes":
                    expected = {k: v for k, v in expected.items() if v[0] not in ("uint16", "uint32", "uint64")}
                there = shown(peer("show", DATA / f"{case}.h5"))
                self.assertEqual({k: there[k] for k in expected}, expected)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
