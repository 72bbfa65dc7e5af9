"""Non-tensor data that a step must leave behind here, worked out from what stock shows before it."""

import numpy

import compare
import densified
import observe
from stock_values import literal


def before(d):
    """The registers before the step."""
    return observe.Observer().everything(d.scope.registers)


def dense(registers):
    """The same without kinds of dict, numbers and sharing; data as lists of their batch size."""
    return densified.densified({"registers": registers})["registers"]


def data_of(dict_, prefix=()):
    """Of a dense dict: data by path, as an array of one value for each element."""
    found = {}
    for key, entry in dict_.get("entries", {}).items():
        if "entries" in entry:
            found.update(data_of(entry, (*prefix, key)))
        elif "stack" in entry:
            found[(*prefix, key)] = values_of(entry, dict_["batch"])
    return found


def values_of(entry, batch):
    return densified.nested(entry["stack"], batch) if batch else densified.filled((), entry["stack"])


def same_data(ours, expected):
    return ours.keys() == expected.keys() and all(
        a.shape == b.shape and a.tolist() == b.tolist() for a, b in ((ours[path], expected[path]) for path in ours)
    )


def try_dense(*registers):
    """Or None where members of a stack have no common form."""
    try:
        return [dense(seen) for seen in registers]
    except (densified.Ragged, IndexError, KeyError, TypeError, ValueError):
        return None


def stays(d):
    """Has every register here the data that it had before the step?"""
    both = try_dense(before(d), d.got["registers"])
    if not both:
        changed = compare.differences({"registers": before(d)}, {"registers": d.got["registers"]})
        return not any("/one" in line or "/stack" in line for line in changed)
    had, has = both
    return all(same_data(data_of(has[name]), data_of(value)) for name, value in had.items() if "batch" in value)


def chosen(d):
    """Has each element of the result of `where` the data of the dict that the condition names?"""
    both = try_dense(before(d), d.got["registers"])
    if not both:
        return False
    had, has = both
    condition = numpy.array(literal(d.step["condition"]).tolist(), bool)
    ours, yes, no = (data_of(seen) for seen in (has[d.step["to"]], had[d.step["td"]], had[d.step["other"]]))
    expected = {}
    for path, values in ours.items():
        if path not in yes or path not in no or yes[path].shape != values.shape or no[path].shape != values.shape:
            return False
        wide = condition.reshape(condition.shape + (1,) * (values.ndim - condition.ndim))
        expected[path] = numpy.where(numpy.broadcast_to(wide, values.shape), yes[path], no[path])
    return same_data(ours, expected)


def replaced(d):
    """Are the data of the dict that is written those of the source, and those of all others what they were?"""
    both = try_dense(before(d), d.got["registers"])
    if not both:
        return False
    had, has = both
    source = d.step.get("src") or d.step.get("value")
    given = data_of(had[source]) if isinstance(source, str) and "batch" in had.get(source, ()) else {}
    for name, value in had.items():
        if "batch" not in value:
            continue
        was = data_of(value)
        for path, values in data_of(has[name]).items():
            # What comes from the source also stands in dicts that share a node with the one that is written.
            allowed = [was[path]] if path in was else []
            allowed += [put_at(d, was.get(path), new) for end, new in given.items() if path[-len(end) :] == end]
            if allowed and values.tolist() not in [v.tolist() for v in allowed if v is not None]:
                return False
    return True


def put_at(d, was, given):
    """The data after a step that writes `given`, under an index or whole."""
    if d.op != "set_item" or was is None:
        return given
    index = d.scope.index()
    parts = tuple(p.numpy() if hasattr(p, "numpy") else p for p in (index if isinstance(index, tuple) else (index,)))
    made = was.copy()
    try:
        made[parts] = given
    except (IndexError, ValueError):
        return None
    return made
