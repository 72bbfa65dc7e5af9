"""The header as JSON: what was read from it, what the grammar says of it, and what the compiler makes of it."""
import dataclasses

from . import contract, layout

SCHEMA = 1  # raised when a member of the JSON goes or changes its meaning; README.md describes the members


def parameters(function, api):
    roles = contract.roles(api, function)
    return [{"name": p.name, "type": dataclasses.asdict(p.type), **dataclasses.asdict(r)}
            for p, r in zip(function.parameters, roles)]


def result_ownership(function):
    """Who owns a pointer or a text that is returned: nobody, the caller, `self`, or who handed it in."""
    result = function.result
    if result.base == "td_str" and "text is static" in " ".join(function.doc.replace("*", " ").split()):
        return "static"
    if (result.base, result.pointers) == contract.USERDATA:
        return "userdata"
    if result.pointers:
        return "view" if result.pointers[-1] else "new"
    return "view" if result.base == "td_str" else None


def member(fields, i, init=False):
    """A member of a struct or a parameter of a callback. In a struct with an INIT pointers may be NULL, in others if a
    mark or the grammar of callbacks says so."""
    field = fields[i]
    following = fields[i + 1] if i + 1 < len(fields) else None
    points = field.type is not None and bool(field.type.pointers)
    counted = points and following is not None and following.type is not None and following.type.base == "size_t" \
        and not following.type.pointers and bool(contract.COUNT.fullmatch(following.name))
    free = init or field.name in ("destroy", "userdata", "owner", "err")
    return {
        "name": field.name,
        "type": dataclasses.asdict(field.type) if field.type else None,
        "callback": callback(field.callback) if field.callback else None,
        "union": members(field.union) if field.union else None,
        "nullable": (points or field.callback is not None) and (field.marks.nullable or free),
        "length": field.marks.length or (following.name if counted else None),
        "array": field.array,
    }


def members(fields):
    return [member(fields, i) for i in range(len(fields))]


def callback(c):
    return {"name": c.name, "result": dataclasses.asdict(c.result), "parameters": members(c.parameters), "doc": c.doc}


def struct_fields(struct, facts):
    """Members with their places and defaults."""
    out = []
    for i, field in enumerate(struct.fields):
        offset, size = facts["field", struct.name, field.name]
        default, = facts.get(("default", struct.name, field.name), (None,))
        one = member(struct.fields, i, struct.init is not None)
        out.append({**one, "offset": offset, "size": size, "default": default})
    return out


def describe(api, root):
    facts = layout.ask(api, root)
    stability = {chapter.name: chapter.stability for chapter in api.chapters}

    def home(name):
        return {"chapter": api.homes[name], "stability": stability[api.homes[name]]}

    names = {function.name for function in api.functions}
    in_enums = {name for enum in api.enums for name in enum.constants}
    constants = {c.name: {**dataclasses.asdict(c), "number": facts["constant", c.name][0]} for c in api.constants}

    def handle(name):
        stem = {"retain": f"{name}_retain", "release": f"{name}_release"}
        return {"name": name, **home(name), **{what: of if of in names else None for what, of in stem.items()}}

    return {
        "schema": SCHEMA,
        "version": api.version,
        "abi": constants["TD_ABI_MAJOR"]["number"],
        "sizes": {key[1]: size for key, (size, *_) in facts.items() if key[0] == "type"},
        "chapters": [dataclasses.asdict(chapter) for chapter in api.chapters],
        "aliases": api.aliases,
        "opaque": api.opaque,
        "handles": [handle(name) for name in api.opaque],
        "callbacks": [{**callback(c), **home(c.name)} for c in api.callbacks],
        "structs": [{"name": s.name, "doc": s.doc, **home(s.name), "size": facts["struct", s.name][0],
                     "align": facts["struct", s.name][1], "fields": struct_fields(s, facts),
                     "init": f"{s.name.upper()}_INIT" if s.init is not None else None} for s in api.structs],
        "enums": [{**dataclasses.asdict(e), "stability": stability[e.chapter], "flags": e.name.endswith("_flags")}
                  for e in api.enums],
        "constants": list(constants.values()),
        "macros": [c for c in constants.values() if c["name"] not in in_enums],
        "functions": [{**dataclasses.asdict(f), "result_ownership": result_ownership(f),
                       "parameters": parameters(f, api)} for f in api.functions],
    }
