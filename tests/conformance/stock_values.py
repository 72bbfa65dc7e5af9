"""Arguments of steps: tensors, keys, indices and values, from JSON to what stock tensordict takes."""

import os
import tempfile

import torch
from tensordict import NonTensorData, NonTensorStack, PersistentTensorDict, TensorDictBase, TensorDictParams
from tensordict.utils import is_non_tensor

DEVICE = os.environ.get("TD_REPLAY_DEVICE", "cpu")  # where literals are, here and in the library
NAMED = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


class BadProgram(Exception):
    """What stands in the program is wrong, which no library can be blamed for."""


class Registers(dict):
    def __missing__(self, name):
        raise BadProgram(f"no such register: {name}")


def literal(spec):
    """{"dtype", "shape", "data" | "arange" | "full"} as a tensor."""
    dtype, shape = getattr(torch, spec.get("dtype", "float32")), spec["shape"]
    n = 1
    for size in shape:
        n *= size
    if "data" in spec:
        numbers = [NAMED.get(x, x) if isinstance(x, str) else x for x in spec["data"]]
    elif "full" in spec:
        numbers = [NAMED.get(spec["full"], spec["full"])] * n
    else:
        numbers = [spec["arange"] + i for i in range(n)]
        if dtype is torch.bool:
            numbers = [x % 2 for x in numbers]
    whole = all(isinstance(x, int) for x in numbers)
    t = torch.tensor(numbers, dtype=torch.int64 if whole else torch.float64).to(dtype)
    return t.reshape(shape).to(DEVICE)


def stack_of(value, levels=-1):
    """A NonTensorStack of lists in lists; below `levels` of them a list is a value."""
    below = lambda v: stack_of(v, levels - 1) if isinstance(v, list) and levels != 1 else NonTensorData(v)
    return NonTensorStack(*(below(v) for v in value))


class Scope:
    """Registers by name, and the arguments of the current step."""

    def __init__(self):
        self.registers = Registers()
        self.scopes = {}  # what ends them, by the register of what is inside
        self.folder = None  # of files, as long as the scope lives
        self.files = 0
        self.step = None

    def raw(self, name, default=None):
        return self.step.get(name, default)

    def td(self, name="td"):
        return self.registers[self.step[name]]

    def tds(self, name="tds"):
        return [self.registers[n] for n in self.step[name]]

    def dicts(self):
        return [value for value in self.registers.values() if is_td(value)]

    def key(self, name="key"):
        return self.as_key(self.step[name])

    def keys(self, name="keys"):
        return [self.as_key(k) for k in self.step[name]]

    def tensor(self, name="value"):
        return self.as_tensor(self.step[name])

    def value(self, name="value"):
        return self.as_value(self.step[name])

    def index(self, name="index"):
        parts = tuple(self.as_index(part) for part in self.step[name])
        return parts[0] if len(parts) == 1 else parts

    def new_file(self):
        self.folder = self.folder or tempfile.TemporaryDirectory()
        self.files += 1
        return f"{self.folder.name}/{self.files}.h5"

    def put(self, value):
        """Stores the result; of several under `to`.0, `to`.1, ..."""
        to = self.step.get("to")
        if to is None:
            return
        if isinstance(value, (tuple, list)) and not isinstance(value, torch.Size):
            for i, one in enumerate(value):
                self.registers[f"{to}.{i}"] = one
        else:
            self.registers[to] = value

    def put_list(self, values):
        """Stores one result that is a list of plain values."""
        self.registers[self.step["to"]] = list(values)

    @staticmethod
    def as_key(key):
        return tuple(key) if isinstance(key, list) else key

    def as_tensor(self, spec):
        return self.registers[spec] if isinstance(spec, str) else literal(spec)

    def as_index(self, part):
        if part == "...":
            return ...
        if isinstance(part, list):
            return slice(*part)
        if isinstance(part, (dict, str)):
            return self.as_tensor(part)
        return part

    def as_value(self, spec, batch=(), levels=-1):
        """A register, a number, {"one": data}, {"stack": lists} or a tensor."""
        if isinstance(spec, str):
            return self.registers[spec]
        if not isinstance(spec, dict):
            return spec
        if "one" in spec:
            return NonTensorData(spec["one"], batch_size=batch)
        if "stack" in spec:
            return stack_of(spec["stack"], levels)
        return literal(spec)


def is_params(value):
    return isinstance(value, TensorDictParams)


def is_module(value):
    return isinstance(value, torch.nn.Module) and not isinstance(value, TensorDictParams)


def is_persistent(value):
    return isinstance(value, PersistentTensorDict)


def is_td(value):
    return isinstance(value, TensorDictBase) and not is_non_tensor(value)
