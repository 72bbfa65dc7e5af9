"""Reads tensordict.h and its chapters into plain data.

The header is our own and keeps to a small part of C: one declaration after the other, each with its comment before it.
Anything else is an error here, so that nothing is skipped in silence.
"""
import os
import re

from .api import Api, Callback, Chapter, Constant, Enum, Field, Function, Marks, Struct, Type

NAME = r"[A-Za-z_]\w*"
STATUSES = ("ARGUMENT KEY SHAPE DTYPE DEVICE INDEX LOCKED UNSUPPORTED VERSION IO NOSPACE CORRUPT PLUGIN CALLBACK "
            "TIMEOUT CLOSED TORCH OOM INTERNAL NOT_FOUND EXISTS CANCELLED BUSY").split()
DEFINED = {"__GNUC__"}
MARK = re.compile(r"TD_(NULLABLE|OUT_NULLABLE|KEEPS|WRITES|TAKES|LEN\(([^()]*)\))\s*")


def preprocess(text):
    """Leaves the C branch of every #if; takes #defines out and returns them beside the text."""
    text = re.sub(r"\\\n", " ", text)
    kept, defines, stack = [], {}, []
    for line in text.split("\n"):
        word = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not word:
            if all(taken for taken, _ in stack):
                kept.append(line)
            continue
        directive, rest = word.groups()
        if directive in ("if", "ifdef", "ifndef", "elif"):
            name = re.sub(r"defined|[()\s]", "", rest)
            truth = (name in DEFINED) != (directive == "ifndef")
            if directive == "elif":
                _, done = stack.pop()
                stack.append((truth and not done, truth or done))
            else:
                stack.append((truth, truth))
        elif directive == "else":
            _, done = stack.pop()
            stack.append((not done, True))
        elif directive == "endif":
            stack.pop()
        elif directive == "define" and all(taken for taken, _ in stack):
            define = re.match(rf"({NAME})(\([^)]*\))?\s*(.*)", rest)
            if not define.group(2):
                defines[define.group(1)] = " ".join(re.sub(r"/\*.*?\*/", "", define.group(3)).split())
        elif directive not in ("include", "define"):
            raise SyntaxError(f"unexpected directive: {line}")
    return "\n".join(kept), defines


def comment_text(comment):
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment[2:-2].strip().split("\n")]
    return "\n".join(line.rstrip() for line in lines).strip()


def statements(text):
    """Yields (section, doc, statement): a declaration up to its `;`, or a static inline function with its braces."""
    section, doc, start, depth, i = "", "", None, 0, 0
    while i < len(text):
        if text.startswith("/*", i):
            end = text.index("*/", i) + 2
            behind_code = text[text.rfind("\n", 0, i) + 1:i].strip()
            if start is None and not behind_code:
                doc = comment_text(text[i:end])
                title = re.match(r"(?:====|----) (.*?) [=-]+\s", doc + "\n")
                if title:
                    section, doc = title.group(1), ""
            i = end
            continue
        character = text[i]
        if start is None and not character.isspace():
            start = i
            if text.startswith('extern "C" {', i) or character == "}":
                raise SyntaxError(text[i:i + 60])
        depth += {"{": 1, "}": -1}.get(character, 0)
        if start is not None and depth == 0 and (character == ";" or
                                                 character == "}" and text.startswith("static inline", start)):
            yield section, doc, text[start:i + 1]
            start = None
            # A doc speaks for all declarations that follow without a blank line.
            if text[i + 1:i + 3] == "\n\n":
                doc = ""
        i += 1


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def parse_type(text):
    """`const td_path *const *` -> Type("td_path", [True, True])"""
    tokens = re.findall(rf"{NAME}|\*", text)
    tokens = [t for t in tokens if t != "struct"]
    const, base, pointers = False, None, []
    for token in tokens:
        if token == "const":
            const = True
        elif token == "*":
            pointers.append(const)
            const = False
        elif base is None:
            base = token
        else:
            raise SyntaxError(f"type: {text}")
    return Type(base, pointers)


