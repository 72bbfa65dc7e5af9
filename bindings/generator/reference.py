"""The reference of the site: Markdown (MyST) from the data of `generate.py --json`, a page for each chapter."""
import re

CODE = re.compile(r"(`[^`]*`)")
OWNED = {"borrowed": "borrowed for the call", "kept": "stays in use after the call", "taken": "given away",
         "view": "a view, valid as long as its owner", "copy": "a plain value"}
TAGS = {"any-thread": "any thread may call it", "exclusive": "no other thread may use the object during the call",
        "leaf": "calls nothing back, takes no lock, allocates nothing and does not wait",
        "may-call-back": "may run functions of the caller", "may-block": "may wait for files or for other processes",
        "may-alias": "the result may share memory with an argument"}


def c_type(t, name=""):
    """A type as C writes it, `name` included."""
    text = ("const " if t["pointers"] and t["pointers"][0] else "") + t["base"]
    for at, _ in enumerate(t["pointers"]):
        const = at + 1 < len(t["pointers"]) and t["pointers"][at + 1]
        text += (" " if at == 0 else "") + "*" + (" const " if const else "")
    return f"{text}{name}" if text.endswith(("*", " ")) else f"{text} {name}".rstrip()


def signature(f):
    parameters = ", ".join(c_type(p["type"], p["name"]) for p in f["parameters"]) or "void"
    return f"{c_type(f['result'], f['name'])}({parameters})"


class Prose:
    """Turns the text of the header into Markdown, with links to what it names."""

    def __init__(self, api):
        kinds = {"func": [f["name"] for f in api["functions"]],
                 "type": [x["name"] for group in ("structs", "enums", "callbacks", "handles") for x in api[group]],
                 "enumerator": [c for e in api["enums"] for c in e["constants"]],
                 "macro": [m["name"] for m in api["macros"]]}
        self.kinds = {name: kind for kind, names in kinds.items() for name in names}
        self.aliases = set(api["aliases"])

    def link(self, name, call=False):
        kind = self.kinds.get(name)
        return f"{{c:{kind}}}`{name}`" if kind else f"`{name}{'()' if call else ''}`"

    def code(self, text):
        """A span of code: a link if it is one name."""
        name = text.strip("`")
        return self.link(name) if name in self.kinds else text

    def plain(self, text):
        text = re.sub(r"([\\*_<>\[\]|$#~{}])", r"\\\1", text)
        names = r"\b((?:td|TD)(?:\\_[A-Za-z0-9]+)+(?:\\_)?)"
        return re.sub(names, lambda m: self.link(m[1].replace("\\", "")), text)

    def inline(self, text):
        return "".join(self.code(part) if part.startswith("`") else self.plain(part) for part in CODE.split(text))

    def text(self, doc):
        """Paragraphs, with indented lines as C."""
        out, block = [], []
        for line in [*doc.split("\n"), ""]:
            if line.startswith("    "):
                block.append(line[4:])
                continue
            if block and line.strip():
                out += ["", "```c", *block, "```", ""]
                block = []
            if not block or line.strip():
                out.append(line)
        if block:
            out += ["", "```c", *block, "```", ""]
        fenced, lines = False, []
        joined = "\n".join(out)
        for piece in re.split(r"(```c\n.*?\n```)", joined, flags=re.S):
            fenced = piece.startswith("```c")
            lines.append(piece if fenced else self.inline(piece))
        return "".join(lines).strip()

    def errors(self, text, names):
        text = self.inline(" ".join(text.split()))
        return re.sub(r"(?<![\w`\\])(" + "|".join(names) + r")(?![\w`])", r"{c:enumerator}`TD_ERR_\1`", text) if names else text


def parts(f):
    """The doc of a function without what the fields below it say: its text, and its sentence about errors."""
    doc = re.sub(r"\s*\[(?:any-thread|exclusive|leaf|may-call-back|may-block|may-alias)\]", "", f["doc"])
    doc = re.sub(r"\s*Since \d+\.\d+", "", doc)
    text, _, errors = doc.partition("Errors:")
    if f["like"]:
        text = re.sub(r"\s+Like\s+" + r"\s+".join(map(re.escape, f["like"].split())) + r"\.", " ", text)
    return re.sub(r" +\n", "\n", text).strip(), errors.strip().rstrip(".")


def of_parameter(p, handles, prose):
    """What a caller must know of a parameter."""
    if p["role"] == "error":
        return None
    said = []
    if p["role"] == "self":
        said.append("the object" + (", which changes" if p["written"] else ""))
    elif p["role"] == "count":
        said.append("the number of elements of the parameter before it")
    elif p["role"] == "out":
        released = handles.get(p["type"]["base"], {}).get("release")
        said.append("receives a new reference: release it with " + prose.link(released) if p["ownership"] == "new" and released
                    else "receives a new value" if p["ownership"] == "new"
                    else "receives " + OWNED.get(p["ownership"], "the result"))
    elif p["ownership"]:
        said.append(OWNED[p["ownership"]] + ("; it changes" if p["written"] else ""))
    if p["length"]:
        said.append(f"elements: `{p['length']}`")
    if p["nullable"]:
        said.append("may be NULL")
    if p["out_nullable"]:
        said.append("what is written may be NULL")
    return "; ".join(said) or "a plain value"


