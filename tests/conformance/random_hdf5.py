"""Random steps with dicts in HDF5 files: drawn with --hdf5."""

from random_draws import on_td, step
from random_steps import FIRST, any_td, batch_at, data, dim, index, key_of, leaf_for, mask, sizes, tensor, twin
from stock_values import is_persistent


def persistent(make):
    names = [n for n in make.dicts() if is_persistent(make.td(n))]
    return make.pick(names) if names else None


def on_persistent(weight):
    """Draws from a register that holds a dict in a file: function(make, its name, the dict)."""

    def add(function):
        def draw(make, *_):
            name = persistent(make)
            return function(make, name, make.td(name)) if name else None

        on_td(weight)(draw)
        return function

    return add


def first(make):
    """A file of what there is, or a new one."""
    name = any_td(make)
    if name and make.chance(0.8):
        yield step(make, "to_h5", name)
    else:
        yield {"op": "new_h5", "batch": sizes(make, make.pick([0, 1, 1, 2])), "to": make.new_name()}


FIRST.append(first)


@on_td(1)
def another(make, name, td):
    return step(make, "to_h5", name)


@on_persistent(10)
def put(make, name, td):
    key = key_of(make, td, off=0.4)
    batch = batch_at(td, key)
    if make.chance(0.1):
        return step(make, "set_data", name, False, key=key, value=data(make))
    if make.chance(0.25):
        return step(make, "set", name, False, key=key, value=any_td(make))
    return step(make, "set", name, False, key=key, value=leaf_for(make, batch if make.chance(0.92) else sizes(make, 2)))


@on_persistent(4)
def put_in_place(make, name, td):
    key = key_of(make, td, leaves=True, off=0.03)
    found = td.get(tuple(key) if isinstance(key, list) else key, None)
    shape = list(found.shape) if hasattr(found, "shape") else batch_at(td, key)
    return step(make, "set_", name, False, key=key, value=tensor(make, shape))


@on_persistent(8)
def moved(make, name, td):
    what = make.pick(["delete", "pop", "rename_key", "rename_key", "rename_key"])
    if what == "rename_key":
        old, new = key_of(make, td), key_of(make, td, off=0.6)
        return {"op": what, "td": name, "old": old, "new": new, "safe": make.chance(0.3)}
    return step(make, what, name, key=key_of(make, td))


@on_persistent(6)
def looked_at(make, name, td):
    what = make.pick(["get", "get", "has", "keys", "to_tensordict", "len", "entry_shape", "get_at", "state_dict"])
    if what == "get_at":
        return step(make, what, name, key=key_of(make, td, leaves=True), index=index(make, td.batch_size))
    if what in ("get", "has", "entry_shape"):
        return step(make, what, name, key=key_of(make, td))
    if what == "keys":
        return step(make, what, name, flags=make.pick([["nested"], ["nested", "leaves"], []]))
    return step(make, what, name)


@on_persistent(6)
def joined(make, name, td):
    src = twin(make, td)
    if make.chance(0.5):
        return step(make, "update", name, False, src=make.pick(make.dicts()), inplace=make.chance(0.4), clone=False)
    return step(make, "update_", name, False, src=src)


@on_persistent(6)
def computed(make, name, td):
    """Dicts in memory that are made of one in a file."""
    if make.chance(0.3):
        call = make.pick(["add", "mul", "neg", "isfinite", "eq"])
        operands = [name] if call in ("neg", "isfinite") else [name, make.pick([1, 2])]
        return {"op": "pointwise", "call": call, "operands": operands, "to": make.new_name()}
    if make.chance(0.3):
        op = make.pick(["stack", "cat", "lazy_stack"])
        return {"op": op, "tds": [name, twin(make, td)], "dim": dim(make, td.batch_dims + (op != "cat")), "to": make.new_name()}
    if make.chance(0.5) and td.batch_dims:
        return step(make, "reduce", name, call=make.pick(["sum", "amax", "all"]), dims=[dim(make, td.batch_dims)])
    return step(make, "masked_select", name, mask=mask(make, list(td.batch_size[:1])))


@on_persistent(4)
def rows(make, name, td):
    """Rows written into a file, from memory or from the file itself."""
    where, taken = index(make, td.batch_size), make.new_name()
    source = make.new_name()
    if make.try_step(step(make, "to_tensordict", twin(make, td)) | {"to": source}) != "ok":
        return None
    if make.try_step({"op": "index", "td": source, "index": where, "to": taken}) != "ok":
        return None
    return step(make, "set_item", name, False, index=where, value=taken)


@on_persistent(3)
def numbers(make, name, td):
    what = make.pick(["zero_", "fill_", "set_item"])
    if what == "fill_":
        return step(make, what, name, False, key=key_of(make, td), value=make.pick([0, 1]))
    if what == "set_item":
        return step(make, what, name, False, index=[0] if td.batch_dims else [None], value=make.pick([0, 1]))
    return step(make, what, name, False)


@on_persistent(2)
def names(make, name, td):
    return step(make, "set_names", name, False, names=[make.pick([None, f"d{i}"]) for i in range(td.batch_dims)])
