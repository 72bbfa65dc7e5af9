#!/usr/bin/env python3
"""Measures the rows that stock tensordict has, by the names that the benchmark gives them.

usage: python_peer.py [--repetitions N] [TEXT...]

Prints {"peer": ...} and then {"row": ..., "ns": ...}, a line each; nothing where there is no tensordict.
"""

import argparse
import importlib.util
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
import warnings


def median_ns(call, repetitions, clock=time.thread_time_ns):
    """The median time of one call; as many calls a repetition as take 10 ms."""
    calls, took = 1, 0
    while True:
        start = clock()
        for _ in range(calls):
            call()
        took = clock() - start
        if took >= 10_000_000:
            break
        calls = max(calls * 2, int(calls * 11_000_000 / max(took, 1_000_000)))
    times = []
    for _ in range(repetitions):
        start = clock()
        for _ in range(calls):
            call()
        times.append((clock() - start) / calls)
    return statistics.median(times)


def dict_rows():
    leaf = torch.zeros(128, 4)
    names = ("observation", "action", "reward", "done", "value")
    td = TensorDict({name: leaf.clone() for name in names}, [128])
    yield "get, td_key", lambda: td.get("reward")
    yield "get, td_path", lambda: td.get("reward")
    yield "set, td_key", lambda: td.set("reward", leaf)
    yield "set, td_path", lambda: td.set("reward", leaf)
    wide = TensorDict({f"leaf_{i}": leaf for i in range(100)}, [128])
    yield "get, td_key, 100 keys", lambda: wide.get("leaf_50")
    yield "get, td_path, 100 keys", lambda: wide.get("leaf_50")
    nested = TensorDict({"next": {"agent": {"reward": leaf}}}, [128])
    path = ("next", "agent", "reward")
    yield "get, 3 levels, td_key", lambda: nested.get(path)
    yield "get, 3 levels, td_path", lambda: nested.get(path)


def of_leaves(n):
    return TensorDict({f"leaf_{i}": torch.randn(128, 4) for i in range(n)}, [128])


def op_rows():
    small, large = of_leaves(3), of_leaves(100)
    picked = torch.randint(0, 128, (64,))
    many = [of_leaves(3) for _ in range(32)]
    yield "td[64:], 3 leaves", lambda: small[64:]
    yield "td[64:], 100 leaves", lambda: large[64:]
    yield "td[64 rows], 3 leaves", lambda: small[picked]
    yield "stack 32 x 3 leaves", lambda: torch.stack(many, 0)
    yield "td + 1, 100 leaves", lambda: large + 1.0
    yield "clone, 100 leaves", lambda: large.clone()


def container_rows():
    def nested():
        leaves = {"a": torch.randn(128, 4), "b": torch.randn(128, 4), "n": {"c": torch.randn(128, 4)}}
        return TensorDict(leaves, [128])

    three, small, large = nested(), of_leaves(3), of_leaves(100)
    many = [of_leaves(3) for _ in range(32)]
    stack = lazy_stack(many)
    yield "copy, 3 leaves nested", three.copy
    yield "clone, 3 leaves nested", three.clone
    yield "td[:64], 3 leaves", lambda: small[:64]
    yield "td[:64], 100 leaves", lambda: large[:64]
    yield "reshape, 100 leaves", lambda: large.reshape(8, 16)
    yield "cat 32 x 3 leaves", lambda: torch.cat(many, 0)
    yield "keys of all leaves, 3 nested", lambda: list(three.keys(True, True))
    yield "flatten_keys, 3 leaves nested", three.flatten_keys
    yield "lazy_stack of 32", lambda: lazy_stack(many)
    yield "lazy get of 32", lambda: stack.get("leaf_0")
    yield "lazy index", lambda: stack[3]
    for n in (10, 100, 1000, 10000):
        td = of_leaves(n)
        key = f"leaf_{n // 2}"
        yield f"scaling: get, {n} leaves", lambda td=td, key=key: td.get(key)
        yield f"scaling: td[:64], {n} leaves", lambda td=td: td[:64]
        yield f"scaling: clone, {n} leaves", td.clone
    for depth in (1, 4, 16, 64):
        td = TensorDict({("node",) * (depth + 1): torch.randn(128, 4)}, [128])
        yield f"scaling: copy, depth {depth}", td.copy
    recorded = of_leaves(100).requires_grad_()
    eight = [of_leaves(100).requires_grad_() for _ in range(8)]
    yield "recorded: td[:64], 100 leaves", lambda: recorded[:64]
    yield "recorded: td + 1, 100 leaves", lambda: recorded + 1.0
    yield "recorded: stack 8 x 100 leaves", lambda: torch.stack(eight, 0)


