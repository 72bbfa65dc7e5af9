"""Random programs on stock Python tensordict and on the library: every difference is a row of README.md or a bug.

    python differential.py --replay build/tests/replay --seeds 0:5000 [--steps 12] [--lazy | --data ...]

The library runs in a process of its own. A difference is reduced to a minimal program before it is printed.
"""

import argparse
import collections
import importlib
import json
import sys
import time

import compare
import known
import known_data  # noqa: F401  these fill known.KNOWN
import known_lazy  # noqa: F401
import known_params  # noqa: F401
import known_structure  # noqa: F401
import known_values  # noqa: F401
import random_programs
import stock
from peer import Peer
from shrink import shrink

# What is drawn beside dense dicts of tensors: random_NAME.py fills the tables of random_steps.py.
KINDS = {"lazy": "lazy stacks", "data": "non-tensor data", "params": "parameters", "hdf5": "dicts in HDF5 files", "modules": "modules"}


class Difference:
    """The first step at which two runs of a program part."""

    def __init__(self, program, at, lines, expected, got):
        self.step, self.at = program["steps"][at], at
        self.lines = lines
        self.expected, self.got = expected, got  # the observations of stock and of the library
        self.scope, failed, error = stock.run_steps(program["steps"][:at])
        assert failed is None, error
        self.scope.step = self.step
        self.after, failed, self.error = stock.run_steps(program["steps"][: at + 1])  # stock's exception

    @property
    def op(self):
        return self.step["op"]

    def td(self, name="td"):
        return self.scope.registers[self.step[name]]

    @property
    def our_status(self):
        return self.got.get("error", {}).get("status")


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
    difference = first_difference(program, peer)
    return difference is not None and known.explain(difference) is None


def report(seed, program, peer):
    small = shrink(program, lambda p: unexplained(p, peer))
    difference = first_difference(small, peer)
    print(f"\nseed {seed}: {len(small['steps'])} steps")
    for step in small["steps"]:
        print("   ", json.dumps(step))
    for line in difference.lines[:6]:
        print("  ", line[:300])
    if difference.error is not None:
        print("   stock:", repr(difference.error)[:200])
    print("   program:", json.dumps(small), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replay", required=True, help="the program conformance_replay")
    parser.add_argument("--seeds", default="0:300", help="A:B")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--most", type=int, default=20, help="stop after so many differences")
    for kind, text in KINDS.items():
        parser.add_argument("--" + kind, action="store_true", help="with " + text)
    options = parser.parse_args()
    for kind in KINDS:
        if getattr(options, kind):
            importlib.import_module("random_" + kind)  # its steps are drawn from now on
    first, last = map(int, options.seeds.split(":"))
    by_op = collections.defaultdict(collections.Counter)
    explained, ops, found, started = collections.Counter(), collections.Counter(), 0, time.monotonic()
    with Peer(options.replay) as peer:
        for seed in range(first, last):
            program = random_programs.program(seed, options.steps)
            ops.update(step["op"] for step in program["steps"])
            difference = first_difference(program, peer)
            if difference is None:
                continue
            topic = known.explain(difference)
            if topic:
                explained[topic] += 1
                by_op[topic][difference.op] += 1
                continue
            found += 1
            report(seed, program, peer)
            if found >= options.most:
                break
    print(
        f"{last - first} programs, {sum(ops.values())} steps of {len(ops)} operations, {time.monotonic() - started:.0f} s"
    )
    for topic, n in explained.most_common():
        print(f"{n:6} {topic}: {', '.join(f'{op} {k}' for op, k in by_op[topic].most_common())}")
    print(f"{found:6} not explained")
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
