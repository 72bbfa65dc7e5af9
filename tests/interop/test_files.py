"""Stock Python tensordict and the library work on the same files: the bytes of saves, parts, appended rows, single tensors.

The library runs in programs/files_peer.c and storage_peer.c, never in this process: two LibTorch cannot live in one.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

try:
    import torch
    from tensordict import MemoryMappedTensor, MetaData, NonTensorData, NonTensorStack, TensorDict, lazy_stack, tensorclass
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

try:
    from tensordict import TypedTensorDict, append_memmap
except ImportError:
    print("skipped: this tensordict is older than 0.15")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
from programs import run

warnings.filterwarnings("ignore")


@tensorclass
class Sample:
    x: torch.Tensor
    label: str
    extra: object = None


class Typed(TypedTensorDict):
    x: torch.Tensor


def everything():
    td = TensorDict({"a": torch.arange(6.0).view(2, 3), "n": {"b/c": torch.arange(2), "deep": {"z": torch.zeros(2, 0)}}}, [2])
    td["lazy"] = lazy_stack([TensorDict({"a": torch.ones(3)}), TensorDict({"a": torch.ones(4), "only": torch.ones(())})])
    td["named"] = TensorDict({"x": torch.zeros(2, 1)}, [2, 1], names=["time", None])
    td["text"] = NonTensorData("h\u00e9 \"q\" \\ \n", batch_size=[2])
    td["json"] = NonTensorData({"k": [1, None, 0.5, True]}, batch_size=[2])
    td["whole"] = MetaData("of the batch", batch_size=[2])
    td["stack"] = NonTensorStack("one", "two")
    td["class"] = Sample(x=torch.ones(2, 3), label="seven", batch_size=[2])
    td["ragged"] = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    return td


def content(path, compact):
    """Every file: its bytes, and of JSON those that orjson would have written."""
    found = {}
    for file in sorted(path.rglob("*")):
        if file.is_file():
            raw = file.read_bytes()
            if compact and file.suffix == ".json":
                raw = json.dumps(json.loads(raw), separators=(",", ":"), ensure_ascii=False).encode()
            found[str(file.relative_to(path))] = raw
    return found


class Files(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)

    def test_our_copy_of_a_save_has_the_same_bytes(self):
        for name, td in {"everything": everything(), "lazy": everything()["lazy"], "class": everything()["class"]}.items():
            with self.subTest(name):
                td.memmap(self.path / name)
                run("storage_peer", "copy", self.path / name, self.path / f"{name}-copy")
                self.assertEqual(content(self.path / f"{name}-copy", False), content(self.path / name, True))

    def test_both_spellings_and_the_older_form_open(self):
        everything().memmap(self.path / "spaces")
        run("storage_peer", "copy", self.path / "spaces", self.path / "compact")
        for old in ("_format_version", "_class"):
            for meta in (self.path / "spaces").rglob("meta.json"):
                members = json.loads(meta.read_text())
                members.pop(old, None)
                meta.write_text(json.dumps(members))
            run("storage_peer", "copy", self.path / "spaces", self.path / f"without{old}")
            self.assertEqual(content(self.path / f"without{old}", False), content(self.path / "compact", False))

    def test_classes_are_kept_through_our_copy(self):
        td = everything()
        td["typed"] = Typed(x=torch.ones(2), batch_size=[2])  # whose class is not in the save
        td.memmap(self.path / "one")
        run("storage_peer", "copy", self.path / "one", self.path / "two.tdz")
        two = TensorDict.load_memmap(self.path / "two.tdz")
        self.assertIsInstance(two["class"], Sample)
        self.assertEqual(two["class"].label, "seven")
        typed = Typed.from_tensordict(two["typed"])
        self.assertTrue((typed.x == 1).all())

    def test_a_part_is_what_python_loads_by_subpath(self):
        everything().memmap(self.path / "all")
        everything().save(self.path / "all.tdz")
        for path in (self.path / "all", self.path / "all.tdz"):
            for part in (("n",), ("n", "deep"), ("lazy",), ("lazy", "1"), ("class",), ("named",)):
                with self.subTest(path=path.name, part=part):
                    run("files_peer", "part", path, *part)
                    made = path.with_name(path.name + ".part")
                    ours, theirs = TensorDict.load_memmap(made), TensorDict.load_memmap(path, subpath=part)
                    self.assertEqual(type(ours), type(theirs))
                    self.assertEqual(ours.batch_size, theirs.batch_size)
                    self.assertEqual(set(map(str, ours.keys(True))), set(map(str, theirs.keys(True))))
                    subprocess.run(["rm", "-r", made], check=True)
            for part in (("a",), ("m",), ("n", "x"), ("lazy", "2")):
                with self.assertRaises(AssertionError):
                    run("files_peer", "part", path, *part)
                with self.assertRaises(ValueError):
                    TensorDict.load_memmap(path, subpath=part)

    def rows(self, n, value):
        td = TensorDict({"a": torch.full((n, 2), value), "n": {"m": {"b": torch.full((n,), int(value))}}, "s": "text"}, [n])
        td["c"] = Sample(x=torch.full((n, 3), value), label="l", batch_size=[n])
        return td

    def test_rows_are_appended_by_both(self):
        self.rows(3, 1.0).memmap(self.path / "save")
        self.rows(2, 2.0).memmap(self.path / "rows")
        run("files_peer", "append", self.path / "save", self.path / "rows")
        append_memmap(self.path / "save", self.rows(1, 3.0))
        run("files_peer", "append", self.path / "save", self.path / "rows")
        loaded = TensorDict.load_memmap(self.path / "save")
        want = [1.0] * 3 + [2.0] * 2 + [3.0] + [2.0] * 2
        self.assertEqual(loaded.batch_size, torch.Size([8]))
        self.assertEqual(loaded["a"][:, 1].tolist(), want)
        self.assertEqual(loaded["n", "m", "b"].tolist(), [int(v) for v in want])
        self.assertEqual(loaded["n", "m"].batch_size, torch.Size([8]))
        self.assertIsInstance(loaded["c"], Sample)
        self.assertEqual(loaded["c"].x[:, 2].tolist(), want)
        self.assertEqual(loaded["s"], "text")
        run("storage_peer", "copy", self.path / "save", self.path / "copy")
        self.assertEqual(TensorDict.load_memmap(self.path / "copy")["a"].tolist(), loaded["a"].tolist())

    def test_python_sees_old_rows_while_we_append(self):
        self.rows(3, 1.0).memmap(self.path / "save")
        self.rows(2, 2.0).memmap(self.path / "rows")
        old = TensorDict.load_memmap(self.path / "save")
        run("files_peer", "append", self.path / "save", self.path / "rows")
        self.assertEqual(old["a"].tolist(), [[1.0, 1.0]] * 3)
        new = TensorDict.load_memmap(self.path / "save")
        new["a"][0] = 7  # one file
        self.assertEqual(old["a"][0].tolist(), [7.0, 7.0])

    def test_rows_that_python_refuses_we_refuse(self):
        self.rows(3, 1.0).memmap(self.path / "save")
        before = content(self.path / "save", False)
        wrong = {"key": self.rows(1, 1.0).exclude("a"), "dtype": self.rows(1, 1.0), "shape": self.rows(1, 1.0), "data": self.rows(1, 1.0)}
        wrong["dtype"]["a"] = torch.zeros(1, 2, dtype=torch.float64)
        wrong["shape"]["a"] = torch.zeros(1, 3)
        wrong["data"]["s"] = "other"
        for name, rows in wrong.items():
            with self.subTest(name):
                rows.memmap(self.path / name)
                with self.assertRaises(ValueError):
                    append_memmap(self.path / "save", rows)
                with self.assertRaises(AssertionError):
                    run("files_peer", "append", self.path / "save", self.path / name)
                self.assertEqual(content(self.path / "save", False), before)

    def test_python_opens_what_we_pack_with_lzma(self):
        everything().memmap(self.path / "save")
        run("files_peer", "pack", self.path / "save", self.path / "a.tdz")
        archive = zipfile.ZipFile(self.path / "a.tdz")
        self.assertIsNone(archive.testzip())
        self.assertEqual(archive.getinfo("a.memmap").compress_type, zipfile.ZIP_LZMA)
        self.assertEqual(TensorDict.load(self.path / "a.tdz")["a"].tolist(), everything()["a"].tolist())
        run("storage_peer", "copy", self.path / "a.tdz", self.path / "back")
        self.assertEqual(content(self.path / "back", False), content(self.path / "save", True))

    def test_a_tensor_in_a_file_is_shared_both_ways(self):
        ours, theirs = self.path / "ours", self.path / "theirs"
        run("files_peer", "tensor", ours, 5)
        t = MemoryMappedTensor.from_filename(ours, torch.int64, (5,))
        self.assertEqual(t.tolist(), [0, 1, 2, 3, 4])
        t[0] = 10
        self.assertEqual(run("files_peer", "tensor-sum", ours, 5).strip(), "20")
        self.assertEqual(t.tolist(), [20, 2, 4, 6, 8])
        made = MemoryMappedTensor.empty((4,), dtype=torch.int64, filename=theirs)
        made.fill_(3)
        self.assertEqual(run("files_peer", "tensor-sum", theirs, 4).strip(), "12")
        self.assertEqual(made.tolist(), [6] * 4)
        MemoryMappedTensor.from_tensor(torch.arange(3), filename=self.path / "from")
        self.assertEqual(run("files_peer", "tensor-sum", self.path / "from", 3).strip(), "3")
        run("files_peer", "tensor-from", self.path / "floats")
        self.assertEqual(MemoryMappedTensor.from_filename(self.path / "floats", torch.float32, (2, 3)).tolist(), [[0, 1, 2], [3, 4, 5]])
        with self.assertRaises(AssertionError):  # Python makes the file longer
            run("files_peer", "tensor-sum", theirs, 5)
        with self.assertRaises(AssertionError):
            run("files_peer", "tensor", theirs, 5)


if __name__ == "__main__":
    unittest.main()
