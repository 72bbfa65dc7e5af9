"""Known differences in keys, nodes, names, batch sizes and locks."""

from known import (
    COMPARISONS,
    dicts_of,
    entries,
    has_broken_node,
    has_data,
    has_empty_node,
    has_stray_names,
    both_fail,
    known,
    our_text,
    without_data,
    only,
    only_after,
    only_names,
    ours_only,
    result,
    tensors,
    without_empty_nodes,
)
from stock_values import is_td
from tensordict.utils import is_non_tensor


@known("index that takes everything")
def _(d):
    return d.op == "index" and result(d) is d.after.registers[d.step["td"]]


@known("`create_nested`")
def _(d):
    return d.op == "create_nested" and ours_only(d, "EXISTS", "KEY")


@known("a key in two sets of `split_keys`")
def _(d):
    keys = [tuple(k) if isinstance(k, list) else (k,) for one in d.step.get("sets", []) for k in one]
    twice = any(a == b[: len(a)] for i, a in enumerate(keys) for k, b in enumerate(keys) if i != k)
    return d.op == "split_keys" and ours_only(d, "KEY") and twice


@known("arithmetic with empty nodes")
def _(d):
    return d.op in ("pointwise", "reduce") and has_empty_node(*dicts_of(d)) and not only_after(d, without_empty_nodes)


@known("`set_` below a missing node")
def _(d):
    key = d.step.get("key")
    return d.op == "set_" and isinstance(key, list) and len(key) > 1 and ours_only(d, "KEY")


@known("names after `masked_select`")
def _(d):
    return d.op == "masked_select" and only_names(d)


@known("`numel` of an empty batch")
def _(d):
    return d.op == "numel" and 0 in d.td().batch_size and d.error is None


@known("`empty(recurse=True)`")
def _(d):
    return d.op == "empty" and d.step.get("recurse")


@known("dims past the batch")
def _(d):
    if d.op == "flatten" and d.td().batch_dims == 0:
        return True
    return d.op in ("flatten", "repeat_interleave", "rot90", "stack", "cat") and ours_only(d, "INDEX")


@known("lock after arithmetic")
def _(d):
    return d.op == "pointwise" and all("/locked" in line for line in d.lines)


@known("names of further dims of nodes after `view`")
def _(d):
    return d.op in ("view", "reshape") and only_names(d) and all("/entries/" in line for line in d.lines)


@known("`set_` of a tensor into a node")
def _(d):
    key = d.step.get("key")
    return d.op == "set_" and ours_only(d, "KEY") and is_td(d.td().get(tuple(key) if isinstance(key, list) else key))


@known("`load_state_dict`, empty nodes")
def _(d):
    return d.op == "load_state_dict" and has_empty_node(d.td("state"))


@known("`squeeze()` to no dims")
def _(d):
    return d.op == "squeeze" and isinstance(d.error, TypeError) and not d.our_status


@known("empty nodes that only one dict has")
def _(d):
    return d.op in ("map", "pointwise") and isinstance(d.error, KeyError) and not d.our_status


@known("names of nodes made by `td[i] = td2`")
def _(d):
    return d.op == "set_item" and (only_names(d) or "refine_names" in str(d.error))


@known("`filter_empty_` below a node that goes")
def _(d):
    return d.op == "filter_empty_" and d.error is None and not d.our_status


@known("`update` of a locked dict by nothing new")
def _(d):
    return d.op == "update" and d.td().is_locked and d.error is not None and not d.our_status


@known("renaming into a node of more batch dims")
def _(d):
    return d.op == "rename_key" and ours_only(d, "SHAPE")


@known("`td[None] = value` of a locked dict")
def _(d):
    return d.op == "set_item" and None in d.step["index"] and d.error is not None and not d.our_status


@known("`update` with clone from a node that both have")
def _(d):
    return d.op == "update" and d.step["clone"] and all("/memory" in line for line in d.lines)


@known("an empty node in `auto_batch_size_`")
def _(d):
    return d.op == "auto_batch_size" and has_empty_node(d.td())


@known("`where`, empty nodes in one dict only")
def _(d):
    return d.op == "where" and ours_only(d, "KEY") and (has_empty_node(*dicts_of(d)) or has_data(*dicts_of(d)))


