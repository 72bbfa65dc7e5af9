#!/usr/bin/env python3
"""Writes what follows from tensordict.h and its chapters: the raw layer of every binding, and the types that the plugin
header repeats.

    generate.py            write the files anew
    generate.py --check    change nothing; exit 1 if a committed file is not what the header says, or it breaks a rule
    generate.py --json     print what the header says as data: generator/README.md; asks the C compiler
"""
import difflib
import json
import pathlib
import sys

from generator import contract, csharp, data, go, grammar, header, julia, plugin, rust

ROOT = pathlib.Path(__file__).resolve().parent.parent

# One more language: a module in generator/ with `emit(api, root) -> str`, and a line here.
OUTPUTS = {
    "bindings/rust/src/sys.rs": rust.emit,
    "bindings/go/raw/raw.go": go.emit,
    "bindings/go/raw/tensordict.h": go.header,
    "bindings/julia/src/raw.jl": julia.emit,
    "bindings/csharp/src/Raw/Types.cs": csharp.types,
    "bindings/csharp/src/Raw/Api.cs": csharp.imports,
    "bindings/csharp/src/Raw/Native.cs": csharp.calls,
    "bindings/csharp/src/Enums.cs": csharp.enums,
    "bindings/csharp/tests/Layout.cs": csharp.check,
    "plugins/tensordict_plugin.h": plugin.emit,
}


def drift(name, text, write):
    """1 if the file is not what it should be; written, it is."""
    path = ROOT / name
    committed = path.read_text(encoding="utf-8") if path.exists() else ""
    if write and text != committed:  # else the build would begin anew
        path.write_text(text, encoding="utf-8")
    if write:
        return 0
    difference = "".join(difflib.unified_diff(committed.splitlines(True), text.splitlines(True), name, "tensordict.h"))
    if difference:
        sys.stderr.write(difference)
        print(f"{name} is not what tensordict.h says: run bindings/generate.py", file=sys.stderr)
    return int(bool(difference))


def main(arguments):
    if arguments not in ([], ["--check"], ["--json"]):
        sys.exit(__doc__)
    api = header.read(ROOT)
    if arguments == ["--json"]:
        json.dump(data.describe(api, ROOT), sys.stdout, indent=1)
        return 0
    broken = [*contract.previews_needed(api), *contract.silent(api), *grammar.broken(api)]
    print("".join(f"{line}\n" for line in broken), end="", file=sys.stderr)
    wrong = int(bool(broken))
    for name, emit in OUTPUTS.items():
        wrong |= drift(name, emit(api, ROOT), write=not arguments)
    print(f"{len(api.chapters)} chapters: {len(api.functions)} functions, {len(api.constants)} constants, "
          f"{len(api.structs)} structs; {len(OUTPUTS)} files follow from them")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
