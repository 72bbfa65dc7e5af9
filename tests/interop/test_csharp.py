"""The C# binding, stock Python and C work on the same files, segments and channels, also after kill -9.

C# runs in bindings/csharp/examples/peer, C in programs/storage_peer.c and shared_peer.c, neither in this process.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAMS = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", ROOT / "build/tests/programs")).absolute()
LIBRARY = pathlib.Path(os.environ.get("TENSORDICT_LIB_DIR", PROGRAMS.parents[1])).absolute()
RUN = ROOT / "bindings/csharp/tests/run"
ENVIRONMENT = {**os.environ, "TENSORDICT_LIB_DIR": str(LIBRARY)}

try:
    import torch
    from tensordict import TensorDict
except ImportError as missing:
    print(f"C# and Python: SKIPPED, NOTHING WAS COMPARED: {missing}; install it with `pip install tensordict`", file=sys.stderr)
    TensorDict = None


class Program:
    """How to start a peer, and what to call it."""

    def __init__(self, name, *command):
        self.name, self.command = name, command


def build(directory):
    """The peer in C#; ends the test as skipped without a compiler."""
    built = subprocess.run([RUN, "build", directory, "peer", ROOT / "bindings/csharp/examples/peer"], env=ENVIRONMENT)
    if built.returncode == 77:
        sys.exit(77)
    built.check_returncode()
    return Program("peer.dll", RUN, "exec", pathlib.Path(directory, "peer.dll"))


def start(peer, *arguments):
    return subprocess.Popen([*peer.command, *map(str, arguments)], env=ENVIRONMENT, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)


