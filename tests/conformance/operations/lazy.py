"""Lazy stacks and parameters."""

import tensordict
import torch
from tensordict import LazyStackedTensorDict, TensorDict, TensorDictParams

from operations.table import op


@op
def lazy_stack(s):
    s.put(LazyStackedTensorDict.lazy_stack(s.tds(), s.raw("dim", 0)))


@op
def maybe_dense_stack(s):
    s.put(TensorDict.maybe_dense_stack(s.tds(), s.raw("dim", 0)))


@op
def lazy_new(s):
    s.put(LazyStackedTensorDict(stack_dim=s.raw("dim", 0), batch_size=s.raw("element")))


@op
def to_lazy_stack(s):
    s.put(s.td().to_lazystack(s.raw("dim", 0)))


@op
def member(s):
    s.put(s.td().tensordicts[s.raw("at")])


@op
def append(s):
    s.td().append(s.td("value"))


@op
def insert(s):
    td = s.td()
    for i, one in enumerate(s.tds()):
        td.insert(s.raw("at") + i, one)


@op
def get_list(s):
    td, key = s.td(), s.key()
    found = td.get(key, default=tensordict.base.NO_DEFAULT, as_list=True)
    s.put(list(found))


@op
def set_list(s):
    s.td().set(s.key(), [s.as_tensor(v) for v in s.raw("values")])


@op
def get_padded(s):
    side = "left" if s.raw("left") else "right"
    keywords = {"padding_value": s.raw("padding", 0.0), "padding_side": side}
    s.put(s.td().get(s.key(), default=tensordict.base.NO_DEFAULT, as_padded_tensor=True, **keywords))


@op
def get_jagged(s):
    """As values and offsets, which are all that a jagged nested tensor holds."""
    td, key = s.td(), s.key()
    found = td.get(key, default=tensordict.base.NO_DEFAULT, as_nested_tensor=True, layout=torch.jagged)
    s.put([found.values(), found.offsets()])


@op
def entry_shape(s):
    s.put_list(s.td().get_item_shape(s.key()))


@op
def params(s):
    s.put(TensorDictParams(s.td(), no_convert=s.raw("no_convert", False), lock=s.raw("lock", False)))


@op
def parameter_names(s):
    s.put_list(name for name, _ in s.td().named_parameters())


@op
def count_parameters(s):
    s.put(s.td().param_count(count_duplicates=s.raw("duplicates")))


@op
def buffer_names(s):
    s.put_list(name for name, _ in s.td().named_buffers())
