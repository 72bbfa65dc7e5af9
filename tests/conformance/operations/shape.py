"""Other shapes of the batch dims."""

import torch

from operations.table import method, op, with_list

with_list("view", "sizes")
with_list("reshape", "sizes")
with_list("expand", "sizes")
with_list("permute", "dims")
with_list("repeat", "repeats")


@op
def expand_as(s):
    s.put(s.td().expand_as(s.td("other")))


method("flatten", "start", "end")
method("unflatten", "dim", "sizes")
method("squeeze", optional=("dim",))
method("unsqueeze", "dim")
method("transpose", "dim0", "dim1")
method("movedim", "source", "destination")
method("narrow", "dim", "start", "length")
method("split", "size", "dim")
method("chunk", "chunks", "dim")
method("tensor_split", "sections", "dim")
method("unbind", "dim")
method("contiguous")


@op
def tile(s):
    s.put(s.td().tile(s.raw("repeats")))


@op
def repeat_interleave(s):
    n = s.raw("repeats")
    s.put(s.td().repeat_interleave(torch.tensor(n) if isinstance(n, list) else n, dim=s.raw("dim")))


@op
def flip(s):
    s.put(s.td().flip(s.raw("dims")))


@op
def roll(s):
    s.put(s.td().roll(s.raw("shifts"), s.raw("dims")))


@op
def rot90(s):
    s.put(s.td().rot90(s.raw("times"), [s.raw("dim0"), s.raw("dim1")]))
