"""Every language produces and consumes with every other one and with stock Python: memmap directories, .td files, segments
that are updated live, channels, and channels of which members are killed by kill -9.

    test_matrix.py [--report FILE]     FILE receives, as JSON, which pairs exchanged what

The programs are those of support/matrix_peers.py. Python is this process, without the library: two LibTorch cannot live in one.
"""

import collections
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import matrix_peers
from matrix_peers import ENVIRONMENT, run

try:
    import torch
    from tensordict import TensorDict
except ImportError as missing:
    print(f"Python: SKIPPED in the matrix: {missing}; install it with `pip install tensordict`", file=sys.stderr)
    TensorDict = None

PREFIX = f"td-matrix-{os.getpid()}-"
PEERS = {}  # the command of each language that is here
LACKS = {}
KINDS = ("memmap", "td", "live", "segment", "queue", "broadcast", "killed producer", "killed consumer")
EXCHANGED = collections.defaultdict(set)  # (producer, consumer): kinds


def start(*command):
    return subprocess.Popen(list(map(str, command)), env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


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


def python_example():
    """What all peers save."""
    n = {
        "b/c": torch.tensor([-1, 2**63 - 1]),
        "ж": torch.tensor([[True], [False]]),
        "deep": {"z": torch.tensor([1 + 2j, 3 + 4j], dtype=torch.complex128)},
    }
    leaves = {"a": torch.arange(6.0).view(2, 3), "n": n, "half": torch.tensor([1, 2], dtype=torch.bfloat16)}
    return TensorDict({**leaves, "none": torch.zeros(2, 0, dtype=torch.float64)}, batch_size=[2])


def python_leaves(td):
    """{key: (dtype, shape, bytes)}, as the peers show them."""
    found = {}
    for key in td.keys(include_nested=True, leaves_only=True):
        value = td.get(key)
        raw = value.contiguous().flatten().view(torch.uint8).tolist() if value.numel() else []
        name = "|".join(key) if isinstance(key, tuple) else key
        found[name] = (str(value.dtype)[6:], tuple(value.shape), bytes(raw).hex())
    return found


def with_python():
    return [*PEERS, *(["Python"] if TensorDict else [])]


def able(*commands):
    return [language for language in PEERS if not LACKS[language] & set(commands)]


class Matrix(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)
        self.processes = []
        self.addCleanup(run, *next(iter(PEERS.values())), "prune", PREFIX)
        self.addCleanup(self.end_all)
        self.names = 0

    def end_all(self):
        for process in self.processes:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        self.processes.clear()

    def name(self):
        """A name that no other cell uses: one that fails must not fail the next."""
        self.names += 1
        return f"{PREFIX}{self.id().split('.')[-1].removeprefix('test_')[:20]}-{self.names}"

    def start(self, language, *arguments):
        process = start(*PEERS[language], *arguments)
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

    @contextlib.contextmanager
    def cell(self, kind, producer, *consumers):
        """One exchange; it counts if nothing in it fails."""
        with self.subTest(kind=kind, producer=producer, consumers=consumers):
            try:
                yield self.name()
                for consumer in consumers:
                    EXCHANGED[producer, consumer].add(kind)
            finally:
                self.end_all()

    # ---- Files

    def save(self, language, path):
        if language != "Python":
            run(*PEERS[language], "save", path)
        elif path.suffix == ".td":
            python_example().consolidate(path)
        else:
            python_example().memmap(path)

    def leaves(self, language, path):
        if language != "Python":
            return shown(run(*PEERS[language], "show", path))
        if path.suffix == ".td":
            return python_leaves(TensorDict.from_consolidated(path))
        return python_leaves(TensorDict.load_memmap(path))

    def test_files(self):
        wanted = {
            "a": ("float32", (2, 3), "000000000000803f0000004000004040000080400000a040"),
            "n|b/c": ("int64", (2,), "ff" * 8 + "ff" * 7 + "7f"),
            "n|ж": ("bool", (2, 1), "0100"),
            "n|deep|z": ("complex128", (2,), "000000000000f03f000000000000004000000000000008400000000000001040"),
            "half": ("bfloat16", (2,), "803f0040"),
            "none": ("float64", (2, 0), ""),
        }
        for kind, ending in (("memmap", ""), ("td", ".td")):
            for producer in with_python():
                path = self.path / f"{producer}{ending}"
                self.save(producer, path)
                for consumer in with_python():
                    with self.cell(kind, producer, consumer):
                        self.assertEqual(self.leaves(consumer, path), wanted)
        for language in able("copy"):  # what it opens, it writes again
            for ending in ("", ".td"):
                with self.subTest("copy", language=language, ending=ending):
                    copied = self.path / f"copy-{language}{ending}"
                    run(*PEERS[language], "copy", self.path / f"C{ending}", copied)
                    self.assertEqual(self.leaves("C", copied), wanted)

    def test_directories_are_live(self):
        """One writes into a directory that the other has open: in place, and an entry that is new."""
        for producer in able("live"):
            for consumer in able("watch"):
                with self.cell("live", producer, consumer):
                    self.names += 1
                    path = self.path / f"live-{self.names}"
                    run(*PEERS[producer], "save", path)
                    eyes, hands = self.start(consumer, "watch", path), self.start(producer, "live", path)
                    self.assertEqual(hands.stdout.readline(), "ready\n")
                    self.assertEqual(floats(block(eyes)), [0, 1, 2, 3, 4, 5])
                    self.assertEqual(tell(hands, "fill a 5"), "5")
                    self.assertEqual(floats(again(eyes)), [5] * 6)
                    for process in (eyes, hands):
                        self.finish(process)

    @unittest.skipUnless(TensorDict, "no stock tensordict")
    def test_directories_are_live_with_python(self):
        for language in able("live"):
            path = self.path / f"live-{language}"
            td = TensorDict({"a": torch.zeros(2, 3), "b": torch.zeros(2)}, [2]).memmap(path)
            with self.cell("live", language, "Python"):
                hands = self.start(language, "live", path)
                self.assertEqual(hands.stdout.readline(), "ready\n")
                self.assertEqual(tell(hands, "fill a 5"), "5")
                self.assertTrue((td["a"] == 5).all())
                tell(hands, "make c")
                tell(hands, "fill c 9")
                td.memmap_refresh_()
                self.assertEqual(td["c"].tolist(), [9, 9])
                self.finish(hands)
            with self.cell("live", "Python", language):
                eyes = self.start(language, "live", path)
                self.assertEqual(eyes.stdout.readline(), "ready\n")
                td["b"].fill_(3)
                self.assertEqual(tell(eyes, "first b"), "3")
                self.finish(eyes)

    # ---- Segments

    def test_segments(self):
        for owner in able("own"):
            readers = able("map")
            with self.cell("segment", owner, *readers) as name:
                for kind in ("", "-snapshots"):
                    writer = self.start(owner, "own" + kind, name + kind)
                    path = writer.stdout.readline().strip()
                    eyes = [self.start(reader, "map" + kind, name + kind) for reader in readers]
                    for process in eyes:
                        self.assertEqual(set(shown(text := block(process))), {"a", "n|b/c", "n|ж", "n|deep|z", "half", "none"})
                        self.assertEqual(floats(text), [0, 1, 2, 3, 4, 5])
                    self.assertEqual(tell(writer), "2")
                    for process in eyes:
                        self.assertEqual(floats(again(process)), [1, 2, 3, 4, 5, 6])
                    if TensorDict and not kind:
                        self.python_maps(owner, path, writer)
                    for process in (*eyes, writer):
                        self.finish(process)

    def python_maps(self, owner, path, writer):
        with self.subTest("Python maps it", owner=owner):
            td = TensorDict.from_consolidated(path)
            self.assertEqual(td["a"].tolist(), (python_example()["a"] + 1).tolist())
            tell(writer)
            self.assertEqual(td["a"].tolist(), (python_example()["a"] + 2).tolist())
            EXCHANGED[owner, "Python"].add("segment")

    def test_a_snapshot_is_whole_after_its_owner_was_killed(self):
        for owner in able("spin"):
            readers = able("map-snapshots")
            with self.cell("segment", owner, *readers) as name:
                writer = self.start(owner, "spin", name)
                writer.stdout.readline()
                eyes = [self.start(reader, "map-snapshots", name) for reader in readers]
                for process in eyes:
                    seen = [self.first(block(process))]
                    while len(seen) < 20 or seen[-1] == seen[0]:
                        seen.append(self.first(again(process)))
                self.kill(writer)
                last = {self.first(again(process)) for process in eyes}
                self.assertEqual(len(last), 1, "readers see different states of a dead owner")
                for process in eyes:
                    self.finish(process)
                self.assertEqual(run(*PEERS[owner], "prune", name), "1\n")

    def first(self, text):
        values = floats(text)
        self.assertEqual(values, [values[0] + i for i in range(6)], "torn")
        return values[0]

    # ---- Channels

    def taken(self, process):
        return [int(n) for n in self.finish(process).split()[1:]]

    def test_queues(self):
        """Each message goes to one of two consumers, in order."""
        for producer in able("produce"):
            for consumer in able("consume"):
                with self.cell("queue", producer, consumer) as name:
                    out = self.start(producer, "produce", name, "queue", 100, 2)
                    out.stdout.readline()
                    eyes = [self.start(consumer, "consume", name) for _ in range(2)]
                    got = [self.taken(process) for process in eyes]
                    self.finish(out)
                    self.assertEqual(sorted(got[0] + got[1]), list(range(100)))
                    self.assertEqual(got, [sorted(part) for part in got])

    def test_broadcasts(self):
        """Each message goes to all languages."""
        for producer in able("produce"):
            consumers = able("consume")
            with self.cell("broadcast", producer, *consumers) as name:
                out = self.start(producer, "produce", name, "broadcast", 100, len(consumers))
                out.stdout.readline()
                for process in [self.start(consumer, "consume", name) for consumer in consumers]:
                    self.assertEqual(self.taken(process), list(range(100)))
                self.finish(out)

    def test_producers_that_are_killed(self):
        """Half a message of a dead producer is never seen, and its slot is used again."""
        for producer in able("half", "join"):
            for consumer in able("host"):
                with self.cell("killed producer", producer, consumer) as name:
                    eyes = self.start(consumer, "host", name, "queue")
                    self.assertEqual(eyes.stdout.readline(), "ready\n")
                    dead = self.start(producer, "half", name, 10)
                    self.assertEqual(dead.stdout.readline(), "half\n")
                    self.kill(dead)
                    run(*PEERS[producer], "join", name, 1000, 10)  # more than there are slots
                    self.assertEqual([int(n) for n in self.finish(eyes).split()], [*range(10), *range(1000, 1010)])

    def test_producers_that_are_killed_anywhere(self):
        for producer, consumer in zip(able("flood"), reversed(able("host"))):
            with self.subTest(producer=producer, consumer=consumer):
                name = self.name()
                eyes = self.start(consumer, "host", name, "queue")
                self.assertEqual(eyes.stdout.readline(), "ready\n")
                dead = self.start(producer, "flood", name)
                before = [int(eyes.stdout.readline()) for _ in range(50)]
                self.kill(dead)
                run(*PEERS["C"], "join", name, 10**6, 10)
                got = before + [int(n) for n in self.finish(eyes).split()]
                self.assertEqual(got, [*range(len(got) - 10), *range(10**6, 10**6 + 10)])

    def test_consumers_that_are_killed(self):
        """What a dead consumer had taken from a queue comes to the next one; a broadcast waits for it no longer."""
        for producer in able("produce"):
            for consumer in able("hold", "consume"):
                with self.cell("killed consumer", producer, consumer):
                    for mode in ("queue", "broadcast"):
                        name = self.name()
                        out = self.start(producer, "produce", name, mode, 10**9, 1)  # it goes on until it is killed too
                        out.stdout.readline()
                        dead = self.start(consumer, "hold", name)
                        self.assertEqual(dead.stdout.readline(), "0\n")
                        self.kill(dead)
                        eyes = self.start(consumer, "consume", name)
                        self.assertEqual(eyes.stdout.readline(), "ready\n")
                        got = [int(eyes.stdout.readline()) for _ in range(20)]
                        if mode == "broadcast":
                            self.assertEqual(got, list(range(got[0], got[0] + 20)))
                        while mode == "queue" and 0 not in got:
                            got.append(int(eyes.stdout.readline()))
                            self.assertLess(len(got), 10**6, "the message of the dead consumer is lost")
                        self.end_all()


def find_peers(directory):
    for language, find, lacks in matrix_peers.LANGUAGES:
        try:
            PEERS[language], LACKS[language] = find(directory), lacks
        except matrix_peers.Missing as missing:
            print(f"{language}: SKIPPED in the matrix: {missing}", file=sys.stderr)


def report(path):
    """Which pairs exchanged what, in the order of KINDS."""
    pairs = {f"{a} {b}": [kind for kind in KINDS if kind in kinds] for (a, b), kinds in sorted(EXCHANGED.items())}
    pathlib.Path(path).write_text(json.dumps({"languages": with_python(), "pairs": pairs}, indent=1) + "\n")


if __name__ == "__main__":
    wanted = sys.argv.index("--report") if "--report" in sys.argv else None
    out = sys.argv[wanted + 1] if wanted else None
    arguments = [sys.argv[0], *(sys.argv[1:wanted] + sys.argv[wanted + 2 :] if wanted else sys.argv[1:])]
    with tempfile.TemporaryDirectory() as built:
        find_peers(pathlib.Path(built))
        result = unittest.main(argv=arguments, exit=False).result
    if out:
        report(out)
    sys.exit(not result.wasSuccessful())
