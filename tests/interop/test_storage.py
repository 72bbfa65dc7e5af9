"""Stock Python tensordict and the library read each other's saves and segments.

The library runs in programs/storage_peer.c, never in this process: two LibTorch cannot live in one.
"""

import contextlib
import fcntl
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

try:
    import torch
    from tensordict import NonTensorData, NonTensorStack, TensorDict, lazy_stack, tensorclass
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
from programs import run

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "storage_peer")
README = pathlib.Path(__file__).parents[2] / "README.md"
DATA = pathlib.Path(os.environ.get("TD_TEST_DATA", pathlib.Path(__file__).parents[1] / "data"))


def peer(*arguments):
    return run("storage_peer", *arguments)


def example(offset=0):
    """What storage_peer saves."""
    return TensorDict(
        {
            "a": torch.arange(6, dtype=torch.float32).view(2, 3) + offset,
            "n": {
                "b/c": torch.tensor([-1, 2**63 - 1]),
                "ж": torch.tensor([[True], [False]]),
                "deep": {"z": torch.tensor([1 + 2j, 3 + 4j], dtype=torch.complex128)},
            },
            "half": torch.tensor([1, 2], dtype=torch.bfloat16),
            "none": torch.zeros(2, 0, dtype=torch.float64),
        },
        batch_size=[2],
    )


def leaves(td):
    """{key: (dtype, shape, bytes)}, as storage_peer shows them."""
    found = {}
    for key in td.keys(include_nested=True, leaves_only=True):
        value = td.get(key)
        raw = value.contiguous().flatten().view(torch.uint8) if value.numel() else []
        name = "|".join(key) if isinstance(key, tuple) else key
        found[name] = (str(value.dtype)[6:], tuple(value.shape), bytes(list(map(int, raw))).hex())
    return found


def shown(text):
    rows = [line.split("\t") for line in text.splitlines()]
    return {key: (dtype, tuple(int(n) for n in shape.split(",") if n), data) for key, dtype, shape, data in rows}


@tensorclass
class Sample:
    x: torch.Tensor
    label: str
    extra: object = None


def plain(data):
    return data.tolist() if isinstance(data, NonTensorStack) else data.data


