"""Modules that read and write keys."""

import torch
from tensordict import TensorDict
from tensordict.nn import EnsembleModule, TensorDictModule, TensorDictSequential

from operations.table import op


def total(*inputs):
    """Of what is there; of nothing it would be no tensor."""
    there = [x for x in inputs if x is not None]
    if not there:
        raise NotImplementedError("nothing to add")
    return sum(there)


FUNCTIONS = {
    "double": lambda x: x * 2,
    "total": total,
    "pair": lambda x: (x + 1, x * -1),
    "product": lambda x, y: x * y,
}


def module(s, name="module"):
    return s.registers[s.raw(name)]


def modules(s):
    return [s.registers[name] for name in s.raw("modules")]


def lists(keys):
    return [[k] if isinstance(k, str) else list(k) for k in keys]


@op
def linear(s):
    weight = s.tensor("weight")
    made = torch.nn.Linear(weight.shape[1], weight.shape[0], bias=s.raw("bias") is not None)
    made.weight = torch.nn.Parameter(weight)
    if s.raw("bias") is not None:
        made.bias = torch.nn.Parameter(s.tensor("bias"))
    s.put(made)


@op
def function(s):
    s.put(Function(s.raw("fn")))


class Function(torch.nn.Module):
    """A module, as functions are no values that two registers could share."""

    def __init__(self, name):
        super().__init__()
        self.forward = FUNCTIONS[name]


def inplace(s):
    return {"inplace": s.raw("inplace")} if "inplace" in s.step else {}


@op
def module__(s):
    s.put(TensorDictModule(module(s, "inner"), in_keys=s.keys("in_keys"), out_keys=s.keys("out_keys"), **inplace(s)))


@op
def sequence(s):
    selected = {"selected_out_keys": s.keys("selected")} if s.raw("selected") else {}
    s.put(TensorDictSequential(*modules(s), partial_tolerant=s.raw("partial_tolerant", False), **selected, **inplace(s)))


@op
def run(s):
    out = {"tensordict_out": s.td("out")} if "out" in s.step else {}
    s.put(module(s)(s.td(), **out))


@op
def in_keys(s):
    s.put_list(lists(module(s).in_keys))


@op
def out_keys(s):
    s.put_list(lists(module(s).out_keys))


@op
def select_out_keys(s):
    module(s).select_out_keys(*s.keys())


@op
def reset_out_keys(s):
    module(s).reset_out_keys()


@op
def subsequence(s):
    asked = {name: s.keys(name) for name in ("in_keys", "out_keys") if name in s.step}
    s.put(module(s).select_subsequence(**asked))


@op
def from_module(s):
    s.put(TensorDict.from_module(module(s)))


@op
def from_modules(s):
    s.put(TensorDict.from_modules(*modules(s)))


@op
def run_with(s):
    with s.td("state").to_module(module(s)):
        if module(s)(s.td()) is not s.td():
            raise NotImplementedError("td_module_forward_with_state refuses modules that write into another dict")


@op
def swap(s):
    scope = s.td().to_module(module(s))
    scope.__enter__()
    s.scopes[s.raw("to")] = scope


@op
def vmap(s):
    template = module(s)

    def call(state, data):
        with state.to_module(template):
            return template(data.copy())

    s.put(torch.vmap(call, (0, s.raw("data_dim")))(s.td("states"), s.td()))


@op
def ensemble(s):
    """What the copies draw is replaced by numbers that both sides know."""
    made = EnsembleModule(module(s), num_copies=s.raw("copies"), expand_input=s.raw("expand_input"))
    for t in made.params_td.values(True, True):
        t.data.copy_((torch.arange(t.numel()) % 7 - 3).reshape(t.shape))
    s.put(made)
