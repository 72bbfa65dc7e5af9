"""Does README.md say the truth about coverage? Every function it names is in tensordict.h, every test is there, every row it
points to exists, and, where stock tensordict is installed, every public method of TensorDictBase, of the classes of
tensordict.nn, of torch.nn.Module and of distributions, and every public name of tensordict, tensordict.nn and torch.func is in
the tables.

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
    beside = [HERE / f"{name}.json", TESTS / name, TESTS / f"{name}.c", TESTS.parent / name]
    unit = (TESTS / "unit").glob(f"*/{name}.c")
    return name == "conformance" or any(path.exists() for path in [*beside, *unit])


def problems():
    divergences, coverage = (HERE / "README.md").read_text().split("# Coverage", 1)
    divergences = table(divergences.split("# Where we differ", 1)[1])
    coverage = table(coverage)
    chapters = (TESTS.parent / "capi/include/tensordict").glob("*.h")
    declared = {name for chapter in chapters for name in re.findall(r"\btd_\w+", chapter.read_text())}
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
    named = names_in(coverage)
    for name in names_of_stock():
        if name.rsplit(".", 1)[1] not in named:
            yield f"{name} is not in the tables"
    yield from methods_missing()


def names_in(rows):
    return set(re.findall(r"\w+", " ".join(row[0] for row in rows)))


def methods_missing():
    """A method of a module must be among those of modules: that a dict has one of the same name says nothing."""
    text = (HERE / "README.md").read_text()
    for title, methods in methods_of_stock():
        section = text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
        named = names_in(table(section))
        for name in dict.fromkeys(name.rsplit(".", 1)[1] for name in methods):
            if name not in named:
                owners = [owner for owner in methods if owner.endswith(f".{name}")]
                yield f"{owners[0]} is not in the table \"{title}\""


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


def public(cls, but=()):
    theirs = {name for other in but for name in dir(other)}
    return [f"{cls.__name__}.{name}" for name in dir(cls) if not name.startswith("_") and name not in theirs]


def methods_of_stock():
    """(the title of a table, what must be in it)"""
    try:
        import tensordict.nn as nn
        from torch import distributions
        from torch.nn import Module
    except ImportError:
        return
    modules, dists = public(Module), public(distributions.Distribution)
    for space in (nn, nn.distributions, nn.probabilistic):
        for cls in (getattr(space, name) for name in space.__all__):
            if not isinstance(cls, type):
                continue
            if issubclass(cls, distributions.Distribution):
                dists += public(cls)
            elif cls is nn.TensorDictParams:
                modules += public(cls, [tensordict_base(), Module])
            else:
                modules += public(cls, [str])  # members of an enumeration are texts
    import torch.func
    yield "`torch.func`", [f"torch.func.{name}" for name in torch.func.__all__]
    yield "Methods of modules", modules
    yield "Methods of distributions", dists


def tensordict_base():
    import tensordict
    return tensordict.TensorDictBase


def main():
    found = list(problems())
    print("\n".join(found) or "README.md names what there is")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