def function(f, api):
    prose, handles = api["prose"], api["by_handle"]
    text, errors = parts(f)
    out = [f"```{{c:function}} {signature(f)}", "", prose.text(text), ""]
    for p in f["parameters"]:
        said = of_parameter(p, handles, prose)
        if said:
            out.append(f":param {p['name']}: {said}")
    result = {"static": "as long as the library", "new": "the caller's: release it", "view": "a view, valid as long as `self`",
              "userdata": "what a caller handed in"}.get(f["result_ownership"])
    if result:
        out.append(f":returns: {result}" + ("; may be NULL" if f["result_nullable"] else ""))
    if errors or f["errors"]:
        out.append(":Errors: " + prose.errors(errors or ", ".join(f["errors"]), f["errors"]))
    out.append(":Threads: " + "; ".join(TAGS[t] for t in f["tags"]))
    if f["like"]:
        out.append(f":Python: {python(f['like'])}")
    for language, names in api["names"].get(f["name"], {}).items():
        out.append(f":{language}: " + ", ".join(f"`{n}`" for n in names))
    out.append(f":Since: {f['since']}, {f['stability']}")
    if api["used"].get(f["name"]):
        out.append(":Used in: " + ", ".join(f"[{title}](/{page})" for page, title in api["used"][f["name"]]))
    return "\n".join([*out, "```", ""])


def python(like):
    return f"`{like}`" if "`" not in like else like


def struct(s, prose):
    init = f" Start from `{s['init']}`." if s["init"] else ""
    out = [f"````{{c:struct}} {s['name']}", "", prose.text(s["doc"]) + init, ""]
    for m in s["fields"]:
        said = [f"elements: `{m['length']}`"] if m["length"] else []
        said += ["may be NULL"] if m["nullable"] else []
        said += [f"default {m['default']}"] if m["default"] else []
        array = f"[{m['array']}]" if m["array"] else ""
        if not m["type"]:
            kind = "a function" if m["callback"] else "a union of " + ", ".join(
                f"`{c_type(u['type'], u['name'])}`" for u in m["union"])
            out += [f"`{m['name']}`: {kind}" + (f" ({'; '.join(said)})" if said else ""), ""]
            continue
        out += [f"```{{c:member}} {c_type(m['type'], m['name'])}{array}", "; ".join(said), "```"]
    return "\n".join([*out, "````", ""])


def enum(e, api):
    constants = {c["name"]: c for c in api["constants"]}
    out = [f"````{{c:enum}} {e['name']}", "", api["prose"].text(e["doc"]), "",
           f"An `{e['type']}`" + ("; its constants may be combined." if e["flags"] else "."), ""]
    for name in e["constants"]:
        c = constants[name]
        out += [f"```{{c:enumerator}} {name}", f"= {c['number']}" + (f": {api['prose'].inline(c['doc'])}" if c["doc"] else ""), "```"]
    return "\n".join([*out, "````", ""])


def chapter(c, api):
    """The page of a chapter."""
    prose = api["prose"]
    own = {group: [x for x in api[group] if x["chapter"] == c["name"]]
           for group in ("functions", "structs", "enums", "callbacks", "handles")}
    out = [f"# {c['title']}", "", f"`#include <tensordict/{c['name']}.h>`, or all chapters with `tensordict.h`. "
           f"Stability: **{c['stability']}**.", "", prose.text(c["doc"]), ""]
    section = c["title"]
    for f in own["functions"]:
        if f["section"] != section:
            section = f["section"]
            out += [f"## {prose.inline(section)}", ""]
        out.append(function(f, api))
    if own["structs"] or own["enums"] or own["callbacks"] or own["handles"]:
        out += ["## Types", ""]
    for h in own["handles"]:
        ends = ", ".join(f"{what} with {prose.link(h[what])}" for what in ("retain", "release") if h[what])
        out += [f"```{{c:type}} {h['name']}", f"An opaque object: {ends}." if ends else "An opaque object.", "```", ""]
    out += [struct(s, prose) for s in own["structs"]] + [enum(e, api) for e in own["enums"]]
    for f in own["callbacks"]:
        parameters = ", ".join(c_type(p["type"], p["name"]) for p in f["parameters"])
        out += [f"```{{c:type}} {c_type(f['result'])} (*{f['name']})({parameters})", prose.text(f["doc"]), "```", ""]
    if c["name"] == "base":
        out += ["## Macros", ""]
        for m in api["macros"]:
            out += [f"```{{c:macro}} {m['name']}", f"= {m['value'] if m['type'] == 'size_t' else m['number']} (`{m['type']}`)", "```", ""]
    return "\n".join(out)


def pages(api, names, used):
    """Path and text of each page. `names`: for each function its names in other languages; `used`: the pages with it."""
    api = {**api, "names": names, "used": used, "by_handle": {h["name"]: h for h in api["handles"]}, "prose": Prose(api)}
    index = ["# Reference", "", "One page for each chapter of `tensordict.h`. Every function that can fail returns a "
             "{c:type}`td_status` and writes an error to its last argument; ARGUMENT, OOM and INTERNAL may come from each of "
             "them and are not repeated. [Names](names.md) finds a function by its Python name or by its name in a binding.",
             "", "```{toctree}", ":maxdepth: 1", ""]
    for c in api["chapters"]:
        yield f"reference/{c['name']}.md", chapter(c, api)
        index.append(c["name"])
    yield "reference/index.md", "\n".join([*index, "names", "coverage", "```", ""])
