"""The package for .NET, made without an SDK: assembly, library and plugins of the wheel, and what NuGet wants."""
import os
import pathlib
import re
import shutil
import sys
import zipfile
import xml.etree.ElementTree as xml

import packing
from packing import ROOT, run

CSHARP = ROOT / "bindings/csharp"
PACKAGING = ROOT / "capi/packaging/nuget"
NATIVE = "runtimes/linux-x64/native"
PARTS = "http://schemas.openxmlformats.org/package/2006"
ENDINGS = ("nuspec", "dll", "xml", "so", "2", "md", "targets")
RELATION = "http://schemas.microsoft.com/packaging/2010/07/manifest"


def assembly(tools, work):
    """LibTensorDict.dll as the SDK would name it: with its version, and with no path of this machine."""
    information = work / "AssemblyInfo.cs"
    version = packing.version()
    information.write_text(
        "using System.Reflection;\n"
        f'[assembly: AssemblyVersion("{version}.0")]\n[assembly: AssemblyFileVersion("{version}.0")]\n'
        f'[assembly: AssemblyInformationalVersion("{version}")]\n'
        '[assembly: System.Runtime.Versioning.TargetFramework(".NETCoreApp,Version=v8.0")]\n')
    sources = sorted((CSHARP / "src").rglob("*.cs"))
    run(tools / "bin/python", CSHARP / "tests/csc.py", tools / "roslyn", work / "LibTensorDict.dll", "library",
        f"-doc:{work}/LibTensorDict.xml", f"-pathmap:{ROOT}=/_,{work}=/_", *sources, information, "--",
        work / "consumer.dll", "exe", f"-r:{work}/LibTensorDict.dll", ROOT / "tests/abi/consumer/csharp/Program.cs")


def content_types():
    types = {"rels": "application/vnd.openxmlformats-package.relationships+xml",
             **dict.fromkeys(ENDINGS, "application/octet")}
    entries = "".join(f'<Default Extension="{ending}" ContentType="{kind}" />' for ending, kind in types.items())
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{PARTS}/content-types">{entries}</Types>\n'


def relations():
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Relationships xmlns="{PARTS}/relationships">' \
        f'<Relationship Type="{RELATION}" Target="/LibTensorDict.nuspec" Id="R1" /></Relationships>\n'


def torch_of(build):
    return pathlib.Path(re.search(r"^TD_LIBTORCH:.*=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1])


def pack(build, output, work):
    """Returns what is to be said of a library that needs more than every Linux has."""
    wheel = run(ROOT / ".ci/wheel", build, work / "wheel").split()[-1]
    minor = re.search(r"Requires-Dist: torch >=([\d.]+)", (build / "wheel/METADATA").read_text())[1]
    nuspec = (PACKAGING / "LibTensorDict.nuspec.in").read_text()
    nuspec = nuspec.replace("@VERSION@", packing.version()).replace("@TORCH@", minor)
    for text in (nuspec, content_types(), relations()):
        xml.fromstring(text.encode())
    package = packing.Zip(output)
    package.add("[Content_Types].xml", content_types().encode())
    package.add("_rels/.rels", relations().encode())
    package.add("LibTensorDict.nuspec", nuspec.encode())
    package.add("README.md", (CSHARP / "README.md").read_bytes())
    package.add("NOTICES.md", (PACKAGING.parent / "NOTICES").read_bytes())
    for name in ("LibTensorDict.dll", "LibTensorDict.xml"):
        package.add(f"lib/net8.0/{name}", (work / name).read_bytes())
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if re.search(r"/lib/libtensordict\.so\.\d+$", name):
                package.add(f"{NATIVE}/{name.rsplit('/', 1)[1]}", files.read(name))
            elif name.endswith(".so") and "/plugins/" in name:
                package.add(f"plugins/{name.rsplit('/', 1)[1]}", files.read(name))
    # Programs get the first, programs that use a package that uses this one the second.
    for folder in ("build", "buildTransitive"):
        package.add(f"{folder}/LibTensorDict.targets", (PACKAGING / "LibTensorDict.targets").read_bytes())
    package.close()
    return "" if "manylinux" in wheel else "; ITS LIBRARY IS FOR THIS MACHINE ONLY, build it by make wheel"


def try_it(package, build, work):
    """Runs a program on the files of the package, laid out as `dotnet publish -r linux-x64` does, beside a LibTorch."""
    program = work / "program"
    program.mkdir()
    for name in ("consumer.dll", "consumer.runtimeconfig.json"):
        shutil.copy(work / name, program)
    with zipfile.ZipFile(package) as files:
        for name in files.namelist():
            if name.startswith((NATIVE, "lib/net8.0")):
                (program / name.rsplit("/", 1)[1]).write_bytes(files.read(name))
    for library in (torch_of(build) / "lib").glob("*.so*"):
        (program / library.name).symlink_to(library)
    alone = {name: value for name, value in os.environ.items() if name not in ("TENSORDICT_LIB_DIR", "LD_LIBRARY_PATH")}
    run(CSHARP / "tests/run", "exec", program / "consumer.dll", env={**alone, "PKG_CONFIG_LIBDIR": "/nowhere"})


def lay_out(build, output, work):
    tools = pathlib.Path(os.environ.get("TD_DOTNET") or pathlib.Path.home() / ".cache/tensordict/dotnet")
    if not (tools / "roslyn/Microsoft.CodeAnalysis.CSharp.dll").exists():
        sys.exit(f"publish: there is no C# compiler in {tools}: run .ci/setup --ci")
    if not (build / "wheel/METADATA").exists():
        sys.exit(f"publish: {build} has no library for other machines: run make wheel")
    assembly(tools, work)
    made = output / f"LibTensorDict.{packing.version()}.nupkg"
    warning = pack(build, made, work)
    try_it(made, build, work)
    return made, f"a program runs on its files; MSBuild and NuGet, which are not here, did not see it{warning}"
