"""The Julia binding, stock Python and C work on the same files, segments and channels, also after kill -9.

Julia runs bindings/julia/examples/peer.jl, C in programs/storage_peer.c and shared_peer.c, neither in this process. Every
Julia process compiles for seconds, so each does as much as it can.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAMS = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", ROOT / "build/tests/programs")).absolute()
LIBRARY = pathlib.Path(os.environ.get("TENSORDICT_LIB_DIR", PROGRAMS.parents[1])).absolute()
C_STORAGE, C_SHARED = PROGRAMS / "storage_peer", PROGRAMS / "shared_peer"
JULIA = os.environ.get("TD_JULIA") or shutil.which("julia")
PACKAGE = ROOT / "bindings/julia"
# The compiled package is kept where bindings/julia/test/run keeps it.
ENVIRONMENT = {
    **os.environ,
    "TENSORDICT_LIB_DIR": str(LIBRARY),
    "JULIA_LOAD_PATH": f"{PACKAGE}:@stdlib",
    "JULIA_DEPOT_PATH": str(LIBRARY / "bindings/julia/depot"),
}

try:
    import torch
    from tensordict import TensorDict
except ImportError as missing:
    print(f"Julia and Python: SKIPPED, NOTHING WAS COMPARED: {missing}; pip install tensordict", file=sys.stderr)
    TensorDict = None


def need_julia():
    """Ends the test as skipped without a Julia of 1.5 or later; compiles the package."""
    code = 'VERSION >= v"1.5" || exit(1); using TensorDicts; print(VERSION)'
    found = JULIA and shutil.which(JULIA)
    if not found or subprocess.run([JULIA, "--startup-file=no", "-e", code], env=ENVIRONMENT).returncode:
        print("Julia: SKIPPED, NOTHING WAS TESTED: no Julia 1.5 or later (set TD_JULIA)", file=sys.stderr)
        sys.exit(77)


def julia(*command):
    """A command of the peer; little is run often, so little is optimised."""
    return [JULIA, "--startup-file=no", "-O0", PACKAGE / "examples/peer.jl", *command]


def run(command):
    done = subprocess.run(list(map(str, command)), env=ENVIRONMENT, capture_output=True, text=True)
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
        self.name = f"td-julia-peer-{os.getpid()}-{self.id().split('.')[-1]}"[:60]
        self.processes = []
        self.addCleanup(self.end_all)

    def end_all(self):
        for process in self.processes:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        for left in pathlib.Path("/dev/shm").glob(f"{self.name}*"):
            left.unlink()

    def start(self, *command):
        command = list(map(str, command))
        pipe = subprocess.PIPE
        self.processes.append(subprocess.Popen(command, env=ENVIRONMENT, stdin=pipe, stdout=pipe, text=True))
        return self.processes[-1]

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

    def test_files(self):
        """Python loads what Julia saves, and Julia what Python saves."""
        mine, copies = [self.path / name for name in ("save", "save.td")], [self.path / f"copy{i}" for i in range(2)]
        self.example().memmap(mine[0])
        self.example().consolidate(mine[1])
        theirs = [self.path / "julia", self.path / "julia.td"]
        text = run(julia("files", *theirs, *mine, *copies))
        self.assertEqual(shown(text), self.leaves(self.example()))  # both saves show the same lines
        self.assertEqual(len(text.splitlines()), 2 * len(self.leaves(self.example())))
        for path in (theirs[0], *copies):
            self.assertEqual(self.leaves(TensorDict.load_memmap(path)), self.leaves(self.example()), path)
        consolidated = TensorDict.from_consolidated(theirs[1])
        self.assertEqual(self.leaves(consolidated), self.leaves(self.example()))
        self.assertEqual((consolidated.batch_size, consolidated["n", "deep"].batch_size), (torch.Size([2]),) * 2)

    def test_a_directory_is_live_both_ways(self):
        td = TensorDict({"a": torch.zeros(2, 3), "b": torch.zeros(2)}, [2]).memmap(self.path / "live")
        peer = self.start(*julia("live", self.path / "live"))
        self.assertEqual(peer.stdout.readline(), "ready\n")
        self.assertEqual(tell(peer, "fill a 5"), "5")
        self.assertTrue((td["a"] == 5).all())
        td["b"].fill_(3)
        self.assertEqual(tell(peer, "first b"), "3")
        tell(peer, "make c")
        tell(peer, "fill c 9")
        td.memmap_refresh_()
        self.assertEqual(td["c"].tolist(), [9, 9])
        self.finish(peer)

    def test_a_segment_of_julia_is_seen_by_all(self):
        owner = self.start(*julia("own", self.name))
        td = TensorDict.from_consolidated(owner.stdout.readline().strip())
        self.assertEqual(self.leaves(td), self.leaves(self.example()))
        c = self.start(C_SHARED, "map", self.name)
        self.assertEqual(floats(block(c)), [0, 1, 2, 3, 4, 5])
        self.assertEqual(tell(owner), "2")
        self.assertEqual(td["a"].tolist(), (self.example()["a"] + 1).tolist())
        self.assertEqual(floats(again(c)), [1, 2, 3, 4, 5, 6])
        self.finish(c), self.finish(owner)


class Shared(Peers):
    def test_a_segment_of_c_is_seen_by_julia(self):
        owner = self.start(C_STORAGE, "own", self.name)
        self.assertIn(self.name, owner.stdout.readline())
        peer = self.start(*julia("map", self.name))
        self.assertEqual(set(shown(block(peer))), {"a", "n|b/c", "n|ж", "n|deep|z", "half", "none"})
        self.assertEqual(tell(owner), "2")
        self.assertEqual(shown(again(peer))["a"][2], "0000803f000000400000404000008040" "0000a0400000c040")
        self.finish(peer), self.finish(owner)

    def test_a_snapshot_is_whole_after_its_owner_was_killed(self):
        owner = self.start(*julia("spin", self.name))
        owner.stdout.readline()
        eyes = [self.start(*julia("map-snapshots", self.name)), self.start(C_SHARED, "map-snapshots", self.name)]

        def first(text):
            values = floats(text)
            self.assertEqual(values, [values[0] + i for i in range(6)], "torn")
            return values[0]

        seen = [[first(block(eye))] for eye in eyes]
        while any(len(values) < 50 or values[-1] == values[0] for values in seen):
            for values, eye in zip(seen, eyes):
                values.append(first(again(eye)))
        self.kill(owner)
        for values, eye in zip(seen, eyes):
            last = first(again(eye))
            self.assertGreaterEqual(last, values[-1])
            self.assertEqual(first(again(eye)), last)
            self.finish(eye)

    def test_a_queue_gives_each_message_to_one_consumer(self):
        for produce, consume in ((julia, [julia, lambda *a: [C_SHARED, *a]]), (lambda *a: [C_SHARED, *a], [julia] * 2)):
            with self.subTest(produce=produce("produce")[0]):
                out = self.start(*produce("produce", self.name, "queue", 200, 2))
                out.stdout.readline()
                taken = [self.start(*one("consume", self.name)) for one in consume]
                got = [[int(n) for n in self.finish(process).split()[1:]] for process in taken]
                self.finish(out)
                self.assertEqual(sorted(got[0] + got[1]), list(range(200)))
                self.assertEqual(got, [sorted(part) for part in got])

    def test_a_broadcast_gives_each_message_to_all(self):
        out = self.start(*julia("produce", self.name, "broadcast", 200, 2))
        out.stdout.readline()
        for process in [self.start(*julia("consume", self.name)), self.start(C_SHARED, "consume", self.name)]:
            self.assertEqual([int(n) for n in self.finish(process).split()[1:]], list(range(200)))
        self.finish(out)

    def test_producers_killed_anywhere_leave_whole_messages(self):
        """One with half a message written, then one that publishes without end; each leaves the rest to the next one."""
        taken = self.start(*julia("host", self.name, "queue"))
        self.assertEqual(taken.stdout.readline(), "ready\n")
        dead = self.start(*julia("half", self.name, 10))
        self.assertEqual(dead.stdout.readline(), "half\n")
        self.assertEqual([int(taken.stdout.readline()) for _ in range(10)], list(range(10)))
        self.kill(dead)
        dead = self.start(*julia("flood", self.name))
        before = [int(taken.stdout.readline()) for _ in range(100)]
        self.kill(dead)
        run([C_SHARED, "join", self.name, 10**6, 30])  # more than there are slots
        got = before + [int(n) for n in self.finish(taken).split()]
        self.assertEqual(got, [*range(len(got) - 30), *range(10**6, 10**6 + 30)])


if __name__ == "__main__":
    need_julia()
    unittest.main()
