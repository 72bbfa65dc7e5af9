#!/usr/bin/env python3
"""usage: changes.py SINGLE_HEADER
Does `compare` let additions pass, and nothing else? Each case is the header with one text in the place of another."""
import subprocess
import sys
import tempfile
from pathlib import Path

COMPARE = Path(__file__).resolve().parent / "compare"
LOCK = "TD_API td_bool td_dict_is_locked(const td_dict *self) TD_NOEXCEPT;"
CASES = [  # what is done, whether it may pass, old text, new text
    ("nothing", True, LOCK, LOCK),
    ("a function is added", True, LOCK, LOCK + "\nTD_API int32_t td_new_one(const td_dict *self) TD_NOEXCEPT;"),
    ("a struct with struct_size grows at its end", True, "} td_pad_sequence_options;",
     "  int64_t newer;\n} td_pad_sequence_options;"),
    ("a constant is added", True, "  TD_DICT_KIND_LAZY_STACK =", "  TD_DICT_KIND_NEWER = 77,\n  TD_DICT_KIND_LAZY_STACK ="),
    ("a constant has another value", False, "TD_DICT_KIND_LAZY_STACK = 1", "TD_DICT_KIND_LAZY_STACK = 9"),
    ("a constant is removed", False, "  TD_FORMAT_ARCHIVE = 3,", ""),
    ("a macro has another value", False, "#define TD_END INT64_MAX", "#define TD_END INT32_MAX"),
    ("a callback has another type", False, "  td_status (*fn)(void *userdata, int64_t done, int64_t total, td_error **err);",
     "  td_status (*fn)(void *userdata, int64_t done, td_error **err);"),
    ("a function is removed", False, LOCK, ""),
    ("a function returns another type", False, LOCK, LOCK.replace("td_bool", "int64_t")),
    ("a parameter is added", False, LOCK, LOCK.replace("*self)", "*self, int32_t how)")),
    ("a parameter has another type", False, LOCK, LOCK.replace("const td_dict *", "const td_tensor *")),
    ("a member is inserted", False, "  int64_t pad_dim;", "  int64_t newer;\n  int64_t pad_dim;"),
    ("a member has another size", False, "  int64_t pad_dim;", "  int32_t pad_dim;"),
    ("a struct without struct_size grows", False, "} td_str;", "  size_t capacity;\n} td_str;"),
]


def main(header):
    text = Path(header).read_text()
    failures = 0
    with tempfile.TemporaryDirectory() as work:
        old, new = Path(work) / "old" / "tensordict.h", Path(work) / "new" / "tensordict.h"
        for path in (old, new):
            path.parent.mkdir()
        old.write_text(text)
        for what, passes, before, after in CASES:
            if before not in text:
                sys.exit(f"{what}: the header has no {before!r}")
            new.write_text(text.replace(before, after, 1))
            ran = subprocess.run([COMPARE, old, new], capture_output=True, text=True)
            right = ran.returncode == (0 if passes else 1)
            print(f"{'right' if right else 'WRONG'}: {what}: {ran.returncode}")
            if not right:
                print(ran.stdout, ran.stderr)
                failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
