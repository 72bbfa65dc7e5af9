"""The programs of the committed vectors: a file for each section of the container, written with these words.

CASES = Cases()
CASES("a_sentence", d("x", [3], a=f(3)), do("set", td="x", key="b", value=f(3)))
"""


def tensor(dtype, *shape, arange=None, full=None, data=None):
    spec = {"dtype": dtype, "shape": list(shape)}
    if data is not None:
        spec["data"] = list(data)
    elif full is not None:
        spec["full"] = full
    else:
        spec["arange"] = arange or 0
    return spec


def f(*shape, start=0):
    """float32 numbers counting up."""
    return tensor("float32", *shape, arange=start)


def i(*shape, start=0):
    return tensor("int64", *shape, arange=start)


def z(*shape):
    return tensor("float32", *shape, full=0.0)


def o(*shape):
    return tensor("float32", *shape, full=1.0)


def ints(*data):
    return tensor("int64", len(data), data=data)


def floats(*data):
    return tensor("float32", len(data), data=data)


def mask(*data):
    return tensor("bool", len(data), data=[bool(x) for x in data])


def scalar(x, dtype="float32"):
    return tensor(dtype, data=[x])


def one(data):
    """Non-tensor data, the same for the whole batch."""
    return {"one": data}


def stack_of(*data):
    return {"stack": list(data)}


def do(op, to=None, **arguments):
    step = {"op": op, **arguments}
    if to:
        step["to"] = to
    return step


def d(to, batch, *items, **entries):
    """Builds a dict: keys that are no identifiers come as pairs before the others."""
    return do("build", to=to, batch=batch, items=[list(x) for x in items] + [[k, v] for k, v in entries.items()])


class Cases(list):
    def __call__(self, name, *steps, diverges=None, ours=None):
        """`diverges`: the topic of the row in README.md. `ours`: then what we do instead, the name of the status with
        which the last step fails, or other steps, which the original runs to the registers that we must have; None
        takes what the library does now, to be read with care before it is committed."""
        flat = [s for step in steps for s in (step if isinstance(step, list) else [step])]
        self.append({"name": name, "steps": flat, "diverges": diverges, "ours": ours})
