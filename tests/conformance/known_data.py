"""Known differences that concern non-tensor data."""

import re

from tensordict import NonTensorStack
from tensordict.utils import is_non_tensor

import compare
import expected_data
from known import (
    at_key,
    both_fail,
    dicts_of,
    entries,
    fewer_dims,
    has_data,
    kind,
    kinds_differ,
    known,
    nodes_below,
    only,
    only_after,
    only_names,
    our_text,
    ours_only,
    places,
    result,
    tensors,
    touches,
    without_data,
)
from stock_values import is_params, is_td


def only_data(d):
    """Does every line of the difference name non-tensor data that the step reads or makes?"""
    made = [result(d)] if is_td(result(d)) else []
    found = [path for td in [*dicts_of(d), *made] for path, v in places(td).items() if is_non_tensor(v)]
    shown = ["/entries/" + "/entries/".join(path) for path in found] + ["/one", "/stack"]
    here = bool(found) and d.error is None and not d.our_status and touches(d, *shown)
    return here and only(d, *shown, "/dict:", "/same:")  # a dict in the place of data is counted, too


@known("a number written over non-tensor data")
def _(d):
    if d.op != "set_item" or isinstance(d.step["value"], str) or not has_data(d.td()):
        return False
    return (only(d, "/one", "/stack") or d.error is not None and not d.our_status) and expected_data.stays(d)


@known("`where` over non-tensor data")
def _(d):
    shown = d.op == "where" and has_data(*dicts_of(d)) and only(d, "/one", "/stack")
    return shown and d.error is None and not d.our_status and expected_data.chosen(d)


@known("`view` of data that differs")
def _(d):
    return d.op in ("view", "reshape") and has_data(d.td()) and d.error is not None and not d.our_status


@known("names from non-tensor data")
def _(d):
    names = only_names(d) or "refine_names" in str(d.error) and not d.our_status
    return d.op in ("update", "set", "load_state_dict", "replace") and names and has_data(*dicts_of(d))


@known("one value for all fits any batch size")
def _(d):
    if d.op == "pad":
        return has_data(d.td()) and only(d, "/one", "/stack")
    if d.op == "pointwise" and only(d, "/data", "/shape"):  # it kept its batch size when that of the dict became smaller
        return any(is_non_tensor(v) and v.batch_dims > td.batch_dims for td in dicts_of(d) for v in td.values())
    refused = "incompatible with the batch-size" in str(d.error) and not d.our_status
    return d.op in ("set", "rename_key", "update", "set_batch_size") and refused and has_data(*dicts_of(d))


@known("non-tensor data is immutable")
def _(d):
    if d.op not in ("update_", "update", "set_item", "set_") or not has_data(*dicts_of(d)):
        return False
    if d.our_status or d.error is not None and "Cannot update a NonTensorDataBase" not in str(d.error):
        return False
    return (d.error is not None or only(d, "/one", "/stack")) and expected_data.replaced(d)


@known("`load_state_dict` of non-tensor data")
def _(d):
    if d.op != "load_state_dict" or not has_data(d.td(), d.td("state")):
        return False
    return ours_only(d, "LOCKED", "KEY") or d.error is None and not d.our_status and only(d, "/one", "/stack")


@known("unlocking what non-tensor data came from")
def _(d):
    return d.op == "unlock" and has_data(d.td()) and d.error is not None and not d.our_status


@known("`grad` of non-tensor data")
def _(d):
    if d.op != "grad" or not has_data(d.td()) or d.error is not None or d.our_status:
        return False
    return all(t.grad is None for t in tensors(d.td())) and not tensors(result(d))


@known("a key below non-tensor data")
def _(d):
    if d.op in ("select", "select_"):
        data = [path for path, v in places(d.td()).items() if is_non_tensor(v)]
        asked = [tuple(key) for key in d.step["keys"] if isinstance(key, list) and not d.step["strict"]]
        return any(key[: len(path)] == path and key != path for key in asked for path in data)
    if d.op in ("scope_end", "run", "run_with"):  # flattened keys that come back below data, and results
        return "runs through data" in our_text(d) and ours_only(d, "KEY")
    if d.op == "rename_key":
        return has_data(d.td()) and "runs through data" in our_text(d) and ours_only(d, "KEY")
    key = d.step.get("key")
    if not (d.op.startswith("set") and isinstance(key, list) and ours_only(d, "KEY")):
        return False
    return any(is_non_tensor(d.td().get(tuple(key[:n]), None)) for n in range(1, len(key)))


