"""Runs the tool for the tests: TD_TOOL is its path, TD_TEST_DATA the folder tests/data."""
import json
import os
import pathlib
import signal
import subprocess
import sys

TOOL = os.environ["TD_TOOL"]
DATA = pathlib.Path(os.environ["TD_TEST_DATA"])
FIXTURES = DATA / "fixtures"

failures = []


def run(*arguments, timeout=120, **more):
    """The finished process; output is bytes. A signal is a failure whatever the test expects."""
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, timeout=timeout, **more)
    if done.returncode < 0:
        fail(f"{arguments}: killed by {signal.Signals(-done.returncode).name}\n{done.stderr.decode(errors='replace')}")
    return done


def text(*arguments, status=0, **more):
    """stdout as text; the exit status must be `status`."""
    done = run(*arguments, **more)
    expect(done.returncode == status, f"{arguments}: status {done.returncode}, not {status}: {done.stderr[:500]}")
    return done.stdout.decode()


def dump(path, *options):
    return json.loads(text("dump", "--json", *options, path))


def refusal(*arguments, status=1):
    """The one line on stderr of a command that must fail, and print nothing else."""
    done = run(*arguments)
    expect(done.returncode == status, f"{arguments}: status {done.returncode}, not {status}: {done.stdout[:300]}")
    expect(done.stdout == b"", f"{arguments}: printed {done.stdout[:200]} although it failed")
    lines = done.stderr.decode("utf-8").splitlines()
    expect(len(lines) == 1, f"{arguments}: {len(lines)} lines on stderr: {lines[:5]}")
    return lines[0] if lines else ""


def features():
    words = run("doctor").stdout.decode()
    line = next(l for l in words.splitlines() if " features " in l)
    return {w for w in line.split("features", 1)[1].replace(",", " ").split()
            if f"no {w}" not in line and w != "no"}


def expect(condition, message):
    if not condition:
        fail(message)


def fail(message):
    failures.append(message)
    print("FAILED:", message, file=sys.stderr)


def end():
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)
