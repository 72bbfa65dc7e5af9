"""`dump --json` over every fixture: what Python saved has exactly the content that expected.json tells; what is damaged is
refused with one line, or read safely, and nothing on disk changes."""
import hashlib
import json
import pathlib
import shutil
import tempfile

import tool


def fingerprint(path):
    files = sorted(p for p in [path, *path.rglob("*")] if p.is_file())
    return [(str(p), p.stat().st_size, hashlib.sha256(p.read_bytes()).hexdigest()) for p in files]


def without_components(leaf):
    return {k: v for k, v in leaf.items() if k != "components"}


def compare_leaf(name, got, expected):
    tool.expect(without_components(got) == without_components(expected), f"{name}: leaf {got} is not {expected}")
    for mine, theirs in zip(got.get("components", []), expected.get("components", []), strict=True):
        for member in theirs:
            tool.expect(mine[member] == theirs[member], f"{name}: component {mine} is not {theirs}")


def compare(name, got, expected):
    tool.expect(got["format"] == expected["format"], f"{name}: format {got['format']}")
    tool.expect(got["root"] == expected["root"], f"{name}: root\n  {got['root']}\nis not\n  {expected['root']}")
    tool.expect(got["non_tensors"] == expected["non_tensors"],
                f"{name}: non_tensors\n  {got['non_tensors']}\nare not\n  {expected['non_tensors']}")
    paths = [l["path"] for l in got["leaves"]], [l["path"] for l in expected["leaves"]]
    if paths[0] != paths[1]:
        tool.fail(f"{name}: leaves {paths[0]} are not {paths[1]}")
        return
    for mine, theirs in zip(got["leaves"], expected["leaves"]):
        compare_leaf(name, mine, theirs)


def contains(name, got, expected):
    """Files that tell less: every member that they tell."""
    for member, value in expected["root"].items():
        tool.expect(got["root"][member] == value, f"{name}: {member} is {got['root'][member]}, not {value}")
    leaves = {json.dumps(l["path"]): l for l in got["leaves"]}
    tool.expect(len(leaves) == len(expected["leaves"]), f"{name}: leaves {list(leaves)}")
    for leaf in expected["leaves"]:
        mine = leaves.get(json.dumps(leaf["path"]), {})
        for member, value in leaf.items():
            if member == "components":
                shown = [{k: c.get(k) for k in v} for c, v in zip(mine.get(member, []), value)]
                tool.expect(shown == value, f"{name}: {leaf['path']}: components {shown}, not {value}")
            elif member != "values":
                tool.expect(mine.get(member) == value, f"{name}: {leaf['path']}: {member} is {mine.get(member)}, not {value}")


def uses(expected, dtypes):
    return any(leaf["dtype"].removeprefix("torch.") in dtypes for leaf in expected["leaves"])


def good(name, path, expected, features):
    if expected["format"] == "h5" and "hdf5" not in features:
        tool.expect("HDF5" in tool.refusal("dump", path), f"{name}: HDF5 is not in this build, and the error does not say so")
    elif expected["format"] == "h5" and uses(expected, {"uint16", "uint32", "uint64"}) and "uint16" not in features:
        tool.expect("2.3" in tool.refusal("dump", "--trusted", path), f"{name}: the error does not name the LibTorch that is needed")
    else:
        done = tool.run("dump", "--json", "--trusted", path)
        if done.returncode:
            tool.fail(f"{name}: {done.stderr.decode().strip()}")
        else:
            (compare if "non_tensors" in expected and "entries" in str(expected["root"]) else contains)(
                name, json.loads(done.stdout), expected)


def hostile(name, path):
    before = fingerprint(path)
    done = tool.run("dump", "--json", "--trusted", path, timeout=20)
    if done.returncode == 0:
        json.loads(done.stdout)
    else:
        lines = done.stderr.decode("utf-8").splitlines()
        tool.expect(done.returncode == 1 and not done.stdout and len(lines) == 1, f"{name}: {done}")
    tool.expect(fingerprint(path) == before, f"{name}: reading it changed the files")
    print(f"{name:45} {'read' if done.returncode == 0 else 'refused: ' + done.stderr.decode().strip()[18:]}")


def expected_files():
    """Beside each file of one piece lies an expected.json of its own."""
    known = json.loads((tool.FIXTURES / "expected.json").read_text(encoding="utf-8"))
    for path in sorted(tool.FIXTURES.glob("*/*/expected.json")):
        own = json.loads(path.read_text(encoding="utf-8"))
        name = str((path.parent / own["data"]).relative_to(tool.FIXTURES))
        if "root" in own and name not in known:
            known[name] = own
    return known


def main():
    expectations = expected_files()
    features = tool.features()
    with tempfile.TemporaryDirectory() as scratch:
        for name, expected in expectations.items():
            source, copy = tool.FIXTURES / name, pathlib.Path(scratch) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, copy)
            if "hostile" in expected:
                hostile(name, copy)
            else:
                good(name, copy, expected, features)
    tool.end()


main()
