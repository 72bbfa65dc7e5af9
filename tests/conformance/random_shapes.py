"""Random steps that change shapes, compute, and follow gradients."""

from random_draws import on_td, step
from random_steps import dim, sizes, tensor, twin


def product(batch):
    n = 1
    for s in batch:
        n *= s
    return n


def other_shape(make, batch):
    n, out = product(batch), []
    if n == 0:
        return list(reversed(batch))
    while n > 1:
        factor = make.pick([f for f in range(1, n + 1) if n % f == 0])
        out.append(factor)
        n //= factor
        if len(out) == 3:
            out[-1] *= n
            break
    if out and make.chance(0.2):
        out[make.random.randrange(len(out))] = -1
    return out


@on_td(4)
def view(make, name, td):
    return step(make, make.pick(["view", "reshape", "reshape"]), name, sizes=other_shape(make, td.batch_size))


@on_td(8)
def shape(make, name, td):
    batch, n = list(td.batch_size), td.batch_dims
    what = make.pick(
        "flatten unflatten squeeze unsqueeze expand permute transpose movedim narrow split chunk tensor_split unbind".split()
    )
    arguments = {
        "flatten": lambda: {"start": dim(make, n), "end": dim(make, n)},
        "unflatten": lambda: unflattened(make, batch),
        "squeeze": lambda: {} if make.chance(0.4) else {"dim": dim(make, n)},
        "unsqueeze": lambda: {"dim": dim(make, n + 1)},
        "expand": lambda: {
            "sizes": sizes(make, make.pick([0, 0, 1])) + [make.random.randint(1, 3) if s == 1 else s for s in batch]
        },
        "permute": lambda: {"dims": make.random.sample(range(n), n)},
        "transpose": lambda: {"dim0": dim(make, n), "dim1": dim(make, n)},
        "movedim": lambda: {"source": dim(make, n), "destination": dim(make, n)},
        "narrow": lambda: {
            "dim": dim(make, n),
            "start": make.random.randint(-1, 2),
            "length": make.random.randint(0, 2),
        },
        "split": lambda: {"size": make.pick([1, 2, 3]), "dim": dim(make, n)},
        "chunk": lambda: {"chunks": make.pick([1, 2, 3]), "dim": dim(make, n)},
        "tensor_split": lambda: {"sections": make.pick([1, 2, 3, [1], [0, 1]]), "dim": dim(make, n)},
        "unbind": lambda: {"dim": dim(make, n)},
    }[what]()
    return step(make, what, name, **arguments)


def unflattened(make, batch):
    at = dim(make, len(batch), 0.02)
    if not -len(batch) <= at < len(batch):
        return {"dim": at, "sizes": [1, 1]}
    size = batch[at]
    return {"dim": at, "sizes": make.pick([[1, size], [size, 1], [2, size // 2], [size]])}


@on_td(3)
def copied(make, name, td):
    n = td.batch_dims
    what = make.pick(["repeat", "repeat_interleave", "flip", "roll", "rot90", "contiguous", "tile"])
    arguments = {
        "repeat": lambda: {"repeats": [make.random.randint(0, 2) for _ in range(n)]},
        "tile": lambda: {"repeats": [make.random.randint(1, 2) for _ in range(n)]},
        "repeat_interleave": lambda: {"repeats": make.pick([1, 2, 3]), "dim": dim(make, n, 0)},
        "flip": lambda: {"dims": [dim(make, n)]},
        "roll": lambda: {"shifts": [make.random.randint(-2, 3)], "dims": [dim(make, n)]},
        "rot90": lambda: {"times": make.pick([1, 2, 3, -1]), "dim0": dim(make, n), "dim1": dim(make, n)},
        "contiguous": lambda: {},
    }[what]()
    if what in ("repeat", "repeat_interleave") and n == 0:
        return None
    return step(make, what, name, **arguments)


# ---- Computing ---------------------------------------------------------------------------------------------------------------

UNARY = "abs neg exp tanh sigmoid floor sqrt sign isnan isfinite cos trunc".split()
BINARY = "add sub mul div maximum minimum pow clamp_min clamp_max eq ne lt le gt ge add sub mul".split()


@on_td(5)
def pointwise(make, name, td):
    if make.chance(0.3):
        call = make.pick(UNARY)
        if make.chance(0.3) and not call.startswith("is"):
            call += "_"
        return {"op": "pointwise", "call": call, "operands": [name], "to": make.new_name()}
    call = make.pick(BINARY)
    if make.chance(0.5):
        operand = twin(make, td)
    elif call in ("maximum", "minimum", "clamp_min", "clamp_max"):
        operand = twin(make, td)
    else:
        operand = make.pick(
            [0, 1, 2, 0.5, tensor(make, td.batch_size, ["float32", "int64"]), tensor(make, [], ["float32"])]
        )
    if make.chance(0.2) and call in ("add", "sub", "mul", "div"):
        call += "_"
    return {"op": "pointwise", "call": call, "operands": [name, operand], "to": make.new_name()}


@on_td(4)
def reduce(make, name, td):
    n = td.batch_dims
    call = make.pick(["sum", "mean", "prod", "amax", "amin", "max", "min", "std", "var", "nansum", "all", "any"])
    if call in ("all", "any"):
        return step(make, "reduce", name, call=call, dims=[dim(make, n)])
    dims = (
        [dim(make, n)]
        if call in ("prod", "amax", "amin", "max", "min") or make.chance(0.6)
        else make.random.sample(range(n), n)
    )
    if make.chance(0.2) or not dims:
        return step(make, "reduce", name, call=call)
    keep = {"keepdim": True} if make.chance(0.3) and call != "prod" else {}
    return step(make, "reduce", name, call=call, dims=dims, **keep)


@on_td(1)
def truth(make, name, td):
    return step(make, make.pick(["all", "any"]), name)


@on_td(2)
def functions(make, name, td):
    others = {"others": [twin(make, td)]} if make.chance(0.4) else {}
    fn = "total" if others else make.pick(["add_one", "drop_a", "itself"])
    return step(make, "map", name, fn=fn, emptied=make.pick(["drop", "drop_all", "keep"]), **others)


@on_td(2)
def autograd(make, name, td):
    what = make.pick(["requires_grad_", "detach", "grad", "zero_grad", "to", "to", "state_dict", "load_state_dict"])
    if what == "to":
        return step(make, what, name, dtype=make.pick(["float32", "float64", "int64", "float16"]))
    if what == "load_state_dict":
        return step(make, what, name, False, state=twin(make, td))
    if what == "requires_grad_" and make.chance(0.7):
        return None
    return step(make, what, name, what in ("detach", "grad", "state_dict"))