@known("non-tensor data in `auto_batch_size_`")
def _(d):
    return d.op == "auto_batch_size" and has_data(d.td()) and only(d, "/batch", "/names", "/stack")


@known("`get_at` of dicts and data")
def _(d):
    return d.op == "get_at" and ours_only(d, "KEY") and kind(at_key(d)[1]) != "tensor"


@known("one value for the batch, or as many equal ones")
def _(d):
    return not both_fail(d) and not compare.differences(compare.collapsed(d.expected), compare.collapsed(d.got))


@known("non-tensor data of an empty batch")
def _(d):
    if "zero-sized batch" in str(d.error) or "non-empty TensorList" in str(d.error):
        return has_data(*dicts_of(d))
    emptied = any(re.search(r"got \[[\[\], ]*\]$", line) for line in d.lines)
    emptied = emptied or any(0 in td.batch_size for top in dicts_of(d) for td in nodes_below(top))
    return emptied and only_data(d)


@known("`fill_` of non-tensor data")
def _(d):
    return d.op == "fill_" and ours_only(d, "KEY") and is_non_tensor(at_key(d)[1])


@known("reductions of stacked non-tensor data")
def _(d):
    if d.op != "reduce" or d.our_status:
        return d.op == "reduce" and ours_only(d, "SHAPE") and "different values for its batch" in our_text(d)
    return only_data(d) or has_data(d.td()) and d.error is not None and "stack" in str(d.error).lower()


@known("`squeeze()` of stacked data")
def _(d):
    stacks = any(isinstance(v, NonTensorStack) for v in entries(d.td())) if d.op == "squeeze" else False
    return stacks and "dim" not in d.step and only(d, "/stack")


@known("`new_*` of a `NonTensorStack`")
def _(d):
    if d.op not in ("new_empty", "new_full") or both_fail(d):
        return False
    # A lazy stack shows one value of each member as a stack of them.
    stacks = hasattr(d.td(), "tensordicts") and has_data(d.td()) or any(
        isinstance(v, NonTensorStack) for v in entries(d.td()))
    return stacks and all("/names" in line and fewer_dims(d) for line in only_after(d, without_data))


@known("data where another dict has a tensor or a dict, joined")
def _(d):
    if d.op == "maybe_dense_stack":
        lost = d.error is None and any(kinds_differ(dicts_of(d)[0], td) for td in dicts_of(d)[1:])
        return has_data(*dicts_of(d)) and not d.our_status and (isinstance(d.error, AttributeError) or lost)
    return d.op in ("cat", "stack") and ours_only(d, "KEY") and "data in dict" in our_text(d)


@known("non-tensor data of an empty batch")
def _(d):
    empty = has_data(*dicts_of(d)) and any(0 in td.batch_size for td in dicts_of(d)) and not d.our_status
    if d.op == "params":
        return empty and "within a TensorDictParams isn't permitted" in str(d.error)
    return d.op in ("cat", "stack") and empty and "dim must be in the range" in str(d.error)


@known("writing into an existing result (`out=`)")
def _(d):
    if d.op not in ("cat_into", "stack_into") or not has_data(*dicts_of(d)) or d.error is not None or d.our_status:
        return False
    return only(d, "/one", "/stack") and not touches(d, f"/{d.step['target']}/")


@known("`is_empty` of parameters with non-tensor data only")
def _(d):
    return d.op == "is_empty" and is_params(d.td()) and has_data(d.td()) and only(d, "/value")


@known("`bitwise_xor`, `bitwise_or` with non-tensor data")
def _(d):
    if d.op != "pointwise" or d.step["call"] not in ("bitwise_xor", "bitwise_or") or d.our_status:
        return False
    if not has_data(*dicts_of(d)):
        return False
    return "unsupported operand type" in str(d.error) or d.error is None and only_data(d)
