"""Copies, autograd, dtype, states."""

import torch

from operations.table import method, op

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
        assert found.data_ptr() == td.get(key).data_ptr()
    s.put(made)


@op
def requires_grad(s):
    s.put(s.td().requires_grad)


@op
def requires_grad_(s):
    s.td().requires_grad_(s.raw("value", True))


method("detach")


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
