"""Stock Python tensordict and the library read each other's consolidated files, archives and safetensors files.

The library runs in programs/storage_peer.c, never in this process: two LibTorch cannot live in one.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

try:
    import torch
    from tensordict import LazyStackedTensorDict, NonTensorData, NonTensorStack, TensorDict
    from tensordict.base import is_tensor_collection
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

try:
    import safetensors.torch
    from tensordict import from_safetensors, to_safetensors
except ImportError:
    to_safetensors = None  # of tensordict 0.15

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
from programs import run

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "storage_peer")
ARCHIVES = hasattr(__import__("tensordict"), "pack_memmap")  # of tensordict 0.14
warnings.filterwarnings("ignore", category=UserWarning)


def peer(*arguments):
    return run("storage_peer", *arguments)


def raw(t):
    return bytes(t.detach().contiguous().flatten().view(torch.uint8).tolist()) if t.numel() else b""


def components(t):
    """As unbind, which fails for values that belong to no component."""
    if t.layout is not torch.jagged:
        return t.unbind()
    offsets = t._offsets.tolist()
    lengths = [b - a for a, b in zip(offsets, offsets[1:])] if t._lengths is None else t._lengths.tolist()
    return [t._values.narrow(t._ragged_idx - 1, *part) for part in zip(offsets, lengths)]


def content(td):
    """Everything in it that a format keeps, as plain Python."""
    if isinstance(td, LazyStackedTensorDict) and not isinstance(td, NonTensorStack):
        return ("lazy", td.stack_dim, [content(member) for member in td.tensordicts])
    found = {}
    for key, value in td.items():
        if isinstance(value, NonTensorStack):
            found[key] = ("stack", tuple(value.batch_size), value.tolist())
        elif isinstance(value, NonTensorData):
            found[key] = ("data", tuple(value.batch_size), value.data)
        elif is_tensor_collection(value):
            found[key] = content(value)
        elif value.is_nested:
            found[key] = ("nested", str(value.dtype), [(tuple(c.shape), raw(c)) for c in components(value)])
        else:
            found[key] = (str(value.dtype), tuple(value.shape), raw(value))
    return (tuple(td.batch_size), found)


def everything():
    """Of dense tensors and of what every single-file format keeps."""
    dtypes = "uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 bool".split()
    td = TensorDict({name: torch.arange(6).to(getattr(torch, name)).view(2, 3) for name in dtypes}, [2])
    td["n"] = TensorDict({"\u0436": torch.tensor([1.5, -2.0]), "deep": {"z": torch.zeros(2, 0)}}, [2])
    td["t"] = torch.arange(8).view(4, 2).t()
    td["text"] = NonTensorData("h\u00e9\n", batch_size=[2])
    td["json"] = NonTensorData({"k": [1, None, 0.5]}, batch_size=[2])
    return td


def stacks():
    td = TensorDict({"x": torch.arange(3.0)}, [3])
    td["lazy"] = LazyStackedTensorDict(*[TensorDict({"a": torch.full((i + 1,), 2.0), f"only{i}": torch.ones(())}) for i in range(3)])
    td["k"] = NonTensorStack("a", 1, None)
    return td


class SingleFiles(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)

    def test_consolidated_files_survive_our_copy(self):
        wide = everything()
        wide["before"], wide["c128"] = torch.zeros(2, 1), torch.tensor([1 + 2j, 3 - 4j], dtype=torch.complex128)
        named = TensorDict({"a": torch.zeros(2, 3)}, [2, 3], names=["rows", None], device="cpu").lock_()
        for name, td in {"everything": everything(), "stacks": stacks(), "named": named}.items():
            with self.subTest(name):
                td.consolidate(filename=self.path / f"{name}.td")
                peer("copy", self.path / f"{name}.td", self.path / f"{name}-copy.td")
                loaded = TensorDict.from_consolidated(self.path / f"{name}-copy.td")
                self.assertEqual(content(loaded), content(td))
                self.assertEqual(loaded.names, td.names)
                self.assertEqual(loaded.device, td.device)
                self.assertEqual(loaded.is_locked, td.is_locked)
        # What Python cannot consolidate itself, it reads from us.
        wide.memmap(self.path / "wide")
        peer("copy", self.path / "wide", self.path / "wide.td")
        self.assertEqual(content(TensorDict.from_consolidated(self.path / "wide.td")), content(TensorDict.load_memmap(self.path / "wide")))

    def test_jagged_tensors_survive_our_copy(self):
        parts = [torch.arange(n * 2.0).view(n, 2) + n for n in (2, 0, 3)]
        jagged = torch.nested.nested_tensor(parts, layout=torch.jagged)
        td = TensorDict({"j": jagged, "t": jagged.transpose(1, 2), "x": torch.ones(3)}, [3])
        td.consolidate(filename=self.path / "one.td")
        peer("copy", self.path / "one.td", self.path / "two.td")
        loaded = TensorDict.from_consolidated(self.path / "two.td")
        self.assertEqual(content(loaded), content(td))
        self.assertEqual(loaded["j"]._ragged_idx, 1)
        self.assertEqual(loaded["t"]._ragged_idx, 2)

    def hold(self, path):
        """A segment of what is in the file, as Python sees it."""
        owner = subprocess.Popen([PEER, "hold", path, f"td-interop-{os.getpid()}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            return TensorDict.from_consolidated(owner.stdout.readline().strip())
        finally:
            owner.communicate()
            self.assertEqual(owner.returncode, 0)

    def test_jagged_tensors_of_every_shape_survive(self):
        def jagged(values, offsets, lengths=None, ragged=1):
            lengths = None if lengths is None else torch.tensor(lengths, dtype=torch.int64)
            return torch.nested.nested_tensor_from_jagged(values, torch.tensor(offsets), lengths, jagged_dim=ragged)

        numbers = torch.arange(24.0)
        cases = {
            "no components": (jagged(torch.zeros(0), [0]), [], [0]),
            "no components, 2 dims": (jagged(torch.zeros(0, 3), [0]), [], [0]),
            "no components, dims before the ragged one": (jagged(torch.zeros(3, 0), [0], ragged=2), [], [0], [0, 3]),
            "values of no component": (jagged(torch.ones(2, 3), [0]), [0]),
            "no lengths": (jagged(torch.ones(2, 3), [0], []), [0]),
            "empty components": (jagged(numbers[:6].view(2, 3), [0, 0, 2, 2]), [], [3]),
            "nothing but empty components": (jagged(torch.zeros(0, 3), [0, 0, 0]), [2]),
            "no elements": (jagged(torch.zeros(3, 0), [0, 2, 3]), [2]),
            "values before the first": (jagged(numbers, [1, 3, 24]), [2]),
            "lengths of 0": (jagged(numbers, [0, 3, 24], [2, 0]), [2]),
            "2 batch dims": (jagged(numbers.view(3, 4, 2), [0, 1, 4], ragged=2), [], [2], [2, 3]),
            "3 batch dims": (jagged(numbers.view(2, 3, 4), [0, 3, 3, 4], ragged=3), [3], [3, 2], [3, 2, 3]),
            "1 component below 2 batch dims": (jagged(numbers.view(2, 12), [0, 12], ragged=2), [1, 2]),
            "equal components": (jagged(numbers.view(2, 12), [0, 6, 12], ragged=2), [2], [2, 2]),
        }
        for name, (leaf, *batches) in cases.items():
            for batch in batches:
                with self.subTest(name, batch=batch):
                    td = TensorDict({"j": leaf, "x": torch.ones(*batch, 2), "n": TensorDict({"j": leaf}, batch)}, batch)
                    one, two = self.path / f"{name}{len(batch)}.td", self.path / f"{name}{len(batch)}-copy.td"
                    td.consolidate(filename=one)
                    peer("copy", one, two)
                    for loaded in (TensorDict.from_consolidated(two), self.hold(one)):
                        self.assertEqual(content(loaded), content(td))
                        self.assertEqual(loaded["n", "j"]._ragged_idx, leaf._ragged_idx)
                        sizes = [[s for s in j.shape if isinstance(s, int)] for j in (loaded["j"], leaf)]
                        self.assertEqual(*sizes)
                        loaded.batch_size = []
                        loaded.batch_size = batch  # which Python checks

    def test_python_saves_no_ragged_batch_dim_either(self):
        leaf = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(1, 3)], layout=torch.jagged)
        td = TensorDict({"j": leaf}, leaf.shape[:2])
        with self.assertRaises(RuntimeError):
            td.consolidate(filename=self.path / "ragged.td")

    @unittest.skipUnless(ARCHIVES, "this tensordict has no archives")
    def test_archives_survive_our_copy(self):
        for name, td in {"everything": everything(), "stacks": stacks()}.items():
            for compression in (None, "deflate", "bzip2", "lzma"):
                with self.subTest(name=name, compression=compression):
                    one, two = self.path / f"{name}-{compression}.tdz", self.path / f"{name}-{compression}-copy.tdz"
                    td.save(one, compression=compression)
                    peer("copy", one, two)
                    self.assertIsNone(zipfile.ZipFile(two).testzip())
                    self.assertEqual(content(TensorDict.load(two)), content(TensorDict.load(one)))
                    self.assertEqual(content(TensorDict.load(two, mode="r+")), content(TensorDict.load(one)))

    @unittest.skipUnless(ARCHIVES, "this tensordict has no archives")
    def test_one_format_becomes_another(self):
        td = everything()
        td.memmap(self.path / "dir")
        peer("copy", self.path / "dir", self.path / "a.tdz")
        peer("copy", self.path / "a.tdz", self.path / "b.td")
        peer("copy", self.path / "b.td", self.path / "c")
        self.assertEqual(content(TensorDict.load_memmap(self.path / "c")), content(TensorDict.load_memmap(self.path / "dir")))

    @unittest.skipUnless(to_safetensors, "tensordict and safetensors are too old, or not there")
    def test_safetensors_survive_our_copy(self):
        td = everything()
        td.names = ["rows"]
        td["lazy"] = LazyStackedTensorDict(*[TensorDict({"a": torch.full((1,), float(i))}) for i in range(2)])
        to_safetensors(td, self.path / "one.safetensors")
        peer("copy", self.path / "one.safetensors", self.path / "two.safetensors")
        loaded = from_safetensors(self.path / "two.safetensors")
        self.assertEqual(content(loaded), content(from_safetensors(self.path / "one.safetensors")))
        self.assertEqual(loaded.names, ["rows"])
        one, two = ((self.path / n).read_bytes() for n in ("one.safetensors", "two.safetensors"))
        payload = [b[8 + int.from_bytes(b[:8], "little") :] for b in (one, two)]
        self.assertEqual(*payload)
        checkpoint = {"0.weight": torch.ones(2, 3), "0.bias": torch.zeros(2, dtype=torch.bfloat16)}
        safetensors.torch.save_file(checkpoint, self.path / "model.safetensors")
        peer("copy", self.path / "model.safetensors", self.path / "copy.safetensors")
        copied = safetensors.torch.load_file(self.path / "copy.safetensors")
        self.assertEqual({k: raw(v) for k, v in copied.items()}, {k: raw(v) for k, v in checkpoint.items()})

    def test_what_torch_saves_opens(self):
        net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2), torch.nn.LSTM(2, 3))
        optimizer = torch.optim.AdamW(net[0].parameters())
        net[0](torch.ones(4, 3)).sum().backward()
        optimizer.step()
        base = torch.arange(12.0).view(3, 4)
        views = {"t": base.t(), "column": base[:, 1], "repeated": torch.ones(1).expand(4, 2), "half": base.to(torch.bfloat16)}
        checkpoint = {"model": net.state_dict(), "optimizer": optimizer.state_dict()["state"], "views": views, "epoch": 3, "config": {"lr": 0.5, "sizes": [1, 2]}}
        for protocol in (2, 4, 5):
            with self.subTest(protocol=protocol):
                torch.save(checkpoint, self.path / "one.pt", pickle_protocol=protocol)
                peer("copy", self.path / "one.pt", self.path / f"{protocol}.tdz")
                loaded = TensorDict.load(self.path / f"{protocol}.tdz")
                for name, tensor in net.state_dict().items():
                    self.assertTrue(torch.equal(loaded["model", name], tensor), name)
                for name, tensor in views.items():
                    self.assertTrue(torch.equal(loaded["views", name], tensor), name)
                for number, state in checkpoint["optimizer"].items():
                    for name, tensor in state.items():
                        self.assertTrue(torch.equal(loaded["optimizer", str(number), name], tensor), name)
                self.assertEqual(loaded["epoch"], 3)
                self.assertEqual((loaded["config", "lr"], loaded["config", "sizes"]), (0.5, [1, 2]))


if __name__ == "__main__":
    unittest.main()