def ensemble_rows():
    from tensordict.nn import TensorDictModule, TensorDictSequential
    from torch import nn

    def training_step(modules):
        states = TensorDict.from_modules(*modules)
        data, module = TensorDict({"x": torch.randn(256, 64)}, [256]), modules[0]
        adam = torch.optim.Adam(states.values(True, True))

        def one(state, data):
            with state.to_module(module, preserve_module_state=False):
                return module(data.copy())

        vmapped = torch.vmap(one, (0, None))

        def step():
            adam.zero_grad()
            vmapped(states, data)["y"].sum().backward()
            adam.step()

        return step

    def perceptron():
        layers = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
        return TensorDictModule(layers, ["x"], ["y"])

    ten = [TensorDictModule(lambda x: x + 1, [f"x{i}"], [f"x{i + 1}"]) for i in range(10)]
    sequence, scalar = TensorDictSequential(*ten), TensorDict({"x0": torch.randn(())}, [])
    yield "sequence of 10 one-op modules", lambda: sequence(scalar)
    modules = [perceptron() for _ in range(10)]
    yield "from_modules of 10", lambda modules=modules: TensorDict.from_modules(*modules)
    yield "ensemble of 10, training step", training_step(modules)

    for n in (8, 10):
        modules = [perceptron() for _ in range(n)]
        states = TensorDict.from_modules(*modules)
        data = TensorDict({"x": torch.randn(256, 64)}, [256])

        def one(state, data, module=modules[0]):
            with state.to_module(module):
                return module(data.copy())

        def forward(states=states, data=data, vmapped=torch.vmap(one, (0, None))):
            return vmapped(states, data)

        yield f"ensemble of {n}, forward", torch.no_grad()(forward)
        yield f"ensemble of {n}, forward, recorded", forward


def storage_rows(scratch):
    shared = "/dev/shm"
    for n in (10, 100, 1000):
        td = of_leaves(n)
        if os.path.isdir(shared):
            fresh = os.path.join(shared, f"td.bench.{os.getpid()}.create")
            there = os.path.join(scratch, f"td.bench.{os.getpid()}.{n}")

            def create(td=td, fresh=fresh):
                td.consolidate(filename=fresh)
                os.unlink(fresh)

            yield f"segment create, {n} leaves", create
            td.consolidate(filename=there)
            yield f"segment open, {n} leaves", lambda there=there: TensorDict.from_consolidated(there)
    directory = os.path.join(scratch, "memmap")
    of_leaves(100).memmap(directory)
    yield "memmap directory open, 100 leaves", lambda: TensorDict.load_memmap(directory)
    many = os.path.join(scratch, "memmap10000")
    of_leaves(10000).memmap(many)
    for threads in ("", ", all threads"):  # it has one
        yield "memmap directory open, 10000 leaves" + threads, lambda: TensorDict.load_memmap(many)
    hundred, fresh = of_leaves(100), os.path.join(scratch, "save")

    def save():
        hundred.memmap(fresh)
        shutil.rmtree(fresh)

    yield "memmap directory save, 100 leaves", save
    formats = {
        "consolidated": (lambda td, path: td.consolidate(filename=path), TensorDict.from_consolidated),
        "archive": (lambda td, path: td.save(path), TensorDict.load),
        "HDF5": (lambda td, path: td.to_h5(path).close(), lambda path: TensorDict.from_h5(path).close()),
    }
    for name, (write, read) in formats.items():
        if name == "HDF5" and not importlib.util.find_spec("h5py"):
            continue
        path = os.path.join(scratch, "data" + {"archive": ".tdz"}.get(name, ".td"))

        def save_file(td=hundred, write=write, path=path):
            write(td, path)
            os.unlink(path)

        yield f"{name} save, 100 leaves", save_file
        for n in (100, 10000):
            there = os.path.join(scratch, f"{n}.tdz" if name == "archive" else f"{n}.{name}")

            def open_file(n=n, write=write, read=read, there=there):
                if not os.path.exists(there):  # the first time, which is not measured
                    write(of_leaves(n), there)
                read(there)

            yield f"{name} open, {n} leaves", open_file


def answer(questions, answers):
    while questions.get() is not None:
        answers.put(0)


