"""Writes vectors/*.json from cases/*.py: what stock Python tensordict makes of each program.

python generate.py --replay build/tests/replay           # writes, and shows where the library differs
python generate.py --replay build/tests/replay --check   # writes nothing: are the committed vectors up to date?
"""

import argparse
import importlib
import json
import pathlib
import sys

import tensordict
import torch

import compare
import errors
import known
import stock
from peer import Peer

HERE = pathlib.Path(__file__).parent
VERSIONS = {"tensordict": tensordict.__version__, "torch": torch.__version__.split("+")[0]}


def expected(program):
    seen = stock.run(program)
    if "error" in seen:
        name = seen["error"]["class"]
        seen["error"] = {"step": seen["error"]["step"], "class": name, "statuses": sorted(errors.statuses(name))}
    return seen


def shorter(x):
    """Whole floats without their ".0": a third of the bytes of the vectors."""
    if isinstance(x, dict):
        return {k: shorter(v) for k, v in x.items()}
    if isinstance(x, list):
        return [shorter(v) for v in x]
    return int(x) if isinstance(x, float) and x == int(x) and str(x) != "-0.0" else x


def our_outcome(case, peer):
    """What a program that diverges on purpose must give here."""
    steps, ours = case["steps"], case["ours"]
    if isinstance(ours, str):
        registers = stock.run({"steps": steps[:-1]})
        assert "error" not in registers, (case["name"], registers["error"])
        return {"error": {"step": len(steps) - 1, "statuses": [ours]}, **registers}
    if ours is not None:
        return stock.run({"steps": [s for step in ours for s in (step if isinstance(step, list) else [step])]})
    seen = peer.run(case)
    assert "bad" not in seen, (case["name"], seen)
    if "error" in seen:
        seen["error"] = {"step": seen["error"]["step"], "statuses": [seen["error"]["status"]]}
    return seen


def vector(case, peer):
    made = {"name": case["name"], "steps": case["steps"], "expected": shorter(expected(case))}
    if case["diverges"]:
        made["divergence"] = case["diverges"]
        made["ours"] = shorter(our_outcome(case, peer))
    return made


def topics():
    """The first column of README.md's table of divergences."""
    lines = (HERE / "README.md").read_text().splitlines()
    return {line.split("|")[1].strip() for line in lines if line.startswith("|")}


def report(made, peer):
    """Prints differences of the library from what a vector says; their number."""
    want = made.get("ours", made["expected"])
    if "ours" in made and not compare.differences(made["expected"], made["ours"]):
        print(f"{made['name']}: says it diverges, and does not")
        return 1
    found = compare.differences(want, peer.run({"steps": made["steps"]}))
    for line in found[:4]:
        print(f"{made['name']}: {line}"[:400])
    return len(found)


known.load()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", default="", help="part of a file's name")
    options = parser.parse_args()
    differ = total = 0
    with Peer(options.replay) as peer:
        for source in sorted((HERE / "cases").glob("[a-z]*.py")):
            if options.only not in source.stem:
                continue
            cases = importlib.import_module(f"cases.{source.stem}").CASES
            names = [case["name"] for case in cases]
            assert len(names) == len(set(names)), {n for n in names if names.count(n) > 1}
            unknown = {case["diverges"] for case in cases if case["diverges"]} - topics()
            assert not unknown, f"no such rows in README.md: {unknown}"
            made = [vector(case, peer) for case in cases]
            differ += sum(report(v, peer) > 0 for v in made)
            total += len(made)
            lines = ",\n".join(json.dumps(v, allow_nan=False, separators=(",", ":")) for v in made)
            text = f'{{"versions":{json.dumps(VERSIONS)},"programs":[\n{lines}\n]}}\n'
            path = HERE / "vectors" / f"{source.stem}.json"
            if not options.check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            elif path.read_text() != text:
                print(f"{path.name} is not what generate.py writes")
                differ += 1
    unknown = {topic for topic, _ in known.KNOWN} - topics()
    assert not unknown, f"no such rows in README.md: {unknown}"
    print(f"{total} programs, {differ} differ")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