def take_marks(text):
    """What stands in front of a declaration for those who read it: the marks, and the rest of the text."""
    marks, text = Marks(), text.strip()
    while match := MARK.match(text):
        if match.group(2) is not None:
            marks.length = match.group(2)
        else:
            setattr(marks, match.group(1).lower(), True)
        text = text[match.end():]
    if "TD_" in text.partition("(")[0]:
        raise SyntaxError(f"a mark in the midst of: {text}")
    return marks, text


def split_commas(text):
    parts, depth, last = [], 0, 0
    for i, character in enumerate(text):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [part.strip() for part in parts + [text[last:]] if part.strip()]


def parse_callback(text):
    """`void (*name)(void *owner)`"""
    match = re.fullmatch(rf"\s*(.*?)\(\s*\*\s*({NAME})\s*\)\s*\((.*)\)\s*", text, flags=re.S)
    return Callback(match.group(2), parse_type(match.group(1)), parse_parameters(match.group(3)))


def parse_parameters(text):
    if text.strip() == "void":
        return []
    return [parse_declarator(part) for part in split_commas(text)]


def parse_declarator(text):
    marks, text = take_marks(text)
    match = re.fullmatch(rf"(.*?)({NAME})\s*(?:\[(\d+)\])?\s*", text, flags=re.S)
    array = int(match.group(3)) if match.group(3) else None
    return Field(match.group(2), parse_type(match.group(1)), marks=marks, array=array)


def parse_fields(body):
    fields, union = [], re.compile(rf"union\s*\{{(.*?)\}}\s*({NAME})\s*;", re.S)
    for part in re.split(r"(union\s*\{.*?\}\s*\w+\s*;)", without_comments(body), flags=re.S):
        match = union.fullmatch(part.strip())
        if match:
            fields.append(Field(match.group(2), union=parse_fields(match.group(1))))
            continue
        for line in filter(str.strip, part.split(";")):
            if "(*" in line:
                marks, line = take_marks(line)
                callback = parse_callback(line)
                fields.append(Field(callback.name, callback=callback, marks=marks))
                continue
            first, *others = split_commas(line)
            fields.append(parse_declarator(first))
            # `double lr, momentum`: further names of the same type; the header never mixes in pointers here.
            fields += [Field(name, fields[-1].type) for name in others]
    return fields


def parse_function(chapter, section, doc, text):
    match = re.fullmatch(rf"TD_API\s+(.*?)({NAME})\s*\((.*)\)\s*TD_NOEXCEPT\s*;", text, flags=re.S)
    result, name, parameters = match.groups()
    marks, result = take_marks(result)
    flat = " ".join(doc.split())
    errors = re.search(r"Errors: (.*?)(?:Like |\[|$)", flat)
    like = re.search(r"Like (.*?)\.(?:\s|$)", flat)
    since = re.search(r"Since (\d+\.\d+)", flat)
    tags = re.findall(r"\[((?:any-thread|exclusive|leaf|may-[a-z-]+))\]", flat)
    if not (tags and since):
        raise SyntaxError(f"{name}: its doc has no tag or no Since")
    named = [s for s in STATUSES if errors and re.search(rf"\b{s}\b", errors.group(1))]
    return Function(name, parse_type(result), marks.nullable, parse_parameters(parameters), doc, chapter.name, section,
                    chapter.stability, tags, named, like.group(1) if like else "", since.group(1))


def parse_enum(api, chapter, text, alias, doc):
    body, names = text[text.index("{") + 1:text.rindex("}")], []
    for match in re.finditer(rf"({NAME})\s*=\s*([^,/]+?)\s*(?:,|$|(?=/))\s*(?:/\*(.*?)\*/|$)?", body.strip(), re.S):
        name, value, note = match.groups()
        names.append(name)
        api.constants.append(Constant(name, alias or "uint64_t", value, " ".join((note or "").split())))
    common = os.path.commonprefix(names) if len(names) > 1 else names[0]
    prefix = common[:common.rindex("_") + 1]
    name = alias or prefix.rstrip("_").lower() + "_flags"
    api.enums.append(Enum(name, api.aliases.get(alias, "uint64_t"), chapter.name, prefix, names, doc))


