"""Observations in which lazy stacks look as dense dicts do: what is left then are differences in values."""

import numpy

import compare


def differences(expected, got):
    """What still differs when the kind of dict, identity, names and sharing do not count; None if that cannot be said."""
    try:
        return compare.differences(compare.collapsed(densified(expected)), compare.collapsed(densified(got)))
    except (Ragged, IndexError, KeyError, TypeError):
        return None


class Ragged(Exception):
    """The members of a stack have no dense form."""


def densified(seen):
    return {**seen, "registers": Densifier().each(compare.collapsed(seen["registers"]))}


class Densifier:
    def __init__(self):
        self.dicts = {}  # by number

    def each(self, registers):
        return {name: self.one(value) for name, value in registers.items()}

    def one(self, x, batch=()):
        """A tensor, data, or a dict, in which numbers and memory are left out."""
        if not isinstance(x, dict):
            return x
        if "same" in x:
            return self.dicts[x["same"]]
        if x.keys() <= {"one", "stack"}:
            return {"stack": filled(batch, x["one"]).tolist() if "one" in x and batch else x.get("stack", x.get("one"))}
        if "batch" not in x:
            return {key: x[key] for key in ("dtype", "shape", "data", "unbatched", "value", "module") if key in x}
        made = {"batch": x["batch"]}
        if "dict" in x:
            self.dicts[x["dict"]] = made
        if "members" in x:
            members = [self.one(member) for member in x["members"]]
            made["entries"] = stacked([m["entries"] for m in members], [m["batch"] for m in members], x["stack_dim"])
        else:
            made["entries"] = {key: self.one(value, x["batch"]) for key, value in sorted(x["entries"].items())}
        return made


def stacked(members, batches, dim):
    """The entries that all members have."""
    common = set(members[0]) if members else set()
    common = common.intersection(*members)
    return {key: joined([m[key] for m in members], batches, dim) for key in sorted(common)}


def joined(parts, batches, dim):
    if any("unbatched" in part for part in parts):
        if any(part != parts[0] for part in parts):
            raise Ragged  # the dense form has the first one's only
        return parts[0]
    if all("dtype" in part for part in parts):
        if len({(part["dtype"], *part["shape"]) for part in parts}) > 1:
            return {"members": parts, "dim": dim}
        whole = numpy.stack([array(part["data"], part["shape"]) for part in parts], dim)
        return {"dtype": parts[0]["dtype"], "shape": list(whole.shape), "data": whole.flatten().tolist()}
    if all("stack" in part for part in parts):
        if len({tuple(batch) for batch in batches}) > 1:
            raise Ragged
        values = [nested(part["stack"], batch) for part, batch in zip(parts, batches)]
        return {"stack": numpy.stack(values, dim).tolist()}
    if all("batch" in part for part in parts):
        inner = [part["batch"] for part in parts]
        if len({tuple(batch) for batch in inner}) > 1:
            raise Ragged
        batch = [*inner[0][:dim], len(parts), *inner[0][dim:]]
        return {"batch": batch, "entries": stacked([part["entries"] for part in parts], inner, dim)}
    raise Ragged


def array(data, shape):
    whole = numpy.empty(len(data), object)
    whole[:] = data
    return whole.reshape(shape)


def filled(batch, value):
    whole = numpy.empty(batch, object)
    for place in numpy.ndindex(*batch):
        whole[place] = value
    return whole


def nested(value, batch):
    """Lists of values as an array, where a value may be a list itself."""
    if not batch:
        return filled((), value)
    whole = numpy.empty(batch, object)
    for place in numpy.ndindex(*batch):
        part = value
        for i in place:
            part = part[i]
        whole[place] = part
    return whole
