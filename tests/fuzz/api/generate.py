#!/usr/bin/env python3
"""Writes a C function that calls each function of tensordict.h with arguments that the makers of makers.h give.

    generate.py API.json OUT.c          API.json is what bindings/generate.py --json prints
    generate.py API.json --check        write nothing; exit 1 and say which functions there is no way to call

A parameter is an output (its name begins with out, it is not const), an array with the count that follows it, or one
value. What the rules below do not know is called by hand (by_hand.c) or left out, with the reason.
"""
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

LEFT_OUT = {
    "td_after_fork": "the runner calls it in each child",
    "td_set_num_threads": "a child has one thread for operators: LibTorch's pool does not survive a fork",
}
# Of these the header says that a failure leaves a part of the work behind, or what they write to is read by others.
MAY_CHANGE = re.compile(
    r"td_module_(forward|run|call|dispatch|get_dist|log_prob|visit|functional|vmap)|td_vmap|td_channel_|td_message_"
    r"|td_segment_|td_dict_backward|td_tensor_backward|td_dict_make_memmap|td_scope_(end|cancel)|td_(no_grad|interaction)_run|td_value_clear|td_dict_map")
SCALARS = {"int64_t": "i64", "int32_t": "i32", "uint64_t": "u64", "size_t": "size", "double": "double", "td_bool": "bool"}
RETURNED = {"td_str": "read_text({})", "char*": "read_static({})"}


def spelled(type_):
    """The C type, without the const of the outermost pointer."""
    text = type_["base"]
    for const in type_["pointers"]:
        text = ("const " + text if text == type_["base"] else text + " const") + "*" if const else text + "*"
    return text


class Missing(Exception):
    pass