def run(peer, *arguments):
    done = subprocess.run([*peer.command, *map(str, arguments)], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tell(process, line=""):
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def block(process):
    """What it prints until a line with a dot."""
    return "".join(iter(process.stdout.readline, ".\n"))


def again(process):
    process.stdin.write("\n")
    process.stdin.flush()
    return block(process)


def shown(text):
    rows = [line.split("\t") for line in text.splitlines()]
    return {key: (dtype, tuple(int(n) for n in shape.split(",") if n), data) for key, dtype, shape, data in rows}


def floats(text):
    """The elements of "a"."""
    return memoryview(bytes.fromhex(shown(text)["a"][2])).cast("f").tolist()


class Peers(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)
        self.name = f"td-cs-{os.getpid()}-{self.id().split('.')[-1]}"[:60]
        self.processes = []
        self.addCleanup(self.end_all)

    def end_all(self):
        for process in self.processes:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        run(CS_PEER, "prune", "td-cs-")

    def start(self, *command):
        process = start(*command)
        self.processes.append(process)
        return process

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        self.assertEqual(process.wait(60), -signal.SIGKILL)

    def finish(self, process):
        """Ends its stdin, and returns the rest that it printed."""
        process.stdin.close()
        rest = process.stdout.read()  # communicate() would lose what readline() has buffered
        self.assertEqual(process.wait(120), 0)
        return rest


@unittest.skipUnless(TensorDict, "no stock tensordict")
class Python(Peers):
    def example(self):
        """What peer saves."""
        n = {
            "b/c": torch.tensor([-1, 2**63 - 1]),
            "ж": torch.tensor([[True], [False]]),
            "deep": {"z": torch.tensor([1 + 2j, 3 + 4j], dtype=torch.complex128)},
        }
        leaves = {"a": torch.arange(6.0).view(2, 3), "n": n, "half": torch.tensor([1, 2], dtype=torch.bfloat16)}
        return TensorDict({**leaves, "none": torch.zeros(2, 0, dtype=torch.float64)}, batch_size=[2])

    def leaves(self, td):
        """{key: (dtype, shape, bytes)}, as peer shows them."""
        found = {}
        for key in td.keys(include_nested=True, leaves_only=True):
            value = td.get(key)
            raw = value.contiguous().flatten().view(torch.uint8).tolist() if value.numel() else []
            name = "|".join(key) if isinstance(key, tuple) else key
            found[name] = (str(value.dtype)[6:], tuple(value.shape), bytes(raw).hex())
        return found

    def test_python_loads_what_csharp_saves(self):
        run(CS_PEER, "save", self.path / "save")
        run(CS_PEER, "save", self.path / "save.td")
        loaded = TensorDict.load_memmap(self.path / "save")
        self.assertEqual(self.leaves(loaded), self.leaves(self.example()))
        self.assertEqual(loaded["n", "deep"].batch_size, torch.Size([2]))
        consolidated = TensorDict.from_consolidated(self.path / "save.td")
        self.assertEqual(self.leaves(consolidated), self.leaves(self.example()))
        self.assertEqual(consolidated.batch_size, torch.Size([2]))

    def test_csharp_opens_what_python_saves(self):
        self.example().memmap(self.path / "save")
        self.example().consolidate(self.path / "save.td")
        for name in ("save", "save.td"):
            with self.subTest(name):
                self.assertEqual(shown(run(CS_PEER, "show", self.path / name)), self.leaves(self.example()))
                run(CS_PEER, "copy", self.path / name, self.path / f"copy-{name}")
        self.assertEqual(self.leaves(TensorDict.load_memmap(self.path / "copy-save")), self.leaves(self.example()))
        self.assertEqual(self.leaves(TensorDict.from_consolidated(self.path / "copy-save.td")), self.leaves(self.example()))

    def test_a_directory_is_live_both_ways(self):
        td = TensorDict({"a": torch.zeros(2, 3), "b": torch.zeros(2)}, [2]).memmap(self.path / "live")
        csharp = self.start(CS_PEER, "live", self.path / "live")
        self.assertEqual(csharp.stdout.readline(), "ready\n")
        self.assertEqual(tell(csharp, "fill a 5"), "5")
        self.assertTrue((td["a"] == 5).all())
        td["b"].fill_(3)
        self.assertEqual(tell(csharp, "first b"), "3")
        tell(csharp, "make c")
        tell(csharp, "fill c 9")
        td.memmap_refresh_()
        self.assertEqual(td["c"].tolist(), [9, 9])
        self.finish(csharp)

    def test_python_maps_a_segment_of_csharp(self):
        owner = self.start(CS_PEER, "own", self.name)
        td = TensorDict.from_consolidated(owner.stdout.readline().strip())
        self.assertEqual(self.leaves(td), self.leaves(self.example()))
        tell(owner)
        self.assertEqual(td["a"].tolist(), (self.example()["a"] + 1).tolist())
        self.finish(owner)


class Shared(Peers):
    def test_segments_are_seen_by_csharp_and_by_c(self):
        for owner in (CS_PEER, C_STORAGE):
            for kind in ("", "-snapshots"):
                with self.subTest(owner=owner.name, kind=kind):
                    writer = self.start(owner, "own" + kind, self.name)
                    self.assertIn(self.name, writer.stdout.readline())
                    csharp, c = self.start(CS_PEER, "map" + kind, self.name), self.start(C_SHARED, "map" + kind, self.name)
                    self.assertEqual(set(shown(block(csharp))), {"a", "n|b/c", "n|ж", "n|deep|z", "half", "none"})
                    self.assertEqual(floats(block(c)), [0, 1, 2, 3, 4, 5])
                    self.assertEqual(tell(writer), "2")
                    self.assertEqual(shown(again(csharp))["a"][2], "0000803f000000400000404000008040" "0000a0400000c040")
                    self.assertEqual(floats(again(c)), [1, 2, 3, 4, 5, 6])
                    for process in (csharp, c, writer):
                        self.finish(process)

    def test_a_snapshot_is_whole_after_its_owner_was_killed(self):
        for reader in (CS_PEER, C_SHARED):
            with self.subTest(reader=reader.name):
                owner = self.start(CS_PEER, "spin", self.name)
                owner.stdout.readline()
                eyes = self.start(reader, "map-snapshots", self.name)

                def first(text):
                    values = floats(text)
                    self.assertEqual(values, [values[0] + i for i in range(6)], "torn")
                    return values[0]

                seen = [first(block(eyes))]
                while len(seen) < 50 or seen[-1] == seen[0]:
                    seen.append(first(again(eyes)))
                self.kill(owner)
                last = first(again(eyes))
                self.assertGreaterEqual(last, seen[-1])
                self.assertEqual(first(again(eyes)), last)
                self.finish(eyes)
                self.assertEqual(run(CS_PEER, "prune", self.name), "1\n")

    def channels(self):
        for producer in (CS_PEER, C_SHARED):
            for consumer in (CS_PEER, C_SHARED):
                if CS_PEER in (producer, consumer):
                    yield producer, consumer

    def test_a_queue_gives_each_message_to_one_consumer(self):
        for producer, consumer in self.channels():
            with self.subTest(producer=producer.name, consumer=consumer.name):
                out = self.start(producer, "produce", self.name, "queue", 200, 2)
                out.stdout.readline()
                taken = [self.start(consumer, "consume", self.name) for _ in range(2)]
                got = [[int(n) for n in self.finish(process).split()[1:]] for process in taken]
                self.finish(out)
                self.assertEqual(sorted(got[0] + got[1]), list(range(200)))
                self.assertEqual(got, [sorted(part) for part in got])

    def test_a_broadcast_gives_each_message_to_all(self):
        for producer in (CS_PEER, C_SHARED):
            with self.subTest(producer=producer.name):
                out = self.start(producer, "produce", self.name, "broadcast", 200, 3)
                out.stdout.readline()
                taken = [self.start(consumer, "consume", self.name) for consumer in (CS_PEER, C_SHARED, CS_PEER)]
                for process in taken:
                    self.assertEqual([int(n) for n in self.finish(process).split()[1:]], list(range(200)))
                self.finish(out)

    def test_a_producer_killed_with_half_a_message_leaves_the_rest(self):
        for mode in ("queue", "broadcast"):
            for consumer, second in self.channels() if mode == "queue" else [(C_SHARED, CS_PEER)]:
                with self.subTest(mode=mode, consumer=consumer.name, second=second.name):
                    taken = self.start(consumer, "host", self.name, mode)
                    self.assertEqual(taken.stdout.readline(), "ready\n")
                    dead = self.start(CS_PEER, "half", self.name, 10)
                    self.assertEqual(dead.stdout.readline(), "half\n")
                    self.kill(dead)
                    run(second, "join", self.name, 1000, 30)  # more than there are slots
                    self.assertEqual([int(n) for n in self.finish(taken).split()], [*range(10), *range(1000, 1030)])

    def test_a_producer_killed_anywhere_leaves_whole_messages(self):
        for consumer in (CS_PEER, C_SHARED):
            with self.subTest(consumer=consumer.name):
                taken = self.start(consumer, "host", self.name, "queue")
                self.assertEqual(taken.stdout.readline(), "ready\n")
                dead = self.start(CS_PEER, "flood", self.name)
                before = [int(taken.stdout.readline()) for _ in range(100)]
                self.kill(dead)
                run(C_SHARED, "join", self.name, 10**6, 10)
                got = before + [int(n) for n in self.finish(taken).split()]
                self.assertEqual(got, [*range(len(got) - 10), *range(10**6, 10**6 + 10)])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as built:
        CS_PEER = build(built)
        C_STORAGE, C_SHARED = (Program(name, PROGRAMS / name) for name in ("storage_peer", "shared_peer"))
        sys.exit(not unittest.main(exit=False).result.wasSuccessful())
