"""Known differences of entries that belong to the whole batch."""

import torch
from tensordict import UnbatchedTensor

from known import at_key, dicts_of, known, only, our_text, ours_only, places, touches
from known_lazy import has_lazy
from stock_values import is_td


def unbatched(td):
    """The paths of such entries below a dict."""
    return {path for path, v in places(td).items() if isinstance(v, UnbatchedTensor)}


def at_unbatched(d):
    """Does every line of the difference name such an entry, in whichever dict, or a class of memory counted after it?"""
    tds = d.scope.dicts() + d.after.dicts()
    shown = ["/entries/" + "/entries/".join(path) for td in tds for path in unbatched(td)]
    return bool(shown) and touches(d, *shown) and only(d, *shown, *read_before(d), "/memory[0]:")


def read_before(d):
    """The registers that hold such an entry itself, which `get` gave."""
    held = {name: v for name, v in d.scope.registers.items() if isinstance(v, torch.Tensor)}
    inside = {t.data_ptr() for td in d.scope.dicts() for t in places(td).values() if isinstance(t, UnbatchedTensor)}
    return [f"/{name}/data[" for name, v in held.items() if v.numel() and v.data_ptr() in inside]


def beside_ordinary(tds):
    """Is a key unbatched in one dict and an ordinary tensor in another?"""
    kinds = [{path: isinstance(v, UnbatchedTensor) for path, v in places(td).items()} for td in tds]
    return any(one.get(path, flag) != flag for first in kinds for path, flag in first.items() for one in kinds)


def refused(d):
    return ours_only(d, "UNSUPPORTED") and "the entry is unbatched" in our_text(d)


@known("`UnbatchedTensor` under an indexed assignment")
def _(d):
    if d.op != "set_item":
        return False
    value = d.scope.registers[d.step["value"]] if isinstance(d.step["value"], str) else None
    if is_td(value) and unbatched(value) and not unbatched(d.td()):  # comes as a new entry
        return isinstance(d.error, RuntimeError) and not d.our_status
    if not unbatched(d.td()):
        return False
    if isinstance(d.step["value"], str):
        return ours_only(d, "SHAPE") and "does not broadcast to an unbatched entry" in our_text(d)
    if d.error is not None:
        return not d.our_status and isinstance(d.error, (IndexError, RuntimeError))
    return at_unbatched(d) and only(d, "/data[")


@known("`UnbatchedTensor` beside an ordinary tensor in `stack`, `cat` and lazy stacks")
def _(d):
    joins = d.op in ("stack", "cat", "lazy_stack", "maybe_dense_stack", "append", "to_lazy_stack")
    return joins and ours_only(d, "KEY") and beside_ordinary(dicts_of(d))


@known("`UnbatchedTensor` under masks, and operands of the batch's shape")
def _(d):
    if d.op == "masked_select" and has_lazy(d.td()):
        return d.error is not None and not d.our_status and bool(unbatched(d.td()))
    return d.op in ("masked_select", "masked_fill", "masked_fill_", "where", "pointwise") and refused(d)


@known("`UnbatchedTensor` in reductions that keep dims, have several results or take the features")
def _(d):
    if d.op != "reduce" or not unbatched(d.td()):
        return False
    along = d.step.get("keepdim") or d.step.get("feature") or d.step["call"] in ("any", "all")
    if isinstance(d.error, IndexError):  # where those dims are fewer
        return d.step["call"] in ("any", "all") and not d.our_status
    return refused(d) or d.error is None and not d.our_status and bool(along) and at_unbatched(d)


@known("`UnbatchedTensor` in reductions of a lazy stack")
def _(d):
    shown = d.op == "reduce" and has_lazy(d.td()) and d.error is None and not d.our_status
    return shown and at_unbatched(d) and only(d, "/memory")


@known("`UnbatchedTensor` plus an ordinary tensor")
def _(d):
    return d.op in ("pointwise", "map") and only(d, "/unbatched") and beside_ordinary(dicts_of(d))


@known("a node of UnbatchedTensors in `auto_batch_size_`")
def _(d):
    if d.op != "auto_batch_size" or d.error is not None or d.our_status or not only(d, "/batch", "/names"):
        return False
    below = unbatched(d.td())
    return any(path[:-1] for path in below)


@known("`set_` over an `UnbatchedTensor`")
def _(d):
    return d.op == "set_" and isinstance(at_key(d)[1], UnbatchedTensor) and d.error is not None and not d.our_status
