"""Does README.md say the truth about coverage? Every function it names is in tensordict.h, every test is there, every row it
points to exists, and, where stock tensordict is installed, every public method of TensorDictBase and every public name of
tensordict and tensordict.nn is in the tables.

    python coverage.py
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
TESTS = HERE.parent


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def table(text):
    rows = [cells(line) for line in text.splitlines() if line.startswith("|")]
    return [row for row in rows if set(row[0]) != {"-"} and row[0] not in ("topic", "entry", "method", "file")]


def test_exists(name):
    unit = TESTS / "unit" / f"{name}.c"
    beside = [HERE / f"{name}.json", TESTS / name, TESTS / f"{name}.c", TESTS.parent / name]
    return name == "conformance" or unit.exists() or any(path.exists() for path in beside)


def problems():
    divergences, coverage = (HERE / "README.md").read_text().split("# Coverage", 1)
    divergences = table(divergences.split("# Where we differ", 1)[1])
    coverage = table(coverage)
    header = (TESTS.parent / "tensordict.h").read_text()
    declared = set(re.findall(r"\btd_\w+", header))
    topics = {row[0] for row in divergences}

    for row in divergences + coverage:
        if len(row) != 4:
            yield f"not four cells: {row}"
    for row in coverage:
        for function in re.findall(r"\btd_\w+", row[1]):
            if function not in declared:
                yield f"{row[0]}: no {function} in tensordict.h"
        if row[3] and not any(row[3] == topic or topic in row[3] for topic in topics):
            yield f"{row[0]}: no such row: {row[3]}"
        if not row[2] and not row[1].startswith(("not yet", "unsupported")):
            yield f"{row[0]}: no test"
    for row in divergences:
        for name in filter(None, re.split(r", ", row[3])):
            if not test_exists(name):
                yield f"{row[0]}: no test {name}"
    for row in coverage:
        for name in filter(None, re.split(r", ", row[2])):
            if not test_exists(name):
                yield f"{row[0]}: no test {name}"
    named = set(re.findall(r"\w+", " ".join(row[0] for row in coverage)))
    for name in names_of_stock():
        if name.rsplit(".", 1)[1] not in named:
            yield f"{name} is not in the tables"


def names_of_stock():
    """Every public method of TensorDictBase, and every public name of the package and of its modules."""
    try:
        import tensordict
        import tensordict.nn
    except ImportError:
        return []
    modules = (tensordict, tensordict.nn, tensordict.nn.distributions, tensordict.nn.probabilistic)
    return [f"TensorDictBase.{name}" for name in dir(tensordict.TensorDictBase) if not name.startswith("_")] + [
        f"{module.__name__}.{name}" for module in modules for name in module.__all__ if not name.startswith("_")]


def main():
    found = list(problems())
    print("\n".join(found) or "README.md names what there is")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
