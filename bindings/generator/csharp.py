"""The raw layer for C#: the header as structs, enums and imports, all blittable; and a call for each function that turns
objects, text and arrays of C# into what the import takes, keeps them alive, and throws what the library reports.

The calls are what the safe layer is written with. A parameter for which there is no rule stays a pointer."""
import re

from . import contract, layout

BASES = {
    "void": "void", "char": "byte", "size_t": "nuint", "double": "double", "float": "float",
    "int8_t": "sbyte", "int16_t": "short", "int32_t": "int", "int64_t": "long",
    "uint8_t": "byte", "uint16_t": "ushort", "uint32_t": "uint", "uint64_t": "ulong",
}
KEYWORDS = set("""abstract as base bool break byte case catch char checked class const continue decimal default delegate
do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface
internal is lock long namespace new null object operator out override params private protected public readonly ref
return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked
unsafe ushort using virtual void volatile while""".split())
# Words that C# writes in another way than their first letter as a capital.
WORDS = {"uint8": "UInt8", "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64", "bfloat16": "BFloat16",
         "dtype": "DType", "uint": "UInt", "oom": "OutOfMemory", "io": "IO", "tensordict": "TensorDict",
         "nospace": "NoSpace", "hdf5": "Hdf5", "icdf": "Icdf"}
# The classes of the safe layer for the handles.
CLASSES = {"td_dict": "TensorDict", "td_tensor": "Tensor", "td_path": "KeyPath", "td_generator": "Generator", "td_op": "Operator",
           "td_hash": "Hash", "td_segment": "Segment", "td_channel": "Channel", "td_message": "Message",
           "td_cancel": "Cancel", "td_module": "Module", "td_optimizer": "Optimizer", "td_schedule": "Schedule",
           "td_dist": "Distribution", "td_query": "Query", "td_pack_layout": "PackLayout",
           "td_transform": "Transform", "td_store": "Store", "td_row_map": "RowMap", "td_scope": "Scope"}
# Lists that become arrays and are released at once.
LISTS = {"td_keys": ("Key[]", "TakeKeys"), "td_string": ("string", "TakeString"), "td_tensor_list": ("Tensor[]", "TakeTensors"),
         "td_dict_list": ("TensorDict[]", "TakeDicts"), "td_data_list": ("Data", "TakeData")}
# Arguments that a struct of the safe layer stands for, filled into the memory of the call.
FILLED = {"td_key": "Key", "td_value": "Value", "td_index": "IndexPart", "td_named_value": "NamedValue",
          "td_str": "string?", "td_item": "Item", "td_data": "DataValue"}
NUMBERS = {"int64_t": "long", "double": "double", "uint64_t": "ulong"}
HEAD = "// Made from tensordict.h {version} by bindings/generate.py; do not edit.\n#nullable enable\n"


def pascal(text):
    return "".join(WORDS.get(w.lower(), w[:1].upper() + w[1:].lower()) for w in text.split("_") if w)


def name(text):
    return "@" + text if text in KEYWORDS else text