class Writer:
    def __init__(self, api):
        self.api = api
        self.aliases = api["aliases"]
        self.opaque = set(api["opaque"])
        self.structs = {s["name"]: s for s in api["structs"]}
        self.callbacks = {c["name"] for c in api["callbacks"]}
        self.makers = set(re.findall(r"\b((?:pick|fill)_\w+)\(", (HERE / "makers.h").read_text()))
        kinds = re.search(r"#define HANDLE_KINDS\(X\)(.*?)\n\n", (HERE / "makers.h").read_text(), re.S).group(1)
        self.handles = re.findall(r"X\((\w+)\)", kinds)
        self.makers |= {"pick_" + kind for kind in self.handles}
        self.by_hand = set(re.findall(r"^(?:VIEW_)?BY_HAND\((\w+)[,)]", (HERE / "by_hand.c").read_text(), re.M))
        self.enums = {}
        for constant in api["constants"]:
            self.enums.setdefault(constant["type"], []).append(constant["name"])
        self.filled = {}  # structs whose fillers follow from their fields, by name: the text
        self.order = []

    def need(self, maker):
        if maker not in self.makers:
            raise Missing(maker)
        return maker

    # ---- One value

    def scalar(self, base, of, name):
        if base in ("td_bool",):
            return f'pick_bool("{of}", "{name}")'
        if base == "td_dtype":
            return f'{self.need("pick_td_dtype")}("{of}", "{name}")'
        if base.endswith("_flags"):
            return f'(({base}){self.need("pick_u64")}("{of}", "flags"))'
        if base in self.aliases and base in self.enums:
            values = ", ".join(self.enums[base])
            return f'(({base})pick_enum("{of}", "{name}", (const int64_t[]){{{values}}}, {len(self.enums[base])}))'
        base = self.aliases.get(base, base)
        if base not in SCALARS:
            raise Missing(f"a value of type {base}")
        return f'{self.need("pick_" + SCALARS[base])}("{of}", "{name}")'

    def filler(self, base):
        """The name of the function that fills one struct."""
        name = "fill_" + base
        if name in self.makers or base in self.filled:
            return name
        struct = self.structs.get(base)
        if not struct:
            raise Missing(f"{name}, or a rule for {base}")
        lines, one_of = [], self.fields(struct)
        for line in one_of:
            lines.append(line)
        self.filled[base] = "\n".join(
            [f"static void {name}({base} *s, const char *of, const char *name) {{", "  (void)of, (void)name;"]
            + lines + ["}", f"STRUCTS({base})", ""])
        self.order.append(base)
        return name

    def fields(self, struct):
        sized = struct["fields"][0]["name"] == "struct_size"
        if sized:
            prefix = re.sub(r"^td_", "TD_", struct["name"]).upper() + "_INIT"
            yield f"  *s = ({struct['name']}){prefix};"
        else:
            yield "  memset(s, 0, sizeof *s);"
        fields = struct["fields"]
        for i, field in enumerate(fields):
            name, type_ = field["name"], field["type"]
            if name == "struct_size":
                yield '  s->struct_size = pick_struct_size(sizeof *s);'
                continue
            if name == "reserved":
                continue
            if not type_:
                raise Missing(f"fill_{struct['name']}: the field {name} is a function")
            base, pointers = type_["base"], type_["pointers"]
            then = "" if not sized else "if (pick_this()) "
            if not pointers:
                if name in ("n", "ndim") or name.startswith("n_"):
                    if i > 0 and fields[i - 1]["type"]["pointers"]:
                        continue  # set with the array before it
                yield f"  {then}{self.into('s->' + name, base, name)}"
                continue
            count = fields[i + 1]["name"] if i + 1 < len(fields) else ""
            has_count = count in ("n", "ndim") or count.startswith("n_")
            yield f"  {then}{{"
            if has_count:
                yield f'    s->{count} = pick_count(of, "{name}");'
                yield f"    s->{name} = {self.array(type_, 'of', name, 's->' + count, quoted=False)};"
            elif base in self.opaque and len(pointers) == 1:
                yield f'    s->{name} = {self.need("pick_" + base)}(of, "{name}");'
            elif base in self.structs and (base == "td_key" or "fill_" + base in self.makers or
                                           self.structs[base]["fields"][0]["name"] == "struct_size") and \
                    name not in ("names", "argument_names", "param_names"):
                yield f"    s->{name} = {self.pointer(type_, name)};"
            else:
                yield f"    s->{name} = {self.array(type_, 'of', name, '16', quoted=False)};"
            yield "  }"

    def into(self, target, base, name):
        if base in self.structs:
            return f'{self.filler(base)}(&{target}, of, "{name}");'
        return f"{target} = {self.scalar(base, '@', name)};".replace('"@"', "of")

    def pointer(self, type_, name):
        """One struct, or NULL."""
        base = type_["base"]
        self.filler(base)
        return f'one_{base}(of, "{name}")'

    def array(self, type_, of, name, n, quoted=True):
        of = f'"{of}"' if quoted else of
        base, pointers = type_["base"], type_["pointers"]
        if base in self.opaque and len(pointers) == 2:
            self.need("pick_" + base)
            return f'many_{base}({of}, "{name}", {n})'
        if len(pointers) != 1:
            raise Missing(f"an array of {spelled(type_)}")
        if base in self.structs:
            self.filler(base)
            return f'many_{base}({of}, "{name}", {n})'
        if base == "int64_t":
            return f'{self.need("pick_int64s")}({of}, "{name}", {n})'
        plain = self.aliases.get(base, base)
        if plain in ("int32_t", "double"):
            return f'{self.need("pick_" + plain.replace("_t", "") + "s")}({of}, "{name}", {n})'
        raise Missing(f"an array of {spelled(type_)}")

    # ---- One function

    def call(self, function):
        of = function["name"]
        for ending in ("_retain", "_release"):
            if of.endswith(ending) and len(function["parameters"]) == 1:
                base = function["parameters"][0]["type"]["base"]
                other = of[: -len(ending)]
                return (f'static void call_{of}(void) {{\n  const {base} *x = {self.need("pick_" + base)}("{of}", "self");\n'
                        f"  say(\")\");\n  {other}_retain(x);\n  {other}_release(x);\n}}\n")
        parameters = [p for p in function["parameters"] if p["name"] != "err"]
        before, arguments, after, watched = [], [], [], []
        pending = []  # arrays that wait for their count
        last_count = None
        quoted = f'"{of}"'
        fallible = len(parameters) < len(function["parameters"])
        for i, p in enumerate(parameters):
            name, type_ = p["name"], p["type"]
            if p.get("callback") or not type_:
                raise Missing(f"the function {name}")
            base, pointers = type_["base"], type_["pointers"]
            following = parameters[i + 1]["name"] if i + 1 < len(parameters) else ""
            following_n = next((q["name"] for q in parameters[i + 1:] if not (q["type"] or {}).get("pointers")), "")
            var = "a_" + name
            if base in self.callbacks:
                before.append(f'{base} {var} = {self.need("pick_" + base)}({quoted}, "{name}");')
                arguments.append(var)
            elif base == "void" and name == "userdata":
                before.append("void *a_userdata = held_userdata();")
                arguments.append(var)
            elif pointers and not pointers[-1] and (name.startswith("out") or name in ("n_outs", "n_reset")):
                counted = following.startswith("n_out") or following == "capacity" or (name == "outs" and base != "td_value")
                self.output(of, p, counted, following, before, arguments, after)
            elif base in self.opaque and len(pointers) == 1:
                before.append(f'{base} *{var} = {self.need("pick_" + base)}({quoted}, "{name}");')
                if base == "td_dict":
                    watched.append(var)
                arguments.append(var)
                if fallible:
                    after.append(f'expect_allowed({quoted}, "{name}", status, !{var}, {int(p["nullable"])});')
            elif not pointers and self.is_count(parameters, i):
                arguments.append(var)  # declared with the array
                last_count = var
            elif not pointers:
                if base in self.structs:
                    before.append(f'{base} {var};\n  {self.filler(base)}(&{var}, {quoted}, "{name}");')
                else:
                    before.append(f'{base} {var} = {self.scalar(base, of, name)};')
                arguments.append(var)
            else:
                is_count = following_n in ("n", "ndim") or following_n.startswith("n_")
                between = [q for q in parameters[i + 1:]]
                steps = next((k for k, q in enumerate(between) if not (q["type"] or {}).get("pointers")), 99)
                only_arrays = all(not q["name"].startswith("out") for q in between[:steps])
                sized = base in self.structs and self.structs[base]["fields"][0]["name"] == "struct_size"
                single = base in self.structs and not sized and (
                    name in ("key", "new_key", "old_key", "out_key", "value", "pad", "data", "params") or
                    (name == "name" and base == "td_key"))
                const = pointers[-1]
                if not const:
                    raise Missing(f"{spelled(type_)} {name}")
                if sized or single:
                    self.filler(base)
                    before.append(f'const {base} *{var} = one_{base}({quoted}, "{name}");')
                elif is_count and only_arrays and base != "void":
                    count = "a_" + following_n
                    if not any(line.startswith(f"size_t {count} ") for line in before):
                        before.append(f'size_t {count} = pick_count({quoted}, "{name}");')
                    before.append(f'{self.declared(type_, var)} = {self.array(type_, of, name, count)};')
                elif last_count or base in ("double", "int64_t", "int32_t"):
                    before.append(f'{self.declared(type_, var)} = {self.array(type_, of, name, last_count or "16")};')
                else:
                    raise Missing(f"{spelled(type_)} {name}, which has no count")
                arguments.append(var)
        return self.body(function, before, arguments, after, watched)

    def is_count(self, parameters, i):
        name = parameters[i]["name"]
        return (name in ("n", "ndim", "capacity") or name.startswith("n_")) and i > 0 and \
            bool((parameters[i - 1]["type"] or {}).get("pointers"))

    def declared(self, type_, var):
        base, pointers = type_["base"], type_["pointers"]
        if len(pointers) == 2:
            return f"{'const ' if pointers[0] else ''}{base} *const *{var}"
        return f"const {base} *{var}"

    def output(self, of, p, counted, following, before, arguments, after):
        name, base, pointers = p["name"], p["type"]["base"], p["type"]["pointers"]
        var = "a_" + name
        if base in self.opaque and len(pointers) == 2 and counted:
            before.append(f"{base} *{var}[OUTPUTS];\n  spoil({var}, sizeof {var});")
            if following.startswith("n_out"):
                before.append(f'size_t a_{following} = pick_outputs("{of}");')
            arguments.append(f"(void *){var}")
            after.append(f'settle_handles("{of}", status, (void **){var}, KIND_{base});')
        elif base in self.opaque and len(pointers) == 2:
            before.append(f"{base} *{var};\n  spoil(&{var}, sizeof {var});\n  const int null_{name} = pick_null();")
            arguments.append(f"null_{name} ? NULL : &{var}")
            after.append(f'expect_allowed("{of}", "{name}", status, null_{name}, {int(p["nullable"])});')
            after.append(f'expect_given("{of}", "{name}", status, {var}, null_{name}, {int(p["out_nullable"])});')
            after.append(f'settle_handle("{of}", status, (void *){var}, KIND_{base}, null_{name});')
        elif base == "int64_t" and following == "capacity":
            before.append(f'int64_t {var}[OUTPUTS];\n  spoil({var}, sizeof {var});\n'
                          f'  size_t a_capacity = pick_outputs("{of}");')
            arguments.append(f"a_capacity ? {var} : NULL")
            after.append(f'settle_sizes("{of}", {var}, a_capacity);')
        elif base == "td_value" and counted:
            before.append(f'td_value {var}[OUTPUTS];\n  spoil({var}, sizeof {var});\n'
                          f'  size_t a_{following} = pick_outputs("{of}");')
            arguments.append(var)
            after.append(f'settle_values("{of}", status, {var}, a_{following});')
        elif base == "td_value":
            before.append(f"td_value {var}[OUTPUTS];\n  spoil({var}, sizeof {var});")
            arguments.append(f"&{var}[0]")
            after.append(f'settle_values("{of}", status, {var}, 1);')
        else:
            spelled_type = base if len(pointers) == 1 else ("const " if pointers[0] else "") + base + " *"
            sized = base in self.structs and self.structs[base]["fields"][0]["name"] == "struct_size"
            if sized:  # which may say that it is larger than it is
                before.append(f"{base} *{var} = keep(sizeof *{var} + 64);\n  {var}->struct_size = pick_filled_size(sizeof *{var});")
                arguments.append(f"pick_null() ? NULL : {var}")
                return
            before.append(f"{spelled_type} {var};\n  spoil(&{var}, sizeof {var});\n  const int null_{name} = pick_null();")
            arguments.append(f"null_{name} ? NULL : &{var}")
            after.append(f'expect_allowed("{of}", "{name}", status, null_{name}, {int(p["nullable"])});')
            if name == "out_fd":
                ours = int(of != "td_channel_descriptor")  # which stays the channel's
                after.append(f'settle_descriptor("{of}", status, a_out_fd, {ours});')
            else:
                after.append(f'settle_plain("{of}", status, &{var}, sizeof {var}, null_{name});')

    def body(self, function, before, arguments, after, watched):
        of, result = function["name"], function["result"]
        returned = result["base"] + "*" * len(result["pointers"])
        lines = [f"static void call_{of}(void) {{"] + ["  " + line for line in before]
        compares = watched and not MAY_CHANGE.match(of)
        if compares:
            lines.append("  " + " ".join(f"remember({w});" for w in watched))
        if function["parameters"] and function["parameters"][-1]["name"] == "err":
            lines += ["  td_error *e = NULL;", "  const int null_err = pick_null();", "  called();"]
            lines.append(f"  const td_status status = {of}({', '.join(arguments + ['null_err ? NULL : &e'])});")
            lines.append(f'  ended("{of}", status, e, null_err);')
        else:
            lines.append('  say(")");')
            call = f"{of}({', '.join(arguments)})"
            opaque = result["base"] in self.opaque and result["pointers"]
            if "leaf" in function["tags"]:
                held = f"{result['base']} " + "".join("const *" if const else "*" for const in result["pointers"])
                value = "" if returned == "void" else f"{held}result = "
                lines.append(f"  leaf_begins();\n  {value}{call};\n  leaf_ends(\"{of}\");")
                call = "result" if value else ""
            if not call:
                pass
            elif opaque and of.endswith("_new"):
                call = f'settle_handle("{of}", TD_OK, (void *){call}, KIND_{result["base"]}, 0)'
            elif opaque:
                call = f"(void){call}"  # borrowed
            else:
                call = RETURNED.get(returned, "(void){}").format(call)
            lines.append(f"  {call};" if call else "")
            lines.append("  const td_status status = TD_OK;\n  (void)status;")
        if compares:
            lines.append("  expect_as_before(status);")
        return "\n".join(lines + ["  " + line for line in after] + ["}", ""])

    def all(self):
        calls, missing = {}, {}
        for function in self.api["functions"]:
            name = function["name"]
            if name in LEFT_OUT or name in self.by_hand:
                continue
            try:
                calls[name] = self.call(function)
            except Missing as what:
                missing[name] = str(what)
        return calls, missing


