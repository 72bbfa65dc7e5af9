"""Indexing, joining and selecting rows."""

import tensordict
import torch
from tensordict.utils import expand_as_right, expand_right, isin, remove_duplicates

from operations.table import op
from stock_values import is_persistent, is_td


@op
def index(s):
    if is_persistent(s.td()):
        raise NotImplementedError("a view that writes through, which we do not have: see td[index] in README.md")
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
def group_by(s):
    values, groups = tensordict.group_by(s.td(), s.key())
    if isinstance(values, torch.Tensor):
        s.registers[f"{s.step['to']}.values"] = values
    else:  # tuples stand for lists there
        s.registers[f"{s.step['to']}.values"] = as_lists(values)
    s.put(groups)


def as_lists(value):
    return [as_lists(v) for v in value] if isinstance(value, (list, tuple)) else value


@op
def unpad_sequence(s):
    mask = s.tensor("mask") if "mask" in s.step else s.td("masks") if "masks" in s.step else None
    padded = s.td()
    made = tensordict.unpad_sequence(padded, mask, pad_dim=s.raw("pad_dim", 0))
    # What was cut comes last there; here it keeps its place.
    s.put(tensordict.lazy_stack([in_order(sample, padded) for sample in made.tensordicts], 0) if len(made) else made)


def in_order(sample, like):
    made = sample.empty()
    for key in like.keys():
        if key in sample.keys():
            entry = sample.get(key)
            made.set(key, in_order(entry, like.get(key)) if is_td(entry) else entry)
    return made


@op
def pack(s):
    """With the layout of `like`, if that is given; `made` is what the layout makes of the result again."""
    dim = s.raw("dim", -1)
    layout = s.td("like").pack(dim)[1] if "like" in s.step else None
    flat, made = s.td().pack(dim, layout=layout)
    s.registers[f"{s.step['to']}.flat"] = flat
    s.registers[f"{s.step['to']}.layout"] = repr(made)
    s.registers[f"{s.step['to']}.made"] = made.unpack(flat)


@op
def unpack(s):
    s.put(s.td().pack(s.raw("dim", -1))[1].unpack(s.tensor()))


@op
def from_schema(s):
    schema = {s.as_key(key): (shape, getattr(torch, dtype)) for key, dtype, shape in s.raw("schema")}
    s.put(tensordict.TensorDict.from_schema(schema, batch_size=s.raw("batch"), storage=s.raw("storage")))


@op
def expand_right__(s):
    s.put(expand_right(s.tensor(), s.raw("shape")))


@op
def expand_as_right__(s):
    s.put(expand_as_right(s.tensor(), s.tensor("other")))