def channel_rows():
    """A tensor in shared memory handed to a process that answers, as torch.multiprocessing does it."""
    import torch.multiprocessing as mp

    context = mp.get_context("fork")
    for name, size in (("1 KiB", 1 << 10), ("1 MiB", 1 << 20), ("16 MiB", 1 << 24), ("256 MiB", 1 << 28)):
        questions, answers = context.SimpleQueue(), context.SimpleQueue()
        peer = context.Process(target=answer, args=(questions, answers), daemon=True)
        peer.start()
        shared = torch.zeros(size, dtype=torch.uint8).share_memory_()

        def round_trip(questions=questions, answers=answers, shared=shared):
            questions.put(shared)
            answers.get()

        yield f"channel round trip, {name}", round_trip
        questions.put(None)
        peer.join()


def query_rows():
    if not importlib.util.find_spec("torchrl"):
        return
    from torchrl.data import QueryModule, SipHash

    for size in (16, 64, 256):
        data = TensorDict({"row": torch.randint(0, 256, (100000, size), dtype=torch.uint8)}, [100000])

        def index(data=data):
            QueryModule(in_keys=["row"], index_key="_index", hash_module=SipHash())(data, extend=True)

        yield f"query, 100000 rows of {size} B", index
    for size in (16, 64, 1024):
        rows = torch.randint(0, 256, (262144 // size, size), dtype=torch.uint8)
        yield f"siphash, {262144 // size} rows of {size} B", lambda rows=rows: SipHash()(rows)

    million = 1_000_000
    columns = {name: torch.randint(0, 1 << 30, (million, 2)) for name in ("a", "b")}
    query = QueryModule(in_keys=["a", "b"], index_key="_index", hash_module=SipHash())
    query(TensorDict(columns, [million]))
    for n, name in ((100000, "100000 rows"), (1, "1 row")):
        chosen = torch.randint(0, million, (n,))
        asked = TensorDict({k: v[chosen] for k, v in columns.items()}, [n])
        yield f"query, 2 keys, {name}, 1e6 entries", lambda asked=asked: query(asked)
    for n in (1000, 100000, million):
        data = TensorDict({"a": torch.randint(-(2**63), 2**63 - 1, (n,))}, [n])

        def grow(data=data):
            QueryModule(in_keys=["a"], index_key="_index", hash_module=SipHash())(data, extend=True)

        yield f"query, {n} new rows of 8 B", grow


def dist_rows():
    loc, scale, x = torch.randn(1000), torch.full((1000,), 1.5), torch.randn(1000)
    for validate, suffix in ((False, ""), (True, ", validated")):
        dist = torch.distributions.Normal(loc, scale, validate_args=validate)

        def draw(dist=dist):
            return dist.log_prob(x), dist.rsample()

        yield "Normal log_prob + rsample, 1000 elements" + suffix, draw


def hook_rows():
    def layer():
        return torch.nn.Linear(64, 64), torch.randn(32, 64, requires_grad=True), torch.ones(32, 64)

    net, x, ones = layer()
    net.register_forward_pre_hook(lambda module, args: None)
    net.register_forward_hook(lambda module, args, out: None)
    fixed = x.detach()
    yield "linear, 32 x 64, hooks before and after", lambda net=net, fixed=fixed: net(fixed)
    net, x, ones = layer()
    net.register_full_backward_pre_hook(lambda module, grads: None)
    net.register_full_backward_hook(lambda module, grad_in, grad_out: None)
    yield ("linear, 32 x 64, with its backward pass and hooks of it",
           lambda net=net, x=x, ones=ones: net(x).backward(ones))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("wanted", nargs="*")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    print(json.dumps({"peer": f"tensordict {tensordict.__version__} on torch {torch.__version__}"}), flush=True)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as scratch:
        every = (dict_rows(), op_rows(), container_rows(), ensemble_rows(), storage_rows(scratch), channel_rows(), query_rows(), dist_rows(),
                 hook_rows())
        for rows in every:
            for name, call in rows:
                if options.wanted and not any(text in name for text in options.wanted):
                    continue
                # One call of the slowest rows takes longer than all repetitions of the others.
                once = time.perf_counter()
                call()
                slow = time.perf_counter() - once > 0.2
                on_the_wall = name.startswith("channel round trip") or name.endswith("all threads")
                clock = time.perf_counter_ns if on_the_wall else time.thread_time_ns
                ns = median_ns(call, 3 if slow else options.repetitions, clock)
                print(json.dumps({"row": name, "ns": round(ns, 2)}), flush=True)


if __name__ == "__main__":
    if not importlib.util.find_spec("tensordict"):
        sys.exit()
    import tensordict
    import torch
    from tensordict import TensorDict, lazy_stack

    main()
