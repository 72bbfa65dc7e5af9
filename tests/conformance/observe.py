"""What a program left behind, as JSON: the Python half of observe.cpp."""

import math

import numpy
import torch
from tensordict import LazyStackedTensorDict, NonTensorStack, PersistentTensorDict, TensorDictBase, TensorDictParams, UnbatchedTensor
from tensordict.utils import is_non_tensor

from stock_values import is_module


def number(x):
    if isinstance(x, complex):
        return [number(x.real), number(x.imag)]
    if isinstance(x, float) and not math.isfinite(x):
        return "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"
    return x


def plain(x):
    """Non-tensor data as JSON has it."""
    if isinstance(x, bytes):  # text in an HDF5 file
        return x.decode()
    if isinstance(x, numpy.generic):  # a number there
        x = x.item()
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    return number(x) if x is None or isinstance(x, (str, bool, int, float)) else str(x)


def extent(t):
    """The first byte of a tensor's elements and the byte after the last."""
    if t.numel() == 0 or t.device.type != "cpu":  # as observe.cpp, which is not told an address elsewhere
        return None
    start = t.data_ptr()
    return start, start + (sum((n - 1) * s for n, s in zip(t.shape, t.stride())) + 1) * t.element_size()


class Observer:
    """Gives objects numbers in the order in which they are met, so that equal pictures mean equal sharing."""

    def __init__(self):
        self.dicts = []
        self.tensors = []  # (observation, tensor), kept alive so that no address is used twice

    def everything(self, registers):
        picture = {name: self.register(value) for name, value in registers.items()}
        self.add_memory()
        return picture

    def register(self, value):
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if is_module(value):
            return self.module(value)
        if is_non_tensor(value):
            return self.data(value)
        if isinstance(value, TensorDictBase):
            return self.dict(value)
        return {"value": plain(value)}

    def tensor(self, t):
        if isinstance(t, UnbatchedTensor):
            t = t._base_tensor()
        seen = {"dtype": str(t.dtype).removeprefix("torch."), "shape": list(t.shape)}
        seen["data"] = [number(x) for x in t.detach().flatten().tolist()]
        if t.requires_grad:
            seen["requires_grad"] = True
        self.tensors.append((seen, t))
        return seen

    def module(self, value):
        seen = {"module": {name: self.tensor(p) for name, p in value.named_parameters()}}
        if hasattr(value, "in_keys"):
            seen["in_keys"], seen["out_keys"] = plain(value.in_keys), plain(value.out_keys)
        return seen

    def data(self, value):
        if isinstance(value, NonTensorStack):
            return {"stack": plain(value.tolist())}
        return {"one": plain(value.data)}

    def dict(self, td):
        for i, known in enumerate(self.dicts):
            if known is td:
                return {"same": i}
        if isinstance(td, PersistentTensorDict):  # made anew whenever it is asked for
            seen = {"kind": "persistent", "batch": list(td.batch_size)}
        else:
            self.dicts.append(td)
            seen = {"dict": len(self.dicts) - 1, "batch": list(td.batch_size)}
        if any(name is not None for name in td.names):
            seen["names"] = list(td.names)
        if td.is_locked:
            seen["locked"] = True
        if td.device is not None:
            seen["device"] = str(td.device)
        if isinstance(td, LazyStackedTensorDict):
            seen["stack_dim"], seen["keys"] = td.stack_dim, list(td.keys())
            seen["members"] = [self.dict(member) for member in td.tensordicts]
            return seen
        if isinstance(td, TensorDictParams):
            seen["kind"], td = "params", td._param_td
        seen["entries"] = {}
        for key in list(td.keys()):
            value = td._get_str(key, None)
            seen["entries"][key] = self.register(value)
            if isinstance(value, UnbatchedTensor):
                seen["entries"][key]["unbatched"] = True
        return seen

    def add_memory(self):
        """`memory`: [class, bytes from its start] for tensors of which another one has some of the same bytes."""
        found = sorted(
            ((*extent(t), i) for i, (_, t) in enumerate(self.tensors) if extent(t)),
            key=lambda e: e[0],
        )
        groups, end = [], None
        for start, stop, i in found:
            if end is None or start >= end:
                groups.append((start, []))
                end = stop
            groups[-1][1].append((i, start))
            end = max(end, stop)
        groups = [g for g in groups if len(g[1]) > 1]
        groups.sort(key=lambda g: min(i for i, _ in g[1]))
        for n, (base, members) in enumerate(groups):
            for i, start in members:
                self.tensors[i][0]["memory"] = [n, start - base]
