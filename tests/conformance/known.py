"""Differences that are meant: for each row of README.md that random programs meet, when it is the reason.

The predicates are in known_*.py; here is what they ask about a Difference of differential.py.
"""

import importlib
import pathlib

import torch
from tensordict import UnbatchedTensor
from tensordict.utils import is_non_tensor

import compare
import errors
from stock_values import is_td

KNOWN = []  # (topic, predicate of a Difference)


def known(topic):
    def add(predicate):
        KNOWN.append((topic, predicate))
        return predicate

    return add


def load():
    """Fills KNOWN from every known_*.py."""
    for path in sorted(pathlib.Path(__file__).parent.glob("known_*.py")):
        importlib.import_module(path.stem)


def explain(difference):
    """The topic of the row that is the reason, or None; of several rows if each line has one of its own."""
    topic = reason(difference)
    if topic or difference.error is not None or difference.our_status:
        return topic
    return reasons(difference)


def reason(d):
    for topic, predicate in KNOWN:
        if predicate(d):
            return topic
    return None


def reasons(d):
    topics, lines = set(), d.lines
    if d.op in ("pointwise", "reduce") and has_empty_node(*dicts_of(d)):
        lines = only_after(d, without_empty_nodes)
        topics.add("arithmetic with empty nodes")
    for line in lines:
        topics.add(reason(d.with_lines([line])))
        if None in topics:
            return None
    return " + ".join(sorted(topics))


COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")

# ---- What predicates ask -----------------------------------------------------------------------------------------------


def entries(td):
    """All entries below a dict, with those of its nodes; of a lazy stack those of its members."""
    if hasattr(td, "tensordicts"):
        for member in td.tensordicts:
            yield from entries(member)
        return
    for key in td.keys():
        value = td._get_str(key, None)
        yield value
        if is_td(value) and not is_non_tensor(value):
            yield from entries(value)


def places(td, prefix=()):
    """What stands where below a dict, nodes too; of a lazy stack what stands in its last member that has it."""
    found = {}
    if hasattr(td, "tensordicts"):
        for member in td.tensordicts:
            found.update(places(member, prefix))
        return found
    for key in td.keys():
        value = td._get_str(key, None)
        found[(*prefix, key)] = value
        if is_td(value):
            found.update(places(value, (*prefix, key)))
    return found


def kind(value):
    return "data" if is_non_tensor(value) else "node" if is_td(value) else "tensor"


def at_key(d, name="key"):
    """What stands under the key of a step, or None; with the path itself."""
    key = d.step[name]
    path = tuple(key) if isinstance(key, list) else (key,)
    return path, places(d.td()).get(path)


def kinds_differ(a, b):
    """Does one key stand for entries of two kinds?"""
    mine, theirs = places(a), places(b)
    return any(kind(mine[path]) != kind(theirs[path]) for path in mine.keys() & theirs.keys())


def shapes_differ(a, b):
    """Have two tensors under one key different shapes?"""
    mine, theirs = places(a), places(b)
    both = [(mine[path], theirs[path]) for path in mine.keys() & theirs.keys()]
    return any(x.shape != y.shape for x, y in both if kind(x) == kind(y) == "tensor")


def nodes_below(td):
    """The dict itself, its members and all dicts below it."""
    yield td
    for one in getattr(td, "tensordicts", ()) or filter(is_td, td.values()):
        if is_td(one):
            yield from nodes_below(one)


def has_data(*tds):
    return any(is_non_tensor(v) for td in tds for v in entries(td))


def has_empty_node(*tds):
    return any(is_td(v) and not is_non_tensor(v) and v.is_empty() for td in tds for v in entries(td))


def fewer_dims(d):
    """Does `new_*` make a dict of fewer batch dims than one that it was made from?"""
    return any(len(d.step["sizes"]) < td.batch_dims for td in [d.td(), *filter(is_td, entries(d.td()))])


def operands(d):
    return [d.scope.registers[o] for o in d.step["operands"] if isinstance(o, str)]


def dicts_of(d):
    """The dicts that a step reads."""
    found = (
        [d.step.get(k) for k in ("td", "other", "src", "value", "target", "state", "reference", "gradient")]
        + d.step.get("tds", [])
        + d.step.get("operands", [])
    )
    named = [n for n in found + d.step.get("others", []) if isinstance(n, str)]
    values = [d.scope.registers[n] for n in named if n in d.scope.registers]
    return [v for v in values if is_td(v)]


