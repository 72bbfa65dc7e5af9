"""Making, reading and changing entries."""

import tensordict
from tensordict import NonTensorData, TensorDict, UnbatchedTensor
from tensordict.base import _is_tensor_collection

from operations.table import method, op
from stock_values import BadProgram, is_td


@op
def new(s):
    s.put(TensorDict({}, s.raw("batch"), device=s.raw("device"), names=s.raw("names")))


@op
def build(s):
    batch = s.raw("batch")
    items = {}
    for key, value in s.raw("items"):
        items[s.as_key(key) if isinstance(key, str) or len(key) > 1 else key[0]] = s.as_value(value, batch, max(len(batch), 1))
    s.put(TensorDict(items, batch))


@op
def fromkeys(s):
    s.put(TensorDict.fromkeys(s.keys(), s.value()))


@op
def merge(s):
    s.put(tensordict.merge_tensordicts(*s.tds()))


@op
def replace(s):
    s.put(s.td().replace(s.td("src")))


@op
def set_unbatched(s):
    s.td().set(s.key(), UnbatchedTensor(s.tensor()))


@op
def popitem(s):
    """The value that comes out; the rest shows which key it had."""
    s.put(s.td().popitem()[1])


@op
def tensor(s):
    s.put(s.tensor())


@op
def release(s):
    del s.registers[s.raw("what")]


@op
def get(s):
    td, key = s.td(), s.key()
    td[key]  # raises when it is missing, where get gives None
    s.put(td.get(key))


@op
def get_at(s):
    td, key = s.td(), s.key()
    td[key]
    s.put(td.get_at(key, s.index()))


@op
def has(s):
    s.put(s.key() in s.td())


@op
def keys(s):
    flags = set(s.raw("flags", []))
    leaf = {}
    if "data" in flags:
        leaf["is_leaf"] = lambda cls: not _is_tensor_collection(cls) or tensordict.base._is_non_tensor(cls)
    nested, leaves, ordered = "nested" in flags, "leaves" in flags, "sorted" in flags
    td = s.td()
    if "children_first" in flags or not nested:
        found = td.keys(nested, leaves, sort=ordered, **leaf)
    else:
        found = [k for k, _ in td.items(nested, leaves, sort=ordered, **leaf)]
    s.put_list([k] if isinstance(k, str) else list(k) for k in found)


@op
def len__(s):
    s.put(len(s.td()))


method("numel")
method("is_empty")
method("is_contiguous")


@op
def is_locked(s):
    s.put(s.td().is_locked)


@op
def count(s):
    s.put(len(s.td().keys()))


@op
def nbytes(s):
    s.put(s.td().bytes())


@op
def repr__(s):
    s.put(str(s.td()))


@op
def same(s):
    s.put(s.td("a") is s.td("b"))


@op
def set__(s):
    td, value = s.td(), s.raw("value")
    if isinstance(value, dict) and "stack" in value:
        check_stack(td, s.key(), value["stack"])
    td.set(s.key(), s.as_value(value, td.batch_size))


def check_stack(td, key, lists):
    """The library is told how many values there are, not their shape, which has to be the batch size."""
    for part in key[:-1] if isinstance(key, tuple) else ():
        child = td._get_str(part, None)
        if not is_td(child):
            break
        td = child
    shape = []
    while isinstance(lists, list) and lists:
        shape.append(len(lists))
        lists = lists[0]
    if shape != list(td.batch_size):
        raise BadProgram("the lists of a stack have another shape than the batch")


@op
def set_(s):
    s.td().set_(s.key(), s.value())


@op
def set_at_(s):
    s.td().set_at_(s.key(), s.value(), s.index())


@op
def set_item(s):
    s.td()[s.index()] = s.value()


@op
def set_data(s):
    s.td().set_non_tensor(s.key(), s.raw("value"))


@op
def set_data_(s):
    """Written in place by stock, also into the same object in other dicts."""
    s.td().set_(s.key(), NonTensorData(s.raw("value")))


@op
def delete(s):
    del s.td()[s.key()]


@op
def pop(s):
    s.put(s.td().pop(s.key()))


method("clear")


@op
def create_nested(s):
    s.td().create_nested(s.key())


@op
def update(s):
    s.td().update(s.td("src"), clone=s.raw("clone", False), inplace=s.raw("inplace", False))


@op
def update_(s):
    s.td().update_(s.td("src"))


@op
def fill_(s):
    s.td().fill_(s.key(), s.raw("value"))


@op
def zero_(s):
    s.td().zero_()


@op
def write(s):
    """Writes a number over every element of a register, tensor or td: who else sees it?"""
    target = s.td()
    if not is_td(target):
        target.fill_(s.raw("value"))
    for t in target.values(True, True) if is_td(target) else ():
        t.fill_(s.raw("value"))


@op
def lock(s):
    s.td().lock_()


@op
def unlock(s):
    s.td().unlock_()
