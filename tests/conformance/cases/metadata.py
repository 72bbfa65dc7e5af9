"""Batch sizes, names of dims and locks, and how every operation hands them on."""

from cases import Cases, d, do, f, ints, mask, one, scalar, tensor

CASES = Cases()
tree = [d("n", [2, 3, 1], b=f(2, 3, 1)), d("x", [2, 3], a=f(2, 3), n="n", s=one("hi"))]
named = [*tree, do("set_names", td="x", names=["p", "q"])]
locked = [*tree, do("lock", td="x")]

# ---- Batch size ----
for batch in ([], [2], [2, 3], [3], [2, 3, 4], [2, 3, 2], [0], [2, 1]):
    word = "_".join(map(str, batch)) or "none"
    CASES(f"batch_size_{word}", *tree, do("set_batch_size", td="x", batch=batch))
    CASES(f"batch_size_named_{word}", *named, do("set_batch_size", td="x", batch=batch))
CASES(
    "batch_size_grows_nodes",
    d("n", [2], b=f(2, 3)),
    d("x", [2], a=f(2, 3), n="n"),
    do("set_batch_size", td="x", batch=[2, 3]),
)
CASES(
    "batch_size_fails_late",
    d("n", [2], b=f(2, 3)),
    d("x", [2], n="n", a=f(2)),
    do("set_batch_size", td="x", batch=[2, 3]),
)
for limit in (None, 0, 1, 2):
    CASES(
        f"auto_batch_size_{limit}",
        d("n", [], b=f(2, 3, 5)),
        d("x", [], a=f(2, 3, 4), n="n"),
        do("auto_batch_size", td="x", limit=limit),
    )
CASES("auto_batch_size_of_scalars", d("x", [], a=scalar(1)), do("auto_batch_size", td="x", limit=None))
CASES("auto_batch_size_shrinks", d("x", [], a=f(2, 3), b=f(3)), do("auto_batch_size", td="x", limit=None))
CASES(
    "auto_batch_size_empty_node_first",
    do("new", batch=[], to="e"),
    d("x", [], e="e", a=f(2, 3)),
    do("auto_batch_size", td="x", limit=None),
    diverges="an empty node in `auto_batch_size_`",
    ours=None,
)

# ---- Names ----
CASES("names", *named)
CASES("names_off", *named, do("set_names", td="x", names=None))
CASES("names_partly", *tree, do("set_names", td="x", names=[None, "q"]))
CASES("names_too_few", *tree, do("set_names", td="x", names=["p"]))
CASES("names_twice", *tree, do("set_names", td="x", names=["p", "p"]))
CASES("names_of_locked", *locked, do("set_names", td="x", names=["p", "q"]))
CASES("refine", *tree, do("set_names", td="x", names=["p", None]), do("refine_names", td="x", names=["p", "q"]))
CASES("refine_conflict", *named, do("refine_names", td="x", names=["r", "q"]))
CASES(
    "refine_with_none", *tree, do("set_names", td="x", names=["p", None]), do("refine_names", td="x", names=[None, "q"])
)
CASES("rename_one", *named, do("rename_names", td="x", map={"p": "r"}))
CASES("rename_unknown", *named, do("rename_names", td="x", map={"zz": "r"}))
CASES("rename_swap", *named, do("rename_names", td="x", map={"p": "q", "q": "p"}))
CASES(
    "named_into_named",
    *named,
    d("m", [2, 3], b=f(2, 3)),
    do("set_names", td="m", names=["p", "q"]),
    do("set", td="x", key="m", value="m"),
)
CASES(
    "named_into_unnamed",
    *tree,
    d("m", [2, 3], b=f(2, 3)),
    do("set_names", td="m", names=["p", "q"]),
    do("set", td="x", key="m", value="m"),
)
CASES(
    "named_into_partly_named",
    *tree,
    do("set_names", td="x", names=["p", None]),
    d("m", [2, 3], b=f(2, 3)),
    do("set_names", td="m", names=[None, "q"]),
    do("set", td="x", key="m", value="m"),
)
CASES("unnamed_into_named", *named, d("m", [2, 3], b=f(2, 3)), do("set", td="x", key="m", value="m"))
CASES("new_node_of_named", *named, do("set", td="x", key=["m", "a"], value=f(2, 3)))
CASES("squeeze_of_all_ones_named", do("new", batch=[1, 1], names=["p", "q"], to="x"), do("squeeze", td="x", to="y"))

# ---- Locks ----
CASES("lock", *tree, do("lock", td="x"))
CASES("lock_twice", *locked, do("lock", td="x"), do("unlock", td="x"))
CASES("unlock", *locked, do("unlock", td="x"))
CASES("unlock_never_locked", *tree, do("unlock", td="x"))
CASES("unlock_child", *locked, do("unlock", td="n"))
CASES(
    "locked_child_of_unlocked",
    *tree,
    do("lock", td="n"),
    do("set", td="x", key="q", value=f(2, 3)),
    do("set", td="x", key=["n", "q"], value=f(2, 3, 1)),
)
CASES("unlock_child_after_root", *locked, do("unlock", td="x"), do("unlock", td="n"))
CASES("new_node_in_unlocked_stays_locked", *tree, do("lock", td="n"), do("unlock", td="x"))
CASES("write_to_locked", *locked, do("write", td="x", value=3))

