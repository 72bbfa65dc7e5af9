"""The library takes part in groups that Python's torch.distributed has made in the same process."""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
    import torch.distributed as dist
    from tensordict import TensorDict
except ImportError as missing:
    print(f"skipped: {missing}; install it with `pip install tensordict`")
    sys.exit(0)

PEER = pathlib.Path(os.environ.get("TD_TEST_PROGRAMS", "build/tests/programs"), "group_peer")
LIBRARY = PEER.parent.parent.parent / "libtensordict.so"
BUILD = json.loads(subprocess.run([PEER, "version"], check=True, capture_output=True, text=True).stdout)
SAME_TORCH = BUILD["libtorch"].split(".")[:2] == torch.__version__.split(".")[:2]


class Str(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]

    def __init__(self, text):
        super().__init__(text.encode(), len(text.encode()))


class Library:
    """Each call raises what the library refuses; `made` returns the object that a function makes."""

    def __init__(self):
        self.c = ctypes.CDLL(LIBRARY)
        for name in ("td_error_message", "td_string_view", "td_status_name"):
            getattr(self.c, name).restype = Str
        for name in ("td_dict_release", "td_group_release"):
            getattr(self.c, name).restype = None

    def __getattr__(self, name):
        def call(*arguments):
            error = ctypes.c_void_p()
            function = getattr(self.c, name)
            if status := function(*arguments, ctypes.byref(error)):
                text = self.c.td_error_message(error).data.decode()
                raise RuntimeError(f"{self.c.td_status_name(status).data.decode()}: {text}")

        return call

    def made(self, name, *arguments):
        out = ctypes.c_void_p()
        getattr(self, name)(*arguments, ctypes.byref(out))
        return out

    def dict_of(self, td):
        with tempfile.TemporaryDirectory() as directory:
            td.memmap(f"{directory}/td")
            opened = self.made("td_open", Str(f"{directory}/td"), None)
            made = self.made("td_dict_clone", opened)
            self.c.td_dict_release(opened)
            return made

    def python_of(self, handle):
        with tempfile.TemporaryDirectory() as directory:
            self.td_save(handle, Str(f"{directory}/td"), None)
            return TensorDict.load_memmap(f"{directory}/td").clone()


def numbers(value):
    return TensorDict({"a": torch.full((3,), float(value)), "n": {"b": torch.tensor([value])}}, [])


def expect(td, value):
    assert (td == numbers(value)).all(), td


def all_adopt(td, rank, group):
    """Both ranks are this library; Python's own calls come in between."""
    joined = td.made("td_group_adopt", Str(group.group_name), 0)
    assert td.c.td_group_rank(joined) == rank and td.c.td_group_size(joined) == 2
    mine = td.dict_of(numbers(rank + 1))
    copy = td.made("td_dict_clone", mine)
    td.td_dict_all_reduce(copy, joined, None)
    expect(td.python_of(copy), 3)
    total = torch.tensor([rank + 1])
    dist.all_reduce(total, group=group)
    assert total.item() == 3
    if rank == 0:
        td.td_dict_send(mine, joined, 1, None)
        td.td_dict_init_remote(copy, joined, 1)
        td.td_group_set(joined, Str("said"), Str("hello"))
    else:
        td.td_dict_recv(mine, joined, 0, None)
        expect(td.python_of(mine), 1)
        expect(td.python_of(td.made("td_dict_from_remote_init", joined, 0)), 3)
        text = td.made("td_group_get", joined, Str("said"), ctypes.c_int64(20000), None)
        assert td.c.td_string_view(text).data == b"hello"
        assert dist.distributed_c10d._get_process_group_store(group).get("said") == b"hello"
    td.td_group_barrier(joined)
    # What does not fit is refused on both sides before the engine sees it, and the group goes on.
    other = td.dict_of(TensorDict({"a": torch.zeros(3 + rank)}, []))
    try:
        td.td_dict_all_reduce(other, joined, None)
        raise AssertionError("ranks with different structures have reduced")
    except RuntimeError as refused:
        assert str(refused).startswith("TD_ERR_SHAPE"), refused
    td.td_group_barrier(joined)
    td.c.td_group_release(joined)


def beside_stock(td, rank, group):
    """Rank 0 is this library, rank 1 stock Python."""
    if rank == 0:
        joined = td.made("td_group_adopt", Str(group.group_name), 1)
        td.td_dict_init_remote(td.dict_of(numbers(5)), joined, 1)
        expect(td.python_of(td.made("td_dict_from_remote_init", joined, 1)), 6)
        mine = td.dict_of(numbers(7))
        td.td_dict_all_reduce(mine, joined, None)
        expect(td.python_of(mine), 15)
        td.c.td_group_release(joined)
    else:
        expect(TensorDict.from_remote_init(0), 5)
        numbers(6).init_remote(0)
        mine = numbers(8)
        mine.all_reduce()
        expect(mine, 15)


def refused(td, rank, group):
    try:
        td.made("td_group_adopt", Str("nobody"), 1)
        raise AssertionError("a group was adopted that nobody has made")
    except RuntimeError as e:
        assert str(e).startswith("TD_ERR_NOT_FOUND: this process has no group"), e
    dist.barrier(group=group)


def be_rank(what, rank, directory):
    dist.init_process_group("gloo", init_method=f"file://{directory}/meet", rank=rank, world_size=2)
    library = Library()
    for group in (dist.group.WORLD, dist.new_group([0, 1])):
        what(library, rank, group)
        if what is beside_stock:
            break  # its counterpart speaks in the default group
    dist.destroy_process_group()


@unittest.skipUnless(SAME_TORCH, "Python and the library have different LibTorchs")
class Adopt(unittest.TestCase):
    def run_ranks(self, what):
        with tempfile.TemporaryDirectory() as directory:
            ranks = [
                subprocess.Popen(
                    [sys.executable, __file__, "rank", what, str(rank), directory],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                for rank in range(2)
            ]
            said = [rank.communicate(timeout=120)[0] for rank in ranks]
            self.assertEqual([rank.returncode for rank in ranks], [0, 0], "\n".join(said))

    def test_all_ranks_adopt_a_group(self):
        self.run_ranks("all_adopt")

    def test_one_adopts_it_beside_stock_python(self):
        self.run_ranks("beside_stock")

    def test_a_name_of_no_group_is_refused(self):
        self.run_ranks("refused")


if __name__ == "__main__":
    if sys.argv[1:2] == ["rank"]:
        be_rank(globals()[sys.argv[2]], int(sys.argv[3]), sys.argv[4])
    else:
        unittest.main()
