"""What the tests of test_matrix.py share: starting peers, asking them, and noting which pairs exchanged what."""

import collections
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

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


def partners(language, languages, step):
    """All that it exchanges with: everybody for a report, else one, which `step` makes another one in each test."""
    if "--report" in sys.argv or len(languages) < 2:
        return languages
    at = languages.index(language) if language in languages else 0
    return [languages[(at + step) % len(languages)]]


class Peers(unittest.TestCase):
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
