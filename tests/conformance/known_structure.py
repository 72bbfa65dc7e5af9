"""Known differences in keys, nodes, batch sizes and locks."""

from known import (
    at_key,
    both_fail,
    dicts_of,
    entries,
    has_broken_node,
    has_data,
    has_empty_node,
    kind,
    kinds_differ,
    known,
    nodes_below,
    only,
    only_after,
    operands,
    our_text,
    ours_only,
    places,
    result,
    stock_status,
    without_data,
    without_empty_nodes,
)
from stock_values import is_td
from tensordict.utils import is_non_tensor


@known("`detach` of a locked dict")
def _(d):
    before = [value for name, value in d.after.registers.items() if name != d.step.get("to")] if d.op == "detach" else []
    return any(result(d) is value for value in before) and d.td().is_locked


@known("index that takes everything")
def _(d):
    return d.op == "index" and result(d) is d.after.registers[d.step["td"]]


@known("`create_nested`")
def _(d):
    if d.op != "create_nested" or not ours_only(d, "EXISTS", "KEY"):
        return False
    path, there = at_key(d)
    found = places(d.td())
    return there is not None or any(path[:n] in found and not is_td(found[path[:n]]) for n in range(1, len(path)))


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
    return d.op == "set_" and ours_only(d, "KEY") and at_key(d)[0][:-1] not in {(), *places(d.td())}


@known("`numel` of an empty batch")
def _(d):
    return d.op == "numel" and 0 in d.td().batch_size and d.error is None


@known("`empty(recurse=True)`")
def _(d):
    return d.op == "empty" and d.step.get("recurse") and (has_data(d.td()) or has_empty_node(d.td()))


@known("dims past the batch")
def _(d):
    if d.op in ("flatten", "scope_flatten") and d.td().batch_dims == 0:  # others than 0 are those of the features there
        return d.step["start"] != 0 or d.step["end"] not in (0, -1)
    joins = ("stack", "cat", "maybe_dense_stack")
    if d.op not in ("flatten", "scope_flatten", "repeat_interleave", "rot90", *joins) or not ours_only(d, "INDEX"):
        return False
    n = d.scope.registers[d.step["tds"][0]].batch_dims + (d.op != "cat") if "tds" in d.step else d.td().batch_dims
    asked = [d.step[name] for name in ("dim", "dim0", "dim1", "start", "end") if name in d.step]
    return any(not -n <= dim < n for dim in asked)


@known("lock after arithmetic")
def _(d):
    return d.op == "pointwise" and operands(d)[0].is_locked and only(d, "/locked")


@known("`set_` of a tensor into a node")
def _(d):
    return d.op == "set_" and ours_only(d, "KEY") and is_td(at_key(d)[1])


@known("`load_state_dict`, empty nodes")
def _(d):
    return d.op == "load_state_dict" and has_empty_node(d.td("state")) and not only_after(d, without_empty_nodes)


@known("`squeeze()` to no dims")
def _(d):
    whole = d.op == "squeeze" and "dim" not in d.step and set(d.td().batch_size) <= {1}
    return whole and isinstance(d.error, TypeError) and not d.our_status


@known("empty nodes and data that only one dict has")
def _(d):
    if d.op not in ("map", "pointwise") or not isinstance(d.error, KeyError) or d.our_status:
        return False
    ignored = lambda v: is_non_tensor(v) and d.op == "map" or is_td(v) and not has_leaves_below(v)
    nodes = [{path for path, v in places(td).items() if ignored(v)} for td in dicts_of(d)]
    return any(one != nodes[0] for one in nodes)


def has_leaves_below(td):
    return any(True for _ in td.keys(True, True))


@known("`filter_empty_` below a node that goes")
def _(d):
    if d.op != "filter_empty_" or d.error is not None or d.our_status:
        return False
    return any(is_td(v) and v.is_empty() and any(map(is_td, entries(v))) for v in entries(d.td()))


@known("`update` of a locked dict by nothing new")
def _(d):
    refused = d.op == "update" and d.td().is_locked and stock_status(d) == "LOCKED" and not d.our_status
    return refused and (d.td("src") is d.td() or all(map(is_td, entries(d.td("src")))))


@known("renaming into a node of more batch dims")
def _(d):
    if d.op != "rename_key" or not ours_only(d, "SHAPE"):
        return False
    old, new = at_key(d, "old")[0][:-1], at_key(d, "new")[0][:-1]
    found = {(): d.td(), **places(d.td())}
    while new not in found:  # which the new key makes, like the one above
        new = new[:-1]
    return found[new].batch_size != found[old].batch_size[: found[new].batch_dims]


@known("`td[None] = value` of a locked dict")
def _(d):
    return d.op == "set_item" and None in d.step["index"] and d.error is not None and not d.our_status


@known("`update` with clone from a node that both have")
def _(d):
    if d.op != "update" or not d.step.get("clone") or not only(d, "/memory"):
        return False
    mine, theirs = places(d.td()), places(d.td("src"))
    return any(is_td(v) and theirs.get(path) is v for path, v in mine.items())


@known("an empty node in `auto_batch_size_`")
def _(d):
    if d.op != "auto_batch_size" or not has_empty_node(d.td()) and not d.td().is_empty():
        return False
    stacks = "Modifying the batch size of a lazy" in str(d.error) and not d.our_status  # of such nodes keep theirs
    return stacks or only(d, "/batch", "/names")


