"""Where two observations differ: the Python half of compare.cpp."""

import errors

TOLERANCES = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-5, "complex64": 2e-5}


def brief(x):
    text = str(x)
    return text if len(text) <= 160 else text[:157] + "..."


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def close(a, b, within):
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return abs(a - b) <= within * max(1, abs(a), abs(b))


def trees(a, b, at, within, found):
    if isinstance(a, dict) and isinstance(b, dict):
        within = TOLERANCES.get(a.get("dtype"), 1e-9) if isinstance(a.get("dtype"), str) else 1e-9
        for key in a.keys() & b.keys():
            trees(a[key], b[key], f"{at}/{key}", within, found)
        found += [f"{at}/{key}: expected {brief(a[key])}, is missing" for key in a.keys() - b.keys()]
        found += [f"{at}/{key}: not expected, got {brief(b[key])}" for key in b.keys() - a.keys()]
        if at.endswith("/entries") and a.keys() == b.keys() and list(a) != list(b):
            found.append(f"{at}: expected the order {list(a)}, got {list(b)}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            trees(x, y, f"{at}[{i}]", within, found)
    elif is_number(a) and is_number(b):
        if not close(a, b, within):
            found.append(f"{at}: expected {a}, got {b}")
    elif type(a) is not type(b) or a != b:
        found.append(f"{at}: expected {brief(a)}, got {brief(b)}")


def collapsed(x):
    """Stacks of non-tensor data whose values are all equal as one value."""
    if isinstance(x, list):
        return [collapsed(v) for v in x]
    if not isinstance(x, dict):
        return x
    if x.keys() == {"stack"}:
        values = flat(x["stack"])
        return {"one": values[0]} if values and all(v == values[0] for v in values) else x
    return {k: collapsed(v) for k, v in x.items()}


def flat(x):
    return [v for one in x for v in flat(one)] if isinstance(x, list) else [x]


def error(expected, got):
    if not expected and not got:
        return []
    if not expected:
        return [f"failed: {got}"]
    if not got:
        return [f"did not fail: expected {expected}"]
    if expected["step"] != got["step"]:
        return [f"another step failed: expected {expected}, got {got}"]
    allowed = expected.get("statuses") or errors.statuses(expected["class"])
    statuses = {got["status"]} if "status" in got else set(got["statuses"])
    return [] if statuses & set(allowed) else [f"failed otherwise: expected {expected}, got {got}"]


def differences(expected, got):
    """A line for each difference."""
    if "bad" in got:
        return [f"bad: {got['bad']}"]
    found = error(expected.get("error"), got.get("error"))
    if not found:
        trees(expected["registers"], got["registers"], "", 1e-9, found)
    if "leak" in got:
        found.append(f"objects of kind {got['leak']} were not given back")
    return found
