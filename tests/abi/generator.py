#!/usr/bin/env python3
"""usage: generator.py REPOSITORY
Does `generate.py --json` print what api.schema.json describes, with the numbers that C has; and does the generator
refuse a header that breaks a rule? Each rule is broken once, in a copy."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "bindings"))

from generator import contract, grammar, header  # noqa: E402

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "null": type(None)}

# (chapter, what stands there, what is put in its place, a part of what the generator says)
BROKEN = [
    ("module", "TD_WRITES td_dict *data", "td_dict *data", "td_module_forward, data: not const"),
    ("dict", "TD_NULLABLE const td_dict_options *options", "const td_dict_options *options", "options are TD_NULLABLE"),
    ("tensor_autograd", "TD_NULLABLE const td_tensor *gradient", "const td_tensor *gradient",
     "its doc says that it may be NULL"),
    ("dict_shape", "TD_LEN(n) const int64_t *source", "const int64_t *source", "td_dict_movedim, source: how many?"),
    ("dict_shape", "TD_LEN(n) const int64_t *source", "TD_LEN(m) const int64_t *source",
     "TD_LEN(m) names no parameter"),
    ("query", "td_query_size(const td_query *self)", "td_query_size(const td_store *self)",
     "needs td_store, which is a preview"),
    ("optimizer", "#define TD_SGD_OPTIONS_INIT", "#define TD_SGD_TOO_INIT", "one set of defaults"),
    ("optimizer", "sizeof(td_sgd_options), 0.0,", "sizeof(td_sgd_options), 1e-3,", "0 means the default"),
    ("op", " * Stability: stable", " * Stability: perhaps", "does not begin with its title and its stability"),
    ("op", "[any-thread]", "", "no tag"),
    ("hash", "td_hash_retain(", "td_hash_hold(", "td_hash_release has no _retain"),
    ("segment", "td_segment_version(const td_segment *self)",
     "td_segment_version(const td_segment *self, td_error **err)",
     "a status comes with a td_error **err"),
    ("dict_shape", "const int64_t *dims, size_t n,", "const int64_t *dims, int32_t n,", "is a size_t, not int32_t"),
    ("dict_map", "td_dict_map(const td_dict *self, const td_map_function *function",
     "td_dict_map(const td_dict *self, td_map_function function", "td_map_function by value; it cannot grow"),
    ("tensor", "size_t ndim, const td_value *value,", "size_t ndim, double value,", "a double rounds an int64"),
    ("hash", "typedef struct td_hash_function {\n  size_t struct_size;", "typedef struct td_hash_function {",
     "td_hash_function: options and callbacks begin with struct_size"),
    ("hash", "  void *userdata;\n  void (*destroy)", "  void (*destroy)", "callbacks end with userdata"),
]


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name]) and not (name == "number" and isinstance(value, bool))


def violations(value, schema, whole, at):
    """As much of JSON Schema as api.schema.json uses."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        found = [list(violations(value, one, whole, at)) for one in schema["anyOf"]]
        yield from [] if any(not one for one in found) else min(found, key=len)
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    names = schema.get("type", [])
    if names and not any(is_type(value, name) for name in ([names] if isinstance(names, str) else names)):
        yield f"{at}: {value!r} is no {names}"
        return
    if isinstance(value, dict):
        yield from (f"{at}: no {name}" for name in schema.get("required", []) if name not in value)
        for name, one in value.items():
            rule = schema.get("properties", {}).get(name, schema.get("additionalProperties", False))
            if rule is False:
                yield f"{at}: {name} is not in the schema"
            else:
                yield from violations(one, rule, whole, f"{at}.{name}")
    if isinstance(value, list):
        for i, one in enumerate(value):
            yield from violations(one, schema["items"], whole, f"{at}[{i}]")


def by_name(rows):
    return {row["name"]: row for row in rows}