class Writer:
    def __init__(self, api):
        self.api = api
        self.enums = {e.name: pascal(e.name[3:]) for e in api.enums}
        self.callbacks = {c.name: c for c in api.callbacks}

    # ---- types -------------------------------------------------------------------------------------------------------

    def base(self, base):
        if base in self.enums:
            return self.enums[base]
        base = self.api.aliases.get(base, base)
        if base in self.callbacks:
            return self.pointer(self.callbacks[base])
        return BASES.get(base, base)

    def type(self, t):
        return self.base(t.base) + "*" * len(t.pointers)

    def pointer(self, c):
        types = [self.type(p.type) for p in c.parameters] + [self.type(c.result)]
        return f"delegate* unmanaged[Cdecl]<{', '.join(types)}>"

    def field(self, s, f):
        if f.array:
            return f"fixed {self.type(f.type)} {name(f.name)}[{f.array}]"
        kind = self.pointer(f.callback) if f.callback else f"{s.name}_{f.name}" if f.union else self.type(f.type)
        return f"{kind} {name(f.name)}"

    # ---- structs and enums -------------------------------------------------------------------------------------------

    def struct(self, s):
        out = ""
        for f in s.fields:
            if f.union:
                out += f"[StructLayout(LayoutKind.Explicit)]\npublic unsafe struct {s.name}_{f.name}\n{{\n"
                out += "".join(f"    [FieldOffset(0)] public {self.type(u.type)} {name(u.name)};\n" for u in f.union)
                out += "}\n\n"
        out += summary(s.doc, "") + f"[StructLayout(LayoutKind.Sequential)]\npublic unsafe struct {s.name}\n{{\n"
        out += "".join(f"    public {self.field(s, f)};\n" for f in s.fields)
        if s.fields[0].name == "struct_size":
            # All of it: what the compiler adds by itself leaves out arrays.
            out += f"    public {s.name}() => this = default({s.name}) with {{ struct_size = (nuint)sizeof({s.name}) }};\n"
        return out + "}\n"

    def enum(self, e):
        flags = e.type == "uint64_t"
        constants = {c.name: c for c in self.api.constants}
        out = summary(e.doc or f"The values of {e.name}.", "") + ("[Flags]\n" if flags else "")
        out += f"public enum {self.enums[e.name]} : {BASES[e.type]}\n{{\n"
        for one in e.constants:
            c = constants[one]
            word = re.sub(r"^TD_ERR_", "", one) if one.startswith("TD_ERR_") else one[len(e.prefix):]
            out += summary(c.doc or one, "    ") + f"    {'Ok' if word == 'OK' else pascal(word)} = {c.value},\n"
        return out + "}\n"

    def constants(self):
        listed = {one for e in self.api.enums for one in e.constants}
        values = {"((size_t)-1)": "unchecked((nuint)ulong.MaxValue)", "INT32_MIN": "int.MinValue", "INT32_MAX": "int.MaxValue",
                  "INT64_MAX": "long.MaxValue", "INT64_MIN": "long.MinValue"}
        for c in self.api.constants:
            if c.name not in listed:
                kind = self.base(c.type)
                what = "static readonly" if kind == "nuint" else "const"
                yield f"    public {what} {kind} {c.name} = {values.get(c.value, c.value)};\n"

    # ---- imports -----------------------------------------------------------------------------------------------------

    def imported(self, f):
        parameters = ", ".join(f"{self.type(p.type)} {name(p.name)}" for p in f.parameters)
        leaf = "[SuppressGCTransition] " if "leaf" in f.tags else ""
        return (summary(f.doc, "    ") + f"    {leaf}[DllImport(Library, ExactSpelling = true)]\n"
                f"    public static extern {self.type(f.result)} {f.name}({parameters});\n")

    # ---- calls -------------------------------------------------------------------------------------------------------

    def call(self, f):
        return Call(self, f).text()


