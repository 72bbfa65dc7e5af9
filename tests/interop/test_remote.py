"""Stock Python's TensorDictStore and the library share dicts on a Redis server.

The library runs in programs/remote_peer.c, never in this process: two LibTorch cannot live in one.
"""

import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import redis
    import torch
    from tensordict import LazyStackedTensorDict, NonTensorData, NonTensorStack, TensorDict, lazy_stack
    from tensordict.store import LazyStackedTensorDictStore, TensorDictStore
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict redis`")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
from programs import run

SERVER = shutil.which("redis-server") or shutil.which("valkey-server")
if not SERVER:
    print("skipped: there is neither redis-server nor valkey-server")
    sys.exit(0)
if run("remote_peer", "feature", "redis") != "1\n":
    print("skipped: the library was built without libhiredis")
    sys.exit(0)


def everything(types):
    return TensorDict(
        {
            **{name: torch.arange(6).view(2, 3).to(getattr(torch, name)) for name in types.split()},
            "n": {"ж x": torch.randn(2, 3), "deep": {"none": torch.zeros(2, 0)}},
        },
        batch_size=[2],
    )


# Those that TensorDictStore writes, too.
TYPES = "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128"


class Remote(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.directory = pathlib.Path(directory.name)
        cls.socket = str(cls.directory / "s")
        server = subprocess.Popen(
            [SERVER, "--port", "0", "--unixsocket", cls.socket, "--save", "", "--dir", directory.name],
            stdout=subprocess.DEVNULL,
        )
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        for _ in range(1000):
            with socket.socket(socket.AF_UNIX) as s:
                if s.connect_ex(cls.socket) == 0:
                    return
            time.sleep(0.01)
        raise RuntimeError("the server does not answer")

    def setUp(self):
        self.client = redis.Redis(unix_socket_path=self.socket)
        self.addCleanup(self.client.close)
        self.client.flushall()

    def url(self, name):
        return f"unix://{self.socket}?id={name}"

    def python(self, name):
        store = TensorDictStore.from_store(td_id=name, unix_socket_path=self.socket)
        self.addCleanup(store.close)
        return store

    def python_writes(self, td, name):
        store = TensorDictStore.from_tensordict(td, td_id=name, unix_socket_path=self.socket)
        self.addCleanup(store.close)
        return store

    def fetched(self, name):
        """What the library finds."""
        directory = tempfile.mkdtemp(dir=self.directory)
        run("remote_peer", "fetch", self.url(name), f"{directory}/save")
        return TensorDict.load_memmap(f"{directory}/save", allow_pickle=True)

    def store(self, td, name):
        directory = tempfile.mkdtemp(dir=self.directory)
        td.memmap(f"{directory}/save")
        return run("remote_peer", "store", f"{directory}/save", self.url(name))

    def assert_same(self, got, expected):
        self.assertEqual(got.batch_size, expected.batch_size)
        keys = {key: expected[key] for key in expected.keys(True, True)}
        self.assertEqual(set(got.keys(True, True)), set(keys))
        for key, value in keys.items():
            there = got[key]
            self.assertEqual((there.dtype, there.shape), (value.dtype, value.shape), key)
            self.assertTrue((there == value).all(), key)

    def test_we_read_what_python_writes(self):
        td = everything(TYPES)
        self.python_writes(td, "p")
        self.assert_same(self.fetched("p"), td)

    def test_python_reads_what_we_write(self):
        td = everything(TYPES + " bfloat16")
        self.assertEqual(self.store(td, "w"), "2\n")
        self.assert_same(self.python("w").to_tensordict(), td)
        self.assert_same(self.fetched("w"), td)

    def test_the_server_has_the_same_keys_whoever_writes(self):
        td = everything(TYPES)
        self.python_writes(td, "one")
        self.store(td, "two")
        one, two = ({k.replace(name, b"X") for k in self.client.keys() if name in k} for name in (b"{one}", b"{two}"))
        self.assertEqual(two - one, {b"tensordict:X:__version__"})
        self.assertEqual(one - two, set())
        for key in self.client.keys():
            if b"{one}" in key:
                other = key.replace(b"{one}", b"{two}")
                read = {b"string": self.client.get, b"hash": self.client.hgetall, b"set": self.client.smembers}
                with self.subTest(key):
                    self.assertEqual(read[self.client.type(key)](key), read[self.client.type(other)](other))

    def test_values_that_are_no_tensors(self):
        td = TensorDict({"a": torch.zeros(2)}, batch_size=[2])
        store = self.python_writes(td, "d")
        store["text"] = "hé"
        store["number"] = NonTensorData(3, batch_size=[2])
        store["list"] = [1, {"k": None}]
        store["rows"] = NonTensorStack("x", "y")
        store["set"] = {1, 2}
        store["bytes"] = b"\0\1"
        got = self.fetched("d")
        values = {"text": "hé", "number": 3, "list": [1, {"k": None}], "bytes": b"\0\1"}
        for name, value in {**values, "set": {1, 2}}.items():
            self.assertEqual(got[name], value)
        self.assertEqual(got["rows"].tolist() if hasattr(got["rows"], "tolist") else got["rows"], ["x", "y"])
        self.store(got.exclude("set").clone(), "again")
        again = self.python("again")
        for name, value in values.items():
            self.assertEqual(again[name], value)
        self.assertEqual(again["rows"].tolist(), ["x", "y"])

    def test_both_change_what_the_other_made(self):
        td = TensorDict({"a": torch.arange(8.0).view(4, 2), "n": {"b": torch.arange(4)}}, batch_size=[4])
        self.python_writes(td, "c")
        run("remote_peer", "change", self.url("c"))
        td["a"][1] = 7.0
        td["n", "b"][2:] = -1
        td["n", "c"] = torch.full((4, 1), 2, dtype=torch.bfloat16)
        td["m"] = td.pop("a")
        store = self.python("c")
        self.assert_same(store.to_tensordict(), td)
        store[0] = TensorDict({"m": torch.full((2,), -3.0), "n": {"b": torch.tensor(5)}})
        store[[1, 3]] = TensorDict({"m": torch.full((2, 2), 9.0)}, batch_size=[2])
        del store["n", "c"]
        store["new"] = torch.ones(4, dtype=torch.int16)
        td["m"][0] = -3.0
        td["n", "b"][0] = 5
        td["m"][[1, 3]] = 9.0
        del td["n", "c"]
        td["new"] = torch.ones(4, dtype=torch.int16)
        self.assert_same(self.fetched("c"), td)

    def python_stack(self, name):
        store = LazyStackedTensorDictStore.from_store(td_id=name, unix_socket_path=self.socket)
        self.addCleanup(store.close)
        return store

    def assert_same_stack(self, got, expected):
        self.assertIsInstance(got, LazyStackedTensorDict)
        self.assertEqual((got.stack_dim, len(got.tensordicts)), (expected.stack_dim, len(expected.tensordicts)))
        for one, other in zip(got.tensordicts, expected.tensordicts):
            self.assert_same(one, other)

    def test_a_lazy_stack_of_python_is_read(self):
        members = [everything(TYPES), everything(TYPES)]
        for dim in (0, 1):
            stack = lazy_stack([m.clone() for m in members], dim)
            self.python_writes(stack, f"stack{dim}")
            with self.subTest(dim):
                self.assert_same_stack(self.fetched(f"stack{dim}"), stack)

    def test_members_of_several_shapes(self):
        stack = lazy_stack(
            [TensorDict({"x": torch.randn(n), "n": {"y": torch.arange(4).view(2, 2)}}) for n in (3, 1, 0, 4)]
        )
        self.python_writes(stack, "ragged")
        self.assert_same_stack(self.fetched("ragged"), stack)

    def test_entries_in_the_order_of_the_batch(self):
        for dim, shape in ((1, (2, 3)), (1, (3, 3)), (0, (3, 2))):
            name = f"order{dim}{shape[0]}"
            count, inner = shape[dim], [shape[1 - dim]]
            members = [TensorDict({"s": torch.randn(*inner, 2)}, inner) for _ in range(count)]
            store = self.python_writes(lazy_stack(members, dim), name)
            whole = torch.arange(shape[0] * shape[1] * 2).view(*shape, 2)
            store["b"] = whole  # stored in the order of the batch
            for i, m in enumerate(members):
                m["b"] = whole.select(dim, i)
            with self.subTest(shape):
                self.assert_same_stack(self.fetched(name), lazy_stack(members, dim))
                run("remote_peer", "fill", self.url(name), "1", "7")
                for m in members[1:2]:
                    m["s"].fill_(7)
                    m["b"] = torch.full_like(m["b"], 7)
                got = self.python_stack(name)
                for i, m in enumerate(members):
                    self.assert_same((got[:, i] if dim else got[i]).to_tensordict(), m)

    def test_both_write_into_the_members_of_a_stack(self):
        stack = lazy_stack([TensorDict({"x": torch.zeros(n), "n": {"y": torch.zeros(2)}}) for n in (3, 1)])
        store = self.python_writes(stack, "both")
        run("remote_peer", "fill", self.url("both"), "0", "3")
        self.assertEqual(store[0]["x"].tolist(), [3, 3, 3])
        self.assertEqual(store[1]["x"].tolist(), [0])
        store[1] = TensorDict({"x": torch.ones(1), "n": {"y": torch.ones(2)}})
        got = self.fetched("both")
        self.assertEqual(got[1]["x"].tolist(), [1])
        self.assertEqual(got["n", "y"].tolist(), [[3, 3], [1, 1]])
        run("remote_peer", "fill", self.url("both"), "-1", "5")
        self.assertEqual(store[0]["x"].tolist() + store[1]["x"].tolist(), [5] * 4)

    def test_dicts_are_listed_and_removed(self):
        self.python_writes(everything("int8"), "p")
        self.store(everything("int8"), "w")
        self.assertEqual(run("remote_peer", "list", f"unix://{self.socket}"), "p\nw\n")
        run("remote_peer", "remove", self.url("p"))
        self.python("w").clear_redis()
        self.assertEqual(run("remote_peer", "list", f"unix://{self.socket}"), "")
        self.assertEqual(self.client.keys("*p*"), [])


if __name__ == "__main__":
    unittest.main()
