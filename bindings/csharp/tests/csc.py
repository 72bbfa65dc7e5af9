"""usage: csc.py ROSLYN OUT.dll exe|library [options of csc] SOURCE.cs... [-- OUT.dll exe|library ...]...

Compiles C# without an SDK: calls the compiler's own library, from the folder ROSLYN, on the runtime that hosts this
Python. Warnings fail, as in the project files. Several assemblies in one call share the start of the compiler."""
import importlib.util
import os
import pathlib
import sys

from clr_loader import get_coreclr
from pythonnet import set_runtime

# Looked for, not imported: the package would start the runtime at once.
RUNTIME = pathlib.Path(importlib.util.find_spec("dnv").submodule_search_locations[0], "net/runtime/.net")
CONFIG = '{"runtimeOptions": {"tfm": "net8.0", "framework": {"name": "Microsoft.NETCore.App", "version": "8.0.0"}}}\n'
OPTIONS = ["-nologo", "-noconfig", "-nostdlib", "-unsafe+", "-nullable:enable", "-langversion:12", "-optimize+",
           "-deterministic+", "-warnaserror+", "-debug:embedded"]


def start(folder):
    os.environ["DOTNET_TieredPGO"] = "0"  # it does not run for long enough
    config = pathlib.Path(folder, "csc.runtimeconfig.json")
    config.write_text(CONFIG)
    set_runtime(get_coreclr(runtime_config=str(config), dotnet_root=str(RUNTIME)))


def references():
    """The runtime's own assemblies serve as references: all that are managed."""
    from System.Reflection import AssemblyName
    from System import BadImageFormatException
    for path in sorted(RUNTIME.glob("shared/Microsoft.NETCore.App/*/*.dll")):
        try:
            AssemblyName.GetAssemblyName(str(path))
            yield f"-r:{path}"
        except BadImageFormatException:
            pass


def mapped(path, pairs):
    """What -pathmap makes of a path: an assembly for other machines names none of this one."""
    for pair in pairs:
        if path.startswith(pair.Key):
            return pair.Value + path[len(pair.Key):]
    return path


def compile_(roslyn, out, kind, arguments):
    import clr
    for name in ("Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"):
        clr.AddReference(str(pathlib.Path(roslyn, name)))
    from Microsoft.CodeAnalysis import DiagnosticSeverity, MetadataReference, SyntaxTree
    from Microsoft.CodeAnalysis.CSharp import CSharpCommandLineParser, CSharpCompilation, CSharpSyntaxTree
    from Microsoft.CodeAnalysis.Text import SourceText
    from System import Array, String
    from System.IO import File
    from System.Text import Encoding
    everything = [*OPTIONS, f"-target:{kind}", f"-out:{out}", *references(), *arguments]
    parsed = CSharpCommandLineParser.Default.Parse(Array[String](everything), os.getcwd(), None, None)
    problems = list(parsed.Errors)
    trees = []
    for source in parsed.SourceFiles:
        text = SourceText.From(File.ReadAllText(source.Path), Encoding.UTF8)
        trees.append(CSharpSyntaxTree.ParseText(text, parsed.ParseOptions, mapped(source.Path, parsed.PathMap)))
    made = [MetadataReference.CreateFromFile(reference.Reference) for reference in parsed.MetadataReferences]
    unit = CSharpCompilation.Create(pathlib.Path(out).stem, Array[SyntaxTree](trees), Array[MetadataReference](made),
                                    parsed.CompilationOptions)
    documents = File.Create(str(parsed.DocumentationPath)) if parsed.DocumentationPath else None
    stream = File.Create(out + ".new")
    result = unit.Emit(stream, None, documents, None, None, parsed.EmitOptions)
    stream.Close()
    if documents:
        documents.Close()
    problems += list(result.Diagnostics)
    shown = [one for one in problems if one.Severity in (DiagnosticSeverity.Error, DiagnosticSeverity.Warning)]
    for one in shown:
        print(one.ToString(), file=sys.stderr)
    if shown or not result.Success:
        return 1
    os.replace(out + ".new", out)
    return 0


def main(roslyn, *arguments):
    units = [unit.split("\0") for unit in "\0".join(arguments).split("\0--\0")]
    start(pathlib.Path(units[0][0]).parent)
    for out, kind, *rest in units:
        if compile_(roslyn, out, kind, rest):
            return 1
        if kind == "exe":
            pathlib.Path(out).with_suffix(".runtimeconfig.json").write_text(CONFIG)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 4 else __doc__)