@known("`where`, empty nodes in one dict only")
def _(d):
    if d.op != "where" or not ours_only(d, "KEY"):
        return False
    if kinds_differ(*dicts_of(d)):
        return has_data(*dicts_of(d)) or has_empty_node(*dicts_of(d))
    a, b = (places(td).items() for td in dicts_of(d))
    ignored = lambda found: {path for path, v in found if kind(v) == "data" or is_td(v) and v.is_empty()}
    return ignored(a) != ignored(b)


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
    inside = getattr(td, "_param_td", td)
    if src is inside and td is not inside:
        return only(d, "/requires_grad: expected True")
    return any(v is src for v in entries(td)) or any(v is td or v is inside for v in entries(src))


@known("a node made smaller than its parent")
def _(d):
    if ours_only(d, "SHAPE") and "the batch size of a node changed after it was set" in our_text(d):
        return any(has_broken_node(td) for td in dicts_of(d))
    if d.op in ("index", "set_item") and ours_only(d, "INDEX"):  # of dims that only the parent has
        return has_broken_node(d.td())
    # A node that has the new batch size already stays the same object there.
    another = ("/same", "/entries", "/dict") if d.op in ("reshape", "view") else ()
    shown = d.error is None and not d.our_status and only(d, "/batch", "/names", *another)
    return shown and any(has_broken_node(td) for td in dicts_of(d))


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
    empty = has_empty_node(*dicts_of(d)) or any(td.is_empty() for td in dicts_of(d))
    return empty and only(d, *(part + end for part in parts for end in (":", "[")))


@known("renaming a key to itself")
def _(d):
    return d.op == "rename_key" and d.step["old"] == d.step["new"] and d.td().is_locked


@known("new keys, and entries of another kind, in a scope over a locked dict")
def _(d):
    refused = ("the dict to update has no such key", "are of different kinds")
    return d.op == "scope_end" and ours_only(d, "KEY") and any(text in our_text(d) for text in refused)


@known("a dict in itself")
def _(d):
    if d.op != "set" or not ours_only(d, "ARGUMENT") or not is_td(d.scope.value()):
        return False
    path, found = at_key(d)[0], places(d.td())
    holders = [d.td(), *(found[path[:n]] for n in range(1, len(path)) if path[:n] in found)]
    return any(one is part for one in nodes_below(d.td("value")) for td in holders for part in parts_of(td))


def parts_of(td):
    """What is set into a dict stands in one of these: it itself, or members of a stack."""
    return [td, *(part for member in getattr(td, "tensordicts", ()) for part in parts_of(member))]


@known("index past the batch dims")
def _(d):
    return d.op in ("index", "set_item") and len(d.step["index"]) > d.td().batch_dims and ours_only(d, "INDEX")


@known("`update` in place between entries of other kinds")
def _(d):
    return d.op == "update" and d.step.get("inplace") and ours_only(d, "KEY") and kinds_differ(d.td(), d.td("src"))


@known("`replace` by nothing")
def _(d):
    return d.op == "replace" and result(d) is d.after.registers[d.step["td"]]


@known("merging one dict")
def _(d):
    return d.op == "merge" and len(d.step["tds"]) == 1


@known("`merge_tensordicts` of data and nodes")
def _(d):
    if d.op == "merge" and ours_only(d, "KEY"):
        return kinds_differ(*dicts_of(d)[:2]) and has_data(*dicts_of(d))
    if d.op == "merge" and ours_only(d, "SHAPE"):  # data of fewer batch dims than the result
        return "batch mismatch" in our_text(d) and has_data(*dicts_of(d)) and len({td.batch_size for td in dicts_of(d)}) > 1
    if d.op == "merge" and "batch dimension mismatch" in str(d.error):  # a tensor over data, of another batch size
        return not d.our_status and kinds_differ(*dicts_of(d)[:2])
    if d.op == "merge" and "zip()" in str(d.error):  # batch sizes of other lengths are gone through together
        return not d.our_status and len({td.batch_dims for td in dicts_of(d)}) > 1
    if d.op != "merge" or d.error is not None or d.our_status:
        return False
    first = places(dicts_of(d)[0])
    found = [(path, v) for td in dicts_of(d) for path, v in places(td).items()]
    shown = ["/entries/" + "/entries/".join(path) for path, v in found if is_non_tensor(v) or is_td(v) and v.is_empty()]
    shown += ["/entries/" + "/entries/".join(path) + "/batch" for path, v in found if is_td(v) and path not in first]
    shown += [one.replace("/batch", "/names") for one in shown if one.endswith("/batch")]
    shown += ["/names"] * any(is_td(v) and v.is_empty() for _, v in found)  # which have brought theirs
    shown += [f"/{name}/" for name, v in d.scope.registers.items() if is_td(v) and v.is_empty()]
    shown += ["/memory"] * has_data(*dicts_of(d)) + ["expected the order"] * any(is_td(v) for _, v in found)
    left = only_after(d, without_data) if d.whole else d.lines
    return all(any(part in line for part in shown) for line in left)


@known("writing into an existing result (`out=`)")
def _(d):
    if d.op not in ("cat_into", "stack_into"):
        return False
    sets = [set(td.keys(True, True, is_leaf=lambda cls: True)) for td in [*dicts_of(d), d.td("target")]]
    if ours_only(d, "KEY"):
        return any(keys != sets[0] for keys in sets)
    return ours_only(d, "SHAPE") and ("a value of shape" in our_text(d) or "shapes differ" in our_text(d))
