"""What each parameter is for: the grammar of tensordict.h with the marks of base.h; and where both are silent."""
import re
from dataclasses import dataclass
from typing import Optional

COUNT = re.compile(r"n|ndim|size|capacity|n_\w+")
ELEMENTS = {"void", "char", "double", "int64_t", "int32_t", "uint64_t", "size_t", "td_str", "td_key_set",
            "td_named_value"}
USERDATA = ("void", [False])  # void *: what a caller handed in


@dataclass
class Role:
    """What a caller has to know of a parameter."""
    role: str               # "self", "in", "out", "error", "count", "userdata" or "callback"
    nullable: bool          # NULL is allowed, whatever the other arguments are
    out_nullable: bool      # what is written may be NULL
    length: Optional[str]   # None for one object; or a parameter, or an expression over them
    ownership: Optional[str]  # of "in": "borrowed", "kept" or "taken"; of "out": "new", "view" or "copy"
    written: bool           # the object behind it changes


def is_array(function, i):
    """Whether the parameter after a pointer is the number of its elements."""
    parameters = function.parameters
    following = parameters[i + 1] if i + 1 < len(parameters) else None
    counted = following is not None and following.type.base == "size_t" and not following.type.pointers
    return parameters[i].name != "self" and bool(parameters[i].type.pointers) and counted \
        and bool(COUNT.fullmatch(following.name))


def roles(api, function):
    """A Role for each parameter of a function."""
    callbacks = {callback.name for callback in api.callbacks}
    fallible = any(p.name == "err" for p in function.parameters)
    return [role(api, function, i, p, callbacks, fallible) for i, p in enumerate(function.parameters)]


def role(api, function, i, p, callbacks, fallible):
    marks, pointers = p.marks, p.type.pointers
    length = marks.length or (function.parameters[i + 1].name if is_array(function, i) else None)
    handle = p.type.base in api.opaque and len(pointers) == 1
    kept = "taken" if marks.takes else "kept" if marks.keeps else "borrowed"
    if p.name == "err":
        return Role("error", True, True, None, "new", False)
    if not pointers:
        if p.type.base in callbacks:
            return Role("callback", marks.nullable, False, None, "kept" if marks.keeps else "borrowed", False)
        return Role("count" if i and is_array(function, i - 1) else "in", False, False, None, None, False)
    if p.type.base == "void" and p.name in ("userdata", "owner"):
        return Role("userdata", True, False, None, kept, False)
    if i == 0 and p.name == "self":
        return Role("self", not fallible, False, None, "borrowed", not pointers[-1])
    if not pointers[-1] and not handle and not marks.takes and not marks.keeps and not marks.writes:
        owned = "view" if p.name.endswith("_view") else "new" if len(pointers) == 2 else "copy"
        nullable = marks.nullable or not fallible
        return Role("out", nullable, marks.out_nullable, length, owned, True)
    return Role("in", marks.nullable or (handle and not fallible), False, length, kept, marks.writes)


def silent(api):
    """Yields a line for each pointer of which neither the grammar nor a mark says what a caller must know."""
    for function in api.functions:
        name, result = function.name, function.result
        if result.pointers and result.base not in api.opaque and (result.base, result.pointers) != USERDATA:
            yield f"{name}: who owns its result?"
        for i, p in enumerate(function.parameters):
            yield from (f"{name}, {p.name}: {problem}" for problem in problems(api, function, i, p))
        for named in re.findall(r"`(\w+)` (?:\(may|may) be NULL", " ".join(function.doc.split())):
            for p in function.parameters:
                if p.name == named and not p.marks.nullable and not is_array(function, function.parameters.index(p)):
                    yield f"{name}, {named}: its doc says that it may be NULL, TD_NULLABLE does not"


def problems(api, function, i, p):
    marks, pointers, self = p.marks, p.type.pointers, i == 0 and p.name == "self"
    if not pointers:
        marked = marks.out_nullable or marks.writes or marks.takes or marks.length
        if marked or (marks.nullable and p.type.base not in {c.name for c in api.callbacks}):
            yield "a mark on what is no pointer"
        return
    if p.name in ("err", "userdata", "owner") or self:
        return
    output = p.name.startswith(("out", "n_")) and not pointers[-1]
    if not output and not pointers[-1] and not (marks.keeps or marks.writes or marks.takes):
        yield "not const: say TD_KEEPS, TD_WRITES or TD_TAKES, or call it out..."
    if output and (marks.keeps or marks.writes or marks.takes):
        yield "an output that is kept, written or given away"
    if marks.out_nullable and (not output or len(pointers) < 2):
        yield "TD_OUT_NULLABLE on what is no output of pointers"
    if p.type.base.endswith("_options") and not output and not marks.nullable:
        yield "options are TD_NULLABLE: NULL stands for their TD_..._INIT"
    if p.type.base in ELEMENTS and len(pointers) == 1 and not output and not marks.length and not is_array(function, i):
        yield "how many? Say TD_LEN, or let the count follow"
    counted = is_array(function, i) and function.parameters[i + 1].name == marks.length
    if counted and p.type.base != "void":
        yield "TD_LEN says what the parameter that follows says"
    if marks.length:
        known = {q.name for q in function.parameters}
        if not known.intersection(re.findall(r"[a-z]\w*", marks.length)) and not marks.length.isdigit():
            yield f"TD_LEN({marks.length}) names no parameter"


def types_of(fields):
    """The names of all types that parameters or members are made of."""
    for one in fields:
        if one.type:
            yield one.type.base
        if one.callback:
            yield from [one.callback.result.base, *types_of(one.callback.parameters)]
        yield from types_of(one.union or [])


def previews_needed(api):
    """Yields a line where a stable function needs a type of a chapter that is a preview."""
    preview = {chapter.name for chapter in api.chapters if chapter.stability == "preview"}
    parts = {struct.name: struct.fields for struct in api.structs}
    parts.update((callback.name, callback.parameters) for callback in api.callbacks)
    for function in api.functions:
        seen, left = set(), [function.result.base, *types_of(function.parameters)]
        while left and function.stability == "stable":
            name = left.pop()
            if name not in seen:
                seen.add(name)
                left += types_of(parts.get(name, []))
                if api.homes.get(name) in preview:
                    yield f"{function.name} is stable and needs {name}, which is a preview"