def facts(api):
    """Some of what the JSON must say, looked up by hand."""
    functions, structs, constants = by_name(api["functions"]), by_name(api["structs"]), by_name(api["constants"])

    def parameter(function, name):
        return by_name(functions[function]["parameters"])[name]

    def default(struct, name):
        return by_name(structs[struct]["fields"])[name]["default"]

    for struct in api["structs"]:
        ends = [0] + [field["offset"] + field["size"] for field in struct["fields"]]
        starts = [field["offset"] for field in struct["fields"]] + [struct["size"]]
        yield f"{struct['name']} has no padding that the compiler chose", ends == starts
    yield "adam has its own default", default("td_adam_options", "weight_decay") == 0
    yield "adamw has its own struct", structs["td_adamw_options"]["init"] == "TD_ADAMW_OPTIONS_INIT"
    yield "0 is the default of a load", default("td_load_state_options", "lenient") == 0
    yield "reserved bytes are an array", by_name(structs["td_save_options"]["fields"])["reserved"]["array"] == 6
    yield "a macro may be a fraction", constants["TD_ZERO"]["number"] == 5e-324
    size = structs["td_save_options"]["size"]
    yield "a size that is an option's default", default("td_save_options", "struct_size") == size
    yield "a text is two words", structs["td_str"]["size"] == 2 * api["sizes"]["void*"]
    yield "offsets", by_name(structs["td_value"]["fields"])["as"]["offset"] == 16
    yield "flags are numbers", constants["TD_KEYS_DATA_ONLY"]["number"] == 32
    yield "flags of flags are numbers", constants["TD_REPR_BRIEF"]["number"] == 9
    yield "a macro is a number", constants["TD_END"]["number"] == 2**63 - 1
    yield "a value is written", parameter("td_module_forward", "data")["written"]
    yield "a module is kept", parameter("td_module_tensordict", "inner")["ownership"] == "kept"
    yield "a struct is given away", parameter("td_tensor_from_dlpack", "managed")["ownership"] == "taken"
    yield "an output is new", parameter("td_dict_get", "out")["ownership"] == "new"
    yield "a view is a view", parameter("td_tensor_data", "out_view")["ownership"] == "view"
    yield "there may be no gradient", parameter("td_tensor_grad", "out")["out_nullable"]
    yield "the mask need not be wanted", parameter("td_dict_get_padded", "out_mask")["nullable"]
    yield "a count follows", parameter("td_dict_new", "batch_size")["length"] == "ndim"
    yield "one count for two arrays", parameter("td_dict_movedim", "source")["length"] == "n"
    yield "NULL has no dims", parameter("td_tensor_ndim", "self")["nullable"]
    yield "NULL cannot be cloned", not parameter("td_tensor_clone", "self")["nullable"]
    yield "an enum has its chapter", by_name(api["enums"])["td_query_map_mode"]["stability"] == "preview"
    yield "static text", functions["td_version"]["result_ownership"] == "static"
    yield "text of an object", functions["td_string_view"]["result_ownership"] == "view"
    yield "an object of the caller's", functions["td_error_userdata"]["result_ownership"] == "userdata"
    yield "an error of an error", functions["td_error_cause"]["result_nullable"]
    yield "transforms are a preview", functions["td_transform_new"]["stability"] == "preview"
    yield "every handle has its chapter", all(handle["chapter"] for handle in api["handles"])


def said(chapter, old, new):
    """What the generator says of the header with one text in the place of another."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        target = copy / "capi/include/tensordict"
        target.mkdir(parents=True)
        for source in (ROOT / "capi/include/tensordict").glob("*.h"):
            text = source.read_text(encoding="utf-8")
            if source.stem == chapter:
                if old not in text:
                    return f"there is no {old} in {source.name}"
                text = text.replace(old, new)
            (target / source.name).write_text(text, encoding="utf-8")
        (copy / "tensordict.h").write_text((ROOT / "tensordict.h").read_text(encoding="utf-8"), encoding="utf-8")
        try:
            api = header.read(copy)
        except SyntaxError as error:
            return str(error)
        return "\n".join([*contract.previews_needed(api), *contract.silent(api), *grammar.broken(api)])


def main():
    api = json.loads(subprocess.check_output([sys.executable, ROOT / "bindings/generate.py", "--json"]))
    schema = json.loads((ROOT / "bindings/generator/api.schema.json").read_text(encoding="utf-8"))
    wrong = list(violations(api, schema, schema, "api"))[:20]
    wrong += [f"not so: {what}" for what, so in facts(api) if not so]
    wrong += [f"the header as it is: {line}" for line in said("none", "", "").splitlines()]
    for chapter, old, new, expected in BROKEN:
        answer = said(chapter, old, new)
        if expected not in answer:
            wrong.append(f"{new!r} in {chapter}.h should be refused with {expected!r}; said: {answer!r}")
    summary = f"{len(api['functions'])} functions as the schema has them, {len(BROKEN)} broken rules refused"
    print("\n".join(wrong) or summary)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
