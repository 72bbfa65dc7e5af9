"""The peers of test_matrix.py: one small program per language, all with the command line that
bindings/go/examples/peer/main.go describes. A new language is one line in LANGUAGES."""

import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", ROOT / "build/tests/programs")).absolute()
LIBRARY = pathlib.Path(os.environ.get("TENSORDICT_LIB_DIR", PROGRAMS.parents[1])).absolute()
ENVIRONMENT = {**os.environ, "TENSORDICT_LIB_DIR": str(LIBRARY)}


class Missing(Exception):
    """Why a language cannot take part here."""


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **{"env": ENVIRONMENT, **options})
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout


def given(variable, make):
    """The program that an environment variable names, or the one that `make` builds in a directory."""
    return lambda directory: [os.environ[variable]] if os.environ.get(variable) else make(directory)


def program(path):
    def find(_directory):
        if not path.exists():
            raise Missing(f"{path} was not built")
        return [path]

    return find


def rust(_directory):
    cargo = shutil.which("cargo")
    if not cargo:
        raise Missing("no cargo")
    environment = {**ENVIRONMENT, "CARGO_TARGET_DIR": str(LIBRARY / "rust")}
    manifest = ROOT / "bindings/rust/Cargo.toml"
    run(cargo, "build", "--release", "--offline", "--quiet", "--example", "peer", "--manifest-path", manifest, env=environment)
    return [LIBRARY / "rust/release/examples/peer"]


def go(directory, example="peer"):
    compiler = os.environ.get("TD_GO") or shutil.which("go")
    settings = {**ENVIRONMENT, "GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": "-mod=mod"}
    version = run(compiler, "env", "GOVERSION", env=settings).strip() if compiler else "none"
    found = re.match(r"go1\.(\d+)", version)
    if not found or int(found[1]) < 24:
        raise Missing(f"no Go 1.24 or later (found: {version}; set TD_GO)")
    made = directory / f"go_{example}"
    run(compiler, "build", "-o", made, f"./examples/{example}", cwd=ROOT / "bindings/go", env=settings)
    return [made]


def csharp(_directory, example="peer"):
    run_csharp, built = ROOT / "bindings/csharp/tests/run", LIBRARY / f"csharp-{example}"
    try:
        run(run_csharp, "build", built, example, ROOT / "bindings/csharp/examples" / example)
    except RuntimeError as failed:
        if "SKIPPED" in str(failed):
            raise Missing("no .NET SDK and no compiler (set TD_DOTNET)") from None
        raise
    return [run_csharp, "exec", built / f"{example}.dll"]


def julia(_directory, example="peer"):
    """Little is run often, so little is optimised. The compiled package is kept where bindings/julia/test/run keeps it."""
    program = os.environ.get("TD_JULIA") or shutil.which("julia")
    package = ROOT / "bindings/julia"
    ENVIRONMENT.update(JULIA_LOAD_PATH=f"{package}:@stdlib", JULIA_DEPOT_PATH=str(LIBRARY / "bindings/julia/depot"))
    if not program:
        raise Missing("no Julia 1.5 or later (set TD_JULIA)")
    try:
        run(program, "--startup-file=no", "-e", 'VERSION >= v"1.5" || exit(1); using TensorDicts')
    except (RuntimeError, OSError) as failed:
        raise Missing(f"no Julia 1.5 or later that works (set TD_JULIA): {failed}") from None
    return [program, "--startup-file=no", "-O0", package / f"examples/{example}.jl"]


# The name of a language, how to get its program, and the commands that it does not have yet.
LANGUAGES = [
    ("C", program(PROGRAMS / "shared_peer"), set()),
    ("C++", program(PROGRAMS / "cpp_peer"), set()),
    ("Rust", given("TD_RUST_PEER", rust), set()),
    ("Go", given("TD_GO_PEER", go), set()),
    ("C#", given("TD_CSHARP_PEER", csharp), set()),
    ("Julia", julia, set()),
]
