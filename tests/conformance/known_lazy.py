"""Known differences of lazy stacks."""

import densified
from tensordict import LazyStackedTensorDict

from known import (
    at_key,
    dicts_of,
    entries,
    kind,
    kinds_differ,
    known,
    nodes_below,
    only,
    operands,
    our_text,
    ours_only,
    places,
    result,
    tensors,
)


def has_lazy(*tds):
    return any(isinstance(v, LazyStackedTensorDict) for td in tds for v in (td, *entries(td)))


@known("kind of dict after operations on a lazy stack")
def _(d):
    # Lazy against dense, or members joined and taken apart otherwise: the values are the same.
    kinds = [line for line in d.lines if "/members" in line or "/stack_dim" in line]
    if d.error is not None or d.our_status or not kinds or not has_lazy(*dicts_of(d)):
        return False
    return densified.differences(d.expected, d.got) == []


@known("an index that leaves no members of a lazy stack")
def _(d):
    none = any(f"/{d.step.get('to')}" in line and "/members: not expected, got []" in line for line in d.lines)
    shown = only(d, *(f"/{part}:" for part in ("entries", "keys", "names", "stack_dim", "members")), "/memory: expected")
    return none and shown and d.error is None and not d.our_status and has_lazy(*dicts_of(d))


@known("`repeat` of a lazy stack that leaves no members")
def _(d):
    if d.op not in ("repeat", "repeat_interleave") or d.error is not None or d.our_status:
        return False
    made, td = result(d), d.td()
    lazy = isinstance(td, LazyStackedTensorDict) and isinstance(made, LazyStackedTensorDict)
    if not lazy or not td.tensordicts or made.tensordicts:
        return False
    at = f"/{d.step['to']}/"
    return bool(d.lines) and all(line.strip().startswith((at + "batch", at + "keys", at + "names")) for line in d.lines)


@known("`stack` with a dim too negative")
def _(d):
    if d.op not in ("lazy_stack", "maybe_dense_stack") or not ours_only(d, "INDEX"):
        return False
    return d.step["dim"] < -1 - d.scope.registers[d.step["tds"][0]].batch_dims


@known("names of a lazy stack")
def _(d):
    # A member got other names after it was stacked: the stack keeps those that it was made with.
    if d.op in ("stack", "lazy_stack", "maybe_dense_stack") and d.error is None and not d.our_status:
        return only(d, "/names: not expected") and has_lazy(*dicts_of(d))
    shown = {line.strip().split("/")[1] for line in d.lines if line.strip().startswith("/")}
    stacks = all(isinstance(d.scope.registers.get(name), LazyStackedTensorDict) for name in shown)
    return d.op.endswith("names") and bool(shown) and stacks and all("/names" in line for line in d.lines)


@known("updating a lazy stack from another number of members")
def _(d):
    if d.op != "update" or not ours_only(d, "SHAPE") or not has_lazy(d.td()):
        return False
    td, src = d.td(), d.td("src")
    if not hasattr(td, "tensordicts"):
        return False
    if src.batch_dims <= td.stack_dim:
        return not tensors(src)
    return len(td.tensordicts) < src.batch_size[td.stack_dim]


@known("dicts and data under one key of a lazy stack")
def _(d):
    if d.op in ("pointwise", "get", "reshape") and ours_only(d, "KEY"):
        return any(map(of_two_kinds, dicts_of(d)))
    if d.op == "set" and ours_only(d, "KEY") and "runs through data" in our_text(d):
        return hasattr(d.td(), "tensordicts")
    if d.error is not None or d.our_status or not any(map(of_two_kinds, dicts_of(d))):
        data = [td for td in dicts_of(d) if hasattr(td, "tensordicts") and not shared_tensors(td)]
        return d.op == "unflatten" and bool(data) and only(d, "/members", "/stack_dim")  # no key of all
    if d.op == "repr":
        return only(d, "/value")
    if d.op == "keys":
        return only(d, "/value")
    parts = [f"/{part}" for part in ("members", "stack_dim", "keys", "entries", "dict", "batch", "same")]
    if d.op in ("permute", "scope_permute"):
        return [dim % len(d.step["dims"]) for dim in d.step["dims"]] == list(range(len(d.step["dims"]))) and only(d, *parts)
    return d.op == "unflatten" and only(d, *parts)


def of_two_kinds(td):
    members = getattr(td, "tensordicts", ())
    return any(kinds_differ(members[0], other) for other in members[1:])


