"""Random steps with modules that read and write keys: drawn with --modules. Weights are data of the program."""

from random_draws import on_td, step
from random_steps import FIRST, any_td, draws, sizes
from stock_values import is_module

KEYS = ["a", "b", "c", "d", ["n", "a"], ["n", "e"], ["o", "f"]]
WIDTH = 2  # of all features, so that every module fits behind every other


def floats(make, shape):
    n = 1
    for size in shape:
        n *= size
    return {"dtype": "float32", "shape": shape, "data": [make.random.randint(-4, 4) / 2 for _ in range(n)]}


def modules(make, keyed=True):
    return [n for n, v in make.scope.registers.items() if is_module(v) and hasattr(v, "in_keys") == keyed]


def keyed(make):
    names = modules(make)
    return make.pick(names) if names else None


def inner(make):
    """The step that makes a module without keys, with its numbers of inputs and outputs (0: as many as there are)."""
    to = make.new_name()
    if make.chance(0.6):
        bias = floats(make, [WIDTH]) if make.chance(0.7) else None
        return {"op": "linear", "weight": floats(make, [WIDTH, WIDTH]), "bias": bias, "to": to}, 1, 1
    function, inputs, outputs = make.pick([("double", 1, 1), ("total", 0, 1), ("pair", 1, 2), ("product", 2, 1)])
    return {"op": "function", "fn": function, "to": to}, inputs or make.random.randint(1, 3), outputs


def module_steps(make):
    """Steps that make a module with keys; the name of the last is the module's."""
    made, inputs, outputs = inner(make)
    plain = modules(make, keyed=False)
    if plain and make.chance(0.2) and made["op"] == "linear":
        made = {"to": make.pick([n for n in plain if hasattr(make.td(n), "weight")] or [None])}
    if made.get("op"):
        yield made
    if not made["to"]:
        return
    out_keys = [make.pick(KEYS) for _ in range(outputs)]
    if make.chance(0.08):
        out_keys[0] = "_"
    options = {"inplace": make.pick([True, False, "empty"])} if make.chance(0.25) else {}
    in_keys = [make.pick(KEYS[:2] if make.chance(0.7) else KEYS) for _ in range(inputs)]
    yield {"op": "module", "inner": made["to"], "in_keys": in_keys, "out_keys": out_keys, **options, "to": make.new_name()}


def data_steps(make):
    batch = sizes(make, make.pick([0, 1, 1, 2]), 2)
    node, name = make.new_name(), make.new_name()
    yield {"op": "build", "batch": batch, "items": [["a", floats(make, [*batch, WIDTH])]], "to": node}
    items = [[key, floats(make, [*batch, WIDTH])] for key in make.random.sample(["a", "b", "c"], make.random.randint(1, 3))]
    yield {"op": "build", "batch": batch, "items": items + ([["n", node]] if make.chance(0.6) else []), "to": name}


def first(make):
    for _ in range(2):
        yield from data_steps(make)
    for _ in range(3):
        yield from module_steps(make)


FIRST.append(first)


def all_but_last(make, steps):
    """Runs what comes before the last of the steps, which is the result."""
    steps = list(steps)
    for one in steps[:-1]:
        if make.try_step(one) != "ok":
            return None
    return steps[-1] if steps else None


@draws(4)
def make_module(make):
    return all_but_last(make, module_steps(make))


@draws(2)
def make_data(make):
    return all_but_last(make, data_steps(make))


@draws(10)
def make_sequence(make):
    names = modules(make)
    if not names:
        return None
    chosen = [make.pick(names) for _ in range(make.random.randint(1, 3))]
    options = {}
    if make.chance(0.2):
        options["inplace"] = make.pick([True, False, "empty"])
    if make.chance(0.25):
        options["partial_tolerant"] = True
    if make.chance(0.2):
        keys = [key for n in chosen for key in make.td(n).out_keys]
        options["selected"] = [unwound(make.pick(keys)) for _ in range(make.random.randint(1, 2))] if keys else []
    return {"op": "sequence", "modules": chosen, **options, "to": make.new_name()}


def unwound(key):
    return list(key) if isinstance(key, tuple) else key


def fitting(make, name):
    """A register that mostly has what the module reads."""
    fit = [n for n in make.dicts() if name and all(key in make.td(n).keys(True) for key in make.td(name).in_keys)]
    return make.pick(fit) if fit and not make.chance(0.07) else any_td(make)


@draws(30)
def run(make):
    name = keyed(make)
    td = fitting(make, name)
    if not name or not td:
        return None
    out = {"out": any_td(make)} if make.chance(0.12) else {}
    quiet = {"no_grad": True} if make.chance(0.2) else {}
    return {"op": "run", "module": name, "td": td, **out, **quiet, "to": make.new_name()}


