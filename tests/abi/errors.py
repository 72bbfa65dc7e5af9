#!/usr/bin/env python3
"""usage: errors.py REPOSITORY
Do the docs name the errors that the tests of the header see? Each expect_error(td_x(...), TD_ERR_Y, ...) in tests/unit is
a case: Y stands behind `Errors:` in the doc of td_x, or in the doc that it refers to, or every function may return it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "bindings"))

from generator import header  # noqa: E402

# What the head of tensordict.h says of every function, and of some.
ALWAYS = {"ARGUMENT", "DTYPE", "SHAPE", "OOM", "INTERNAL"}
OF_DICTS = {"BUSY", "UNSUPPORTED", "CLOSED", "CORRUPT", "IO", "TIMEOUT", "NOSPACE"}
WITH_PLUGINS = re.compile(r"td_(module|dist|transform|hash|query)_")
CASE = re.compile(r"\bexpect_error\(\s*(td_\w+)\([^;]*?\),\s*TD_ERR_(\w+),")


def named(function, functions, seen):
    """The errors that a doc names, with those of the functions that it refers to."""
    text = re.search(r"Errors: (.*?)(?:\[any-thread\]|\[exclusive\]|$)", " ".join(function.doc.split()))
    found, said = set(function.errors), text.group(1) if text else ""
    if re.search(r"those of the (module itself|type)", said):
        found |= set(header.STATUSES)
    if "as that function" in said:
        said += function.name.replace("td_scope_", " td_dict_")
    for other in re.findall(r"td_\w+", said):
        if other in functions and other not in seen:
            found |= named(functions[other], functions, seen | {other})
    return found


def main():
    api = header.read(ROOT)
    functions = {f.name: f for f in api.functions}
    dicts = {f.name for f in api.functions if any(p.type.base == "td_dict" for p in f.parameters)}
    cases, wrong = set(), []
    for source in sorted((ROOT / "tests/unit").rglob("*.c")):
        for name, error in CASE.findall(source.read_text(encoding="utf-8")):
            if name in functions and (name, error) not in cases:
                cases.add((name, error))
                allowed = named(functions[name], functions, {name}) | ALWAYS
                allowed |= OF_DICTS if name in dicts else set()
                allowed |= {"CALLBACK"} if "may-call-back" in functions[name].tags else set()
                allowed |= {"PLUGIN"} if WITH_PLUGINS.match(name) else set()
                if error not in allowed:
                    wrong.append(f"{source.relative_to(ROOT)}: {name} returns {error}, which its doc does not name")
    print("\n".join(wrong) or f"{len(cases)} errors of {len({name for name, _ in cases})} functions are in their docs")
    return bool(wrong) or len(cases) < 300


if __name__ == "__main__":
    sys.exit(main())
