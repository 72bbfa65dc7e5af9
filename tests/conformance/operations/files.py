"""Dicts in HDF5 files."""

from tensordict import PersistentTensorDict

from operations.table import op


@op
def to_h5(s):
    s.put(PersistentTensorDict.from_dict(s.td(), s.new_file()))


@op
def new_h5(s):
    s.put(PersistentTensorDict(filename=s.new_file(), batch_size=s.raw("batch"), mode="w"))
