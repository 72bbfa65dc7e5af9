"""Random programs on stock Python tensordict and on the library: every difference is a row of README.md or a bug.

    python differential.py --replay build/tests/replay --seeds 0:5000 [--steps 12] [--lazy | --data ...]
    python differential.py --replay build/tests/replay --long [--seeds 0:]      # 20,000 programs, a count for each kind

The library runs in a process of its own. A difference is reduced to a minimal program before it is printed.
"""

import argparse
import collections
import concurrent.futures
import copy
import importlib
import json
import multiprocessing
import sys
import time

import compare
import known
import random_programs
import stock
from peer import Peer
from shrink import shrink

# What is drawn beside dense dicts of tensors: random_NAME.py fills the tables of random_steps.py.
KINDS = {
    "lazy": "lazy stacks",
    "data": "non-tensor data",
    "params": "parameters",
    "hdf5": "dicts in HDF5 files",
    "modules": "modules",
    "unbatched": "entries that belong to the whole batch",
}
LONG = {"dense": 6000, "lazy": 6000, "data": 4000, "params": 2000, "hdf5": 1000, "modules": 1000, "unbatched": 1000}  # by --long

known.load()


class Difference:
    """The first step at which two runs of a program part."""

    def __init__(self, program, at, lines, expected, got):
        self.program, self.step, self.at = program, program["steps"][at], at
        self.lines, self.whole = lines, True  # whole: these are all lines
        self.expected, self.got = expected, got  # the observations of stock and of the library
        self.scope, failed, error = stock.run_steps(program["steps"][:at])
        assert failed is None, error
        self.scope.step = self.step
        self.after, failed, self.error = stock.run_steps(program["steps"][: at + 1])  # stock's exception

    def with_lines(self, lines):
        """The same where only these differ."""
        other = copy.copy(self)
        other.lines, other.whole = lines, False
        return other

    @property
    def op(self):
        return self.step["op"]

    def td(self, name="td"):
        return self.scope.registers[self.step[name]]

    @property
    def our_status(self):
        return self.got.get("error", {}).get("status")

    def signature(self):
        """What stays while a program is made smaller, so that it still shows the same."""
        return self.op, type(self.error), self.our_status


def first_difference(program, peer):
    """The Difference, or None. The whole program first, as most do not differ."""
    if not compare.differences(stock.run(program), peer.run(program)):
        return None
    for at in range(len(program["steps"])):
        part = {"steps": program["steps"][: at + 1]}
        expected, got = stock.run(part), peer.run(part)
        lines = compare.differences(expected, got)
        if lines:
            return Difference(program, at, lines, expected, got)
    raise AssertionError("the whole differs, no part does")


def unexplained(program, peer):
    """The difference, if no row is the reason."""
    difference = first_difference(program, peer)
    return difference if difference and known.explain(difference) is None else None


def report(seed, program, peer):
    seen = unexplained(program, peer).signature()

    def shows(smaller):
        difference = unexplained(smaller, peer)
        return difference is not None and difference.signature() == seen

    small = shrink(program, shows)
    difference = first_difference(small, peer)
    print(f"\nseed {seed}: {len(small['steps'])} steps")
    for step in small["steps"]:
        print("   ", json.dumps(step))
    for line in difference.lines[:6]:
        print("  ", line[:300])
    if difference.error is not None:
        print("   stock:", repr(difference.error)[:200])
    print("   program:", json.dumps(small), flush=True)


class Count:
    """What a range of seeds showed."""

    def __init__(self):
        self.programs = self.steps = self.found = 0
        self.operations = set()
        self.reasons = collections.defaultdict(collections.Counter)  # of each topic: how often for which operation
        self.seconds = 0.0

    def explained(self):
        return sum(sum(by_op.values()) for by_op in self.reasons.values())

    def show(self):
        print(f"{self.programs} programs, {self.steps} steps of {len(self.operations)} operations, {self.seconds:.0f} s")
        for topic, by_op in sorted(self.reasons.items(), key=lambda reason: -sum(reason[1].values())):
            print(f"{sum(by_op.values()):6} {topic}: {', '.join(f'{op} {k}' for op, k in by_op.most_common())}")
        print(f"{self.found:6} not explained", flush=True)


def count(options, kinds, first, last):
    """Runs the programs of these seeds."""
    for kind in kinds:
        importlib.import_module("random_" + kind)  # its steps are drawn from now on
    seen, started = Count(), time.monotonic()
    with Peer(options.replay) as peer:
        for seed in range(first, last):
            program = random_programs.program(seed, options.steps)
            seen.programs += 1
            seen.steps += len(program["steps"])
            seen.operations |= {step["op"] for step in program["steps"]}
            difference = first_difference(program, peer)
            if difference is None:
                continue
            topic = known.explain(difference)
            if topic:
                seen.reasons[topic][difference.op] += 1
                continue
            seen.found += 1
            report(seed, program, peer)
            if seen.found >= options.most:
                break
    seen.seconds = time.monotonic() - started
    return seen


def count_all(options, first):
    """Every kind in a process of its own, one after another, and a line for each at the end."""
    counts = {}
    for kind, n in LONG.items():
        print(f"\n{kind}", flush=True)
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            kinds = [kind] if kind in KINDS else []
            counts[kind] = process.submit(count, options, kinds, first, first + n).result()
        counts[kind].show()
    print(f"\n{'':8} programs differ not explained")
    for kind, seen in counts.items():
        print(f"{kind:8} {seen.programs:8} {seen.explained() + seen.found:6} {seen.found:13}")
    return sum(seen.found for seen in counts.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replay", required=True, help="the program conformance_replay")
    parser.add_argument("--seeds", default="0:300", help="A:B")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--most", type=int, default=20, help="stop after so many differences, of each kind")
    parser.add_argument("--long", action="store_true", help="all kinds; of --seeds only where they begin counts")
    for kind, text in KINDS.items():
        parser.add_argument("--" + kind, action="store_true", help="with " + text)
    options = parser.parse_args()
    first, last = (int(seed or 0) for seed in options.seeds.split(":"))
    if options.long:
        return count_all(options, first) > 0
    seen = count(options, [kind for kind in KINDS if getattr(options, kind)], first, last)
    seen.show()
    return seen.found > 0


if __name__ == "__main__":
    sys.exit(main())