@known("renaming onto its own node")
def _(d):
    if d.op != "rename_key":
        return False
    old, new = (k if isinstance(k, list) else [k] for k in (d.step["old"], d.step["new"]))
    return old != new and (old[: len(new)] == new or new[: len(old)] == old)


@known("`update` from one's own node")
def _(d):
    if d.op != "update":
        return False
    td, src = d.td(), d.td("src")
    return any(v is src for v in entries(td)) or any(v is td for v in entries(src))


@known("a node made smaller than its parent")
def _(d):
    return any(has_broken_node(td) for td in dicts_of(d))


@known("names after comparisons with tensors")
def _(d):
    return d.op == "pointwise" and d.step["call"] in COMPARISONS and only_names(d)


@known("names that a node has and its parent lacks")
def _(d):
    return only_names(d) and any(has_stray_names(td) for td in dicts_of(d))


@known("`gather` with an empty index")
def _(d):
    return d.op == "gather" and 0 in d.step["index"]["shape"] and d.error is not None


@known("batch size of empty nodes")
def _(d):
    # Another batch size makes it another object, too.
    parts = ("/batch", "/same", "/dict", "/entries", "/names")
    if d.op in ("cat", "stack") and ours_only(d, "SHAPE", "KEY"):
        return has_empty_node(*dicts_of(d))
    if d.op not in ("set_batch_size", "set", "rename_key") or d.error is not None or d.our_status:
        return False
    return has_empty_node(*dicts_of(d)) and only(d, *(part + end for part in parts for end in (":", "[")))


@known("renaming a key to itself")
def _(d):
    return d.op == "rename_key" and d.step["old"] == d.step["new"] and d.td().is_locked


@known("names of nodes after `squeeze()`")
def _(d):
    return d.op == "squeeze" and "dim" not in d.step and only_names(d) and all("/entries/" in line for line in d.lines)


@known("a dict in itself")
def _(d):
    return d.op == "set" and ours_only(d, "ARGUMENT")


@known("index past the batch dims")
def _(d):
    return d.op in ("index", "set_item") and len(d.step["index"]) > d.td().batch_dims and ours_only(d, "INDEX")


@known("names for more dims than there are")
def _(d):
    return (
        d.op in ("set_names", "refine_names") and ours_only(d, "ARGUMENT") and len(d.step["names"]) > d.td().batch_dims
    )


@known("`update` in place between entries of other kinds")
def _(d):
    return d.op == "update" and d.step["inplace"] and ours_only(d, "KEY")


@known("`new_*` with fewer batch dims")
def _(d):
    return d.op in ("new_empty", "new_full") and only_names(d) and any(
        len(d.step["sizes"]) < td.batch_dims for td in [d.td(), *(v for v in entries(d.td()) if is_td(v))])


@known("`replace` by nothing")
def _(d):
    return d.op == "replace" and result(d) is d.after.registers[d.step["td"]]


@known("merging one dict")
def _(d):
    return d.op == "merge" and len(d.step["tds"]) == 1


@known("`merge_tensordicts` of data and empty nodes")
def _(d):
    if d.op != "merge" or both_fail(d) or not (has_data(*dicts_of(d)) or has_empty_node(*dicts_of(d))):
        return False
    kept = {k for td in dicts_of(d) for k in td.keys(True, True, is_leaf=lambda cls: True) if is_non_tensor(td.get(k))}
    paths = ["/entries/" + "/entries/".join(k if isinstance(k, tuple) else (k,)) for k in kept]
    left = [line for line in only_after(d, without_data) if "expected the order" not in line]
    return all(any(path in line for path in paths) for line in left)


@known("writing into an existing result (`out=`)")
def _(d):
    if d.op not in ("cat_into", "stack_into"):
        return False
    sets = [set(td.keys(True, True, is_leaf=lambda cls: True)) for td in [*dicts_of(d), d.td("target")]]
    if ours_only(d, "KEY"):
        return any(keys != sets[0] for keys in sets)
    return ours_only(d, "SHAPE") and "a value of shape" in our_text(d)


@known("names of what `cat` and `stack` write into")
def _(d):
    return d.op in ("cat_into", "stack_into") and only_names(d)
