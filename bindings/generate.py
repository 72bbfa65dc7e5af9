#!/usr/bin/env python3
"""Writes the raw layer of every binding from tensordict.h.

    generate.py            write the files anew
    generate.py --check    change nothing; exit 1 if a committed file is not what the header says
    generate.py --json     print what was read from the header, to look at it or to start another language
"""
import dataclasses
import difflib
import json
import pathlib
import sys

from generator import header, rust

ROOT = pathlib.Path(__file__).resolve().parent.parent

# One more language: a module in generator/ with `emit(api) -> str`, and a line here.
OUTPUTS = {
    "bindings/rust/src/sys.rs": rust.emit,
}


def main(arguments):
    if arguments not in ([], ["--check"], ["--json"]):
        sys.exit(__doc__)
    api = header.parse((ROOT / "tensordict.h").read_text(encoding="utf-8"))
    if arguments == ["--json"]:
        json.dump(dataclasses.asdict(api), sys.stdout, indent=1)
        return 0
    drift = 0
    for name, emit in OUTPUTS.items():
        path, text = ROOT / name, emit(api)
        if arguments == ["--check"]:
            committed = path.read_text(encoding="utf-8") if path.exists() else ""
            lines = difflib.unified_diff(committed.splitlines(True), text.splitlines(True), name, "tensordict.h")
            difference = "".join(lines)
            if difference:
                sys.stderr.write(difference)
                print(f"{name} is not what tensordict.h says: run bindings/generate.py", file=sys.stderr)
                drift = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{name}: {len(api.functions)} functions, {len(api.constants)} constants, {len(api.structs)} structs")
    return drift


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
