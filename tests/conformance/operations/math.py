"""Pointwise operators, reductions, and functions over leaves."""

import operator

import tensordict
import torch
from tensordict import NonTensorData
from tensordict.base import _is_leaf_nontensor
from tensordict.utils import is_non_tensor

from operations.table import method, op
from stock_values import is_td

SYMBOLS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "remainder": operator.mod,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "bitwise_not": operator.invert,
}


@op
def pointwise(s):
    name, (first, *others) = s.raw("call"), [s.as_value(o) for o in s.raw("operands")]
    keywords = {k: s.as_value(v) for k, v in s.raw("kwargs", {}).items()}
    if "default" in s.step:
        default = s.raw("default")
        keywords["default"] = default if default == "intersection" else s.as_value(default)
    if name in SYMBOLS and not keywords:
        result = SYMBOLS[name](first, *others)
    else:
        result = getattr(first, name)(*others, **keywords)
    if not name.endswith("_"):
        s.put(result)


def reduction(s, **more):
    keywords = dict(s.raw("kwargs", {}), **more)
    if "dtype" in keywords:
        keywords["dtype"] = getattr(torch, keywords["dtype"])
    if s.raw("feature"):
        keywords["dim"] = "feature"
    elif "dims" in s.step:
        dims = s.raw("dims")
        keywords["dim"] = tuple(dims) if len(dims) > 1 else dims[0]
    if "keepdim" in s.step:
        keywords["keepdim"] = s.raw("keepdim")
    return getattr(s.td(), s.raw("call"))(**keywords)


@op
def reduce(s):
    result = reduction(s)
    if not is_td(result) and hasattr(result, "vals"):
        result = (result.vals, result.indices)
    s.put(result)


@op
def reduce_all(s):
    s.put(reduction(s, reduce=True))


FUNCTIONS = {
    "add_one": lambda key, *ts: ts[0] + 1,
    "total": lambda key, *ts: sum(t for t in ts if t is not None),
    "drop_a": lambda key, *ts: None if key[-1] == "a" else ts[0] * 2,
    "itself": lambda key, *ts: ts[0],
    "first_row": lambda key, *ts: ts[0][0],
}


# What data becomes.
DATA_FUNCTIONS = {
    "itself": lambda data: data,
    "text": lambda data: NonTensorData("z", batch_size=data.batch_size),
    "ones": lambda data: torch.ones(data.batch_size),
    "nothing": lambda data: None,
}


def over_data(function, data_function):
    return lambda key, *values: data_function(values[0]) if is_non_tensor(values[0]) else function(key, *values)


@op
def merge_with(s):
    function = FUNCTIONS[s.raw("fn")]
    s.put(tensordict.merge_tensordicts(*s.tds(), callback_exist=lambda *ts: function(("",), *ts)))


@op
def map__(s):
    function = FUNCTIONS[s.raw("fn")]
    keywords = {"filter_empty": {"drop": None, "drop_all": True, "keep": False}[s.raw("emptied", "drop")]}
    if "batch" in s.step:
        keywords["batch_size"] = s.raw("batch")
    if s.raw("missing_as_null"):
        keywords["default"] = None
    if s.raw("inplace"):
        keywords["inplace"] = True
    if "data" in s.step:
        function = over_data(function, DATA_FUNCTIONS[s.raw("data")])
        keywords["is_leaf"] = _is_leaf_nontensor
    td = s.td()
    result = td.named_apply(
        lambda key, *ts: function(key if isinstance(key, tuple) else (key,), *ts),
        *s.tds("others") if "others" in s.step else (),
        nested_keys=True,
        **keywords,
    )
    s.put(td.empty() if result is None else result)


@op
def torch__(s):
    """An ATen operator over tensors, for strides and histories that literals do not have."""
    arguments = [s.registers[a] if isinstance(a, str) else a for a in s.raw("args")]
    s.put(getattr(torch.ops.aten, s.raw("call"))(*arguments))


method("all")
method("any")
