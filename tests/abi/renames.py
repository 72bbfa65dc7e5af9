#!/usr/bin/env python3
"""usage: renames.py REPOSITORY
Can a program apply the tables of CHANGELOG.md that give old names and new ones? Each new name is in the header, no old one
is, and no old name stands twice."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()


def main():
    chapters = [ROOT / "tensordict.h", *sorted((ROOT / "capi/include/tensordict").glob("*.h"))]
    text = re.sub(r"/\*.*?\*/", " ", "\n".join(path.read_text(encoding="utf-8") for path in chapters), flags=re.S)
    known = set(re.findall(r"\w+", text))
    members = {name: set(re.findall(r"\w+", body)) for body, name in re.findall(r"struct td_\w+ \{([^{}]*)\} (td_\w+);", text)}
    wrong, lines, seen = [], 0, set()
    for table in re.findall(r"```text\n(.*?)```", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.S):
        for line in table.split("\n")[:-1]:
            old, new = line.split()
            lines += 1
            if old in seen:
                wrong.append(f"{old} stands twice")
            seen.add(old)
            struct, dot, member = old.partition(".")
            names = members.get(struct, set()) if dot else known
            if (member or old) in names:
                wrong.append(f"{old} is still in the header")
            if new.partition(".")[2].lstrip("!") not in names if dot else new not in names:
                wrong.append(f"{new}, the new name of {old}, is not in the header")
    print("\n".join(wrong) or f"{lines} names")
    return bool(wrong) or lines < 80


if __name__ == "__main__":
    sys.exit(main())
