"""Known differences in the names of batch dims."""

import torch
from tensordict import LazyStackedTensorDict

from known import (
    COMPARISONS,
    at_key,
    dicts_of,
    entries,
    fewer_dims,
    has_data,
    has_stray_names,
    known,
    nodes_below,
    only_names,
    operands,
    our_text,
    ours_only,
    places,
)
from stock_values import is_td


def named(td):
    return any(name is not None for name in td.names)


@known("names of data in a scope")
def _(d):
    refused = d.error is not None and "Not all dim names match" in str(d.error)
    return d.op == "scope_end" and refused and not d.our_status and any(has_data(td) for td in d.scope.dicts())


@known("names after `masked_select`")
def _(d):
    return d.op == "masked_select" and named(d.td()) and only_names(d)


@known("names of further dims of nodes after `view`")
def _(d):
    if d.op not in ("view", "reshape") or not only_names(d) or not all("/entries/" in line for line in d.lines):
        return False
    return any(is_td(v) and any(v.names[d.td().batch_dims :]) for v in entries(d.td()))


@known("names of nodes made by `td[i] = td2`")
def _(d):
    if d.op != "set_item" or not isinstance(d.step["value"], str):
        return False
    made = {path for path, v in places(d.td("value")).items() if is_td(v)} - places(d.td()).keys()
    refused = "refine_names" in str(d.error) or "Names of a subtensordict" in str(d.error)
    return bool(made) and (only_names(d) or refused and not d.our_status)


@known("names after comparisons with tensors")
def _(d):
    if d.op != "pointwise" or d.step["call"] not in COMPARISONS or not only_names(d):
        return False
    second = d.step["operands"][1]
    return isinstance(second, dict) or isinstance(second, str) and isinstance(d.scope.registers[second], torch.Tensor)


@known("names that a node has and its parent lacks")
def _(d):
    refused = "refine_names: cannot coerce" in str(d.error) and not d.our_status
    return (only_names(d) or refused) and any(has_stray_names(td) for td in dicts_of(d))


@known("names of nodes after `squeeze()`")
def _(d):
    if d.op != "squeeze" or "dim" in d.step or not only_names(d):
        return False
    return any(is_td(v) and named(v) for v in entries(d.td())) and all("/entries/" in line for line in d.lines)


@known("names for more dims than there are")
def _(d):
    return (
        d.op in ("set_names", "refine_names") and ours_only(d, "ARGUMENT") and len(d.step["names"]) > d.td().batch_dims
    )


@known("one name for the dim of a lazy stack and another dim")
def _(d):
    if d.op not in ("set_names", "refine_names") or not ours_only(d, "ARGUMENT") or "names two dims" not in our_text(d):
        return False
    td = d.td()
    return isinstance(td, LazyStackedTensorDict) and d.step["names"].count(d.step["names"][td.stack_dim]) > 1


@known("`new_*` with fewer batch dims")
def _(d):
    return d.op in ("new_empty", "new_full") and only_names(d) and fewer_dims(d)


@known("names of what `cat` and `stack` write into")
def _(d):
    if d.op not in ("cat_into", "stack_into") or not only_names(d):
        return False
    return any(named(node) for td in dicts_of(d) for node in nodes_below(td))


@known("names of a node that is replaced")
def _(d):
    if d.op != "set" or d.error is not None or d.our_status or not only_names(d):
        return False
    old = at_key(d)[1]
    gone = [name for name, v in d.scope.registers.items() if v is old]
    return is_td(old) and all(any(line.strip().startswith(f"/{name}/") for name in gone) for line in d.lines)