@known("`flatten` of a lazy stack to an earlier dim")
def _(d):
    td = d.scope.registers.get(d.step.get("td"))
    if d.op not in ("flatten", "scope_flatten") or not isinstance(td, LazyStackedTensorDict) or not ours_only(d, "ARGUMENT"):
        return False
    return d.step["start"] % td.batch_dims > d.step["end"] % td.batch_dims


@known("names of a lazy stack")
def _(d):
    # What it is made of has got another batch size or other names since.
    stacks = [f"/{name}/names" for name, v in d.after.registers.items() if isinstance(v, LazyStackedTensorDict)]
    return d.error is None and not d.our_status and bool(stacks) and only(d, *stacks) and not only(d, f"/{d.step.get('to')}/")


@known("operators over lazy stacks along different dims")
def _(d):
    if d.op != "pointwise" or d.error is not None or d.our_status or not only(d, "/data["):
        return False
    return len({v.stack_dim for v in operands(d) if isinstance(v, LazyStackedTensorDict)}) > 1


@known("`is_empty` of a lazy stack without common keys")
def _(d):
    td = d.scope.registers.get(d.step.get("td"))
    return d.op == "is_empty" and isinstance(td, LazyStackedTensorDict) and not shared_tensors(td) and any(
        list(member.keys()) for member in td.tensordicts)


def shared_tensors(td):
    """The keys of the tensors that all members of a stack have."""
    if isinstance(td, LazyStackedTensorDict):
        return set.intersection(*map(shared_tensors, td.tensordicts)) if td.tensordicts else set()
    return {path for path, v in places(td).items() if kind(v) == "tensor"}


@known("`flatten_keys`, `state_dict` of a lazy stack with exclusive keys")
def _(d):
    if d.op not in ("flatten_keys", "state_dict") or d.our_status or not isinstance(d.error, (RuntimeError, AssertionError)):
        return False
    stacks = [td for td in nodes_below(d.td()) if isinstance(td, LazyStackedTensorDict)]
    return any(set(td.keys()) != set(member.keys()) for td in stacks for member in td.tensordicts)


@known("`view` of a lazy stack whose members have different batch sizes")
def _(d):
    return d.op == "view" and "Cannot call `view` on a lazy stacked" in str(d.error) and not d.our_status


@known("`stack` of a lazy stack without members")
def _(d):
    if d.op not in ("stack", "lazy_stack", "maybe_dense_stack") or d.error is not None or d.our_status:
        return False
    none = all(isinstance(td, LazyStackedTensorDict) and not td.tensordicts for td in dicts_of(d))
    at = f"/{d.step['to']}/"
    return none and bool(d.lines) and all(line.strip().startswith(at) for line in d.lines)


@known("`reshape` of a lazy stack of one member to the member's batch size")
def _(d):
    # Without tensors the original gives the member itself.
    td = d.scope.registers.get(d.step.get("td"))
    if d.op != "reshape" or not isinstance(td, LazyStackedTensorDict) or len(td.tensordicts) != 1:
        return False
    member = d.after.registers[d.step["td"]].tensordicts[0]
    return only(d, "/memory") or result(d) is member and not d.our_status


@known("`to_lazy_stack` of an empty batch")
def _(d):
    return d.op == "to_lazy_stack" and d.error is not None and "items cannot be empty" in str(d.error)


@known("`get_list` outside of lazy stacks")
def _(d):
    return d.op == "get_list" and ours_only(d, "UNSUPPORTED") and not isinstance(d.td(), LazyStackedTensorDict)


@known("`get_list` of dicts and data")
def _(d):
    return d.op == "get_list" and ours_only(d, "KEY") and kind(at_key(d)[1]) != "tensor"


@known("names after `tile` of a lazy stack")
def _(d):
    return d.op == "tile" and isinstance(d.td(), LazyStackedTensorDict) and only(d, "/names")


@known("locks of nodes in another shape of a lazy stack")
def _(d):
    td = d.scope.registers.get(d.step.get("td"))
    shape = d.op in ("reshape", "view", "flatten", "unflatten") and isinstance(td, LazyStackedTensorDict)
    if not shape or td.is_locked or d.error is not None or d.our_status:
        return False
    made = [line for line in d.lines if line.strip().startswith(f"/{d.step['to']}/entries/")]
    return made == d.lines and all(line.endswith("/locked: expected True, is missing") for line in made)
