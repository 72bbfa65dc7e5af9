"""Known differences in values, and in what is refused."""

import re

import torch
from tensordict.utils import is_non_tensor

import errors
import stock
from known import (
    COMPARISONS,
    at_key,
    both_fail,
    dicts_of,
    entries,
    has_data,
    has_leaves,
    kinds_differ,
    known,
    only,
    only_names,
    operands,
    our_text,
    ours_only,
    place_differs,
    places,
    shapes_differ,
    stock_status,
    tensors,
    touches,
)
from stock_values import is_td


@known("a call with two faults")
def _(d):
    if not both_fail(d) or d.got["error"]["step"] != d.at:
        return False
    if d.op in ("cat_into", "stack_into"):
        return d.our_status == "SHAPE" and errors.name(d.error) == "KeyError" and faults_of_join(d) >= {"SHAPE", "KEY"}
    if d.op in ("stack", "cat", "where", "pointwise"):
        faults = faults_of_join(d)
        return len(faults) > 1 and d.our_status in faults and bool(faults & errors.statuses(errors.name(d.error)))
    return "LOCKED" in (d.our_status, stock_status(d)) and (refused_here(d) or fails_unlocked(d))


def faults_of_join(d):
    """What is wrong with dicts that are joined or walked together."""
    tds, faults = dicts_of(d), set()
    for other in tds[1:]:
        if set(places(tds[0])) != set(places(other)) or kinds_differ(tds[0], other):
            faults.add("KEY")
        if tds[0].batch_size != other.batch_size or shapes_differ(tds[0], other):
            faults.add("SHAPE")
    n = tds[0].batch_dims + (d.op == "stack")
    if "dim" in d.step and not -n <= d.step["dim"] < n:
        faults.add("INDEX")
    return faults


def refused_here(d):
    """Is the step one that the original does only where nothing is locked? See `create_nested` and `set_`."""
    if d.op not in ("create_nested", "set_"):
        return False
    path, there = at_key(d)
    found = places(d.td())
    if d.op == "set_":
        return path[:-1] not in {(), *found}
    return there is not None or any(path[:n] in found and not is_td(found[path[:n]]) for n in range(1, len(path)))


def fails_unlocked(d):
    """Does the original refuse the step where nothing was ever locked?"""
    steps = [{**step, "lock": False} if step.get("lock") else step for step in d.program["steps"][: d.at + 1]]
    steps = [step for step in steps if step["op"] != "lock"]
    return stock.run_steps(steps)[1] == len(steps) - 1


@known("comparisons")
def _(d):
    if d.op != "pointwise" or d.step["call"] not in COMPARISONS or not has_data(*operands(d)):
        return False
    if sum(is_td(v) for v in operands(d)) < 2:
        return True
    return d.step["call"] not in ("eq", "ne") or ours_only(d, "KEY") and kinds_differ(*operands(d)[:2])


@known("`update_`")
def _(d):
    if d.op != "update_" or not ours_only(d, "KEY"):
        return False
    return kinds_differ(d.td(), d.td("src")) or not places(d.td("src")).keys() <= places(d.td()).keys()


@known("`prod`, `max` over several dims")
def _(d):
    return (
        d.op == "reduce"
        and d.step["call"] in ("prod", "amax", "amin", "max", "min")
        and len(d.step.get("dims", [])) > 1
    )


@known("checks of a dict without tensors")
def _(d):
    if d.op == "pointwise" and ours_only(d, "KEY") and not has_leaves(operands(d)[0]):
        return True
    if d.op == "set_item" and isinstance(d.step["value"], str) and not has_leaves(d.td("value")):
        return True
    if d.op in ("set_", "update_") and ours_only(d, "TORCH") and any(v.numel() == 0 for v in tensors(*dicts_of(d))):
        return True
    if ours_only(d, "SHAPE") and re.search(r"[\[ ]0[,\]]", our_text(d)):  # the leaf at fault has no elements
        return True
    if has_leaves(*dicts_of(d)):
        return False
    return ours_only(d, "INDEX", "SHAPE", "ARGUMENT") or d.op == "pointwise" and only_names(d)


@known("`max`, `min`, `amax`, `amin` along a dim")
def _(d):
    if d.op != "reduce" or d.step["call"] not in ("max", "min", "amax", "amin") or both_fail(d) or touches(d, "/data["):
        return False
    return any(is_td(v) or is_non_tensor(v) for v in entries(d.td()))


@known("0-d leaves and 0-d tensors")
def _(d):
    if d.op != "pointwise" or d.error is not None or d.our_status or "/dtype" not in str(d.lines):
        return False
    return any(t.dim() == 0 for t in tensors(*operands(d)))


@known("operands whose features have other numbers of dims")
def _(d):
    if d.op != "pointwise" or len(operands(d)) < 2:
        return False
    a, b = ({k: v.dim() - td.batch_dims for k, v in td.items(True, True)} for td in operands(d)[:2])
    ragged = any(a[k] != b[k] for k in a.keys() & b.keys())
    batches = operands(d)[0].batch_size != operands(d)[1].batch_size
    return ragged and (ours_only(d, "SHAPE") or batches and not both_fail(d))


