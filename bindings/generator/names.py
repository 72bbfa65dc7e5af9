"""Which method of each binding calls which function of the header, read from the sources of the safe layers.

A call counts for the public function it stands in. What a private helper calls, or what a macro builds from pieces of a name,
is not found: the cell of that function stays empty."""
import re


def blank_comments(text, line="//"):
    return re.sub(rf"{line}(?! namespace)[^\n]*", "", text)


class Scan:
    """Goes through a file line by line, with the type and the public function that a line stands in."""

    comment = "//"

    def __init__(self, functions, files):
        self.functions, self.found = functions, {}
        for path in files:
            self.type = self.method = None
            self.public, self.hidden = True, False
            for line in blank_comments(path.read_text(encoding="utf-8"), self.comment).split("\n"):
                self.line(line)
                for name in self.calls(line):
                    if name in functions and self.method:
                        found = self.found.setdefault(name, [])
                        if self.method not in found:
                            found.append(self.method)

    def line(self, line):
        raise NotImplementedError

    def calls(self, line):
        return re.findall(r"\btd_\w+", line)


class Cpp(Scan):
    definition = re.compile(r"^( {2})?(?:template.*> )?(?:static |constexpr |inline |explicit |friend |virtual )*"
                            r"[\w:<>,*& ]+?[&* ](operator[^\w\s(]+|operator\(\)|~?\w+)\(")

    def line(self, line):
        kind = re.match(r"^(?:class|struct) (\w+)", line)
        if kind:
            self.type, self.public, self.method = kind[1], line.startswith("struct"), None
        elif re.match(r"^ public:", line):
            self.public = True
        elif re.match(r"^ (?:private|protected):", line):
            self.public = False
        elif re.match(r"^namespace detail", line):
            self.hidden = True
        elif line.startswith("}"):
            self.type = self.method = None
            self.hidden = self.hidden and "namespace detail" not in line
        found = self.definition.match(line)
        if found and not re.match(r"\s*(?:return|throw|if|for|while|else|case)\b", line):
            member = bool(found[1])
            name = found[2]
            # Dict and Module are put together from parts.
            owner = re.sub(r"^(Dict|Module)(?!List)[A-Z]\w+$", r"\1", self.type or "")
            if self.hidden or name.startswith(("td_", "~", "raw")) or (member and (not self.public or not owner)):
                self.method = None
            else:
                self.method = f"{owner}::{name}" if member else name


class Rust(Scan):
    def line(self, line):
        kind = re.match(r"^impl(?:<[^>]*>)? (?:[\w:<>', ]+ for )?&?(?:'\w+ )?(?:mut )?(\w+)", line)
        if kind:
            self.type, self.trait, self.method = kind[1], " for " in line, None
        elif re.match(r"^[}\w]", line) and not re.match(r"^pub fn", line):
            self.method = self.type = None
        found = re.match(r"^( {4})?(pub )?(?:const )?(?:unsafe )?fn (\w+)", line)
        if found:
            shown = found[2] or (found[1] and self.trait)
            self.method = (f"{self.type}::{found[3]}" if found[1] and self.type else found[3]) if shown else None
        elif re.match(r"^ {4}pub\(", line):
            self.method = None

    trait = False


class Go(Scan):
    def __init__(self, functions, files, camel):
        self.raw = {camel(f): f for f in functions}
        super().__init__(functions, files)

    def line(self, line):
        found = re.match(r"^func (?:\(\w* ?\*?(\w+)(?:\[[^\]]*\])?\) )?(\w+)", line)
        if found:
            shown = found[2][0].isupper() and (not found[1] or found[1][0].isupper())
            self.method = (f"{found[1]}.{found[2]}" if found[1] else found[2]) if shown else None
        elif re.match(r"^[a-z]", line):
            self.method = None

    def calls(self, line):
        return [self.raw.get(n, "") for n in re.findall(r"\braw\.(\w+)", line)]


class CSharp(Scan):
    def line(self, line):
        kind = re.match(r"^(?:public|internal) .*\b(?:class|struct|interface) (\w+)", line)
        if kind:
            self.type, self.method = (kind[1] if line.startswith("public") else None), None
        found = re.match(r"^ {4}(public|internal|private|protected) (?:[\w?.<>\[\], ]+ |[\w ]*\([^()]*\) )?"
                         r"(this|(?:operator )?[A-Z]\w*|operator \S+?)\s*(?:<[^>]*>)?\s*(?:\(|\[|=>|\{|$)", line)
        if found:
            self.method = f"{self.type}.{found[2]}" if found[1] == "public" and self.type else None
        elif re.match(r"^ {4}(?:private|internal|protected|static)\b", line):
            self.method = None

    def calls(self, line):
        return ["td_" + n for n in re.findall(r"\bNative\.(\w+)", line)] + re.findall(r"\btd_\w+", line)


class Julia(Scan):
    comment = "(?<!\\S)#"

    def __init__(self, functions, files, exported):
        self.exported = exported
        super().__init__(functions, files)

    def line(self, line):
        found = re.match(r"^(?:@inline )?(?:function )?((?:Base\.)?[\w!.]+|Base\.:\W+)(?:\{[^}]*\})?\(", line)
        if found and not re.match(r"^(?:@handle|const|struct|include|export|if|for|while)\b", line):
            name = found[1]
            shown = name.startswith("Base.") or name in self.exported
            self.method = name if shown else None if name.startswith("_") else f"TensorDicts.{name}"
        elif re.match(r"^(?:end|const|struct|macro)\b", line):
            self.method = None

    def calls(self, line):
        return re.findall(r"\bRaw\.(td_\w+)", line)


def scan(api, root, camel):
    """For each function {language: names}."""
    functions = {f["name"] for f in api["functions"]}
    bindings = root / "bindings"
    exports = (bindings / "julia/src/exports.jl").read_text(encoding="utf-8")
    exported = set(re.findall(r"[\w!]+", " ".join(re.findall(r"(?m)^export (.*)$", exports))))
    found = {
        "C++": Cpp(functions, sorted((bindings / "cpp/tensordict").rglob("*.hpp"))),
        "Rust": Rust(functions, [p for p in sorted((bindings / "rust/src").rglob("*.rs")) if p.name != "sys.rs"]),
        "Go": Go(functions, [p for p in sorted((bindings / "go").glob("*.go")) if not p.name.endswith("_test.go")], camel),
        "C#": CSharp(functions, [p for p in sorted((bindings / "csharp/src").rglob("*.cs")) if p.parent.name != "Raw"]),
        "Julia": Julia(functions, [p for p in sorted((bindings / "julia/src").rglob("*.jl")) if p.name != "raw.jl"], exported),
    }
    out = {}
    for language, scanned in found.items():
        for function, names in scanned.found.items():
            if function.endswith(("_retain", "_release")):  # objects of the bindings do that by themselves
                continue
            out.setdefault(function, {})[language] = names[:3]
    return out
