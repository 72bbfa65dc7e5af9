"""The raw layer for Rust: what bindgen would write, without bindgen and without libclang."""
import re

BASES = {
    "void": "c_void", "char": "c_char", "size_t": "usize", "double": "f64", "float": "f32",
    "int8_t": "i8", "int16_t": "i16", "int32_t": "i32", "int64_t": "i64",
    "uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64",
}
VALUES = {"((size_t)-1)": "usize::MAX", "INT32_MIN": "i32::MIN", "INT32_MAX": "i32::MAX", "INT64_MAX": "i64::MAX",
          "INT64_MIN": "i64::MIN"}
KEYWORDS = {"self", "as", "fn", "type", "in", "ref", "mod", "move", "use", "where", "match", "loop"}

HEAD = """\
//! tensordict.h with its chapters, as it is: unsafe, unchecked, undecorated. The safe layer is the rest of this crate.
//!
//! Do not edit; made from tensordict.h {version} by bindings/generate.py.
#![allow(non_camel_case_types)]

use std::marker::{{PhantomData, PhantomPinned}};
use std::os::raw::{{c_char, c_void}};
"""


def name(text):
    return text + "_" if text in KEYWORDS else text


def type_(t):
    text = BASES.get(t.base, t.base)
    for const in t.pointers:
        text = ("*const " if const else "*mut ") + text
    return text


def callback(c):
    parameters = ", ".join(f"{name(p.name)}: {type_(p.type)}" for p in c.parameters)
    return f"Option<unsafe extern \"C\" fn({parameters}){result(c.result)}>"


def result(t):
    return "" if t.base == "void" and not t.pointers else f" -> {type_(t)}"


def doc(text, indent=""):
    lines = []
    code = False
    for line in text.split("\n"):
        # Four spaces are a block of Rust to rustdoc; ours are C.
        inside = line.startswith("    ")
        if inside != code:
            lines.append("```c" if inside else "```")
            code = inside
        # Brackets are links, and text after a colon in angle brackets is HTML, unless escaped.
        lines.append(line[4:] if inside else re.sub(r"([\[\]<>*])", r"\\\1", line))
    if code:
        lines.append("```")
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in lines) if text else ""


def field_type(f):
    if f.callback:
        return callback(f.callback)
    return f"[{type_(f.type)}; {f.array}]" if f.array else type_(f.type)


def struct(s):
    out = ""
    for f in s.fields:
        if f.union:
            out += "#[repr(C)]\n#[derive(Clone, Copy)]\n"
            out += f"pub union {s.name}_{f.name} {{\n"
            out += "".join(f"    pub {name(u.name)}: {type_(u.type)},\n" for u in f.union) + "}\n\n"
    out += doc(s.doc) + "#[repr(C)]\n#[derive(Clone, Copy)]\n" + f"pub struct {s.name} {{\n"
    for f in s.fields:
        out += f"    pub {name(f.name)}: {s.name + '_' + f.name if f.union else field_type(f)},\n"
    out += "}\n"
    if s.init is not None:
        out += f"\nimpl Default for {s.name} {{\n    fn default() -> Self {{\n{initial(s, s.init)}    }}\n}}\n"
    return out


def initial(s, init):
    """The struct with the values of a TD_X_INIT."""
    values = iter(init)
    out = f"        {s.name} {{\n"
    for f in s.fields:
        if f.name == "struct_size":
            value = f"std::mem::size_of::<{s.name}>()"
        elif f.callback:
            value = next(values).replace("NULL", "None")
        elif f.type.base == "td_str" and not f.type.pointers:
            next(values), next(values)
            value = "td_str {\n                data: std::ptr::null(),\n                size: 0,\n            }"
        else:
            value = next(values)
            value = f"[{value}; {f.array}]" if f.array else value
            if value == "NULL":
                constant = not f.type.pointers or f.type.pointers[-1]
                value = "std::ptr::null()" if constant else "std::ptr::null_mut()"
        out += f"            {name(f.name)}: {value},\n"
    return out + "        }\n"


def function(f):
    parameters = [f"{name(p.name)}: {type_(p.type)}" for p in f.parameters]
    line = f"    pub fn {f.name}({', '.join(parameters)}){result(f.result)};\n"
    if len(line) > 101:  # as rustfmt breaks lines
        line = f"    pub fn {f.name}(\n" + "".join(f"        {p},\n" for p in parameters) + f"    ){result(f.result)};\n"
    return doc(f.doc, "    ") + line


def emit(api, _root):
    out = HEAD.format(version=api.version) + "\n"
    out += "".join(f"pub type {alias} = {BASES[base]};\n" for alias, base in api.aliases.items()) + "\n"
    for c in api.constants:
        out += doc(c.doc) + f"pub const {c.name}: {BASES.get(c.type, c.type)} = {VALUES.get(c.value, c.value)};\n"
    for opaque in api.opaque:
        out += (f"\n#[repr(C)]\npub struct {opaque} {{\n    _data: [u8; 0],\n"
                "    _marker: PhantomData<(*mut u8, PhantomPinned)>,\n}\n")
    for c in api.callbacks:
        out += "\n" + doc(c.doc) + f"pub type {c.name} = {callback(c)};\n"
    for s in api.structs:
        out += "\n" + struct(s)
    out += '\n#[link(name = "tensordict")]\nextern "C" {\n'
    section = None
    for f in api.functions:
        out += "\n" if section is not None else ""
        out += f"    // {f.section}\n\n" if f.section != section else ""
        out += function(f)
        section = f.section
    return out + "}\n"
