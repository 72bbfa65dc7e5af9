"""Scopes: a step begins one, later steps work inside, a step ends it."""

from operations.table import op
from stock_values import BadProgram


def begin(s, made):
    s.put(made.__enter__())
    s.scopes[s.raw("to")] = s.registers[s.raw("to")]


@op
def scope_unlock(s):
    begin(s, s.td().unlock_())


@op
def scope_flatten_keys(s):
    begin(s, s.td().flatten_keys(s.raw("separator")))


@op
def scope_unflatten_keys(s):
    begin(s, s.td().unflatten_keys(s.raw("separator")))


@op
def scope_view(s):
    begin(s, s.td().view(*s.raw("sizes")))


@op
def scope_flatten(s):
    begin(s, s.td().flatten(s.raw("start"), s.raw("end")))


@op
def scope_unflatten(s):
    begin(s, s.td().unflatten(s.raw("dim"), s.raw("sizes")))


@op
def scope_squeeze(s):
    begin(s, s.td().squeeze(s.raw("dim")))


@op
def scope_unsqueeze(s):
    begin(s, s.td().unsqueeze(s.raw("dim")))


@op
def scope_permute(s):
    begin(s, s.td().permute(*s.raw("dims")))


@op
def scope_transpose(s):
    begin(s, s.td().transpose(s.raw("dim0"), s.raw("dim1")))


@op
def scope_movedim(s):
    begin(s, s.td().movedim(s.raw("source"), s.raw("destination")))


@op
def scope_flip(s):
    begin(s, s.td().flip(s.raw("dims")))


@op
def scope_roll(s):
    begin(s, s.td().roll(s.raw("shifts"), s.raw("dims")))


@op
def scope_end(s):
    if s.raw("scope") not in s.scopes:
        raise BadProgram("no such scope")
    s.scopes[s.raw("scope")].__exit__(None, None, None)