def conversation(*arguments):
    """A storage_peer that lives, and a function that tells it a line and returns its answer."""
    process = subprocess.Popen([PEER, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    return process, tell


class Storage(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)

    def test_python_loads_what_we_save(self):
        peer("save", self.path / "save")
        loaded = TensorDict.load_memmap(self.path / "save")
        self.assertEqual(leaves(loaded), leaves(example()))
        self.assertEqual(loaded.batch_size, torch.Size([2]))
        self.assertEqual(loaded["n", "deep"].batch_size, torch.Size([2]))

    def test_we_open_what_python_saves(self):
        example().memmap(self.path / "save")
        self.assertEqual(shown(peer("show", self.path / "save")), leaves(example()))

    def test_what_python_saves_survives_our_copy(self):
        everything = {
            name: torch.arange(4).to(getattr(torch, name)).view(2, 2)
            for name in "uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 bool".split()
        }
        td = TensorDict({**everything, "scalars": TensorDict({"x": torch.zeros(2)}, [2]), "..": torch.ones(2)}, [2])
        td.memmap(self.path / "one")
        peer("copy", self.path / "one", self.path / "two")
        self.assertEqual(leaves(TensorDict.load_memmap(self.path / "two")), leaves(td))

    def test_python_loads_our_copies_of_old_saves(self):
        for case in ("basic", "special_keys_leaf", "special_keys_nested", "unicode_keys", "empty_tensors", "empty_batch"):
            with self.subTest(case):
                old = DATA / "fixtures" / "memmap" / case
                peer("copy", old, self.path / case)
                self.assertEqual(leaves(TensorDict.load_memmap(self.path / case)), leaves(TensorDict.load_memmap(old)))

    def test_every_kind_of_collection_survives_our_copy(self):
        td = TensorDict({"x": torch.arange(2.0)}, [2])
        ragged = [TensorDict({"a": torch.arange(float(n)), "s": NonTensorData(f"s{n}")}, []) for n in (3, 5)]
        td["lazy"] = lazy_stack(ragged, 0)
        td["deep"] = lazy_stack([lazy_stack([TensorDict({"a": torch.ones(n)}, []) for n in (1, 2)], 0) for _ in "ab"], 0)
        td["text"] = NonTensorStack("one", "two")
        td["mixed"] = NonTensorStack(["1", None], {"k": [1.5, True]})
        td["bytes"] = NonTensorData(b"\x00\xff", batch_size=[2])
        td["byte_stack"] = NonTensorStack(b"a", b"b" * 300)
        td["object"] = NonTensorData({1: (2, 3)}, batch_size=[2])
        td["objects"] = NonTensorStack({1: 2}, {3})
        td["class"] = Sample(x=torch.ones(2, 3), label="seven", extra=None, batch_size=[2])
        td["ragged"] = torch.nested.nested_tensor([torch.arange(6.0).view(2, 3), torch.ones(1, 4)])
        td.memmap(self.path / "one")
        peer("copy", self.path / "one", self.path / "two")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            one, two = (TensorDict.load_memmap(self.path / name) for name in ("one", "two"))
        self.assertIsInstance(two["class"], Sample)
        self.assertEqual(two["class"].label, "seven")
        self.assertTrue((two["class"].x == 1).all())
        self.assertEqual([t.tolist() for t in two["ragged"].unbind(0)], [t.tolist() for t in td["ragged"].unbind(0)])
        for i in range(2):
            self.assertEqual(two["lazy"][i]["a"].tolist(), ragged[i]["a"].tolist())
            self.assertEqual(two["lazy"][i]["s"], ragged[i]["s"])
            self.assertEqual(two["deep"][i][1]["a"].tolist(), [1, 1])
        for key in ("text", "mixed", "bytes", "byte_stack", "object", "objects"):
            self.assertEqual(plain(two.get(key)), plain(one.get(key)), key)

    def test_nested_tensors_of_every_shape_survive_our_copy(self):
        nested = torch.nested.nested_tensor
        cases = {
            "empty components": (nested([torch.zeros(0, 3), torch.ones(2, 3)]), [2]),
            "nothing but empty components": (nested([torch.zeros(0, 3), torch.zeros(0, 3)]), [2]),
            "no dims": (nested([torch.tensor(1.0), torch.tensor(2.0)]), [2]),
            "2 batch dims": (nested([torch.arange(6.0).view(3, 2), torch.ones(3, 4)]), [2, 3]),
            "3 batch dims": (nested([torch.arange(6.0).view(1, 3, 2), torch.ones(1, 3, 4)]), [2, 1, 3]),
            "all dims are batch dims": (nested([torch.arange(6.0).view(3, 2), torch.ones(3, 2)]), [2, 3, 2]),
        }
        for name, (leaf, batch) in cases.items():
            with self.subTest(name):
                td = TensorDict({"j": leaf, "n": TensorDict({"j": leaf}, batch)}, batch)
                td.memmap(self.path / name)
                peer("copy", self.path / name, self.path / f"{name}-copy")
                loaded = TensorDict.load_memmap(self.path / f"{name}-copy")
                self.assertEqual(list(loaded.batch_size), batch)
                for key in ("j", ("n", "j")):  # of its own save Python loses those without elements
                    self.assertEqual([t.tolist() for t in loaded[key].unbind(0)], [t.tolist() for t in leaf.unbind(0)])

    def test_metadata_opens_in_the_encodings_in_which_python_opens_it(self):
        td = TensorDict({"\u0436": torch.arange(2.0)}, [2])
        td.memmap(self.path / "save")
        meta = (self.path / "save" / "meta.json").read_text("utf-8")
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
            with self.subTest(encoding):
                (self.path / "save" / "meta.json").write_bytes(meta.encode(encoding))
                self.assertEqual(leaves(TensorDict.load_memmap(self.path / "save")), leaves(td))
                self.assertEqual(shown(peer("show", self.path / "save")), leaves(td))
        (self.path / "save" / "meta.json").write_bytes(b"\xef\xbb\xbf" + meta.encode("utf-8-sig"))
        with self.assertRaises(ValueError):
            TensorDict.load_memmap(self.path / "save")
        with self.assertRaises(AssertionError):
            peer("show", self.path / "save")

    def test_views_open_as_what_they_show(self):
        td = TensorDict({"a": torch.arange(12.0).view(4, 3)}, [4])
        for i, index in enumerate((slice(1, None, 2), torch.tensor([3, 0]), torch.tensor([True, False, True, False]), range(3, 0, -2), -1)):
            with self.subTest(index=index):
                td._get_sub_tensordict(index).memmap(self.path / f"{i}")
                expected = td[list(index) if isinstance(index, range) else index]
                self.assertEqual(shown(peer("show", self.path / f"{i}")), leaves(expected))

    def test_a_directory_in_shared_memory_is_live_both_ways(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
            td = TensorDict({"a": torch.zeros(2, 3), "b": torch.zeros(2)}, [2]).memmap(directory)
            ours, tell = conversation("live", directory)
            try:
                self.assertEqual(ours.stdout.readline().strip(), "ready")
                self.assertEqual(tell("fill a 5"), "5")
                self.assertTrue((td["a"] == 5).all())
                td["b"].fill_(3)
                self.assertEqual(tell("first b"), "3")
                tell("make c")
                tell("fill c 9")
                td.memmap_refresh_()
                self.assertEqual(td["c"].tolist(), [9, 9])
                td.make_memmap("d", [2, 2]).fill_(4)
                tell("refresh")
                self.assertEqual(tell("first d"), "4")
                tell("fill d 6")
                self.assertTrue((td["d"] == 6).all())
            finally:
                ours.communicate()
            self.assertEqual(ours.returncode, 0)

    def map_and_see_updates(self, command, example=example, leaves=leaves):
        name = f"td-interop-{os.getpid()}"
        owner, tell = conversation(command, name)
        try:
            path = owner.stdout.readline().strip()
            self.assertEqual(path, f"/dev/shm/{name}")
            td = TensorDict.from_consolidated(path)
            self.assertEqual(leaves(td), leaves(example()))
            for step in (1, 2):
                self.assertEqual(tell(""), str(2 * step))
                self.assertEqual(leaves(td), leaves(example(step)), "the update does not show in Python's mapping")
        finally:
            owner.communicate()
        self.assertEqual(owner.returncode, 0)
        self.assertFalse(pathlib.Path(path).exists())
        self.assertEqual(leaves(td), leaves(example(2)), "the mapping outlives the owner")

    def test_python_maps_a_segment_and_sees_updates(self):
        self.map_and_see_updates("own")

    def test_python_maps_a_segment_with_snapshots(self):
        self.map_and_see_updates("own-snapshots")

    def test_python_maps_a_segment_with_a_lazy_stack(self):
        def with_stack(offset=0):
            x = [torch.full((n,), float(offset)) for n in (2, 3)]
            td = example(offset)
            td["stack"] = lazy_stack([TensorDict({"x": x[0]}), TensorDict({"x": x[1], "n": {"own": x[1]}})])
            return td

        def all_leaves(td):
            return leaves(td.exclude("stack")), [leaves(member) for member in td.get("stack").tensordicts]

        self.map_and_see_updates("own-stacks", with_stack, all_leaves)

    def test_python_writes_back_through_a_directory_in_shared_memory(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as shared:
            td = example().memmap(shared)
            reader = subprocess.Popen([PEER, "watch", shared], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            try:
                for step in (0, 1, 2):
                    if step:
                        td["a"].copy_(example(step)["a"])
                        reader.stdin.write("\n")
                        reader.stdin.flush()
                    seen = "".join(iter(reader.stdout.readline, ".\n"))
                    self.assertEqual(shown(seen), leaves(example(step)), "what Python wrote does not show")
            finally:
                reader.communicate()
            self.assertEqual(reader.returncode, 0)

    def test_the_readme_reads_a_segment_and_writes_back(self):
        told = dict(re.findall(r"<!-- tests/interop runs this: (\w+) -->\n```python\n(.*?)```", README.read_text(), re.S))
        segment, directory = (pathlib.Path(re.search(r'"(/dev/shm/[\w.]+)"', told[part])[1]) for part in ("read", "write"))
        python = {}

        def run(text):
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(text, python)
            return printed.getvalue().strip()

        # The names are those of the text, so only one test at a time can have them.
        lock = open(pathlib.Path(tempfile.gettempdir(), "td-readme.lock"), "w")
        self.addCleanup(lock.close)
        fcntl.flock(lock, fcntl.LOCK_EX)
        segment.unlink(missing_ok=True)
        shutil.rmtree(directory, ignore_errors=True)
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        owner, update = conversation("own", segment.name, "x")
        try:
            self.assertEqual(owner.stdout.readline().strip(), str(segment))
            self.assertEqual(run(told["read"]), "tensor(15.)")
            self.assertEqual(update(""), "2")
            self.assertEqual(run(told["read"].splitlines()[-1]), "tensor(21.)")
            run(told["write"])
            reader, tell = conversation("live", directory)
            try:
                self.assertEqual(reader.stdout.readline().strip(), "ready")
                self.assertEqual(tell("first u"), "0.761594")  # tanh(1)
                update("")
                run(told["write"].splitlines()[-1])
                self.assertEqual(tell("first u"), "0.964028")  # tanh(2)
                self.assertEqual(tell("fill u 5"), "5")
                self.assertTrue((python["act"]["u"] == 5).all())
            finally:
                reader.communicate()
        finally:
            owner.communicate()
        self.assertEqual((owner.returncode, reader.returncode), (0, 0))


if __name__ == "__main__":
    unittest.main()
