"""One function for each kind of random step."""

from random_steps import (
    any_td,
    batch_at,
    data,
    dim,
    draws,
    index,
    key_of,
    leaf_for,
    mask,
    sizes,
    tensor,
    twin,
)


def step(make, op, name, result=True, **arguments):
    made = {"op": op, "td": name, **arguments}
    if result:
        made["to"] = make.new_name()
    return made


def on_td(weight):
    """Draws from a register: function(make, its name, the td)."""

    def add(function):
        def draw(make):
            name = any_td(make)
            return function(make, name, make.td(name)) if name else None

        draws(weight)(draw)
        return function

    return add


# ---- Entries ---------------------------------------------------------------------------------------------------------------


@on_td(6)
def set_entry(make, name, td):
    key = key_of(make, td, off=0.4)
    batch = batch_at(td, key)
    if make.chance(0.12):
        return step(make, "set", name, False, key=key, value={"one": data(make)})
    if make.chance(0.25):
        return step(make, "set", name, False, key=key, value=any_td(make))
    return step(make, "set", name, False, key=key, value=leaf_for(make, batch if make.chance(0.92) else sizes(make, 2)))


@on_td(3)
def set_in_place(make, name, td):
    key = key_of(make, td, leaves=True)
    found = (
        td.get(tuple(key) if isinstance(key, list) else key) if not isinstance(key, list) or tuple(key) in td else None
    )
    shape = list(found.shape) if hasattr(found, "shape") else batch_at(td, key)
    return step(make, "set_", name, False, key=key, value=tensor(make, shape))


@on_td(2)
def get(make, name, td):
    return step(make, make.pick(["get", "get", "has"]), name, key=key_of(make, td))


@on_td(2)
def remove(make, name, td):
    return step(make, make.pick(["delete", "pop"]), name, key=key_of(make, td))


@on_td(2)
def rename(make, name, td):
    old, new = key_of(make, td), key_of(make, td, off=0.7)
    return {"op": "rename_key", "td": name, "old": old, "new": new, "safe": make.chance(0.3)}


@on_td(2)
def flags(make, name, td):
    options = make.pick(
        [
            [],
            ["nested"],
            ["nested", "leaves"],
            ["nested", "children_first"],
            ["nested", "leaves", "sorted"],
            ["leaves", "data"],
        ]
    )
    return step(make, "keys", name, flags=options)


@on_td(2)
def ask(make, name, td):
    return step(make, make.pick(["len", "count", "is_empty", "is_locked", "repr", "requires_grad", "numel"]), name)


@on_td(2)
def write(make, name, td):
    return step(make, "write", name, False, value=make.pick([0, 1, 7]))


@on_td(1)
def fill(make, name, td):
    if make.chance(0.4):
        return step(make, "zero_", name, False)
    return step(make, "fill_", name, False, key=key_of(make, td), value=make.pick([0, 1]))


@on_td(3)
def update(make, name, td):
    src = make.pick(make.dicts())
    if make.chance(0.4):
        return step(make, "update_", name, False, src=twin(make, td))
    return step(make, "update", name, False, src=src, inplace=make.chance(0.3), clone=make.chance(0.3))


@on_td(2)
def metadata(make, name, td):
    batch = list(td.batch_size)
    what = make.pick(["set_batch_size", "auto_batch_size", "set_names", "refine_names", "create_nested", "set_data"])
    if what == "set_batch_size":
        return step(
            make, what, name, False, batch=make.pick([batch[:-1], batch, batch + [1], sizes(make, 1), batch + [2]])
        )
    if what == "auto_batch_size":
        return step(make, what, name, False, limit=make.pick([None, 1, 2]))
    if what in ("set_names", "refine_names"):
        return step(make, what, name, False, names=[make.pick([None, f"d{i}", "q"]) for i in range(len(batch))])
    if what == "create_nested":
        return step(make, what, name, False, key=key_of(make, td, off=0.8))
    return step(make, what, name, False, key=key_of(make, td, off=0.5), value=data(make))


@on_td(2)
def lock(make, name, td):
    return step(make, make.pick(["lock", "lock", "unlock"]), name, False)


# ---- Keys --------------------------------------------------------------------------------------------------------------------


@on_td(4)
def choose(make, name, td):
    keys = [key_of(make, td, off=0.05) for _ in range(make.random.randint(0, 3))]
    what = make.pick(["select", "exclude", "exclude", "select", "select_", "exclude_"])
    strict = {"strict": make.chance(0.7)} if what.startswith("select") else {}
    return step(make, what, name, not what.endswith("_"), keys=keys, **strict)


@on_td(2)
def restructure(make, name, td):
    what = make.pick(["flatten_keys", "unflatten_keys", "copy", "clone", "empty", "filter_empty_", "detach"])
    return step(make, what, name, what != "filter_empty_")


@on_td(1)
def split_keys(make, name, td):
    sets = [
        [key_of(make, td, off=0.05) for _ in range(make.random.randint(0, 2))] for _ in range(make.random.randint(1, 2))
    ]
    return step(make, "split_keys", name, sets=sets, strict=make.chance(0.6))


# ---- Rows --------------------------------------------------------------------------------------------------------------------


@on_td(8)
def take(make, name, td):
    return step(make, "index", name, index=index(make, td.batch_size))


@on_td(4)
def put(make, name, td):
    where = index(make, td.batch_size)
    if make.chance(0.4):
        return step(make, "set_item", name, False, index=where, value=make.pick([0, 1, 2.5]))
    taken = make.new_name()
    other = twin(make, td)
    if make.try_step({"op": "index", "td": other, "index": where, "to": taken}) != "ok":
        return None
    if make.chance(0.7) and make.try_step({"op": "clone", "td": taken, "to": make.new_name()}) != "ok":
        return None
    return step(make, "set_item", name, False, index=where, value=f"r{make.names}")


@on_td(2)
def entry_at(make, name, td):
    key = key_of(make, td, leaves=True)
    return step(make, "get_at", name, key=key, index=index(make, td.batch_size))


@on_td(4)
def join(make, name, td):
    op = make.pick(["stack", "cat"])
    others = [name] + [twin(make, td) for _ in range(make.random.randint(0, 2))]
    n = td.batch_dims + (op == "stack")
    return {"op": op, "tds": others, "dim": dim(make, n), "to": make.new_name()}


@on_td(2)
def masked(make, name, td):
    batch = list(td.batch_size)
    shape = batch[: make.random.randint(min(1, len(batch)), len(batch))]
    m = mask(make, shape)
    what = make.pick(["masked_select", "masked_fill", "masked_fill_", "where"])
    if what == "masked_select":
        return step(make, what, name, mask=m)
    if what == "where":
        return step(make, what, name, condition=m, other=twin(make, td))
    return step(make, what, name, what[-1] != "_", mask=m, value=make.pick([0, 1]))


@on_td(2)
def gather(make, name, td):
    batch = list(td.batch_size)
    if not batch:
        return None
    at = make.random.randrange(len(batch))
    shape = list(batch)
    shape[at] = make.random.randint(1, 3)
    n = 1
    for s in shape:
        n *= s
    numbers = [make.random.randrange(max(1, batch[at])) for _ in range(n)]
    return step(
        make,
        "gather",
        name,
        dim=at if make.chance(0.7) else at - len(batch),
        index={"dtype": "int64", "shape": shape, "data": numbers},
    )


@on_td(1)
def pad(make, name, td):
    pairs = [make.random.choice([0, 0, 1, 2, -1]) for _ in range(2 * make.random.randint(0, td.batch_dims))]
    return step(make, "pad", name, pairs=pairs, value=make.pick([0, 1]))
