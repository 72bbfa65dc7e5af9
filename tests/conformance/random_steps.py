"""How random steps are drawn: mostly such that they fit, sometimes a little off."""

from stock_values import is_persistent

KEYS = ["a", "b", "c", "n", "m"]
DTYPES = ["float32"] * 4 + ["int64", "int64", "bool", "float64", "int32", "float16"]
STEPS = []  # (weight, function of a Maker that gives a step or None)
FIRST = []  # functions of a Maker that give steps for the beginning of a program


def draws(weight):
    def add(function):
        STEPS.append((weight, function))
        return function

    return add


# ---- Arguments ---------------------------------------------------------------------------------------------------------


def sizes(make, n, most=3):
    return [make.random.choices(range(most + 1), [1, 4, 6, 5][: most + 1])[0] for _ in range(n)]


def tensor(make, shape, dtypes=DTYPES):
    dtype = make.pick(dtypes)
    if dtype.startswith("float") and make.chance(0.1):
        n = 1
        for s in shape:
            n *= s
        values = ["nan", "inf", "-inf", 0.0, -0.0, 1.5, -2.25]
        return {"dtype": dtype, "shape": list(shape), "data": [make.pick(values) for _ in range(n)]}
    return {"dtype": dtype, "shape": list(shape), "arange": make.random.randint(-3, 9) if dtype != "bool" else 0}


def mask(make, shape):
    n = 1
    for s in shape:
        n *= s
    return {"dtype": "bool", "shape": list(shape), "data": [make.chance(0.5) for _ in range(n)]}


def data(make):
    return make.pick(["x", "y", 1, 2.5, None, True])


def leaf_for(make, batch):
    return tensor(make, [*batch, *sizes(make, make.pick([0, 0, 1, 1, 2]))])


def dim(make, n, off=0.06):
    """One of n dims, from either end."""
    if make.chance(off) or n == 0:
        return make.random.randint(-n - 2, n + 1)
    return make.random.randint(-n, n - 1)


def any_td(make):
    """A register with a dict in memory: few operations of the original work on one in a file."""
    names = [name for name in make.dicts() if not is_persistent(make.td(name))]
    return make.pick(names) if names else None


def key_of(make, td, leaves=False, off=0.08):
    """A key that is there, or sometimes one that may not be."""
    found = list(td.keys(True, leaves))
    if not found or make.chance(off):
        return make.pick(KEYS) if make.chance(0.6) else [make.pick(KEYS), make.pick(KEYS)]
    key = make.pick(found)
    return list(key) if isinstance(key, tuple) else key


def batch_at(td, key):
    """The batch size of the node that `key` is or would be set in."""
    for part in (key if isinstance(key, list) else [key])[:-1]:
        child = td._get_str(part, None)
        if not hasattr(child, "batch_size") or not hasattr(child, "keys"):
            return list(td.batch_size)
        td = child
    return list(td.batch_size)


def twin(make, td, **how):
    """Another register with the same keys and batch size, or a step that makes one first."""
    leaves = set(td.keys(True, True))
    like = [
        n for n in make.dicts() if set(make.td(n).keys(True, True)) == leaves and make.td(n).batch_size == td.batch_size
    ]
    return make.pick(like) if like and not make.chance(0.1) else any_td(make)


def index(make, batch, off=0.05):
    """An index into these batch dims."""
    parts, left, n_tensors = [], list(batch), 0
    while left and not (parts and make.chance(0.45)):
        size = left[0]
        kind = make.random.choices(["int", "slice", "none", "ints", "mask", "all"], [4, 4, 1, 2, 2, 2])[0]
        if kind in ("ints", "mask") and n_tensors:
            kind = "slice"
        if kind == "none":
            parts.append(None)
            continue
        left.pop(0)
        if kind == "int" and size:
            parts.append(make.random.randint(-size, size - 1) if not make.chance(off) else size)
        elif kind == "ints" and size:
            n_tensors += 1
            shape = make.pick([[2], [3], [1], [2, 2]])
            n = shape[0] * (shape[1] if len(shape) > 1 else 1)
            parts.append(
                {"dtype": "int64", "shape": shape, "data": [make.random.randint(-size, size - 1) for _ in range(n)]}
            )
        elif kind == "mask":
            n_tensors += 1
            if left and make.chance(0.3):
                parts.append(mask(make, [size, left.pop(0)]))
            else:
                parts.append(mask(make, [size]))
        else:
            start = make.random.randint(-1, size)
            parts.append(
                [None, None]
                if kind == "all"
                else [
                    start if make.chance(0.7) else None,
                    make.random.randint(0, size + 1) if make.chance(0.7) else None,
                    make.pick([1, 1, 2]),
                ]
            )
    if left and make.chance(0.15):
        parts.insert(0 if make.chance(0.5) and not n_tensors else len(parts), "...")
    return parts or [None]


# ---- The first registers -------------------------------------------------------------------------------------------------


def build(make, batch, level=0, to=None):
    """Steps that build a dict of this batch size, with its nodes before it."""
    steps, items = [], []
    for key in make.random.sample(KEYS, make.random.randint(0 if level else 1, 4 - level)):
        if key in "nm" and level < 2:
            extra = sizes(make, 1) if make.chance(0.25) else []
            inner, node = build(make, batch + extra, level + 1)
            steps += inner
            items.append([key, node])
        elif make.chance(0.1):
            items.append([key, {"one": data(make)}])
        else:
            items.append([key, leaf_for(make, batch)])
    name = to or make.new_name()
    steps.append({"op": "build", "batch": batch, "items": items, "to": name})
    return steps, name


def first_steps(make):
    batch = sizes(make, make.pick([0, 1, 1, 2, 2, 3]))
    steps, name = build(make, batch)
    if make.chance(0.25):
        names = [make.pick([None, f"d{i}", f"d{i}"]) for i in range(len(batch))]
        steps.append({"op": "set_names", "td": name, "names": names})
    steps.append({"op": "clone", "td": name, "to": make.new_name()})
    if make.chance(0.4):
        steps += build(make, batch if make.chance(0.6) else sizes(make, make.pick([0, 1, 2])))[0]
    if make.chance(0.2):
        steps.append({"op": "lock", "td": name})
    return steps
