"""Random steps with parameters, tied ones too, and what autograd does with them: drawn with --params."""

from random_draws import on_td, step
from random_steps import FIRST, any_td, dim, key_of, leaf_for, twin
from stock_values import is_params


def params(make):
    """The name of a register that holds parameters, or None."""
    names = [n for n in make.dicts() if is_params(make.td(n))]
    return make.pick(names) if names else None


def on_params(weight):
    """Draws from a register of parameters: function(make, its name, the params)."""

    def add(function):
        def draw(make, *_):
            name = params(make)
            return function(make, name, make.td(name)) if name else None

        on_td(weight)(draw)
        return function

    return add


def tied(make, name, td):
    """A step that puts one tensor of a dict under a second key."""
    leaves = list(td.keys(True, True))
    if not leaves:
        return None
    key, held = make.pick(leaves), make.new_name()
    if make.try_step(step(make, "get", name, key=list(key) if isinstance(key, tuple) else key) | {"to": held}) != "ok":
        return None
    return step(make, "set", name, False, key=make.pick(["t", "t", ["n", "t"]]), value=held)


def wrapped(make, name):
    options = {"no_convert": True} if make.chance(0.15) else {}
    if make.chance(0.25):
        options["lock"] = True
    return step(make, "params", name, **options)


def first(make):
    """Most programs begin with parameters, a third of them with tied ones."""
    name = any_td(make)
    if not name or make.td(name).is_locked:
        return
    if make.chance(0.35):
        tie = tied(make, name, make.td(name))
        if tie and not make.ended:
            yield tie
    yield wrapped(make, name)


FIRST.append(first)


@on_td(3)
def wrap(make, name, td):
    return wrapped(make, name)


@on_td(3)
def tie(make, name, td):
    return tied(make, params(make) or name, td if not params(make) else make.td(params(make)))


@on_params(6)
def ask(make, name, td):
    what = make.pick(["parameter_names", "buffer_names", "count_parameters", "count_parameters", "requires_grad"])
    duplicates = {"duplicates": make.chance(0.5)} if what == "count_parameters" else {}
    return step(make, what, name, **duplicates)


@on_params(6)
def copied(make, name, td):
    what = make.pick(["clone", "copy", "to_tensordict", "detach", "state_dict", "data", "empty", "flatten_keys"])
    return step(make, what, name)


@on_params(8)
def written(make, name, td):
    """What parameters allow where other leaves that require grad refuse it."""
    what = make.pick(["zero_", "set_", "fill_", "update_", "update", "set", "load_state_dict", "pointwise", "set_item"])
    quiet = {"no_grad": True} if make.chance(0.3) else {}
    key = key_of(make, td, leaves=True)
    if what in ("zero_",):
        return step(make, what, name, False, **quiet)
    if what == "fill_":
        return step(make, what, name, False, key=key, value=make.pick([0, 1]), **quiet)
    if what in ("update_", "update"):
        return step(make, what, name, False, src=twin(make, td), **quiet)
    if what == "load_state_dict":
        return step(make, what, name, False, state=twin(make, td), **quiet)
    if what == "pointwise":
        call = make.pick(["add_", "mul_", "sub_", "neg_", "exp_"])
        operands = [name] if call in ("neg_", "exp_") else [name, make.pick([2, 0.5, twin(make, td)])]
        return {"op": what, "call": call, "operands": operands, "to": make.new_name(), **quiet}
    if what == "set_item":
        return step(make, what, name, False, index=[0] if td.batch_dims else [None], value=make.pick([0, 1]), **quiet)
    return step(make, what, name, False, key=key, value=leaf_for(make, td.batch_size), **quiet)


@on_params(6)
def differentiated(make, name, td):
    """Gradients through an operator, a view of rows or a stack."""
    made, gradient = make.new_name(), make.new_name()
    how = make.pick(["mul", "mul", "exp", "index", "stack", "select"])
    via = {
        "mul": lambda: {"op": "pointwise", "call": "mul", "operands": [name, make.pick([2, 0.5, twin(make, td)])]},
        "exp": lambda: {"op": "pointwise", "call": "exp", "operands": [name]},
        "index": lambda: {"op": "index", "td": name, "index": [[0, 1, 1]] if td.batch_dims else [None]},
        "stack": lambda: {"op": "stack", "tds": [name, name], "dim": dim(make, td.batch_dims + 1, 0)},
        "select": lambda: {"op": "select", "td": name, "keys": [key_of(make, td, off=0)] if list(td.keys()) else []},
    }[how]()
    if make.try_step({**via, "to": made}) != "ok":
        return None
    if make.try_step({"op": "detach", "td": made, "to": gradient}) != "ok":
        return None
    if make.try_step({"op": "backward", "td": made, "gradient": gradient}) != "ok":
        return None
    return step(make, "grad", name)


@on_params(3)
def gradients(make, name, td):
    if make.chance(0.4):
        return step(make, "zero_grad", name, False, set_to_none=make.chance(0.6))
    return step(make, make.pick(["grad", "detach"]), make.pick([name, any_td(make)]))


@on_td(3)
def recorded(make, name, td):
    """requires_grad_ and detach_ of ordinary dicts and of parameters."""
    if make.chance(0.3):
        return step(make, "detach_", name, False)
    return step(make, "requires_grad_", name, False, value=make.chance(0.6))


@on_td(3)
def quietly(make, name, td):
    """A computation that autograd does not record."""
    call = make.pick(["mul", "add", "neg", "exp"])
    operands = [name] if call in ("neg", "exp") else [name, make.pick([2, 0.5])]
    return {"op": "pointwise", "call": call, "operands": operands, "to": make.new_name(), "no_grad": True}
