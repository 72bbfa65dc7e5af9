#!/usr/bin/env python3
"""Writes tests/unit/support/query_vectors.h, the vectors of hash.json as C tables."""

import json
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE / "../../unit/support/query_vectors.h"

DTYPES = {
    "bool": "TD_DTYPE_BOOL", "int8": "TD_DTYPE_INT8", "int16": "TD_DTYPE_INT16", "int32": "TD_DTYPE_INT32", "int64": "TD_DTYPE_INT64",
    "uint8": "TD_DTYPE_UINT8", "bfloat16": "TD_DTYPE_BFLOAT16", "float16": "TD_DTYPE_FLOAT16", "float32": "TD_DTYPE_FLOAT32",
    "float64": "TD_DTYPE_FLOAT64", "complex64": "TD_DTYPE_COMPLEX64", "complex128": "TD_DTYPE_COMPLEX128",
}

HEAD = """/* Made by tests/data/vectors/make_query_vectors.py from hash.json; not to be edited. */
/* clang-format off */
#ifndef TESTS_QUERY_VECTORS_H
#define TESTS_QUERY_VECTORS_H

#include "tensordict.h"

/* What Python's hash(bytes) gives; siphash13 since CPython 3.11. */
typedef struct bytes_vector {
  const char *hex;
  int64_t siphash13_seed0, siphash24_seed0, siphash13_seed42, siphash24_seed42;
} bytes_vector;

typedef struct query_input {
  const char *key;
  td_dtype dtype;
  size_t ndim;
  int64_t dims[3];
  const char *hex; /* the elements in row-major order */
} query_input;

/* One call of torchrl's QueryModule, and what it wrote. */
typedef struct query_step {
  int extend;
  size_t n_inputs;
  query_input inputs[4];
  size_t n_rows;
  int64_t index[8], hash[8], size_after;
} query_step;

/* XXH3, 64 bits, of the first bytes of xxHash's test buffer. */
typedef struct xxh3_vector {
  size_t size;
  uint64_t seed_0, seed_p32, seed_p64;
} xxh3_vector;
static const uint64_t xxh3_p32 = UINT64_C(0x9E3779B1), xxh3_p64 = UINT64_C(0x9E3779B185EBCA8D);

typedef struct query_case {
  const char *name;
  size_t n_keys;
  const char *keys[4];
  size_t n_steps;
  query_step steps[4];
} query_case;
"""


def int64(value):
    return "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"


def input_bytes(vector):
    """Vectors without their bytes say how these are made."""
    if "hex" in vector:
        return vector["hex"]
    n = vector["len"]
    return bytes((i * 7 + n) & 255 for i in range(n)).hex()


def bytes_table(vectors):
    lines = ["static const bytes_vector bytes_vectors[] = {"]
    for v in vectors:
        names = ("siphash13_seed0", "siphash24_seed0", "siphash13_seed42", "siphash24_seed42")
        lines.append(f'  {{"{input_bytes(v)}", ' + ", ".join(int64(v[n]) for n in names) + "},")
    return lines + ["};", ""]


def published_table(name, values):
    lines = [f"/* Key 00 01 .. 0f, message 00 01 .. (n - 1) for entry n. */", f"static const uint64_t {name}[] = {{"]
    lines += [f"  UINT64_C({value})," for value in values]
    return lines + ["};", ""]


def xxh3_table(vectors):
    lines = ["static const xxh3_vector xxh3_vectors[] = {"]
    for v in vectors:
        values = ", ".join(f"UINT64_C({v[name]})" for name in ("seed0", "seedP32", "seedP64"))
        lines.append(f'  {{{v["len"]}, {values}}},')
    return lines + ["};", ""]


def input_text(key, tensor):
    dims = ", ".join(str(d) for d in tensor["shape"])
    return (f'{{"{key}", {DTYPES[tensor["dtype"]]}, {len(tensor["shape"])}, {{{dims}}},\n'
            f'        "{tensor["bytes_hex"]}"}}')


def step_text(step):
    inputs = ",\n       ".join(input_text(k, t) for k, t in step["inputs"].items())
    index = ", ".join(int64(i) for i in step["index"])
    hashes = ", ".join(int64(h) for h in step["hash"])
    extend = int(step["call"].get("extend", True))
    return (f'    {{{extend}, {len(step["inputs"])}, {{\n       {inputs}}},\n'
            f'      {len(step["index"])}, {{{index}}}, {{{hashes}}}, {step["map_size_after"]}}}')


def query_table(cases):
    lines = ["static const query_case query_cases[] = {"]
    for case in cases:
        keys = ", ".join(f'"{k}"' for k in case["in_keys"])
        steps = ",\n".join(step_text(s) for s in case["steps"])
        lines.append(f'  {{"{case["name"]}", {len(case["in_keys"])}, {{{keys}}}, {len(case["steps"])}, {{\n{steps}}}}},')
    return lines + ["};", ""]


def main():
    data = json.loads((HERE / "hash.json").read_text())
    cases = [c for c in data["query_module"]["cases"] if "steps" in c]
    lines = [HEAD]
    lines += bytes_table(data["cpython_hash_bytes"]["vectors"])
    lines += published_table("siphash24_published", data["siphash24_official"]["values"])
    lines += published_table("siphash13_published", data["siphash13_reference"]["values"])
    lines += xxh3_table(data["xxh3_64"]["vectors"])
    lines += query_table(cases)
    OUT.write_text("\n".join(lines) + "#endif\n")


if __name__ == "__main__":
    main()
