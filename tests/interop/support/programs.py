"""Programs of tests/interop/programs that are given one command a process. Each is started once, because loading LibTorch
takes longer than most commands; a forked child of it does the command."""

import atexit
import os
import pathlib
import subprocess
import tempfile

PROGRAMS = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"))
SERVERS = {}  # name: process and the directory of its output


def server(name):
    if name not in SERVERS:
        directory = tempfile.TemporaryDirectory()
        process = subprocess.Popen([PROGRAMS / name, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        SERVERS[name] = process, directory
    return SERVERS[name]


def run(name, *arguments):
    """What the program prints; fails with what it says on stderr."""
    process, directory = server(name)
    out, err = (pathlib.Path(directory.name, stream) for stream in ("out", "err"))
    process.stdin.write("\t".join(map(str, (out, err, *arguments))) + "\n")
    process.stdin.flush()
    status = process.stdout.readline().strip()
    assert status == "0", f"{name} ended with status {status or 'of its server'}: {err.read_text()}"
    return out.read_text()


def end_all():
    for process, directory in SERVERS.values():
        process.stdin.close()
        process.wait(60)
        directory.cleanup()


atexit.register(end_all)
