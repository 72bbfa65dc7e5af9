"""Known differences of parameters and modules."""

import re

import torch
from tensordict.nn import EnsembleModule, TensorDictSequential
from torch.nn.parameter import Buffer

from known import dicts_of, entries, known, only, our_text, ours_only, places, result, stock_status, tensors
from stock_values import is_params, is_persistent, is_td


@known("locks of what is made from parameters")
def _(d):
    if d.op == "params" and d.error is None and only(d, "/locked: not expected"):  # of dicts that are inside
        return any(is_td(v) and v.is_locked for v in places(d.td()).values()) and not d.td().is_locked
    if d.op == "params" and stock_status(d) == "LOCKED":  # what is inside is part of a locked dict, too
        return not d.our_status and any(is_td(v) and v.is_locked for v in places(d.td()).values())
    if d.op == "select" and is_params(d.td()) and d.td().is_locked:
        return stock_status(d) == "LOCKED" and not d.our_status and not d.step.get("inplace")
    if d.op == "set" and is_params(d.td()) and d.td()._param_td.is_locked and not d.td().is_locked:
        return d.error is None and not d.our_status and only(d, "/locked: expected True")
    inside = [v for td in dicts_of(d) for v in (td, *places(td).values())]
    made = any(map(is_params, inside)) and "to" in d.step and d.error is None and only(d, "/locked")
    return made and all(line.strip().startswith("/" + d.step["to"]) for line in d.lines)


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
    if d.op == "update" and is_persistent(d.td("src")):
        return any(map(is_td, entries(d.td("src")))) and not d.our_status and only(d, "/kind", "/dict", "/same")
    if d.op != "pointwise" or d.our_status or tensors(*dicts_of(d)):
        return False
    if any(map(is_persistent, dicts_of(d))) and isinstance(d.error, OSError):
        return True
    return (is_params(result(d)) or is_persistent(result(d))) and only(d, "/kind", "/locked", "/dict", "/same")


@known("writing into parameters without elements")
def _(d):
    if d.op != "update" or not d.step.get("inplace") or not ours_only(d, "TORCH") or "requires grad" not in our_text(d):
        return False
    return all(t.numel() == 0 for t in tensors(d.td()) if t.requires_grad)


@known("`no_convert` of copied parameters")
def _(d):
    forgot = any(is_params(td) and td.no_convert == "skip" for td in d.scope.dicts())
    return forgot and d.error is None and only(d, "/requires_grad: not expected")


@known("buffers of other parameters")
def _(d):
    read = [v for v in d.scope.registers.values() if isinstance(v, torch.Tensor)] + tensors(*d.scope.dicts())
    buffers = any(isinstance(t, Buffer) and t.is_floating_point() for t in read)
    return buffers and d.error is None and only(d, "/requires_grad: not expected")


@known("what comes to the dict inside parameters, or requires grad there later")
def _(d):
    late = any(t.requires_grad for td in dicts_of(d) if is_params(td) for t in buffers(td))  # since it is in it
    if d.op == "clone" and late:
        return d.error is None and only(d, "/requires_grad: not expected")
    if d.op not in ("parameter_names", "buffer_names", "count_parameters") or not is_params(d.td()) or not only(d, "/value"):
        return False
    if late:
        return True
    listed = {(key, id(t)) for one in (d.td()._parameters, d.td()._buffers) for key, t in one.items()}
    return listed != {(".".join(path), id(t)) for path, t in places(d.td()).items() if isinstance(t, torch.Tensor)}


@known("parameters outside `TensorDictParams`")
def _(d):
    if d.op != "repr" or is_params(d.td()) or not only(d, "/value"):
        return False
    theirs, ours = (seen["registers"][d.step["to"]]["value"] for seen in (d.expected, d.got))
    return "Parameter(" in theirs and theirs.replace("Parameter(", "Tensor(") == ours


@known("one tensor under two keys of buffers")
def _(d):
    if d.op in ("clone", "count_parameters") and is_params(d.td()):
        tied = len({t.data_ptr() for t in buffers(d.td())}) < len({id(t) for t in buffers(d.td())})
        return tied and d.error is None and not d.our_status and only(d, "/memory", "/value")
    if d.op != "buffer_names" or not is_params(d.td()) or not only(d, "/value"):
        return False
    theirs, ours = (seen["registers"][d.step["to"]]["value"] for seen in (d.expected, d.got))
    at = {".".join(path): v.data_ptr() for path, v in places(d.td()).items() if isinstance(v, torch.Tensor)}
    return {at[key] for key in theirs} == {at[key] for key in ours} and set(ours) < set(theirs)


def buffers(td):
    return [t for t in tensors(td) if not isinstance(t, torch.nn.Parameter)]


@known("a parameter that needs no gradient")
def _(d):
    if d.error is not None or d.our_status:
        return False
    read = [v for v in d.scope.registers.values() if isinstance(v, torch.Tensor)] + tensors(*d.scope.dicts())
    if not any(isinstance(t, torch.nn.Parameter) and not t.requires_grad for t in read):
        return False
    if d.op in ("parameter_names", "buffer_names"):
        return only(d, "/value")
    if d.op == "repr":
        theirs, ours = (seen["registers"][d.step["to"]]["value"] for seen in (d.expected, d.got))
        return theirs.replace("Parameter(", "Tensor(") == ours.replace("Parameter(", "Tensor(")
    return d.op in ("set", "update", "params") and only(d, "/requires_grad: not expected")


