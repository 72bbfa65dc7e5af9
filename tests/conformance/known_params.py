"""Known differences of parameters and modules."""

import torch
from torch.nn.parameter import Buffer

from known import dicts_of, known, only, ours_only, places, result, tensors
from stock_values import is_params, is_persistent


def has_params(d):
    return any(is_params(v) for v in d.scope.registers.values())


@known("locks of what is made from parameters")
def _(d):
    return has_params(d) and any(is_params(td) for td in dicts_of(d)) and d.error is None and only(d, "/locked")


@known("operators over dicts of which some leaves need no grad")
def _(d):
    if d.op == "pointwise" and "Autograd not support dtype" in str(d.error):
        return not d.our_status
    if d.op != "pointwise" or not only(d, "/requires_grad"):
        return False
    leaves = [t for td in dicts_of(d) for t in td.values(True, True)]
    return any(t.requires_grad for t in leaves) and not all(t.requires_grad for t in leaves)


@known("operators over parameters and files without tensors")
def _(d):
    if d.op not in ("pointwise", "update") or d.our_status or tensors(*dicts_of(d)):
        return False
    if d.op == "update":
        return d.step.get("clone") and is_persistent(d.td("src")) and only(d, "/kind", "/dict", "/same")
    if any(map(is_persistent, dicts_of(d))) and isinstance(d.error, OSError):
        return True
    return (is_params(result(d)) or is_persistent(result(d))) and only(d, "/kind", "/locked", "/dict", "/same")


@known("`no_convert` of copied parameters")
def _(d):
    forgot = any(is_params(td) and td.no_convert == "skip" for td in d.scope.dicts())
    return forgot and d.error is None and only(d, "/requires_grad: not expected")


@known("buffers of other parameters")
def _(d):
    read = [v for v in d.scope.registers.values() if isinstance(v, torch.Tensor)] + tensors(*d.scope.dicts())
    buffers = any(isinstance(t, Buffer) and t.is_floating_point() for t in read)
    return buffers and d.error is None and only(d, "/requires_grad: not expected")


@known("what comes to the dict inside parameters")
def _(d):
    if d.op not in ("parameter_names", "buffer_names", "count_parameters") or not is_params(d.td()) or not only(d, "/value"):
        return False
    listed = {id(t) for t in (*d.td()._parameters.values(), *d.td()._buffers.values())}
    return listed != {id(t) for t in tensors(d.td())}


@known("parameters outside `TensorDictParams`")
def _(d):
    if d.op != "repr" or is_params(d.td()) or not only(d, "/value"):
        return False
    theirs, ours = (seen["registers"][d.step["to"]]["value"] for seen in (d.expected, d.got))
    return "Parameter(" in theirs and theirs.replace("Parameter(", "Tensor(") == ours


@known("one tensor under two keys of buffers")
def _(d):
    if d.op != "buffer_names" or not is_params(d.td()) or not only(d, "/value"):
        return False
    theirs, ours = (seen["registers"][d.step["to"]]["value"] for seen in (d.expected, d.got))
    at = {".".join(path): v.data_ptr() for path, v in places(d.td()).items() if isinstance(v, torch.Tensor)}
    return {at[key] for key in theirs} == {at[key] for key in ours} and set(ours) < set(theirs)


@known("`td[i] = value` of parameters")
def _(d):
    if d.op != "set_item" or not any(t.requires_grad for t in tensors(d.td())):
        return False
    return "in-place operation" in str(d.error) and not d.our_status


@known("`detach_` with views that need no grad")
def _(d):
    views = any(t._is_view() and not t.requires_grad for t in tensors(*dicts_of(d)))
    return d.op == "detach_" and views and "Can't detach views" in str(d.error) and not d.our_status


@known("`vmap` over the state of a module")
def _(d):
    if d.op != "vmap":
        return False
    if ours_only(d, "INDEX"):
        return not -d.td().batch_dims <= d.step["data_dim"] < d.td().batch_dims
    return d.error is None and not d.our_status and only(d, "/requires_grad: not expected")


@known("the state of an ensemble")
def _(d):
    return d.op == "from_module" and d.error is None and bool(d.lines) and all(
        "/params_td" in line and ("/batch" in line or "/kind" in line or "'entries': {}}, is missing" in line) for line in d.lines)
