"""Random steps with non-tensor data: drawn with --data, beside those with lazy stacks."""

import random_lazy  # noqa: F401  data goes through lazy stacks too
from random_draws import on_td, step
from random_steps import FIRST, any_td, batch_at, dim, key_of, leaf_for, sizes, twin

VALUES = ["x", "y", "x", 1, 2.5, None, True, {"k": [1, None]}]


def value(make):
    return make.pick(VALUES)


def stack(make, batch, few):
    """Nested lists of values, a level for each batch dim; `few` makes equal ones likely."""
    if not batch:
        return make.pick(VALUES[:2] if few else VALUES)
    return [stack(make, batch[1:], few) for _ in range(batch[0])]


def data_for(make, batch):
    """One value, or, where there are elements, one for each."""
    if not batch or 0 in batch or -1 in batch or make.chance(0.4):
        return {"one": value(make)}
    return {"stack": stack(make, batch, make.chance(0.5))}


def first(make):
    """One of the first dicts gets data of both kinds."""
    name = any_td(make)
    td = make.td(name) if name else None
    if td is None or td.is_locked:
        return
    for key in make.random.sample(["a", "b", "s", "t"], make.random.randint(1, 2)):
        yield {"op": "set", "td": name, "key": key, "value": data_for(make, list(td.batch_size))}


FIRST.append(first)


@on_td(8)
def put(make, name, td):
    key = key_of(make, td, off=0.3)
    return step(make, "set", name, False, key=key, value=data_for(make, batch_at(td, key)))


@on_td(4)
def put_in_clone(make, name, td):
    """A twin whose data differ, so that joining the two makes stacks."""
    keys = [key for key in td.keys(True, True, is_leaf=lambda cls: True)]
    copy = make.new_name()
    if not keys or make.try_step({"op": "clone", "td": name, "to": copy}) != "ok":
        return None
    key = make.pick(keys)
    key = list(key) if isinstance(key, tuple) else key
    if make.try_step(step(make, "set", copy, False, key=key, value=data_for(make, batch_at(td, key)))) != "ok":
        return None
    op = make.pick(["stack", "cat", "lazy_stack", "maybe_dense_stack"])
    n = td.batch_dims + (op != "cat")
    return {"op": op, "tds": make.pick([[name, copy], [copy, name, copy]]), "dim": dim(make, n), "to": make.new_name()}


@on_td(3)
def put_in_member(make, name, td):
    if not hasattr(td, "tensordicts") or not td.tensordicts:
        return None
    member = make.new_name()
    at = make.random.randrange(len(td.tensordicts))
    if make.try_step(step(make, "member", name, at=at) | {"to": member}) != "ok":
        return None
    one = make.td(member)
    return step(make, "set", member, False, key=key_of(make, one, off=0.3), value=data_for(make, list(one.batch_size)))


@on_td(3)
def copied(make, name, td):
    what = make.pick(["to_tensordict", "filter_data", "replace", "merge", "popitem"])
    if what == "merge":
        return {"op": what, "tds": [name, any_td(make)], "to": make.new_name()}
    if what == "replace":
        return step(make, what, name, src=make.pick(make.dicts()))
    return step(make, what, name)


@on_td(1)
def made_like(make, name, td):
    if make.chance(0.5):
        return step(make, "new_full", name, sizes=sizes(make, td.batch_dims), value=make.pick([0, 1]))
    return step(make, "new_empty", name, sizes=sizes(make, make.pick([0, 1, 2])))


@on_td(2)
def joined_into(make, name, td):
    op, target = make.pick(["stack", "cat"]), make.new_name()
    tds = [name] + [twin(make, td) for _ in range(make.random.randint(0, 1))]
    n = dim(make, td.batch_dims + (op == "stack"))
    if make.try_step({"op": op, "tds": tds, "dim": n, "to": target}) != "ok":
        return None
    other = [twin(make, td) for _ in tds]
    return {"op": op + "_into", "tds": other, "dim": n, "target": target}


@on_td(3)
def scoped(make, name, td):
    """A scope in which one thing is done, or none."""
    n = td.batch_dims
    what, arguments = make.pick([
        ("unlock", {}),
        ("flatten_keys", {"separator": "."}),
        ("flatten", {"start": dim(make, n, 0), "end": dim(make, n, 0)}),
        ("unsqueeze", {"dim": dim(make, n + 1, 0)}),
        ("permute", {"dims": make.random.sample(range(n), n)}),
        ("transpose", {"dim0": dim(make, n, 0), "dim1": dim(make, n, 0)}),
        ("squeeze", {"dim": dim(make, n, 0)}),
    ])
    inside = make.new_name()
    if make.try_step({"op": "scope_" + what, "td": name, **arguments, "to": inside}) != "ok":
        return None
    if make.chance(0.5):
        batch = list(make.td(inside).batch_size)
        filled = data_for(make, batch) if make.chance(0.5) else leaf_for(make, batch)
        if make.try_step({"op": "set", "td": inside, "key": make.pick("abs"), "value": filled}) == "failed":
            return None
    return {"op": "scope_end", "scope": inside}
