"""Indexing, joining and selecting rows."""

import tensordict
import torch
from tensordict.utils import expand_as_right, expand_right, isin, remove_duplicates

from operations.table import op


@op
def index(s):
    s.put(s.td()[s.index()])


@op
def stack(s):
    s.put(torch.stack(s.tds(), s.raw("dim", 0)))


@op
def cat(s):
    s.put(torch.cat(s.tds(), s.raw("dim", 0)))


@op
def stack_into(s):
    torch.stack(s.tds(), s.raw("dim", 0), out=s.td("target"))


@op
def cat_into(s):
    torch.cat(s.tds(), s.raw("dim", 0), out=s.td("target"))


@op
def pad(s):
    s.put(tensordict.pad(s.td(), s.raw("pairs"), value=s.raw("value", 0.0)))


@op
def pad_sequence(s):
    mask = s.raw("mask_key")
    padded = tensordict.pad_sequence(
        s.tds(),
        pad_dim=s.raw("pad_dim", 0),
        padding_value=s.raw("value", 0.0),
        return_mask=s.as_key(mask) if mask else False,
    )
    # Its keys come out of a hash set; ours in the order of the first dict.
    for td, like in ((padded, s.tds()[0]), (padded.get(s.as_key(mask)) if mask else None, s.tds()[0])):
        for key in like.keys() if td is not None else ():
            if key in td.keys():
                td.set(key, td.pop(key))
    if mask:
        padded.set(s.as_key(mask), padded.pop(s.as_key(mask)))
    s.put(padded)


@op
def gather(s):
    s.put(s.td().gather(s.raw("dim"), s.tensor("index")))


@op
def masked_select(s):
    s.put(s.td().masked_select(s.tensor("mask")))


@op
def masked_fill(s):
    s.put(s.td().masked_fill(s.tensor("mask"), s.raw("value")))


@op
def masked_fill_(s):
    s.td().masked_fill_(s.tensor("mask"), s.raw("value"))


@op
def where(s):
    pad = {"pad": s.raw("pad")} if "pad" in s.step else {}
    s.put(s.td().where(s.tensor("condition"), s.td("other"), **pad))


@op
def is_in(s):
    s.put(isin(s.td(), s.td("reference"), s.key(), dim=s.raw("dim", 0)))


@op
def unique(s):
    s.put(remove_duplicates(s.td(), s.key(), dim=s.raw("dim", 0), return_indices=True))


@op
def expand_right__(s):
    s.put(expand_right(s.tensor(), s.raw("shape")))


@op
def expand_as_right__(s):
    s.put(expand_as_right(s.tensor(), s.tensor("other")))