@draws(6)
def keys(make):
    name = keyed(make)
    return name and {"op": make.pick(["in_keys", "out_keys"]), "module": name, "to": make.new_name()}


@draws(8)
def narrow(make):
    name = keyed(make)
    if not name:
        return None
    if make.chance(0.2):
        return {"op": "reset_out_keys", "module": name}
    there = [unwound(key) for key in make.td(name).out_keys]
    chosen = make.random.sample(there, make.random.randint(0, len(there)))
    return {"op": "select_out_keys", "module": name, "keys": chosen if make.chance(0.93) else [make.pick(KEYS)]}


@draws(6)
def part(make):
    name = keyed(make)
    if not name:
        return None
    td = make.td(name)
    if not hasattr(td, "module_dict") and not make.chance(0.05):
        return None
    asked = {}
    if make.chance(0.6):
        asked["in_keys"] = [unwound(k) for k in make.random.sample(list(td.in_keys), make.random.randint(0, len(td.in_keys)))]
    if make.chance(0.6):
        asked["out_keys"] = [unwound(k) for k in make.random.sample(list(td.out_keys), make.random.randint(0, len(td.out_keys)))]
    return {"op": "subsequence", "module": name, **asked, "to": make.new_name()}


# ---- State -----------------------------------------------------------------------------------------------------------


@draws(6)
def state(make):
    names = modules(make) + modules(make, keyed=False)
    return {"op": "from_module", "module": make.pick(names), "to": make.new_name()} if names else None


def other_state(make, name, batch=()):
    """Steps that give other weights for a module, or None."""
    own, other = make.new_name(), make.new_name()
    if make.try_step({"op": "from_module", "module": name, "to": own}) != "ok":
        return None
    yield_op = {"op": "pointwise", "call": "add", "operands": [own, make.pick([0.5, 1, -1])], "to": other}
    return other if make.try_step(yield_op) == "ok" else None


@draws(8)
def run_with(make):
    name = keyed(make)
    td = fitting(make, name)
    if not name or not td:
        return None
    weights = other_state(make, name)
    return weights and {"op": "run_with", "module": name, "state": weights, "td": td}


@draws(6)
def swap(make):
    """Other tensors in the places of a module's own, while it runs."""
    name = keyed(make)
    td = fitting(make, name)
    weights = name and td and other_state(make, name)
    if not weights:
        return None
    scope = make.new_name()
    if make.try_step({"op": "swap", "module": name, "td": weights, "to": scope}) != "ok":
        return None
    if make.try_step({"op": "run", "module": name, "td": td, "to": make.new_name()}) == "failed":
        return None
    return {"op": "scope_end", "scope": scope}


@draws(8)
def mapped(make):
    """The same module with several states at once."""
    name = keyed(make)
    td = fitting(make, name)
    if not name or not td:
        return None
    states = [s for s in (other_state(make, name) for _ in range(2)) if s]
    stacked = make.new_name()
    if len(states) < 2 or make.try_step({"op": "stack", "tds": states, "dim": 0, "to": stacked}) != "ok":
        return None
    dims = {"data_dim": make.random.randint(-1, 1)} if make.chance(0.4) and make.td(td).batch_dims else {}
    return {"op": "vmap", "module": name, "states": stacked, "td": td, **dims, "to": make.new_name()}


@draws(5)
def ensemble(make):
    name = keyed(make)
    return name and {"op": "ensemble", "module": name, "copies": make.random.randint(1, 3), "expand_input": make.chance(0.6),
                     "to": make.new_name()}


@draws(5)
def from_several(make):
    names = modules(make) if make.chance(0.5) else modules(make, keyed=False)
    if not names:
        return None
    return {"op": "from_modules", "modules": [make.pick(names) for _ in range(2)], "to": make.new_name()}


@on_td(8)
def differentiated(make, name, td):
    """Gradients of a module's parameters through what it wrote."""
    module = keyed(make)
    name = fitting(make, module)
    if not module:
        return None
    wrote, chosen, gradient = (make.new_name() for _ in range(3))
    if make.try_step({"op": "run", "module": module, "td": name, "to": wrote}) != "ok":
        return None
    out_keys = [unwound(k) for k in make.td(module).out_keys if k != "_"]
    for one in (
        {"op": "select", "td": wrote, "keys": out_keys, "strict": False, "to": chosen},
        {"op": "detach", "td": chosen, "to": gradient},
        {"op": "backward", "td": chosen, "gradient": gradient},
    ):
        if make.try_step(one) != "ok":
            return None
    held = make.new_name()
    if make.try_step({"op": "from_module", "module": module, "to": held}) != "ok":
        return None
    return step(make, "grad", held)