@known("a dict where another has a tensor, in functions over leaves")
def _(d):
    if d.op != "map" or not any(kinds_differ(d.td(), d.scope.registers[other]) for other in d.step.get("others", [])):
        return False
    return ours_only(d, "KEY") or isinstance(d.error, (AttributeError, ValueError)) and not d.our_status


@known("in-place values of other dims")
def _(d):
    if "batch dimension mismatch" in str(d.error) and (d.op == "set_" or d.op == "update" and d.step.get("inplace")):
        return not d.our_status
    in_place = d.op in ("update_", "load_state_dict") or d.step.get("inplace") or str(d.step.get("call")).endswith("_")
    return in_place and ours_only(d, "SHAPE")


def nearly_whole(d):
    """Is a float written to whole numbers that the last bit of a kernel has moved over one?"""
    floats = [t for td in dicts_of(d) for t in tensors(td) if t.is_floating_point()]
    near = any(((t - t.round()).abs() < 1e-5 * t.abs().clamp(min=1)).any() for t in floats if t.numel())
    return near and any(not t.is_floating_point() for t in tensors(d.td()))


@known("what another LibTorch does")
def _(d):
    if d.op == "requires_grad_":  # of a view that was made before
        return only(d, "/requires_grad") and any(t._is_view() for t in tensors(*d.scope.dicts()))
    if "Integers to negative integer powers" in str(d.error):
        return d.op == "pointwise" and not d.our_status
    if d.op in ("update_", "update", "set_", "set_item") and only(d, "/data"):  # a number beside a whole one, cut off
        return nearly_whole(d)
    return "not implemented for" in our_text(d) or "plus negative padding" in our_text(d)


@known("`where` over leaves of other shapes")
def _(d):
    return d.op == "where" and ours_only(d, "SHAPE") and shapes_differ(d.td(), d.td("other"))


@known("writing into expanded tensors")
def _(d):
    return ours_only(d, "TORCH") and "are one place in memory" in our_text(d)


@known("0-d masks of `masked_select`")
def _(d):
    return d.op == "masked_select" and d.step["mask"]["shape"] == [] and ours_only(d, "INDEX")


@known("`td[i] = td2`")
def _(d):
    if d.op != "set_item" or not isinstance(d.step["value"], str):
        return False
    value = d.td("value")
    if d.error is None and not d.our_status and value.batch_size and 1 in value.batch_size:
        new = places(value).keys() - places(d.td()).keys()  # of values that both fit and broadcast
        return bool(new) and only(d, *("/entries/" + "/entries/".join(path) for path in new))
    if ours_only(d, "KEY"):
        return kinds_differ(d.td(), value)
    if ours_only(d, "SHAPE") and hasattr(d.td(), "tensordicts") and value.batch_size != d.td()[d.scope.index()].batch_size:
        return bool(places(value).keys() - places(d.td()).keys())  # new keys of a lazy stack, whatever their shapes
    return ours_only(d, "SHAPE") and place_differs(d)


@known("values of another dtype, by index tensors")
def _(d):
    return d.op == "set_item" and "Index put requires" in str(d.error)


@known("`update` and its kin")
def _(d):
    return d.op in ("exclude_", "select_") and d.our_status == "LOCKED" and d.td().is_locked


@known("errors of the caller's functions")
def _(d):
    return both_fail(d) and d.our_status == "CALLBACK"


@known("writing another view of the same memory")
def _(d):
    if d.op in ("cat_into", "stack_into"):
        return "refer to a single memory location" in str(d.error) and not d.our_status
    if d.op not in ("update_", "update", "load_state_dict", "set_", "set_item") or d.our_status:
        return False
    source = d.step.get("src") or d.step.get("state") or d.step.get("value")
    if not isinstance(source, str):
        return False
    source = d.scope.registers[source]
    sources = tensors(source) if is_td(source) else [source]
    if d.op == "update" and d.step.get("inplace") and d.step.get("clone") and only(d, "/data["):
        return written_before_read(d)
    return any(
        a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
        and (a.stride() != b.stride() or a.requires_grad and a.data_ptr() != b.data_ptr())
        for a in tensors(d.td())
        for b in sources
        if isinstance(b, torch.Tensor) and a.numel() and b.numel()
    )


def written_before_read(d):
    """Is a new entry a copy of memory that another entry of the update is written to?"""
    mine, theirs = places(d.td()), places(d.td("src"))
    memory = lambda t: t.untyped_storage().data_ptr()
    written = {memory(t) for path, t in mine.items() if path in theirs and isinstance(t, torch.Tensor)}
    new = [t for path, t in theirs.items() if path not in mine and isinstance(t, torch.Tensor)]
    return any(memory(t) in written for t in new)
