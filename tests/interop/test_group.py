"""Ranks of the library and of stock Python's torch.distributed in one group exchange dicts.

The library's rank is programs/group_peer.c. Both need a LibTorch of the same wire: with another one, the tests say that
each is refused.
"""

import contextlib
import datetime
import json
import os
import pathlib
import pickle
import socket
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
    import torch.distributed as dist
    from tensordict import NonTensorData, TensorDict, lazy_stack, tensorclass
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

from test_storage import example, leaves, shown

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "group_peer")
WEIGHTS = PEER.parent.parent.parent / "examples" / "weights"
BUILD = json.loads(subprocess.run([PEER, "version"], check=True, capture_output=True, text=True).stdout)
SAME_WIRE = BUILD["libtorch"].split(".")[0] == torch.__version__.split(".")[0]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Peer:
    """A rank of the library that obeys."""

    def __init__(self, store, rank, size, serve=False):
        arguments = [PEER, store, str(rank), str(size), str(int(serve))]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, verb, rank=0, value=0, option=0):
        """Starts it; `answer` says how it ended."""
        self.process.stdin.write(f"{verb} {rank} {value} {option}\n")
        self.process.stdin.flush()

    def answer(self):
        """The status and the lines before it."""
        lines = []
        for line in self.process.stdout:
            words = line.rstrip("\n").split("\t")
            if len(words) == 2 and words[0].startswith("TD_"):
                return words[0], "\n".join(lines), words[1]
            lines.append(line.rstrip("\n"))
        raise AssertionError(f"the peer ended with {self.process.wait()}")

    def ok(self):
        status, text, message = self.answer()
        assert status == "TD_OK", f"{status}: {message}"
        return text

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(60) == 0


@contextlib.contextmanager
def group(method="tcp", serves="python"):
    """Python and the library in one group; the rank that serves the store is 0, else Python is."""
    own = int(serves == "peer")
    timeout = datetime.timedelta(seconds=20)
    with tempfile.TemporaryDirectory() as directory:
        place = f"tcp://127.0.0.1:{free_port()}" if method == "tcp" else f"file://{directory}/meet"
        peer = Peer(place, 1 - own, 2, own)
        try:
            dist.init_process_group("gloo", init_method=place, rank=own, world_size=2, timeout=timeout)
            peer.ok()
            yield peer
            peer.end()
        finally:
            peer.process.kill()
            peer.process.wait()
            peer.process.stdout.close()
            if dist.is_initialized():
                dist.destroy_process_group()


def numbers(value):
    """What group_peer reduces."""
    below = {"z": torch.tensor([int(value)]), "none": torch.zeros(0), "c": torch.full((2,), complex(value, value))}
    return TensorDict({"b": torch.full((3,), value), "below": below, "a": torch.full((2, 2), value)})


def texts(text):
    """Dicts that are shown with a line behind each."""
    return [shown(part) for part in text.removesuffix("-").split("-\n")]


@tensorclass
class Sample:
    x: torch.Tensor
    label: str