class Call:
    """One function as C# calls it: what goes in, what is prepared before, what comes out, and what must live on."""

    def __init__(self, writer, f):
        self.w, self.f = writer, f
        self.takes, self.before, self.passes, self.fixed, self.results, self.alive, self.alike = [], [], [], [], [], [], []
        self.memory = False
        roles, skip = contract.roles(writer.api, f), set()
        counts = {p.name for p, r in zip(f.parameters, roles) if r.role == "count"}
        counted = {f.parameters[i + 1].name: p.name for i, p in enumerate(f.parameters[:-1])}
        for i, (p, r) in enumerate(zip(f.parameters, roles)):
            if i in skip:
                continue
            following = i + 1 < len(roles) and roles[i + 1].role == "count"
            if r.role == "error":
                self.passes.append("&err")
            elif r.role == "out" and self.result(p, r):
                pass
            elif r.role == "in" and (following or r.length in counts) and self.array(p, r, following):
                skip.update({i + 1} if following else ())
            elif r.length or not self.single(p, r):
                self.raw(p)

        for n, r in self.alike:  # one count for two arrays
            self.before.append(f"Frame.Match({n}.Length, {name(counted[r.length])}.Length, {str(r.nullable).lower()});")

    def take(self, kind, p):
        self.takes.append(f"{kind} {name(p.name)}")

    def raw(self, p):
        self.take(self.w.type(p.type), p)
        self.passes.append(name(p.name))

    def result(self, p, r):
        t, kinds = p.type, None
        made = f"made_{p.name}"
        if r.length or (len(t.pointers) == 2 and r.ownership == "view"):
            return False
        if t.base in CLASSES and len(t.pointers) == 2:
            kind = CLASSES[t.base]
            kinds = (f"{t.base}*", kind + "?", f"{kind}.TakeOrNull({made})") if r.out_nullable or r.nullable else \
                (f"{t.base}*", kind, f"{kind}.Take({made})")
        elif t.base in LISTS and len(t.pointers) == 2:
            kind, take = LISTS[t.base]
            if r.out_nullable or r.nullable:
                kinds = (f"{t.base}*", kind + "?", f"{made} == null ? null : Marshalled.{take}({made})")
            else:
                kinds = (f"{t.base}*", kind, f"Marshalled.{take}({made})")
        elif len(t.pointers) == 1 and t.base == "td_bool":
            kinds = ("byte", "bool", f"{made} != 0")
        elif len(t.pointers) == 1 and t.base == "size_t":
            kinds = ("nuint", "long", f"(long){made}")
        elif len(t.pointers) == 1 and (t.base in self.w.enums or t.base in BASES and t.base != "void"):
            kinds = (self.w.base(t.base), self.w.base(t.base), made)
        if kinds is None:
            return False
        self.before.append(f"{kinds[0]} {made} = default;")
        self.passes.append(f"&{made}")
        self.results.append((kinds[1], kinds[2]))
        return True

    def array(self, p, r, counted):
        """An array and, if the count follows it, the number of its elements."""
        t, n = p.type, name(p.name)
        count = [f"(nuint){n}.Length"] if counted else []
        if not counted:
            self.alike.append((n, r))
        if t.base in NUMBERS and len(t.pointers) == 1:
            self.take(f"ReadOnlySpan<{NUMBERS[t.base]}>", p)
            self.fixed.append(f"fixed ({NUMBERS[t.base]}* {p.name}_at = {n})")
            self.passes += [f"{p.name}_at", *count]
        elif t.base in FILLED and len(t.pointers) == 1:
            kind = FILLED[t.base]
            self.take(f"ReadOnlySpan<{kind}>", p)
            self.memory = True
            self.passes += [f"c.{'Strings' if t.base == 'td_str' else FILLED[t.base] + 's'}({n})", *count]
            if t.base not in ("td_str", "td_data"):
                self.alive.append(f"Frame.Keep({n});")
        elif t.base in CLASSES and len(t.pointers) == 2:
            self.take(f"ReadOnlySpan<{CLASSES[t.base]}>", p)
            self.memory = True
            self.passes += [f"({t.base}**)c.Handles({n})", *count]
            self.alive.append(f"Frame.Keep({n});")
        else:
            return False
        return True

    def single(self, p, r):
        t, n = p.type, name(p.name)
        if t.base in CLASSES and len(t.pointers) == 1 and r.ownership != "taken":
            optional = r.nullable and r.role != "self"
            self.take(CLASSES[t.base] + ("?" if optional else ""), p)
            owner = "self" if p.name == "self" else n
            self.passes.append(f"({t.base}*)NativeObject.PointerOrNull({owner})" if optional else f"({t.base}*){owner}.Pointer")
            self.alive.append(f"GC.KeepAlive({owner});")
        elif t.base == "td_str" and not t.pointers:
            self.take("string?", p)
            self.memory = True
            self.passes.append(f"c.String({n})")
        elif t.base in ("td_key", "td_value", "td_data") and len(t.pointers) == 1 and r.role == "in":
            kind = FILLED[t.base]
            self.take(kind + ("?" if r.nullable else ""), p)
            self.memory = True
            self.passes.append(f"c.{kind}({n})")
            if t.base != "td_data":
                self.alive.append(f"Frame.Keep({n});")
        elif t.base == "td_bool" and not t.pointers:
            self.take("bool", p)
            self.passes.append(f"Marshalled.Byte({n})")
        elif t.base == "size_t" and not t.pointers:
            self.take("long", p)
            self.passes.append(f"checked((nuint){n})")
        else:
            return False
        return True

    def text(self):
        f, w = self.f, self.w
        status = f.result.base == "td_status" and f.parameters[-1].name == "err"
        result, value = None, None
        if not status:
            result, value = {"void": ("void", None), "td_bool": ("bool", "result != 0"), "size_t": ("long", "(long)result"),
                             "td_str": ("string?", "Marshalled.Text(result)")}.get(f.result.base, (w.type(f.result), "result"))
            if f.result.pointers:
                result, value = w.type(f.result), "result"
        elif not self.results:
            result = "void"
        elif len(self.results) == 1:
            result, value = self.results[0]
        else:
            result = "(" + ", ".join(kind for kind, _ in self.results) + ")"
            value = "(" + ", ".join(v for _, v in self.results) + ")"
        lines = ["td_error* err = null;"] if status else []
        if self.memory:
            lines += ["byte* memory = stackalloc byte[Frame.Size];", "using var c = new Frame(memory);"]
        lines += self.before
        call = f"Api.{f.name}({', '.join(self.passes)})"
        held = "Status status" if status else "var result" if result != "void" else ""
        if self.fixed:
            if held:
                lines.append(held.replace("var", w.type(f.result)) + ";")
                held = held.split()[-1]
            lines += self.fixed
            lines.append(("    " + held + " = " if held else "    ") + call + ";")
        else:
            lines.append((held + " = " if held else "") + call + ";")
        lines += self.alive
        if status:
            lines.append("if (status != Status.Ok) Errors.Throw(status, err);")
        if value:
            lines.append(f"return {value};")
        out = f"    internal static {result} {f.name[3:]}({', '.join(self.takes)})\n    {{\n"
        return out + "".join(f"        {line}\n" for line in lines) + "    }\n"


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def summary(doc, indent):
    if not doc:
        return ""
    lines = [f"/// {line}".rstrip() for line in escape(doc).split("\n")]
    if len(lines) == 1 and len(indent + lines[0]) < 90:
        return f"{indent}/// <summary>{lines[0][4:]}</summary>\n"
    return "".join(f"{indent}{line}\n" for line in ["/// <summary>", *lines, "/// </summary>"])


