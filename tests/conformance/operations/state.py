"""Copies, autograd, dtype, states."""

import torch

from operations.table import method, op
from stock_values import is_persistent

method("copy")
method("clone")


@op
def state_dict(s):
    """Ours are dicts with batch sizes; the original's nested OrderedDicts must hold the same tensors."""
    td, made = s.td(), s.td().detach().copy()
    theirs = td.state_dict(flatten=False)
    for key in td.keys(True, True):
        found = theirs
        for part in [key] if isinstance(key, str) else key:
            found = found[part]
        assert is_persistent(td) or found.data_ptr() == td.get(key).data_ptr()
    s.put(made)


def dtype_or_same(s):
    return {"dtype": getattr(torch, s.raw("dtype"))} if "dtype" in s.step else {}


@op
def new_empty(s):
    """Zeroed, as what is in new memory is nobody's business."""
    s.put(s.td().new_empty(*s.raw("sizes"), **dtype_or_same(s)).zero_())


@op
def new_full(s):
    s.put(s.td().new_full(s.raw("sizes"), s.raw("value"), **dtype_or_same(s)))


@op
def new_tensor(s):
    """`data` is a register, a tensor, a number or a list of numbers."""
    spec = s.raw("data")
    data = s.as_value(spec) if isinstance(spec, (dict, str)) else spec
    s.put(s.td().new_tensor(data, **dtype_or_same(s), requires_grad=s.raw("requires_grad", False)))


@op
def to_tensordict(s):
    s.put(s.td().to_tensordict())


@op
def become(s):
    """The original has this as inplace=True of single methods: `method` says of which, with its arguments."""
    getattr(s.td(), s.raw("method"))(*s.raw("arguments"), inplace=True)


@op
def detach_(s):
    s.td().detach_()


@op
def requires_grad(s):
    s.put(s.td().requires_grad)


@op
def requires_grad_(s):
    s.td().requires_grad_(s.raw("value", True))


method("detach")


@op
def data(s):
    s.put(s.td().data)


@op
def grad(s):
    found = s.td().grad
    s.put({"none": True} if found is None else found)


@op
def zero_grad(s):
    s.td().zero_grad(set_to_none=s.raw("set_to_none", True))


@op
def backward(s):
    s.td().backward(s.td("gradient") if "gradient" in s.step else None)


@op
def to(s):
    device, dtype = s.raw("device"), s.raw("dtype")
    given = [x for x in (device, dtype and getattr(torch, dtype)) if x is not None]
    s.put(s.td().to(*given))


@op
def load_state_dict(s):
    s.td().load_state_dict(s.td("state").state_dict(), strict=s.raw("strict", True), assign=s.raw("assign", False))
