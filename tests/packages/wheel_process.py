"""usage: wheel_process.py DIRECTORY
What tests/packages/wheel runs where the wheel is installed: stock tensordict, torch and the library in one process."""
import ctypes
import pathlib
import sys

import libtensordict

if "torch" in sys.modules:
    sys.exit("importing libtensordict imports torch")
library = libtensordict.load()
if libtensordict.load() is not library:
    sys.exit("a second load() gives another library")

import torch
from tensordict import TensorDict

python = ctypes.pythonapi
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_New.restype = ctypes.py_object


class Str(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]

    def __init__(self, text):
        super().__init__(text.encode(), len(text.encode()))


class Key(ctypes.Structure):
    _fields_ = [("parts", ctypes.POINTER(Str)), ("n", ctypes.c_size_t)]


library.td_error_message.argtypes = [ctypes.c_void_p]
library.td_error_message.restype = Str
for name in ("td_dict_release", "td_tensor_release"):
    getattr(library, name).argtypes = [ctypes.c_void_p]
    getattr(library, name).restype = None
library.td_save.argtypes = [ctypes.c_void_p, Str, ctypes.c_void_p, ctypes.c_void_p]
library.td_open.argtypes = [Str, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]


def call(function, *arguments):
    error = ctypes.c_void_p()
    if function(*arguments, ctypes.byref(error)):
        sys.exit(f"{function.__name__}: {library.td_error_message(error).data.decode()}")


def made(function, *arguments):
    out = ctypes.c_void_p()
    call(function, *arguments, ctypes.byref(out))
    return out


def key(*parts):
    return ctypes.byref(Key((Str * len(parts))(*map(Str, parts)), len(parts)))


def to_library(tensor):
    capsule = tensor.__dlpack__()
    managed = python.PyCapsule_GetPointer(ctypes.py_object(capsule), b"dltensor")
    python.PyCapsule_SetName(ctypes.py_object(capsule), b"used_dltensor")
    return made(library.td_tensor_from_dlpack_unversioned, ctypes.c_void_p(managed))


def to_torch(tensor):
    managed = made(library.td_tensor_to_dlpack_unversioned, tensor)
    return torch.from_dlpack(python.PyCapsule_New(managed, b"dltensor", None))


def main(directory):
    # From torch into a dict of the library, and back: the memory stays where it is.
    obs = torch.arange(12.0).reshape(3, 4)
    td = made(library.td_dict_new, (ctypes.c_int64 * 1)(3), 1, None)
    value = to_library(obs)
    call(library.td_dict_set, td, key("next", "obs"), value)
    obs[2, 3] = -7
    same = made(library.td_dict_get, td, key("next", "obs"))
    assert to_torch(same).data_ptr() == obs.data_ptr(), "the tensor was copied"

    # What the library saves, stock Python reads.
    call(library.td_save, td, Str(f"{directory}/ours"), None)
    ours = TensorDict.load_memmap(f"{directory}/ours")
    assert ours.batch_size == torch.Size([3]) and torch.equal(ours["next", "obs"], obs), ours
    # And the other way.
    TensorDict({"a": {"b": torch.ones(2, 5, dtype=torch.int32)}}, batch_size=[2]).memmap(f"{directory}/theirs")
    theirs = made(library.td_open, Str(f"{directory}/theirs"), None)
    read = made(library.td_dict_get, theirs, key("a", "b"))
    assert int(to_torch(made(library.td_tensor_clone, read)).sum()) == 10

    for tensor in (value, same, read):
        library.td_tensor_release(tensor)
    for one in (td, theirs):
        library.td_dict_release(one)
    maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
    mapped = {line.split()[-1] for line in maps if "libtorch_cpu" in line}
    assert len(mapped) == 1, f"two LibTorch in one process: {mapped}"
    print(f"libtensordict {libtensordict.__version__} and tensordict share one LibTorch: {mapped.pop()}")


main(sys.argv[1])