def parse_chapter(api, chapter, body):
    def home(name):
        api.homes[name] = chapter.name

    previous = (None, "")
    for section, doc, statement in statements(body):
        bare = " ".join(without_comments(statement).split())
        (alias, alias_doc), previous = previous, (None, "")
        if bare.startswith("static inline"):
            continue
        if bare.startswith("TD_API"):
            api.functions.append(parse_function(chapter, section, doc, bare))
        elif bare.startswith("enum"):
            parse_enum(api, chapter, statement, alias, doc or alias_doc)
        elif match := re.fullmatch(rf"typedef (u?int\w+_t) ({NAME});", bare):
            api.aliases[match.group(2)] = match.group(1)
            home(match.group(2))
            previous = (match.group(2), doc)
        elif match := re.fullmatch(rf"typedef struct ({NAME}) ({NAME});|struct ({NAME});", bare):
            api.opaque.append(match.group(1) or match.group(3))
            home(api.opaque[-1])
        elif match := re.fullmatch(rf"typedef struct {NAME} \{{(.*)\}} ({NAME});", bare):
            api.structs.append(Struct(match.group(2), parse_fields(match.group(1)), doc))
            home(match.group(2))
        elif "(*" in bare and bare.startswith("typedef"):
            callback = parse_callback(bare[len("typedef "):-1])
            callback.doc = doc
            api.callbacks.append(callback)
            home(callback.name)
        else:
            raise SyntaxError(f"not understood: {bare[:80]}")


def parse_defines(api, defines):
    for name, value in defines.items():
        number = re.fullmatch(r"-?\d+|\(\(size_t\)-1\)|INT\d+_M(IN|AX)", value)
        init = re.fullmatch(r"\{ ?sizeof\((\w+)\),?(.*)\}", value)
        if re.fullmatch(r"\d(\.\d+)?e-?\d+", value):
            api.constants.append(Constant(name, "double", value, ""))
        elif number:
            kind = "size_t" if "size_t" in value else "int64_t" if "INT64" in value else "int32_t"
            api.constants.append(Constant(name, kind, value, ""))
        elif init:
            values = [v.strip() for v in re.sub(r"[{}]", "", init.group(2).replace("TD_RESERVED", "0")).split(",") if v.strip()]
            struct = next(s for s in api.structs if s.name == init.group(1))
            only = f"{struct.name.upper()}_INIT"
            if name != only:
                raise SyntaxError(f"{name} makes a {struct.name}: a struct has one set of defaults, {only}")
            struct.init = values
        elif name.endswith("_INIT"):
            raise SyntaxError(f"not understood: #define {name} {value}")


def opening(name, text):
    """What the comment that a chapter begins with says of it."""
    match = re.match(r"/\* ==== (.*?) =+\n(.*?) \*/\n", text, flags=re.S)
    stability = match and re.search(r"^ \* Stability: (stable|preview)$", match.group(2), flags=re.M)
    if not stability:
        raise SyntaxError(f"tensordict/{name}.h does not begin with its title and its stability")
    doc = re.sub(r"^ \* ?", "", match.group(2)[:stability.start()], flags=re.M).strip()
    return Chapter(name, match.group(1), stability.group(1), doc)


def read(root):
    """What the checkout at `root` declares, chapter by chapter, in the order in which tensordict.h includes them."""
    folder, api, defines = root / "capi/include/tensordict", Api(), {}
    the_map = (root / "tensordict.h").read_text(encoding="utf-8")
    for name in re.findall(r'^#include "tensordict/(\w+)\.h"', the_map, re.M):
        text = (folder / f"{name}.h").read_text(encoding="utf-8")
        chapter = opening(name, text)
        body, own = preprocess(text)
        api.chapters.append(chapter)
        defines.update(own)
        parse_chapter(api, chapter, body)
    parse_defines(api, defines)
    api.version = ".".join(defines[f"TD_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))
    return api