@unittest.skipUnless(SAME_WIRE, "LibTorch 1.13 and LibTorch 2 cannot be in one group")
class Group(unittest.TestCase):
    def test_we_meet_in_a_store_that_either_serves_and_in_a_file(self):
        for how in ({}, {"serves": "peer"}, {"method": "file"}):
            with self.subTest(how), group(**how) as peer:
                peer.tell("init", dist.get_rank(), 3)
                td = TensorDict.from_remote_init(1 - dist.get_rank())
                peer.ok()
                self.assertEqual(leaves(td.exclude("list", ("n", "note"))), leaves(example(3)))

    def test_we_send_one_message(self):
        with group() as peer:
            for value in (1, 2):
                peer.tell("send", 0, value)
                td = example().consolidate(metadata=True)
                td.recv(1, consolidated=True)
                peer.ok()
                self.assertEqual(leaves(td), leaves(example(value)))

    def test_we_receive_one_message(self):
        with group() as peer:
            for value in (1, 2):
                peer.tell("recv", 0)
                example(value).send(1, consolidated=True)
                self.assertEqual(shown(peer.ok()), leaves(example(value)))

    def test_we_send_leaf_by_leaf(self):
        with group() as peer:
            for tag, pseudo_rand in ((0, False), (7, False), (0, True), (9, True)):
                peer.tell("send", 0, 4 + tag, 1 + 2 * pseudo_rand + 4 * tag)
                td = example()
                td.recv(1, init_tag=tag, pseudo_rand=pseudo_rand)
                peer.ok()
                self.assertEqual(leaves(td), leaves(example(4 + tag)))

    def test_we_receive_leaf_by_leaf(self):
        with group() as peer:
            for tag, pseudo_rand in ((0, False), (7, False), (0, True), (9, True)):
                peer.tell("recv", 0, 0, 1 + 2 * pseudo_rand + 4 * tag)
                example(5 + tag).send(1, init_tag=tag, pseudo_rand=pseudo_rand)
                self.assertEqual(shown(peer.ok()), leaves(example(5 + tag)))

    def test_a_worker_takes_weights_as_torchrl_sends_them(self):
        weights = TensorDict({"layer": {"weight": torch.ones(3, 2), "bias": torch.zeros(3)}, "scale": torch.tensor([2.0])})
        with tempfile.TemporaryDirectory() as directory:
            save, port = f"{directory}/weights", free_port()
            weights.memmap(save)
            orders = dist.TCPStore("127.0.0.1", 0, None, True, wait_for_workers=False)
            places = [f"tcp://127.0.0.1:{p}" for p in (port, orders.port)]
            worker = subprocess.Popen([WEIGHTS, *places, "1", "2", save], stdout=subprocess.PIPE, text=True)
            try:
                dist.init_process_group("gloo", init_method=places[0], rank=0, world_size=2)
                orders.set("STATELESS_MODEL", b"0")
                weights.send(1)
                self.assertEqual(worker.stdout.readline(), "updated: the sum is 8\n")
                for value in (1.0, 2.0):
                    orders.set("NODE_1_in", b"update_weights")
                    weights.apply(lambda t: torch.full_like(t, value)).send(1)
                    self.assertEqual(orders.get("NODE_1_out"), b"updated")
                    orders.delete_key("NODE_1_out")
                    self.assertFalse(orders.check(["NODE_1_in"]))
                    self.assertEqual(worker.stdout.readline(), f"updated: the sum is {10 * value:g}\n")
                orders.set("NODE_1_in", b"stop")
                self.assertEqual(worker.wait(60), 0)
            finally:
                worker.kill()
                worker.wait()
                worker.stdout.close()
                if dist.is_initialized():
                    dist.destroy_process_group()

    def test_transfers_that_are_waited_for_later(self):
        with group() as peer:
            peer.tell("isend", 0, 6)
            td = example().consolidate(metadata=True)
            td.irecv(1, consolidated=True)
            peer.ok()
            self.assertEqual(leaves(td), leaves(example(6)))
            for option in (0, 1):
                peer.tell("irecv", 0, 0, option)
                for work in example(8).isend(1, return_early=True, consolidated=not option):
                    work.wait()
                self.assertEqual(shown(peer.ok()), leaves(example(8)))

    def test_a_dict_with_its_structure(self):
        with group() as peer:
            peer.tell("init", 0, 2)
            td = TensorDict.from_remote_init(1)
            peer.ok()
            self.assertTrue(td.is_consolidated())
            self.assertEqual(td["n", "note"], "grüß")
            self.assertEqual(td["list"], [1, 2.5, None, {"x": -(2**63)}])
            self.assertEqual(leaves(td.exclude("list", ("n", "note"))), leaves(example(2)))
            td["a"].add_(5)  # and now into the same memory
            peer.tell("recv", 0)
            td.send(1, consolidated=True)
            self.assertEqual(shown(peer.ok()), leaves(example(7)))

    def test_everything_that_stock_can_describe(self):
        stack = lazy_stack([TensorDict({"x": torch.ones(2) * i}) for i in range(2)])
        all_types = "complex128 uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 bool".split()
        tds = [
            example(1),
            TensorDict({"d": {name: torch.arange(4).to(getattr(torch, name)) for name in all_types}}, names=[]),
            TensorDict({"s": stack, "after": torch.ones(2)}),
            TensorDict({"x": torch.ones(3, 2), "e": TensorDict(batch_size=[3])}, [3, 2], names=["time", None]),
            TensorDict({"label": NonTensorData("ä", batch_size=[2]), "k": NonTensorData({"n": [1.5, True]})}, []),
            TensorDict({"c": Sample(x=torch.ones(2), label="l", batch_size=[2])}),
            Sample(x=torch.ones(2), label="root", batch_size=[2]),
            TensorDict(),
        ]
        with group() as peer:
            for td in tds:
                with self.subTest(td=td):
                    peer.tell("from_init", 0)
                    td.init_remote(1)
                    text, _, rest = peer.ok().partition("\n")
                    plain = td.to_tensordict() if isinstance(td, Sample) else td
                    self.assertEqual(shown(rest), leaves(plain.exclude("label", "k") if "k" in td.keys() else plain))
                    for word in ("time", "label"):
                        self.assertEqual(word in text, word in str(td), text)

    def test_a_pickle_is_never_run(self):
        class Evil:
            def __reduce__(self):
                return (print, ("ran",))

        with group() as peer:
            peer.tell("from_init", 0)
            TensorDict({"x": NonTensorData(Evil())}).init_remote(1)
            status, text, message = peer.answer()
            self.assertEqual((status, text), ("TD_ERR_UNSUPPORTED", ""))
            self.assertIn("builtins.print", message)
            peer.tell("recv", 0)  # and the rank lives on
            example(1).send(1, consolidated=True)
            self.assertEqual(shown(peer.ok()), leaves(example(1)))

    def test_nonsense_is_refused(self):
        bad = [b"", b"\x80\x04.", pickle.dumps([1]), pickle.dumps({"_total_bytes": -1}), pickle.dumps({"_total_bytes": 0})]
        with group() as peer:
            for data in bad[1:]:
                with self.subTest(data=data):
                    peer.tell("from_init", 0)
                    dist.send(torch.tensor([len(data)]), 1)
                    dist.send(torch.frombuffer(bytearray(data), dtype=torch.uint8), 1)
                    if data == bad[-1]:
                        dist.send(torch.empty(0, dtype=torch.uint8), 1)
                    self.assertEqual(peer.answer()[0], "TD_ERR_CORRUPT")
            for size in (0, -1, 1 << 40):
                peer.tell("from_init", 0)
                dist.send(torch.tensor([size]), 1)
                self.assertEqual(peer.answer()[0], "TD_ERR_CORRUPT")

    def test_broadcasts(self):
        with group() as peer:
            peer.tell("broadcast", 1, 3)
            td = TensorDict().broadcast(1)
            self.assertEqual(shown(peer.ok().partition("\n")[2]), leaves(example(3)))
            self.assertEqual(leaves(td), leaves(example(3)))
            peer.tell("broadcast", 0)
            example(4).broadcast(0)
            self.assertEqual(shown(peer.ok().partition("\n")[2]), leaves(example(4)))

    def test_reductions(self):
        expected = leaves(numbers(5.0))
        with group() as peer:
            for bucket in (0, 1, 20, 1000):
                with self.subTest(bucket=bucket):
                    peer.tell("all_reduce", 0, 2, bucket)
                    td = numbers(3.0)
                    td.all_reduce(bucket_bytes=bucket or None)
                    self.assertEqual(shown(peer.ok()), expected)
                    self.assertEqual(leaves(td), expected)
                    peer.tell("reduce", 1, 2, bucket)
                    numbers(3.0).reduce(1, bucket_bytes=bucket or None)
                    self.assertEqual(shown(peer.ok()), expected)
                    peer.tell("reduce", 0, 2, bucket)
                    td = numbers(3.0)
                    td.reduce(0, bucket_bytes=bucket or None)
                    self.assertEqual(shown(peer.ok()), leaves(numbers(2.0)))
                    self.assertEqual(leaves(td), expected)

    def test_gathers(self):
        with group() as peer:
            peer.tell("all_gather", 0, 3)
            own, theirs = TensorDict({"x": torch.ones(3)}).all_gather()
            self.assertEqual(texts(peer.ok()), [leaves(own), leaves(theirs)])
            self.assertEqual(leaves(theirs), leaves(example(3)))

    def test_rows_that_are_stacked(self):
        with group() as peer:
            peer.tell("gather_and_stack", 0, 3)
            td = torch.stack([numbers(0.0)])
            td.gather_and_stack(0)
            peer.ok()
            self.assertEqual(leaves(td), leaves(torch.stack([numbers(3.0)])))


@unittest.skipIf(SAME_WIRE, "the LibTorch of this build can be in a group with Python's")
class OtherWire(unittest.TestCase):
    def test_each_is_refused(self):
        timeout = datetime.timedelta(seconds=30)
        for libuv in (True, False):  # the first does not answer, the second hangs up
            store = dist.TCPStore("127.0.0.1", 0, 2, True, timeout, wait_for_workers=False, use_libuv=libuv)
            peer = Peer(f"tcp://127.0.0.1:{store.port}", 1, 2)
            self.assertEqual(peer.answer()[0], "TD_ERR_VERSION")
            peer.end()
            peer.process.stdout.close()
            store.set("alive", "1")


if __name__ == "__main__":
    unittest.main(verbosity=2)
