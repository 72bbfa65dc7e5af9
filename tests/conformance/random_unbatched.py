"""Random steps with entries that belong to the whole batch: drawn with --unbatched, beside those with lazy stacks."""

import random_lazy  # noqa: F401  such entries go through lazy stacks too
from tensordict import UnbatchedTensor

from random_draws import on_td, step
from random_steps import FIRST, any_td, key_of, sizes, tensor, twin


def is_unbatched(td, key):
    return isinstance(td.get(tuple(key) if isinstance(key, list) else key, None), UnbatchedTensor)


def payload(make, td, key=None):
    """A tensor of any shape; mostly that of the entry that is there, so that joining two of them works."""
    if key is not None and is_unbatched(td, key) and make.chance(0.8):
        return tensor(make, list(td.get(tuple(key) if isinstance(key, list) else key).shape), ["float32", "int64"])
    return tensor(make, sizes(make, make.pick([0, 1, 1, 2])), ["float32", "float32", "int64", "bool"])


def first(make):
    """The first dict gets one or two of them, a clone of it other values."""
    name = any_td(make)
    td = make.td(name) if name else None
    if td is None or td.is_locked:
        return
    for key in make.random.sample(["t", "u", ["n", "t"]], make.random.randint(1, 2)):
        yield step(make, "set_unbatched", name, False, key=key, value=payload(make, td))
    yield step(make, "clone", name)


FIRST.append(first)


@on_td(6)
def put(make, name, td):
    key = key_of(make, td, leaves=True, off=0.4)
    return step(make, "set_unbatched", name, False, key=key, value=payload(make, td, key))


@on_td(5)
def written(make, name, td):
    """A step that reads or writes one such entry."""
    keys = [key for key in td.keys(True, True) if is_unbatched(td, key)]
    if not keys:
        return None
    key = make.pick(keys)
    key = list(key) if isinstance(key, tuple) else key
    what = make.pick(["get", "pop", "set_", "fill_", "set", "rename_key"])
    if what in ("get", "pop"):
        return step(make, what, name, key=key)
    if what == "rename_key":
        return {"op": what, "td": name, "old": key, "new": key_of(make, td, off=0.7), "safe": False}
    if what == "fill_":
        return step(make, what, name, False, key=key, value=make.pick([0, 1]))
    return step(make, what, name, False, key=key, value=payload(make, td, key))


@on_td(4)
def joined(make, name, td):
    """Twins hold such entries of their own."""
    op = make.pick(["stack", "cat", "lazy_stack", "update", "update_", "maybe_dense_stack"])
    other = twin(make, td)
    if op.startswith("update"):
        return step(make, op, name, False, src=other)
    at = make.random.randint(0, max(0, td.batch_dims - (op == "cat")))
    return {"op": op, "tds": [name, other], "dim": at, "to": make.new_name()}
