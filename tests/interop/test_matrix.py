"""Every language produces and consumes with every other one and with stock Python: memmap directories, .td files, segments
that are updated live, channels, and channels of which members are killed by kill -9.

    test_matrix.py                     each language with one other one in each test, which differs from test to test
    test_matrix.py --report FILE       every language with every other one; FILE receives, as JSON, which exchanged what

The programs are those of support/matrix_peers.py. Python is this process, without the library: two LibTorch cannot live in one.
"""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import matrix_peers
from matrix import EXCHANGED, KINDS, LACKS, PEERS, Peers, TensorDict, able, again, block, floats, partners
from matrix import python_example, python_leaves, run, shown, tell, with_python

if TensorDict:
    import torch


class Files(Peers):
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
                for consumer in partners(producer, with_python(), 1 if kind == "td" else 2):
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
            for consumer in partners(producer, able("watch"), 1):
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


class Segments(Peers):
    def test_segments(self):
        for owner in able("own"):
            readers = partners(owner, able("map"), 2)
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
            readers = partners(owner, able("map-snapshots"), 3)
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


class Channels(Peers):
    def taken(self, process):
        return [int(n) for n in self.finish(process).split()[1:]]

    def test_queues(self):
        """Each message goes to one of two consumers, in order."""
        for producer in able("produce"):
            for consumer in partners(producer, able("consume"), 3):
                with self.cell("queue", producer, consumer) as name:
                    out = self.start(producer, "produce", name, "queue", 100, 2)
                    out.stdout.readline()
                    eyes = [self.start(consumer, "consume", name) for _ in range(2)]
                    got = [self.taken(process) for process in eyes]
                    self.finish(out)
                    self.assertEqual(sorted(got[0] + got[1]), list(range(100)))
                    self.assertEqual(got, [sorted(part) for part in got])

    def test_broadcasts(self):
        """Each message goes to all consumers."""
        for producer in able("produce"):
            consumers = list(dict.fromkeys([producer, *partners(producer, able("consume"), 1)]))
            with self.cell("broadcast", producer, *consumers) as name:
                out = self.start(producer, "produce", name, "broadcast", 100, len(consumers))
                out.stdout.readline()
                for process in [self.start(consumer, "consume", name) for consumer in consumers]:
                    self.assertEqual(self.taken(process), list(range(100)))
                self.finish(out)

    def test_producers_that_are_killed(self):
        """Half a message of a dead producer is never seen, and its slot is used again."""
        for producer in able("half", "join"):
            for consumer in partners(producer, able("host"), 2):
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
            for consumer in partners(producer, able("hold", "consume"), 1):
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