def ours_only(d, *statuses):
    return d.error is None and d.our_status in statuses


def result(d):
    return d.after.registers.get(d.step.get("to"))


def stock_status(d):
    return "LOCKED" if errors.name(d.error) == "Locked" else None


def both_fail(d):
    return d.error is not None and d.our_status is not None


def tensors(*tds):
    return [v for td in tds for v in entries(td) if isinstance(v, torch.Tensor)]


def without_empty_nodes(seen):
    """An observation without nodes that hold nothing, its dicts counted anew."""
    numbers, gone = {}, set(hollow_numbers(seen))

    def renewed(x):
        if isinstance(x, list):
            return [renewed(v) for v in x]
        if not isinstance(x, dict):
            return x
        if "same" in x:
            return {"same": numbers.get(x["same"], x["same"])}
        if "dict" in x:
            numbers[x["dict"]] = len(numbers)
            if "members" in x:
                members = renewed(x["members"])
                hidden = set(hollow_keys(x))
                return {**x, "dict": numbers[x["dict"]], "members": members, "keys": [k for k in x["keys"] if k not in hidden]}
            kept = {k: v for k, v in x["entries"].items() if not hollow(v) and v.get("same") not in gone}
            return {**x, "dict": numbers[x["dict"]], "entries": renewed(kept)}
        return {k: renewed(v) for k, v in x.items()}

    return renewed(seen)


def hollow_keys(x):
    """The keys of nodes that hold nothing, of a stack and of stacks in it."""
    for member in x["members"]:
        yield from (k for k, v in member.get("entries", {}).items() if hollow(v))
        if "members" in member:
            yield from hollow_keys(member)


def hollow_numbers(x):
    """The numbers of dicts that hold nothing."""
    if isinstance(x, dict):
        if "dict" in x and hollow(x):
            yield x["dict"]
        for value in x.values():
            yield from hollow_numbers(value)
    elif isinstance(x, list):
        for value in x:
            yield from hollow_numbers(value)


def without_data(seen):
    """An observation without non-tensor data, and without nodes that hold nothing else."""

    def stripped(x):
        if isinstance(x, list):
            return [stripped(v) for v in x if not is_data(v)]
        if not isinstance(x, dict):
            return x
        return {k: stripped(v) for k, v in x.items() if not is_data(v)}

    def is_data(x):
        return isinstance(x, dict) and x.keys() in ({"one"}, {"stack"})

    return without_empty_nodes(stripped(seen))


def hollow(x):
    return "entries" in x and all(isinstance(v, dict) and hollow(v) for v in x["entries"].values())


def only_after(d, change):
    """What still differs when both observations have been changed."""
    return compare.differences(change(d.expected), change(d.got))


def only(d, *parts):
    """Does every line of the difference name one of these parts of an observation?"""
    return bool(d.lines) and all(any(part in line for part in parts) for line in d.lines)


def touches(d, *parts):
    return any(part in line for line in d.lines for part in parts)


def has_leaves(*tds):
    """Of the batch dims: an operation that changes them does not ask the others."""
    batched = (v for td in tds for v in entries(td) if not isinstance(v, UnbatchedTensor))
    return any(isinstance(v, torch.Tensor) and v.numel() for v in batched)


def has_stray_names(td):
    """Does a node below have names that its parent does not have?"""
    if hasattr(td, "tensordicts"):
        return False
    for child in td.values():
        if is_td(child) and not is_non_tensor(child):
            if child.names[: td.batch_dims] != td.names or has_stray_names(child):
                return True
    return False


def has_broken_node(td):
    """Is the batch size of a node below not that of its parent, with or without more dims?"""
    if hasattr(td, "tensordicts"):
        return False
    for child in td.values():
        if is_td(child) and not is_non_tensor(child):
            if child.batch_size[: td.batch_dims] != td.batch_size or has_broken_node(child):
                return True
    return False


def place_differs(d):
    """Has a value another shape than the place that it is written to?"""
    value, index = d.td("value"), d.scope.index()
    for key in value.keys(True, True):
        if key in d.td().keys(True, True) and d.td().get(key)[index].shape != value.get(key).shape:
            return True
    return False


def only_names(d):
    if both_fail(d) or d.error is not None or d.our_status:
        return False
    lines = compare.differences(compare.collapsed(d.expected), compare.collapsed(d.got)) if d.whole else d.lines
    return bool(lines) and all("/names" in line for line in lines)


def our_text(d):
    return d.got.get("error", {}).get("text", "")