# ---- What operations make of names and locks ----
EACH = {
    "copy": {},
    "clone": {},
    "detach": {},
    "contiguous": {},
    "empty": {"recurse": True},
    "select": {"keys": ["a"]},
    "exclude": {"keys": ["a"]},
    "flatten_keys": {},
    "view": {"sizes": [6]},
    "reshape": {"sizes": [3, 2]},
    "flatten": {"start": 0, "end": 1},
    "unflatten": {"dim": 1, "sizes": [3, 1]},
    "unsqueeze": {"dim": 1},
    "expand": {"sizes": [4, 2, 3]},
    "permute": {"dims": [1, 0]},
    "transpose": {"dim0": 0, "dim1": 1},
    "movedim": {"source": 0, "destination": 1},
    "narrow": {"dim": 1, "start": 1, "length": 2},
    "split": {"size": 2, "dim": 1},
    "chunk": {"chunks": 2, "dim": 0},
    "tensor_split": {"sections": 2, "dim": 1},
    "unbind": {"dim": 0},
    "repeat": {"repeats": [2, 1]},
    "tile": {"repeats": [1, 2]},
    "repeat_interleave": {"repeats": 2, "dim": 1},
    "flip": {"dims": [0]},
    "roll": {"shifts": [1], "dims": [1]},
    "rot90": {"times": 1, "dim0": 0, "dim1": 1},
    "gather": {"dim": 1, "index": tensor("int64", 2, 2, full=1)},
    "masked_select": {"mask": mask(1, 0)},
    "masked_fill": {"mask": mask(1, 0), "value": 5},
    "pad": {"pairs": [0, 1]},
    "to": {"dtype": "float64"},
    "state_dict": {},
}
DIVERGES = {
    "empty": "`empty(recurse=True)`",
}
for op, arguments in EACH.items():
    for how, start in (("names", named), ("lock", locked)):
        CASES(
            f"{how}_after_{op}",
            *start,
            do(op, td="x", to="y", **arguments),
            diverges=DIVERGES.get((how, op)) or DIVERGES.get(op),
        )
for word, index in {
    "int": [0],
    "slice": [[0, 1]],
    "none": [None],
    "ellipsis_int": ["...", 0],
    "ints": [ints(1, 0)],
    "mask": [mask(1, 0)],
    "second_ints": [[None, None], ints(2, 0)],
    "grid": [tensor("int64", 2, 2, full=0)],
    "full_mask": [tensor("bool", 2, 3)],
    "step": [[None, None, 2]],
}.items():
    CASES(f"names_after_index_{word}", *named, do("index", td="x", index=index, to="y"))
    CASES(f"lock_after_index_{word}", *locked, do("index", td="x", index=index, to="y"))
for how, start in (("names", named), ("lock", locked)):
    for op in ("stack", "cat"):
        CASES(f"{how}_after_{op}", *start, do(op, tds=["x", "x"], dim=0, to="y"))
    for call, operands in {
        "add": ["x", 1],
        "mul": ["x", "x"],
        "abs": ["x"],
        "eq": ["x", 1],
        "lt": ["x", "x"],
        "clamp": ["x", 0, 2],
        "neg": ["x"],
    }.items():
        if call in ("eq", "lt") or call == "mul":
            base = [start[0], d("x", [2, 3], a=f(2, 3), n="n"), *start[2:]]
        else:
            base = start
        diverges = "lock after arithmetic" if (how, call) == ("lock", "clamp") else None
        CASES(
            f"{how}_after_{call}_of_{len(operands)}",
            *base,
            do("pointwise", call=call, operands=operands, to="y"),
            diverges=diverges,
        )
    CASES(f"{how}_after_sum", *start, do("reduce", td="x", call="sum", dims=[0], to="y"))
    CASES(f"{how}_after_sum_keepdim", *start, do("reduce", td="x", call="sum", dims=[0], keepdim=True, to="y"))
    CASES(f"{how}_after_sum_of_all", *start, do("reduce", td="x", call="sum", to="y"))
    CASES(f"{how}_after_map", *start, do("map", td="x", fn="add_one", to="y"))
    CASES(f"{how}_after_map_batch", *start, do("map", td="x", fn="add_one", batch=[2], to="y"))
    CASES(f"{how}_after_where", *start, do("where", td="x", condition=mask(1, 0), other="x", to="y"))
CASES(
    "names_after_stack_of_different",
    *named,
    d("y", [2, 3], a=f(2, 3, 4)),
    do("select", td="x", keys=["a"], to="x"),
    do("stack", tds=["x", "y"], dim=0, to="z"),
)
CASES("auto_batch_size_of_nothing", do("new", batch=[2, 1], to="x"), do("auto_batch_size", td="x", limit=1))
CASES(
    "auto_batch_size_of_empty_node",
    do("new", batch=[2, 3, 1], to="e"),
    d("x", [2, 3], a=f(2, 3), e="e"),
    do("auto_batch_size", td="x", limit=2),
)