def main(arguments):
    api = json.loads(Path(arguments[0]).read_text())
    writer = Writer(api)
    calls, missing = writer.all()
    names = [f["name"] for f in api["functions"]]
    gone = sorted((set(LEFT_OUT) | writer.by_hand) - set(names))
    if arguments[1] == "--check":
        for name, what in missing.items():
            print(f"{name} is not called: there is no {what}. Add a maker to makers.h, or call it in by_hand.c")
        for name in gone:
            print(f"{name} is called by hand or left out, and is not in tensordict.h")
        print(f"{len(calls)} functions are called by rules, {len(writer.by_hand)} by hand, {len(LEFT_OUT)} are left out:")
        for name, why in LEFT_OUT.items():
            print(f"  {name}: {why}")
        return 1 if missing or gone else 0
    text = ["/* Written by tests/fuzz/api/generate.py. */", '#include "api/api.h"', '#include "api/makers.h"', ""]
    text += [f"HANDLES({kind})" for kind in writer.handles]
    text += [f"STRUCTS({base})" for base in sorted(writer.structs) if "fill_" + base in writer.makers] + [""]
    text += [writer.filled[base] for base in writer.order]
    text += list(calls.values())
    rows = [f'  {{"{n}", call_{n}}},' for n in calls] + [f'  {{"{n}", by_hand_{n}}},' for n in sorted(writer.by_hand)]
    text += [f"void by_hand_{n}(void);" for n in sorted(writer.by_hand)]
    text += ["const api_call api_calls[] = {"] + rows + ["};", f"const size_t n_api_calls = {len(rows)};", ""]
    Path(arguments[1]).write_text("\n".join(text))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
