"""Known differences of parameters, modules and dicts in files."""

from known import dicts_of, known, only, ours_only
from stock_values import is_params, is_persistent


def has_params(d):
    return any(is_params(v) for v in d.scope.registers.values())


@known("locks of what is made from parameters")
def _(d):
    return has_params(d) and any(is_params(td) for td in dicts_of(d)) and d.error is None and only(d, "/locked")


@known("operators over dicts of which some leaves need no grad")
def _(d):
    if d.op != "pointwise" or not only(d, "/requires_grad"):
        return False
    leaves = [t for td in dicts_of(d) for t in td.values(True, True)]
    return any(t.requires_grad for t in leaves) and not all(t.requires_grad for t in leaves)


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
        "/params_td/" in line and ("/batch" in line or "/kind" in line) for line in d.lines)


@known("`requires_grad_` of a dict in a file")
def _(d):
    return d.op == "requires_grad_" and ours_only(d, "UNSUPPORTED") and is_persistent(d.td())


@known("key order")
def _(d):
    if d.op != "keys" or not is_persistent(d.td()) or d.error is not None or d.our_status:
        return False
    ours, theirs = (sorted(map(tuple, seen["registers"][d.step["to"]]["value"])) for seen in (d.got, d.expected))
    return ours == theirs
