"""Known differences of dicts in HDF5 files."""

import re

from known import at_key, dicts_of, known, only, our_text, ours_only
from stock_values import is_persistent, is_td


@known("`requires_grad_` of a dict in a file")
def _(d):
    return d.op == "requires_grad_" and ours_only(d, "UNSUPPORTED") and is_persistent(d.td())


@known("key order")
def _(d):
    if d.op != "keys" or not is_persistent(d.td()) or d.error is not None or d.our_status:
        return False
    ours, theirs = (sorted(map(tuple, seen["registers"][d.step["to"]]["value"])) for seen in (d.got, d.expected))
    return ours == theirs


@known("`td[i] = value` of an HDF5 file")
def _(d):
    if d.op != "set_item" or not is_persistent(d.td()) or d.our_status not in (None, "SHAPE"):
        return False
    return str(d.error).startswith(("Indexing elements must be in increasing order", "Broadcasting is not supported"))


@known("numbers over data in an HDF5 file")
def _(d):
    return d.op == "zero_" and is_persistent(d.td()) and d.error is None and only(d, "/one")


@known("values of another dtype in an HDF5 file")
def _(d):
    if not any(map(is_persistent, d.scope.dicts())) or d.our_status:
        return False
    if d.error is not None:
        return "no appropriate function for conversion path" in str(d.error)
    infinite = re.compile(r".*/data\[\d+\]: expected -?922337203685477580[78], got -?9223372036854775808$")
    return d.op in ("set_", "update_") and bool(d.lines) and all(map(infinite.match, d.lines))


@known("batch size of an HDF5 file")
def _(d):
    # And its names, which dicts below have too. Nodes that differ in this only are joined there.
    if d.op in ("cat", "stack") and ours_only(d, "SHAPE"):
        files = any(map(is_persistent, d.scope.registers.values()))
        return files and "batch sizes differ" in our_text(d) and '("' in our_text(d)
    files = any(is_persistent(td) for td in d.after.dicts()) and d.error is None and not d.our_status
    if d.op == "entry_shape":
        return files and is_td(at_key(d)[1]) and only(d, "/value")
    return files and only(d, "/names: not expected", "/batch: expected", "/batch[")


@known("a dict over a tensor in an HDF5 file")
def _(d):
    refused = "in place of a non-tensor collection" in str(d.error) and not d.our_status
    return refused and d.op in ("set", "update", "rename_key") and is_persistent(d.td())


@known("a dict over a dict in an HDF5 file")
def _(d):
    if d.op != "set" or not is_persistent(d.td()) or d.error is not None or d.our_status:
        return False
    return is_td(d.scope.value()) and is_td(at_key(d)[1]) and only(d, "is missing", "expected the order")


@known("renaming a missing key of an HDF5 file to itself")
def _(d):
    missing = d.op == "rename_key" and is_persistent(d.td()) and at_key(d, "old")[1] is None
    return missing and d.step["old"] == d.step["new"] and ours_only(d, "KEY")


@known("`td[index]` of a persistent dict")
def _(d):
    refused = "Names of a subtensordict cannot be modified" in str(d.error) and not d.our_status
    return refused and any(map(is_persistent, dicts_of(d)))
