#!/usr/bin/env python3
"""Whether every function of tensordict.h is used by a header of this binding, or is in tests/left_out.txt with a reason.

    coverage.py           exit 1 with a line for each function that is neither, or for each line of the list that is wrong
    coverage.py --add     write the functions that are neither to the list, as not bound yet
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LIST = HERE / "left_out.txt"
sys.path.insert(0, str(ROOT / "bindings"))

from generator import header  # noqa: E402


def declared():
    api = header.read(ROOT)
    return {function.name for function in api.functions}


def used():
    parts = [HERE.parent / "tensordict.hpp", *(HERE.parent / "tensordict").rglob("*.hpp")]
    code = "".join(re.sub(r"//[^\n]*", "", part.read_text(encoding="utf-8")) for part in parts)
    return set(re.findall(r"\btd_\w+\b", code))


def left_out():
    """The names of the list, with their reasons."""
    lines = [line.split(None, 1) for line in LIST.read_text(encoding="utf-8").splitlines()]
    return {parts[0]: " ".join(parts[1:]).strip() for parts in lines if parts and not parts[0].startswith("#")}


def main(arguments):
    if arguments not in ([], ["--add"]):
        sys.exit(__doc__)
    functions, bound, listed = declared(), used(), left_out()
    missing = sorted(functions - bound - set(listed))
    if arguments:
        with LIST.open("a", encoding="utf-8") as out:
            out.writelines(f"{name:40} not bound yet\n" for name in missing)
        print(f"{len(missing)} functions added to {LIST.name}")
        return 0
    wrong = [f"{name}: bind it, or name it in tests/left_out.txt" for name in missing]
    for name, reason in listed.items():
        if name not in functions:
            wrong.append(f"{name} is in tests/left_out.txt and not in tensordict.h")
        elif name in bound:
            wrong.append(f"{name} is in tests/left_out.txt, but is bound")
        elif not reason:
            wrong.append(f"{name} is in tests/left_out.txt without a reason")
    print("\n".join([*wrong, f"{len(functions & bound)} of {len(functions)} functions are bound, {len(listed)} left out"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