def types(api, _root):
    w = Writer(api)
    out = HEAD.format(version=api.version) + "#pragma warning disable CS1591 // the members are those of C\n\n"
    out += "using System;\nusing System.Runtime.InteropServices;\n\nnamespace LibTensorDict.Raw;\n\n"
    out += "".join(f"/// <summary>Opaque; only pointers to it exist.</summary>\npublic struct {o} {{ }}\n" for o in api.opaque)
    return out + "\n" + "\n".join(w.struct(s) for s in api.structs)


def enums(api, _root):
    w = Writer(api)
    out = HEAD.format(version=api.version) + "\nusing System;\n\nnamespace LibTensorDict;\n\n"
    return out + "\n".join(w.enum(e) for e in api.enums)


def imports(api, _root):
    w = Writer(api)
    out = HEAD.format(version=api.version) + "#pragma warning disable CS1591 // the constants are those of C\n\n"
    out += "using System.Runtime.InteropServices;\n\nnamespace LibTensorDict.Raw;\n\n"
    out += "/// <summary>The functions of tensordict.h as they are: unsafe and unchecked.</summary>\n"
    out += 'public static unsafe partial class Api\n{\n    /// <summary>What <see cref="Loader"/> looks for.</summary>\n'
    out += '    public const string Library = "tensordict";\n\n' + "".join(w.constants())
    return out + "\n" + "\n".join(w.imported(f) for f in api.functions) + "}\n"


def called(f):
    """Not what the classes of the safe layer do themselves: releasing, and reading errors, texts and lists."""
    own = {"td_error", *LISTS, "td_entries"}
    first = f.parameters[0].type.base if f.parameters else ""
    return not re.search(r"_(retain|release)$|^td_error_|_clear$", f.name) and not (
        first in own and f.parameters[0].name == "self") or f.name in ("td_dict_clear", "td_query_clear", "td_store_clear", "td_row_map_clear")


def calls(api, _root):
    w = Writer(api)
    out = HEAD.format(version=api.version)
    out += "\nusing System;\nusing LibTensorDict.Raw;\n\nnamespace LibTensorDict;\n\n"
    out += "/// <summary>The functions with arguments of C#.</summary>\ninternal static unsafe partial class Native\n{\n"
    return out + "\n".join(w.call(f) for f in api.functions if called(f)) + "}\n"


def check(api, root):
    """A test: what the C compiler makes of each struct is what this runtime makes of it."""
    w, facts = Writer(api), layout.ask(api, root)
    out = HEAD.format(version=api.version) + "\nusing System.Collections.Generic;\nusing LibTensorDict.Raw;\n\n"
    out += "namespace LibTensorDict.Tests;\n\n/// <summary>Sizes and offsets: here, and in C.</summary>\n"
    out += "internal static unsafe class Layout\n{\n"
    out += "    internal static IEnumerable<(string What, long Here, long C)> All()\n    {\n"
    out += "        var all = new List<(string, long, long)>();\n        byte* at = stackalloc byte[1024];\n"
    for s in api.structs:
        out += f'        all.Add(("{s.name}", sizeof({s.name}), {facts["struct", s.name][0]}));\n'
        for f in s.fields:
            member = f"(({s.name}*)at)->{name(f.name)}"
            place = f"(byte*){member if f.array else '&' + member} - at"
            out += f'        all.Add(("{s.name}.{f.name}", {place}, {facts["field", s.name, f.name][0]}));\n'
    out += "        return all;\n    }\n\n    internal static readonly string[] Functions =\n    {\n"
    out += "".join(f'        "{f.name}",\n' for f in api.functions)
    return out + "    };\n}\n"
