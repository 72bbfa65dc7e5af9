"""Dicts on a server: `tensordict remote`, and URLs as the PATH of other commands. Skipped without a server of Redis."""
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import tool

SERVER = shutil.which("redis-server") or shutil.which("valkey-server")
BASIC = tool.FIXTURES / "memmap/basic"


def start(folder):
    path = folder / "s"
    server = subprocess.Popen([SERVER, "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder],
                              stdout=subprocess.DEVNULL)
    for _ in range(1000):
        with socket.socket(socket.AF_UNIX) as s:
            if s.connect_ex(str(path)) == 0:
                return server, f"unix://{path}"
        time.sleep(0.01)
    raise RuntimeError("the server does not answer")


def there_and_back(folder, server):
    run = f"{server}?id=run%201"
    tool.expect(tool.text("remote", "ls", server) == "", "an empty server lists something")
    tool.text("remote", "copy", BASIC, run)
    tool.expect(tool.text("remote", "ls", server) == "run 1\n", "ls")
    tool.expect(json.loads(tool.text("remote", "ls", "--json", server)) == ["run 1"], "ls --json")
    tool.text("remote", "copy", run, folder / "back")
    tool.expect(tool.text("diff", BASIC, folder / "back") == "", "there and back is another dict")
    tool.expect(tool.text("diff", BASIC, run) == "", "what is on the server differs")
    tool.text("verify", run)
    exists = tool.refusal("remote", "copy", BASIC, run)
    tool.expect("remote rm" in exists, f"a second copy: {exists}")
    tool.text("remote", "rm", run)
    tool.expect(tool.text("remote", "ls", server) == "", "rm")
    tool.refusal("remote", "rm", run)
    tool.refusal("remote", "show", run)


def looking(server):
    run = f"{server}?id=x"
    tool.text("convert", BASIC, run)
    tool.expect(tool.text("remote", "show", run) == tool.text("show", run), "remote show is not show")
    local, remote = (json.loads(tool.text("show", "--json", "--stats", path)) for path in (BASIC, run))
    keys = {child["key"] for child in local["root"]["entries"]}
    tool.expect({child["key"] for child in remote["root"]["entries"]} == keys, f"{remote['root']['entries']}")
    tool.expect(remote["format"] == "server", remote["format"])
    leaf = next(child["key"] for child in local["root"]["entries"] if child["kind"] == "tensor")
    for options in ([], ["--json"], ["--raw"]):
        tool.expect(tool.run("remote", "cat", *options, run, leaf).stdout == tool.run("cat", *options, BASIC, leaf).stdout,
                    f"cat {options}")
    tool.text("remote", "rm", run)


def nothing_stays_of_a_copy_that_fails(folder, server):
    """The layout of the server has no way to write a key with a dot."""
    bad = folder / "dotted"
    bad.mkdir()
    meta = {"a.b": {"device": "cpu", "shape": [1], "dtype": "torch.uint8", "is_nested": False}, "shape": [], "device": "cpu",
            "_type": "<class 'tensordict._td.TensorDict'>"}
    (bad / "meta.json").write_text(json.dumps(meta))
    (bad / "a.b.memmap").write_bytes(b"x")
    tool.refusal("remote", "copy", bad, f"{server}?id=bad")
    tool.expect(tool.text("remote", "ls", server) == "", "a failed copy leaves a dict")


def usage(server):
    run = f"{server}?id=x"
    for wrong in [["remote"], ["remote", "sho"], ["remote", "ls"], ["remote", "ls", "here"], ["remote", "show", BASIC],
                  ["remote", "cat", BASIC, "a"], ["remote", "copy", BASIC], ["remote", "copy", BASIC, "/tmp/x"],
                  ["remote", "copy", "--force", BASIC, run], ["remote", "rm"], ["remote", "rm", BASIC],
                  ["convert", "--force", BASIC, run], ["convert", "--to", "archive", BASIC, run], ["pack", BASIC, run],
                  ["convert", "--from", "memmap", run, "/tmp/x"]]:
        tool.expect(tool.run(*wrong).returncode == 2, f"{wrong} is accepted")
    for refused in [["remote", "ls", "unix:///no/socket"], ["show", "unix:///no/socket?id=x"], ["show", server],
                    ["remote", "ls", "redis://127.0.0.1:1"]]:
        tool.refusal(*refused)


if not SERVER:
    print("SKIPPED: there is neither redis-server nor valkey-server")
elif "redis" not in tool.features():
    print("SKIPPED: the library was built without libhiredis")
else:
    with tempfile.TemporaryDirectory() as name:
        process, url = start(pathlib.Path(name))
        try:
            there_and_back(pathlib.Path(name), url)
            looking(url)
            nothing_stays_of_a_copy_that_fails(pathlib.Path(name), url)
            usage(url)
        finally:
            process.terminate()
            process.wait()
    tool.end()
