"""Every test of `plugin check` can fail: each plugin in broken/ says in its first lines what must be found, and those that
are sound, the bundled ones among them, pass everything."""
import json
import os
import pathlib
import re
from concurrent.futures import ThreadPoolExecutor

import tool

SOURCES = pathlib.Path(os.environ["TD_SOURCE"]) / "tests/cli/broken"
BROKEN = pathlib.Path(os.environ["TD_BROKEN"])
BUNDLED = pathlib.Path(os.environ["TD_PLUGINS"])


def check(file, *options):
    done = tool.run("plugin", "check", "--json", "--seed", "1", *options, file, timeout=600)
    report = json.loads(done.stdout)
    tool.expect(done.returncode == (1 if report["failed"] else 0), f"{file}: status {done.returncode}")
    tool.expect(report["passed"] + report["failed"] + report["skipped"] == len(report["tests"]), f"{file}: wrong sums")
    return report


def failed(report):
    return {t["test"].rsplit("/", 1)[1]: t["message"] for t in report["tests"] if t["result"] == "fail"}


def broken(source):
    expected = set(re.findall(r"expect: ([\w ]+)", source.read_text())[0].split()) if "expect:" in source.read_text() else set()
    # Only the tests in question: each starts a process.
    names = sorted(expected) or [""]
    found = {}
    for name in names:
        found |= failed(check(BROKEN / f"{source.stem}.so", "--only", f"/{name}" if name else "", "--timeout", "20"))
    print(source.stem, found)
    tool.expect(set(found) == expected, f"{source.stem}: {found} failed, not {expected}")


def bundled(name):
    found = failed(check(BUNDLED / f"{name}.so"))
    tool.expect(not found, f"{name}: {found}")


def reproduced():
    done = tool.run("plugin", "check", "--reproduce", "hash/broken.hash/batch@1", BROKEN / "hash_batch.so")
    tool.expect(done.returncode == 1 and b"row 50 of" in done.stderr, f"--reproduce: {done}")
    sound = tool.run("plugin", "check", "--reproduce", "hash/broken.hash/batch@1", BROKEN / "hash_sound.so")
    tool.expect(sound.returncode == 0, f"--reproduce of a sound plugin: {sound}")


def timeouts():
    found = failed(check(BROKEN / "hash_hangs.so", "--only", "/batch", "--timeout", "2"))
    tool.expect(list(found) == ["batch"] and "more than 2 s" in found["batch"], f"a test that hangs: {found}")


def main():
    sources = sorted(p for p in SOURCES.glob("*.c") if p.stem != "hash_hangs")  # that one is for timeouts()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(broken, sources))
        list(pool.map(bundled, ["siphash", "normal", "linear"]))
    reproduced()
    timeouts()
    tool.end()


main()
