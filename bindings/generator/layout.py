"""What only a compiler knows: sizes, offsets, and the numbers behind names. It is asked with a small program."""
import os
import subprocess
import tempfile
from pathlib import Path

DOUBLES = {"double", "float"}


def integer(api, base):
    return base in api.aliases or base == "size_t" or (base.startswith(("int", "uint")) and base.endswith("_t"))


def numeric(api, field):
    plain = field.type is not None and not field.type.pointers and field.array is None
    return plain and (integer(api, field.type.base) or field.type.base in DOUBLES)


def program(api):
    """C that prints a line for each fact: its kind, names, and numbers."""
    lines = []

    def say(form, *values):
        lines.append(f'  printf("{form}\\n", {", ".join(values)});' if values else f'  printf("{form}\\n");')

    for struct in api.structs:
        name = struct.name
        lines.append(f"  struct align_{name} {{ char c; {name} s; }};")
        say(f"struct {name} %zu %zu", f"sizeof({name})", f"offsetof(struct align_{name}, s)")
        if struct.init is not None:
            lines.append(f"  static const {name} made_{name} = {name.upper()}_INIT;")
        for field in struct.fields:
            of = f"(({name} *)0)->{field.name}"
            say(f"field {name} {field.name} %zu %zu", f"offsetof({name}, {field.name})", f"sizeof({of})")
            if struct.init is not None and numeric(api, field):
                double = field.type.base in DOUBLES
                value = f"{'(double)' if double else '(long long)'}made_{name}.{field.name}"
                say(f"default {name} {field.name} {'%.17g' if double else '%lld'}", value)
    for constant in api.constants:
        double = constant.type in DOUBLES
        say(f"constant {constant.name} {'%.17g' if double else '%lld'}",
            f"{'' if double else '(long long)'}{constant.name}")
    for base in sorted(set(api.aliases) | {"size_t", "double", "void *"}):
        say(f"type {base.replace(' ', '')} %zu", f"sizeof({base})")
    return "#include <stdio.h>\n#include \"tensordict.h\"\nint main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"


def ask(api, root):
    """{("struct", name): (size, alignment), ("field", name, field): (offset, size), ...}"""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "layout.c"), Path(folder, "layout")
        source.write_text(program(api), encoding="utf-8")
        compiler = os.environ.get("CC", "cc")
        where = ["-I", root, "-I", root / "capi/include"]
        subprocess.run([compiler, "-std=c99", *where, source, "-o", binary], check=True)
        printed = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    facts = {}
    for line in printed.splitlines():
        kind, *words = line.split()
        names = 2 if kind in ("field", "default") else 1
        facts[(kind, *words[:names])] = tuple(float(w) if "." in w or "e" in w else int(w) for w in words[names:])
    return facts