@known("`update` of nodes inside parameters")
def _(d):
    if d.op != "update" or not is_params(d.td()) or d.error is not None or d.our_status:
        return False
    if only(d, "/locked: not expected"):
        return any(map(is_td, places(d.td()).values()))
    below = any(map(is_td, places(d.td("src")).values()))
    if d.step.get("clone") and only(d, "/memory"):  # replaced in the dict inside, also where it is locked
        return True
    return below and only(d, "/requires_grad: not expected", "/locked: ")


@known("names and batch size given to the dict inside parameters")
def _(d):
    if d.op not in ("set_names", "refine_names", "set_batch_size", "auto_batch_size") or d.error is not None:
        return False
    around = [name for name, v in d.scope.registers.items() if is_params(v) and name != d.step["td"]]
    shown = [f"/{name}/{what}" for name in around for what in ("names", "batch")]
    return not d.our_status and all(any(line.strip().startswith(one) for one in shown) for line in d.lines)


@known("`load_state_dict` of parameters with nodes")
def _(d):
    return d.op == "load_state_dict" and "no attribute '_metadata'" in str(d.error) and not d.our_status


@known("writing into a piece of `split`")
def _(d):
    return "is the output of a function that returns multiple views" in str(d.error) and not d.our_status


@known("`td[i] = value` of parameters")
def _(d):
    if d.op in ("buffer_names", "parameter_names", "count_parameters", "grad"):  # what was a parameter is a buffer then
        steps = d.program["steps"][: d.at]
        made = any(step["op"] == "set_item" and None in step["index"] and step["td"] == d.step["td"] for step in steps)
        return made and is_params(d.td()) and d.error is None and not d.our_status
    if d.op not in ("set_item", "masked_fill_", "update") or d.our_status:
        return False
    if d.error is None:
        return is_params(d.td()) and only(d, "/requires_grad: expected True")
    said = f"{d.error} {d.error.__cause__}"
    return "in-place operation" in said and any(t.requires_grad for t in tensors(d.td()))


@known("`detach_` with views that need no grad")
def _(d):
    views = any(t._is_view() and not t.requires_grad for t in tensors(*dicts_of(d)))
    return d.op == "detach_" and views and "Can't detach views" in str(d.error) and not d.our_status


@known("`vmap` over the state of a module")
def _(d):
    if d.op != "vmap":
        return False
    if d.our_status == "INDEX":
        outside = not -d.td().batch_dims <= d.step.get("data_dim", 0) < d.td().batch_dims
        return outside and (d.error is None or "the following inputs are None" in str(d.error))
    return d.error is None and not d.our_status and only(d, "/requires_grad: not expected")


@known("the state of an ensemble")
def _(d):
    if d.op == "from_modules" and d.error is not None:  # one that holds nothing has no state here, there an empty one
        modules = [d.scope.registers[name] for name in d.step["modules"]]
        hollow = any(isinstance(m, EnsembleModule) and not list(m.parameters()) for m in modules)
        return hollow and "sets of keys in the tensordicts to stack" in str(d.error) and not d.our_status
    empty = "'params_td': {'dict': "
    return d.op in ("from_module", "from_modules") and d.error is None and bool(d.lines) and all(
        ("/params_td" in line and ("/batch" in line or "/kind" in line or "'entries': {}}, is missing" in line))
        or (empty in line and "'dtype'" not in line and line.endswith("is missing"))
        for line in d.lines
    )


@known("a function of tensors that is given other values")
def _(d):
    # The original may still fail afterwards, when it writes what the function made of the values; None is no input.
    called = d.error is None or stock_status(d) == "LOCKED" or "the following inputs are None" in str(d.error)
    refused = d.our_status in ("ARGUMENT", "KEY") and re.search("got (non-tensor data|a dict)", our_text(d))
    return d.op in ("run", "run_with", "vmap") and called and bool(refused)


@known("`keys_to_update`")
def _(d):
    # By which a sequence hands its outputs over: other entries beside a nested one come along there.
    sequence = d.scope.registers[d.step["module"]] if d.op == "run" else None
    if not isinstance(sequence, TensorDictSequential) or d.error is not None or d.our_status:
        return False
    around = [f"/{d.step['to']}/entries/{key[0]}/" for key in sequence.out_keys if isinstance(key, tuple)]
    return all(
        "/memory" in line or line.endswith("is missing") and any(node in line for node in around) for line in d.lines
    )


@known("an ensemble that writes into another dict")
def _(d):
    ensemble = d.op == "run" and isinstance(d.scope.registers[d.step["module"]], EnsembleModule)
    return ensemble and "unexpected keyword argument 'tensordict_out'" in str(d.error) and not d.our_status


@known("an ensemble of an ensemble")
def _(d):
    nested = d.op == "ensemble" and isinstance(d.scope.registers[d.step["module"]], EnsembleModule)
    return nested and isinstance(d.error, KeyError) and not d.our_status
