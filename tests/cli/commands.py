"""Every command: what it prints, how it fails, and that nothing that it is given can harm a terminal or a JSON reader."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

import tool

SOURCE = pathlib.Path(os.environ["TD_SOURCE"])
BASIC = tool.FIXTURES / "memmap/basic"
COMMANDS = ["show", "dump", "cat", "diff", "verify", "convert", "pack", "unpack", "shm", "remote", "plugin", "doctor"]


def save(folder, entries, shape=(), **members):
    """A memmap directory as Python writes it: entries are {key: (dtype, shape, bytes)}, dicts, or ("data", value)."""
    folder.mkdir()
    meta = {}
    for number, (key, entry) in enumerate(entries.items()):
        if isinstance(entry, dict):
            meta[key] = {"type": "TensorDict"}
            save(folder / key, entry)
        elif entry[0] == "data":
            meta[key] = {"type": "NonTensorData"}
            (folder / key).mkdir()
            (folder / key / "meta.json").write_text(json.dumps({
                "_type": "<class 'tensordict.tensorclass.NonTensorData'>", "data": entry[1], "_is_non_tensor": True,
                "_metadata": None}))
        else:
            dtype, dims, content = entry
            meta[key] = {"device": "cpu", "shape": list(dims), "dtype": f"torch.{dtype}", "is_nested": False}
            encoded = "".join("%%%02X" % ord(c) if ord(c) < 33 or c in '/<>:"|?*\\%\x7f' else c for c in key)
            (folder / f"{encoded}.memmap").write_bytes(content)
    meta |= {"shape": list(shape), "device": "cpu", "_type": "<class 'tensordict._td.TensorDict'>"} | members
    (folder / "meta.json").write_text(json.dumps(meta))
    return folder


def floats(*values):
    return "float32", [len(values)], struct.pack(f"<{len(values)}f", *values)


def help_texts():
    for command in COMMANDS:
        words = tool.text(command, "--help")
        tool.expect(words.startswith(f"usage: tensordict {command}"), f"{command} --help: {words[:80]}")
        tool.expect("Exit status: 0" in words, f"{command} --help does not tell the exit status")
    everything = tool.text("--help")
    manual = (SOURCE / "bindings/cli/tensordict.1").read_text()
    completions = {p.name: p.read_text() for p in (SOURCE / "bindings/cli/completion").iterdir()}
    for command in COMMANDS:
        tool.expect(f"  {command} " in everything, f"--help lacks {command}")
        tool.expect(f"\\fB{command}" in manual, f"the manual lacks {command}")
        for name, words in completions.items():
            tool.expect(re.search(rf"\b{command}\b", words), f"{name} lacks {command}")
    options = {o for c in COMMANDS for o in re.findall(r"--[a-z][a-z0-9-]+", tool.text(c, "--help"))}
    for option in options - {"--help"}:
        tool.expect(option in completions["tensordict.bash"], f"the bash completion lacks {option}")
        tool.expect(option.replace("-", "\\-") in manual, f"the manual lacks {option}")


def usage():
    for arguments in [["no-such-command"], ["show"], ["show", "--depth", "x", BASIC], ["show", "--no-such", BASIC],
                      ["cat", BASIC], ["cat", "--json", "--raw", BASIC, "a"], ["diff", BASIC], ["convert", BASIC],
                      ["convert", "--to", "png", BASIC, "/tmp/x"], ["shm"], ["plugin", "check"], ["dump", BASIC, BASIC],
                      ["dump", "--json=x", BASIC], ["plugin", "check", "--seed", "-1", "x"], ["show", "--depth"],
                      ["convert", "-qx", BASIC, "x"], ["convert", "-xq", BASIC, "x"], ["convert", "-x4", BASIC, "x"],
                      ["convert", "-qj", BASIC], ["convert", "-j", "x", BASIC, "x"], ["convert", "-jx", BASIC, "x"],
                      ["convert", "-q", "--progress", BASIC, "x"], ["diff", "-q", "--progress", BASIC, BASIC], ["convert", "-z", BASIC, "x"], ["cat", BASIC, "-12"],
                      ["convert", "-z", BASIC, "x.td"], ["convert", "-z", "--to", "memmap", BASIC, "x.tdz"],
                      ["diff", "--structure", "--rtol", "1", BASIC, BASIC], ["shm", "no-such"], ["shm", "--json", "ls"],
                      ["shm", "prune", "--json"], ["shm", "prune", "-f"], ["shm", "prune", "a", "b"], ["shm", "ls", "-n"],
                      ["shm", "ls", "--depth", "1"], ["shm", "rm"], ["shm", "rm", "-n", "x"],
                      ["plugin", "list", "--seed", "1"], ["plugin", "list", "-v"], ["plugin", "why", "--json"],
                      ["plugin", "check", "--path", "x", "x"], ["plugin", "check", "--list", "--json", "x"],
                      ["plugin", "check", "--reproduce", "x", "--seed", "1", "x"], ["pack", BASIC, "shm:x"],
                      ["unpack", BASIC, "shm:x"], ["convert", "--lenient", "shm:x", "x"], ["convert", "--sync", BASIC, "shm:x"],
                      ["convert", "-j2", BASIC, "shm:x"], ["convert", "--to", "archive", BASIC, "shm:x"]]:
        done = tool.run(*arguments)
        tool.expect(done.returncode == 2, f"{arguments}: status {done.returncode}")
        tool.expect(done.stderr.count(b"\n") == 2, f"{arguments}: {done.stderr}")
    tool.expect(b"unknown option -x in -qx" in tool.run("convert", "-qx", "a", "b").stderr, "the unknown letter is not named")
    for arguments in [["show", "-d1", BASIC], ["show", BASIC, "-d", "1"], ["cat", "-n3", BASIC, "a"], ["convert", "-qh", "a"],
                      ["shm", "ls", "-h"], ["plugin", "check", "--help"], ["show", "-d1", "--", BASIC]]:
        tool.text(*arguments)
    tool.refusal("cat", BASIC, "--", "-12")  # a key, of which there is none
    tool.expect(tool.run().returncode == 2, "no arguments at all")


def at_once():
    """Help, versions and wrong usage do not wait for LibTorch: they come where there is no library at all."""
    with tempfile.TemporaryDirectory() as alone:
        launcher = shutil.copy(tool.TOOL, alone)
        for arguments, status, words in [
                (["--version"], 0, "tensordict "), (["--help"], 0, "Commands:"), (["convert", "--help"], 0, "usage:"), ([], 2, ""),
                (["shwo"], 2, "did you mean 'show'?"), (["show", "--dpeth", "1", "x"], 2, "did you mean --depth?"),
                (["shm", "sho"], 2, "did you mean 'show'?"), (["cat", "--at", "1:2:3", "x", "y"], 2, "--at takes"),
                (["show", BASIC], 1, "reinstall the tool"), (["doctor"], 1, "-> to do:")]:
            done = subprocess.run([launcher, *map(str, arguments)], capture_output=True, timeout=60)
            said = (done.stdout + done.stderr).decode()
            tool.expect(done.returncode == status and words in said, f"without a library: {arguments}: {done}")


def figures(scratch):
    saved = save(scratch / "figures", {
        "x": ("float32", [2, 3], struct.pack("<6f", 0, 0.5, -1.5, float("nan"), float("inf"), 4)),
        "i": ("int64", [4], struct.pack("<4q", -7, 0, 1, 2)), "c": ("complex64", [1], struct.pack("<2f", 1, 2)),
        "none": ("float64", [0], b""), "word": ("data", "a")})
    tree = json.loads(tool.text("show", "--json", "--stats", saved))
    by_key = {e["key"]: e for e in tree["root"]["entries"]}
    tool.expect(by_key["x"]["stats"] == {"min": -1.5, "max": 4.0, "mean": 0.75, "nan": 1, "inf": 1}, by_key["x"])
    tool.expect(by_key["i"]["stats"] == {"min": -7.0, "max": 2.0, "mean": -1.0, "nan": 0, "inf": 0}, by_key["i"])
    tool.expect(by_key["c"]["stats"] is None and by_key["none"]["stats"]["min"] is None, by_key)
    tool.expect(by_key["word"]["data"] == "a" and by_key["x"]["shape"] == [2, 3], by_key)
    tool.expect("stats" not in json.loads(tool.text("show", "--json", saved))["root"]["entries"][0], "stats unasked")
    tool.expect("min -1.5  max 4.0  mean 0.75  nan 1  inf 1" in tool.text("show", "--stats", saved), "show --stats")
    for at, words in [("0,1:", "0.5 -1.5\n"), ("-1", "nan inf 4.0\n"), (":,0", "0.0 nan\n"), ("1,2", "4.0\n"), ("5:", "")]:
        tool.expect(tool.text("cat", "--at", at, saved, "x") == words, f"cat --at {at}: {tool.text('cat', '--at', at, saved, 'x')!r}")
    tool.expect("out of range" in tool.refusal("cat", "--at", "2", saved, "x"), "an index behind the end")
    tool.expect("more parts" in tool.refusal("cat", "--at", "0,0,0", saved, "x"), "more parts than dims")
    tool.refusal("cat", "--at", "0", saved, "word")

    other = save(scratch / "other", {"x": ("float32", [2, 3], bytes(24)), "i": ("int64", [4], struct.pack("<4q", -7, 0, 1, 2))})
    found = json.loads(tool.text("diff", "--json", saved, other, status=1))
    tool.expect(not found["equal"] and [["~", ["x"]]] == [[d["sign"], d["key"]] for d in found["differences"] if d["sign"] == "~"],
                found)
    tool.expect(json.loads(tool.text("diff", "--json", saved, saved)) == {"differences": [], "equal": True}, "diff --json")
    lines = [json.loads(l) for l in tool.text("verify", "--json", saved, scratch / "nothing", status=1).splitlines()]
    tool.expect([l["ok"] for l in lines] == [True, False] and lines[0]["tensors"] == 4 and "nothing" in lines[1]["error"], lines)
    digest = json.loads(tool.text("verify", "--json", "--sha256", saved))["sha256"]
    tool.expect(digest in tool.text("verify", "--sha256", saved), "the digests of verify")


def endings(scratch):
    for name in ["out.npz", "out.PT", "run.parquet", "x.json"]:
        done = tool.run("convert", BASIC, scratch / name)
        tool.expect(done.returncode == 2 and not (scratch / name).exists(), f"convert to {name}: {done}")
    tool.text("convert", "--to", "memmap", BASIC, scratch / "out.npz")
    saved = tool.FIXTURES / "torch_save/checkpoint_2_13/data.pt"
    tool.expect("0.weight" in tool.text("show", saved), "show of a file of torch.save")
    tool.text("convert", saved, scratch / "checkpoint.tdz")
    tool.expect(tool.text("diff", saved, scratch / "checkpoint.tdz") == "", "a file of torch.save as an archive")
    with zipfile.ZipFile(scratch / "program.pt", "w") as file:  # what only Python could make
        file.writestr("program/data.pkl", b"\x80\x02}X\x01\x00\x00\x00fcposix\nsystem\nX\x02\x00\x00\x00id\x85Rs.")
    tool.expect("posix.system" in tool.refusal("show", scratch / "program.pt"), "a function in a pickle")


def channels():
    name = f"td-cli-ch-{os.getpid()}"
    peer = pathlib.Path(os.environ["TD_TEST_PROGRAMS"], "shared_peer")
    owner = subprocess.Popen([peer, "produce", name, "queue", "2", "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        owner.stdout.readline()
        for _ in range(200):
            seen = json.loads(tool.text("shm", "show", "--json", name))
            if seen["published"] == 2:
                break
        tool.expect((seen["state"], seen["mode"], seen["slots"], seen["ready"], seen["producers"]) ==
                    ("closed", "queue", 4, 2, 1), f"shm show --json of a channel: {seen}")
        tool.expect([e["key"] for e in seen["root"]["entries"]] == ["id", "x"], seen["root"])
        words = tool.text("show", f"shm:{name}")
        tool.expect("closed, queue, overflow block" in words and "2 published" in words and "float32" in words, words)
        tool.expect(tool.run("show", "--stats", f"shm:{name}").returncode == 2, "--stats of a channel")
    finally:
        owner.communicate()


def reading(scratch):
    saved = save(scratch / "reading", {"x": ("float32", [2, 3], struct.pack("<6f", 0, 0.1, -1.5, float("nan"), float("inf"), 1e20)),
                                       "h": ("float16", [4], struct.pack("<4e", 1, 6e-8, 65504, -0.0)),
                                       "b": ("bfloat16", [2], b"\x80\x3f\xc0\x7f"),
                                       "c": ("complex64", [2], struct.pack("<4f", 1, 2, 0, -0.5)),
                                       "t": ("bool", [2], b"\x01\x00"),
                                       "i": ("int8", [3], b"\xff\x80\x7f"),
                                       "s": ("data", "text\n"), "n": {"y": floats(1)}})
    tool.expect(tool.text("cat", saved, "x") == "0.0 0.1 -1.5\nnan inf 1e+20\n", "cat of float32")
    tool.expect(tool.text("cat", "--json", saved, "x") == '[[0.0, 0.1, -1.5], ["nan", "inf", 1e+20]]\n', "cat --json")
    tool.expect(tool.text("cat", "-n", "2", saved, "x") == "0.0 0.1\n... 4 more\n", "cat --limit")
    tool.expect(tool.text("cat", saved, "h").split()[::3] == ["1.0", "-0.0"], "cat of float16")
    tool.expect(struct.pack("<4e", *map(float, tool.text("cat", saved, "h").split())) == (saved / "h.memmap").read_bytes(),
                f"cat of float16: {tool.text('cat', saved, 'h')}")
    tool.expect(tool.text("cat", saved, "b") == "1.0 nan\n", "cat of bfloat16")
    tool.expect(tool.text("cat", saved, "c") == "1.0+2.0j 0.0-0.5j\n", f"cat of complex64: {tool.text('cat', saved, 'c')}")
    tool.expect(tool.text("cat", saved, "t") == "true false\n", "cat of bool")
    tool.expect(tool.text("cat", saved, "i") == "-1 -128 127\n", "cat of int8")
    tool.expect(tool.text("cat", saved, "n", "y") == "1.0\n", "cat of a nested key")
    tool.expect(tool.text("cat", saved, "s") == '"text\\n"\n', "cat of data")
    tool.expect(tool.run("cat", "--raw", saved, "x").stdout == (saved / "x.memmap").read_bytes(), "cat --raw")
    shown = tool.text("show", saved)
    for words in ["complex64", "[2, 3]", "24 B", "batch []", '"text\\n"', "memmap: 7 tensors, 1 value"]:
        tool.expect(words in shown, f"show lacks {words}:\n{shown}")
    tool.expect("y" not in tool.text("show", "--depth", "1", saved).split(), "show --depth")
    for arguments in [["cat", saved, "no"], ["cat", saved, "x", "y"], ["cat", saved, "n"], ["show", saved, "no"],
                      ["show", scratch / "nothing"], ["dump", "/dev/null"], ["dump", "/etc/passwd"], ["show", ""],
                      ["show", "shm:no.such.segment"], ["show", "shm:../../etc/passwd"]]:
        tool.refusal(*arguments)
    values = {l["path"][0]: l["values"] for l in tool.dump(saved, "--values")["leaves"] if len(l["path"]) == 1}
    tool.expect(values["c"] == [[1.0, 2.0], [0.0, -0.5]] and values["x"][3] == "nan", f"dump --values: {values}")


def hostile_text(scratch):
    key = "a\x1b[31m\u202e\u0007\"\\\u00e9"
    saved = save(scratch / "hostile", {key: floats(1), "d": ("data", "\x1b]0;title\x07 \u2028 \ud800"[:-1])})
    for arguments in [["show", saved], ["cat", saved, "\x1b[2J"], ["diff", saved, BASIC]]:
        done = tool.run(*arguments)
        printed = (done.stdout + done.stderr).decode()
        tool.expect("\x1b" not in printed and "\u202e" not in printed and "\x07" not in printed, f"{arguments}: {printed!r}")
    content = tool.dump(saved)
    tool.expect(content["leaves"][0]["path"] == [key], "dump changes a key")
    tool.expect(tool.run("dump", saved).stdout.find(b"\x1b") < 0, "dump prints control characters")
    bad = scratch / "bytes"
    shutil.copytree(saved, bad)
    (bad / "meta.json").write_bytes((bad / "meta.json").read_bytes().replace(b"\\u0007", b"\xff\xfe"))
    tool.refusal("dump", bad)
    done = tool.run("show", b"/tmp/\xff\xfe\x1b[31m")
    tool.expect(done.returncode == 1 and b"\x1b" not in done.stderr, f"a path that is not UTF-8: {done}")


def lost_output():
    with open("/dev/full", "w") as full:
        for arguments in [["show", BASIC], ["dump", BASIC], ["cat", BASIC, "a"], ["--help"], ["doctor"], ["plugin", "list"]]:
            done = subprocess.run([tool.TOOL, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE)
            tool.expect(done.returncode == 3, f"{arguments} on a full disk: {done}")
    for arguments in [["show", BASIC], ["dump", BASIC]]:
        done = subprocess.run([tool.TOOL, *map(str, arguments)], preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE)
        tool.expect(done.returncode == 3, f"{arguments} with stdout closed: {done}")
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([tool.TOOL, *map(str, arguments)], stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        tool.expect(done.returncode == 3 and not done.stderr, f"{arguments} into a closed pipe: {done}")


def comparing(scratch):
    a = save(scratch / "a", {"x": floats(1, 2, 3), "y": floats(1), "s": ("data", "one"), "n": {"z": floats(5)}})
    b = save(scratch / "b", {"s": ("data", "two"), "x": floats(1, 2.5, 3), "w": floats(1), "n": {"z": ("int8", [1], b"\x05")}})
    done = tool.text("diff", a, b, status=1)
    for line in ["+ w", "- y", '~ s: "one" -> "two"', "~ n / z: dtype torch.float32 -> torch.int8",
                 "~ x: 1 of 3 elements differ, the first at 1, by up to 0.5"]:
        tool.expect(line in done.splitlines(), f"diff lacks {line!r}: {done}")
    tool.expect(len(done.splitlines()) == 5, f"diff: {done}")
    tool.expect(tool.text("diff", "--quiet", a, b, status=1) == "", "diff --quiet")
    tool.expect(tool.text("diff", a, a) == "", "diff of equals")
    c = save(scratch / "c", {"x": floats(1, 2.0001, 3)})
    d = save(scratch / "d", {"x": floats(1, 2, 3)})
    tool.text("diff", c, d, status=1)
    tool.text("diff", "--atol", "0.001", c, d)
    tool.text("diff", "--rtol", "1e-4", c, d)
    tool.text("diff", "--structure", c, d)
    tool.refusal("diff", a, scratch / "nothing", status=2)
    tool.expect("ok" in tool.text("verify", a, b), "verify of two that are sound")
    short = scratch / "short"
    shutil.copytree(a, short)
    (short / "x.memmap").write_bytes(b"1234")
    done = tool.run("verify", a, short, b)
    tool.expect(done.returncode == 1 and done.stdout.count(b": ok (") == 2 and done.stderr.count(b"\n") == 1, f"verify: {done}")


def converting(scratch):
    a = save(scratch / "from", {"x": floats(1, 2, 3), "s": ("data", "one"), "n": {"z": floats(5)}})
    digest = tool.text("verify", "--sha256", a).split()[-1]
    for name, more in {"as.td": [], "as.tdz": [], "squeezed.tdz": ["--compress"], "directory": [], "named": ["--to", "archive"]}.items():
        tool.text("convert", *more, a, scratch / name)
        tool.expect(tool.text("diff", a, scratch / name) == "", f"{name} differs")
        tool.expect(tool.text("verify", "--sha256", scratch / name).split()[-1] == digest, f"{name}: another digest")
    before = (scratch / "as.tdz").read_bytes()
    tool.expect("--force" in tool.refusal("convert", a, scratch / "as.tdz"), "an existing target is replaced without --force")
    tool.expect((scratch / "as.tdz").read_bytes() == before, "a refused conversion changed its target")
    tool.text("pack", "--force", a, scratch / "as.tdz")
    tool.text("unpack", scratch / "as.tdz", scratch / "unpacked")
    tool.expect(tool.text("diff", a, scratch / "unpacked") == "", "unpack of pack")
    done = tool.run("convert", "--progress", a, scratch / "with.td")
    tool.expect(b"100%" in done.stderr, f"no progress: {done.stderr}")
    for command, *rest in (["verify", "--sha256", a], ["dump", a], ["diff", a, scratch / "with.td"]):
        shown, quiet = tool.run(command, "--progress", *rest), tool.run(command, *rest)
        tool.expect(b"100%" in shown.stderr and not quiet.stderr, f"{command}: {shown.stderr} {quiet.stderr}")
        tool.expect(shown.stdout == quiet.stdout and shown.returncode == quiet.returncode == 0, f"{command} --progress differs")
    for name, options in {"grouped.tdz": ["-qz"], "attached.tdz": ["-j4"], "both.tdz": ["-qfzj2"], "to.x": ["-qtarchive"]}.items():
        tool.text("convert", *options, a, scratch / name)
        tool.expect(tool.dump(scratch / name)["format"] == "archive", f"convert {options}")
    (scratch / "-x").mkdir()
    tool.text("convert", "-q", a, "--", "-x/y", cwd=scratch)
    tool.expect(tool.text("diff", a, scratch / "-x/y") == "", "convert -- -x/y")
    for to in ["no/such/name", "no/such/name.tdz", "as.td/name.h5"]:
        line = tool.refusal("convert", a, scratch / to)
        tool.expect(f"the directory '{(scratch / to).parent}'" in line or "is not a directory" in line, f"a missing parent: {line}")
        tool.expect(not (scratch / "no").exists(), "parents are made")
    for to in ["link", "note.txt", "."]:  # what --force does not replace is not offered
        (scratch / "note.txt").write_text("mine")
        if to == "link":
            (scratch / "link").symlink_to("as.td")
        line = tool.refusal("convert", "--force", a, scratch / to)
        tool.expect("--force" not in line, f"--force is offered to who gave it: {line}")
    tool.expect(not list(scratch.glob(".*")), "something is left behind")


def arrays(scratch):
    """Lists in HDF5 files have the dtype that NumPy gives their values."""
    if "hdf5" not in tool.features():
        return
    expected = {"integers": ([1, -2], "int64"), "large": ([[1], [2 ** 62]], "int64"), "reals": ([1.5, 2], "float64"),
                "wide": ([1e300], "float64"), "truths": ([True, False], "bool"), "empty": ([], "float64"),
                "words": (["true", "e.5"], "<U4"), "marks": (["h\u00e9\U0001f600", "\\\"]\n"], "<U4"), "blank": ([""], "<U1"),
                "nested": ([["a", "bc"], ["", "d"]], "<U2")}
    saved = save(scratch / "lists", {"x": floats(1)} | {key: ("data", values) for key, (values, _) in expected.items()})
    tool.text("convert", saved, scratch / "lists.h5")
    for command in ("dump", "show", "verify"):
        line = tool.refusal(command, scratch / "lists.h5")
        tool.expect("trusted" in line, f"{command} opens HDF5 unasked, or does not say how: {line}")
    tool.expect("trusted" in tool.refusal("convert", scratch / "lists.h5", scratch / "again"), "convert opens HDF5 unasked")
    tool.text("convert", "--from", "h5", scratch / "lists.h5", scratch / "named")
    tool.text("convert", "--trusted", scratch / "lists.h5", scratch / "trusted")
    tool.expect(tool.text("diff", scratch / "named", scratch / "trusted") == "", "convert --from h5 and --trusted")
    found = {n["path"][0]: n["data"] for n in tool.dump(scratch / "lists.h5", "--trusted")["non_tensors"]}
    for key, (values, dtype) in expected.items():
        tool.expect(found[key] == {"__ndarray__": values, "dtype": dtype}, f"dump of a list in HDF5: {found[key]}")
    fixed = {n["path"][0]: n["data"] for n in tool.dump(tool.FIXTURES / "hdf5/texts.h5", "--trusted")["non_tensors"]}
    tool.expect(fixed["fixed"] == {"__ndarray__": ["ab", "c"], "dtype": "<U2"}, f"dump of an array of texts: {fixed}")


def waiting(scratch):
    big = save(scratch / "big", {"x": ("uint8", [1 << 25], os.urandom(1 << 20) * 32)})
    begun = time.monotonic()
    done = tool.run("convert", "--progress", "-z", big, scratch / "squeezed.tdz")
    seconds = time.monotonic() - begun
    last = done.stderr.decode().replace("\x1b[K", "").strip().split("\r")[-1]
    found = re.fullmatch(r"convert \[#{30}\] 100% .* of .*, ([0-9.]+) ([KMG]i)?B/s", last)
    tool.expect(found, f"progress says no rate: {last!r}")
    if found:
        rate = float(found[1]) * 1024 ** " KMG".index((found[2] or " ")[0])
        tool.expect(rate * seconds > 0.95 * 2**25, f"{rate} bytes/s for {seconds} s is less than what was written")
    stopped = subprocess.Popen([tool.TOOL, "convert", "--progress", "-z", big, scratch / "stopped.tdz"], stderr=subprocess.PIPE)
    stopped.stderr.read(1)  # it has begun
    stopped.send_signal(signal.SIGINT)
    line = stopped.communicate()[1].decode().split("\x1b[K")[-1]
    tool.expect(stopped.returncode == 1 and line == "tensordict: convert: interrupted; nothing has changed\n", f"Ctrl-C: {line!r}")
    tool.expect(sorted(p.name for p in scratch.iterdir()) == ["big", "squeezed.tdz"], "Ctrl-C leaves something behind")


def sharing(scratch):
    a = save(scratch / "a", {"x": floats(1, 2, 3), "n": {"z": floats(5)}})
    b = save(scratch / "b", {"x": floats(4)})
    name = f"td-cli-{os.getpid()}"

    def listed(prefix=name):
        return {s["name"]: s for s in json.loads(tool.text("shm", "ls", "--json", prefix))}

    try:
        tool.text("convert", a, f"shm:{name}", cwd=scratch)
        tool.expect(not list(scratch.glob("shm:*")), "a directory is called shm:NAME")
        tool.expect(tool.text("diff", a, f"shm:{name}") == "", "what is in the segment differs")
        tool.expect(listed()[name]["keep"] and not listed()[name]["alive"], f"not kept: {listed()}")
        tool.expect("--force replaces" in tool.refusal("convert", b, f"shm:{name}"), "a segment is replaced without --force")
        tool.refusal("convert", "--force", scratch / "nothing", f"shm:{name}")
        tool.expect(tool.text("diff", a, f"shm:{name}") == "", "a refused conversion changed the segment")
        tool.text("convert", "-qf", b, f"shm:{name}")
        tool.expect(tool.text("diff", b, f"shm:{name}") == "" and list(listed()) == [name], f"--force: {listed()}")
        tool.text("convert", f"shm:{name}", scratch / "back.tdz")
        tool.text("convert", "--force", f"shm:{name}", f"shm:{name}")
        tool.expect(tool.text("diff", b, f"shm:{name}") == tool.text("diff", b, scratch / "back.tdz") == "", "there and back")
        tool.expect(tool.text("shm", "show", "-d1", name) == tool.text("show", f"shm:{name}"), "shm show")
        tool.expect(name not in tool.text("shm", "prune", "--dry-run", name), "prune would remove what is kept")
        tool.text("shm", "prune", name)
        tool.expect(list(listed()) == [name], "prune removed what is kept")
        tool.text("convert", a, "./shm:file", cwd=scratch)
        tool.expect((scratch / "shm:file").is_dir(), "./shm:NAME is no path")
        pathlib.Path(f"/dev/shm/{name}.note").write_text("mine")
        for bad in ["", "../x", ".x", f"{name}.note"]:
            tool.refusal("convert", "--force", a, f"shm:{bad}")
            tool.refusal("shm", "rm", "--force", f"{bad}")
        tool.expect(pathlib.Path(f"/dev/shm/{name}.note").read_text() == "mine", "a foreign file is gone")
        tool.text("convert", a, f"shm:{name}.two")
        pathlib.Path(f"/dev/shm/{name}.two").open("r+b").truncate(4096)  # damaged, but a segment still
        tool.expect(listed()[f"{name}.two"]["kind"] == "damaged" and ".two" in tool.text("shm", "ls", name), f"{listed()}")
        tool.expect(".two" not in tool.text("shm", "prune", "-n", name), "prune -n names what prune does not remove")
        tool.expect("damaged" in tool.refusal("convert", "--force", a, f"shm:{name}.two"), "a damaged segment is replaced")
        tool.expect(tool.text("shm", "rm", name, f"shm:{name}.two") == "" and not listed(), f"shm rm: {listed()}")
        tool.refusal("shm", "rm", name)
        peer = pathlib.Path(os.environ["TD_TEST_PROGRAMS"], "storage_peer")
        owner = subprocess.Popen([peer, "own", f"{name}.own", "x"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        owner.stdout.readline()
        tool.expect("in use" in tool.refusal("shm", "rm", f"{name}.own") and listed(), "shm rm of a segment in use")
        tool.text("shm", "rm", "--force", f"{name}.own")
        tool.expect(not listed(), f"shm rm --force: {listed()}")
        owner.communicate()
        tool.expect(owner.returncode == 0, f"the owner of a name that is gone: {owner.returncode}")
    finally:
        for left in pathlib.Path("/dev/shm").glob(f"{name}*"):
            left.unlink()


def doctor():
    done = tool.run("doctor", "--verbose")
    words = done.stdout.decode()
    for what in ["library", "LibTorch", "plugins", "shared memory", "limits", "features"]:
        tool.expect(re.search(rf"^  (ok|BAD) +{what} ", words, re.M), f"doctor does not speak of {what}: {words}")
    tool.expect((done.returncode == 1) == ("BAD" in words), f"doctor: status {done.returncode}\n{words}")
    tool.expect(words.count("BAD") == words.count("-> to do:"), "a problem without a remedy")
    few = subprocess.run(["sh", "-c", 'ulimit -n 64 && exec "$0" doctor', tool.TOOL], capture_output=True)
    tool.expect(few.returncode == 1 and b"ulimit -n" in few.stdout, f"doctor with 64 files: {few}")


    seen = json.loads(tool.run("doctor", "--json").stdout)
    tool.expect(seen["problems"] == sum(not c["ok"] for c in seen["checks"]) == words.count("BAD"), seen)
    tool.expect("BLAS" in [c["what"] for c in seen["checks"]], seen)


def plugins():
    types = json.loads(tool.text("plugin", "list", "--json"))
    tool.expect("td.siphash" in [t["id"] for t in types], "plugin list --json")
    tool.expect("td.siphash" in tool.text("plugin", "list"), "plugin list")
    tool.expect("loaded" in tool.text("plugin", "why", "siphash"), "plugin why")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "no_plugin.so").write_bytes(b"no ELF")
        done = tool.run("plugin", "why", "--path", folder, "no_plugin")
        tool.expect(done.returncode == 1 and b"refused" in done.stdout, f"plugin why: {done}")
    tool.refusal("plugin", "check", "/no/such/file.so")


def deep(scratch):
    entries = {"x": floats(1)}
    for _ in range(200):
        entries = {"n": entries}
    saved = save(scratch / "deep", entries)
    tool.expect(len(tool.dump(saved)["leaves"][0]["path"]) == 201, "200 levels")
    wide = save(scratch / "wide", {f"k{i}": ("int64", [1], struct.pack("<q", i)) for i in range(2000)})
    leaves = tool.dump(wide)["leaves"]
    tool.expect(len(leaves) == 2000 and leaves[7]["sha256"] == hashlib.sha256(struct.pack("<q", 7)).hexdigest(), "2000 leaves")


def main():
    tests = {"help": help_texts, "usage": usage, "reading": reading, "hostile": hostile_text, "lost": lost_output,
             "comparing": comparing, "converting": converting, "arrays": arrays, "waiting": waiting, "sharing": sharing,
             "doctor": doctor, "plugins": plugins, "deep": deep, "at once": at_once, "figures": figures,
             "endings": endings, "channels": channels}
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or tests:
            scratch = pathlib.Path(folder) / name
            scratch.mkdir()
            tests[name](*[scratch] * tests[name].__code__.co_argcount)
    tool.end()


main()
