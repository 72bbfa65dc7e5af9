"""Reading, setting, updating and removing entries."""

from cases import Cases, d, do, f, floats, i, mask, o, one, scalar, stack_of, tensor, z

CASES = Cases()
tree = [
    d("n", [2, 3], b=f(2, 3), c=i(2, 3, 2)),
    do("new", batch=[2], to="e"),
    d("x", [2], a=f(2, 3), n="n", e="e", s=one("hi")),
]
locked = [*tree, do("lock", td="x")]

# ---- Reading ----
for key in (["a"], ["n"], ["s"], ["n", "b"], ["zz"], ["a", "b"], ["n", "zz"], ["zz", "b"], ["e"]):
    CASES(f"get_{'_'.join(key)}", *tree, do("get", td="x", key=key, to="y"))
    if key != ["a", "b"]:
        CASES(f"has_{'_'.join(key)}", *tree, do("has", td="x", key=key, to="y"))
CASES("get_at", *tree, do("get_at", td="x", key="a", index=[0], to="y"), do("write", td="y", value=9))
CASES("get_at_features", *tree, do("get_at", td="x", key="a", index=[0, [1, 3]], to="y"))
CASES("get_at_missing", *tree, do("get_at", td="x", key="zz", index=[0], to="y"))
CASES("get_at_out_of_range", *tree, do("get_at", td="x", key="a", index=[7], to="y"))
for flags in (
    [],
    ["nested"],
    ["nested", "leaves"],
    ["leaves"],
    ["nested", "sorted"],
    ["sorted"],
    ["nested", "leaves", "data"],
    ["leaves", "data"],
    ["nested", "children_first"],
    ["nested", "leaves", "sorted", "data"],
):
    CASES("keys_" + "_".join(flags), *tree, do("keys", td="x", flags=flags, to="k"))
for ask in ("len", "count", "numel", "is_empty", "is_contiguous", "is_locked", "repr"):
    CASES(ask, *tree, do(ask, td="x", to="y"))
    CASES(f"{ask}_of_nothing", do("new", batch=[], to="x"), do(ask, td="x", to="y"))
CASES(
    "numel_of_empty_batch",
    do("new", batch=[0, 3], to="x"),
    do("numel", td="x", to="y"),
    diverges="`numel` of an empty batch",
    ours=None,
)
CASES("nbytes", d("x", [2], a=f(2, 3), b=i(2)), do("nbytes", td="x", to="y"))
CASES(
    "is_contiguous_of_transposed",
    d("x", [2, 3], a=f(2, 3)),
    do("transpose", td="x", dim0=0, dim1=1, to="y"),
    do("is_contiguous", td="y", to="z"),
)
CASES("is_empty_with_data", d("x", [], s=one("hi")), do("is_empty", td="x", to="y"))
CASES("is_empty_of_nodes", do("new", batch=[], to="e"), d("x", [], n="e"), do("is_empty", td="x", to="y"))

# ---- Making ----
CASES("new_named", do("new", batch=[2, 3], names=["p", None], to="x"))
CASES("new_on_a_device", do("new", batch=[2], device="cpu", to="x"), do("set", td="x", key=["n", "a"], value=f(2)))
CASES("new_too_many_names", do("new", batch=[2], names=["p", "q"], to="x"))
CASES("new_equal_names", do("new", batch=[2, 2], names=["p", "p"], to="x"))
CASES("build_does_not_fit", d("x", [2], a=f(3)))
CASES("build_negative", d("x", [-1]), diverges="negative batch sizes", ours="SHAPE")
CASES(
    "build_nested_keys", d("x", [2], (["n", "b"], f(2)), a=f(2)), diverges="building from a nested literal", ours=None
)
CASES("build_of_nothing", d("x", [2, 0]))
CASES("fromkeys", do("fromkeys", keys=["a", ["n", "b"]], value=f(2), to="x"), do("write", td="x", value=3))
CASES("fromkeys_through_a_leaf", do("fromkeys", keys=["a", ["a", "b"]], value=f(2), to="x"))
CASES("merge", d("x", [2], a=f(2)), d("y", [2], a=o(2), b=o(2)), do("merge", tds=["x", "y"], to="z"))
CASES(
    "merge_nodes",
    d("n", [2], a=f(2)),
    d("m", [2], b=o(2)),
    d("x", [2], n="n"),
    d("y", [2], n="m"),
    do("merge", tds=["x", "y"], to="z"),
)
CASES("merge_clash", d("n", [2], a=f(2)), d("x", [2], n="n"), d("y", [2], n=f(2)), do("merge", tds=["x", "y"], to="z"))
for dtype in ("bool", "uint8", "int8", "int16", "int32", "float16", "bfloat16", "float64", "complex64"):
    CASES(f"dtype_{dtype}", d("x", [2], a=tensor(dtype, 2, 2)), do("get", td="x", key="a", to="y"))
CASES("special_numbers", d("x", [3], a=floats("nan", "inf", "-inf")))

# ---- set ----
CASES("set_new", *tree, do("set", td="x", key="q", value=f(2)))
CASES("set_keeps_the_place", *tree, do("set", td="x", key="a", value=o(2)))
CASES("set_makes_nodes", *tree, do("set", td="x", key=["p", "q", "r"], value=f(2)))
CASES("set_in_a_node", *tree, do("set", td="x", key=["n", "q"], value=f(2, 3)), do("get", td="n", key="q", to="y"))
CASES("set_in_a_node_of_more_batch", *tree, do("set", td="x", key=["n", "q"], value=f(2, 5)))
CASES("set_wrong_batch", *tree, do("set", td="x", key="q", value=f(3)))
CASES("set_too_few_dims", *tree, do("set", td="x", key="q", value=scalar(1)))
CASES("set_through_a_leaf", *tree, do("set", td="x", key=["a", "q"], value=f(2)))
CASES("set_leaf_over_node", *tree, do("set", td="x", key="n", value=f(2)))
CASES("set_node_over_leaf", *tree, do("set", td="x", key="a", value="e"))
CASES("set_locked", *locked, do("set", td="x", key="q", value=f(2)))
CASES("set_locked_existing", *locked, do("set", td="x", key="a", value=f(2, 3)))
CASES("set_below_locked", *locked, do("set", td="n", key="q", value=f(2, 3)))
CASES("set_itself", d("x", [2], a=f(2)), do("set", td="x", key="n", value="x"), do("len", td="x", to="y"))
CASES(
    "set_node_shallow_copy",
    d("s", [3], a=f(3, 4)),
    d("x", [3, 4]),
    do("set", td="x", key="n", value="s"),
    do("get", td="x", key="n", to="m"),
)
CASES("set_node_that_does_not_fit", d("s", [], a=f(2)), d("x", [3]), do("set", td="x", key="n", value="s"))
CASES("set_empty_node_of_other_batch", do("new", batch=[4], to="s"), d("x", [3]), do("set", td="x", key="n", value="s"))
CASES("set_in_place", *tree, do("get", td="x", key="a", to="t"), do("set_", td="x", key="a", value=o(2, 3)))
CASES("set_in_place_casts", *tree, do("set_", td="x", key="a", value=i(2, 3)))
CASES("set_in_place_missing", *tree, do("set_", td="x", key="zz", value=f(2)))
CASES("set_in_place_nested", *locked, do("set_", td="x", key=["n", "b"], value=o(2, 3)))
CASES("set_in_place_wrong_shape", *tree, do("set_", td="x", key="a", value=f(5)))
CASES("set_at", *tree, do("set_at_", td="x", key="a", index=[0], value=o(3)))
CASES("set_at_features", *tree, do("set_at_", td="x", key="a", index=[0, [1, 3]], value=o(2)))
CASES("set_at_mask", *tree, do("set_at_", td="x", key="a", index=[mask(0, 1)], value=o(3)))
CASES("set_at_missing", *tree, do("set_at_", td="x", key="zz", index=[0], value=o(3)))
CASES("set_at_wrong_shape", *tree, do("set_at_", td="x", key="a", index=[0], value=o(2)))

# ---- Non-tensor data ----
for kind, value in (
    ("text", "a"),
    ("int", 3),
    ("float", 2.5),
    ("bool", True),
    ("none", None),
    ("list", [1, "b"]),
    ("object", {"k": [1]}),
):
    CASES(
        f"data_{kind}",
        *tree,
        do("set_data", td="x", key=["n", "q"], value=value),
        do("get", td="x", key=["n", "q"], to="y"),
    )
CASES("data_locked", *locked, do("set_data", td="x", key="q", value=1))
CASES("data_over_tensor", *tree, do("set_data", td="x", key="a", value=1))
CASES("data_stack", d("x", [2], s=stack_of("a", "b")), do("index", td="x", index=[1], to="y"))
CASES(
    "data_stack_of_two_dims",
    d("x", [2, 2], s=stack_of(["a", "b"], ["c", "d"])),
    do("index", td="x", index=[[None, None], 1], to="y"),
)
CASES("data_stack_by_mask", d("x", [3], s=stack_of("a", "b", "c")), do("index", td="x", index=[mask(1, 0, 1)], to="y"))
CASES("data_under_data", d("x", [2], s=one("a")), do("set_data", td="x", key=["s", "t"], value=1))
CASES("data_popped", *tree, do("pop", td="x", key="s", to="y"))
CASES("data_updated", *tree, d("y", [2], s=one("new")), do("update", td="x", src="y"))
CASES("data_cloned", *tree, do("clone", td="x", to="y"))

# ---- update ----
for name, src in {
    "leaf": [d("y", [2], a=o(2, 3))],
    "new": [d("y", [2], q=o(2))],
    "node": [d("m", [2, 3], b=o(2, 3)), d("y", [2], n="m")],
    "new_in_node": [d("m", [2], q=o(2, 3)), d("y", [2], n="m")],
    "node_over_leaf": [d("m", [2], b=o(2)), d("y", [2], a="m")],
    "leaf_over_node": [d("y", [2], n=o(2))],
    "wrong_shape": [d("y", [3], a=o(3))],
    "fewer_dims": [d("y", [], a=o(2, 3))],
    "empty": [do("new", batch=[2], to="y")],
    "new_node": [d("m", [2], q=o(2)), d("y", [2], p="m")],
}.items():
    CASES(f"update_{name}", *tree, *src, do("update", td="x", src="y"))
    CASES(f"update_clone_{name}", *tree, *src, do("update", td="x", src="y", clone=True))
    CASES(f"update_locked_{name}", *locked, *src, do("update", td="x", src="y"))
    if name not in ("node_over_leaf", "leaf_over_node"):
        CASES(f"update_inplace_{name}", *tree, *src, do("update", td="x", src="y", inplace=True))
        CASES(f"update_inplace_locked_{name}", *locked, *src, do("update", td="x", src="y", inplace=True))
    CASES(f"update_values_{name}", *tree, *src, do("update_", td="x", src="y"))
CASES("update_itself", *tree, do("update", td="x", src="x"))

# ---- Removing ----
for key in (["a"], ["n", "b"], ["n"], ["zz"], ["a", "b"], ["zz", "b"], ["s"]):
    word = "_".join(key)
    CASES(f"delete_{word}", *tree, do("delete", td="x", key=key))
    CASES(f"pop_{word}", *tree, do("pop", td="x", key=key, to="y"))
    (
        CASES(f"delete_locked_{word}", *locked, do("delete", td="x", key=key))
        if key[0] in "ans" and len(key) == 1
        else None
    )
CASES("clear", *tree, do("clear", td="x"))
CASES("clear_locked", *locked, do("clear", td="x"))
CASES("create_nested", *tree, do("create_nested", td="x", key=["p", "q"]))
CASES("create_nested_taken", *tree, do("create_nested", td="x", key="n"), diverges="`create_nested`", ours="EXISTS")
CASES("create_nested_locked", *locked, do("create_nested", td="x", key="q"))
CASES("fill", *tree, do("fill_", td="x", key="a", value=4.0))
CASES("fill_node", *locked, do("fill_", td="x", key="n", value=4.0))
CASES("fill_missing", *tree, do("fill_", td="x", key="zz", value=4.0))
CASES("zero", *locked, do("zero_", td="x"))

# ---- Copies ----
CASES("copy_shares_leaves", *tree, do("copy", td="x", to="y"), do("write", td="y", value=9))
CASES("clone_shares_nothing", *tree, do("clone", td="x", to="y"), do("write", td="y", value=9))
CASES("copy_is_unlocked", *locked, do("copy", td="x", to="y"))
CASES("clone_is_unlocked", *locked, do("clone", td="x", to="y"))

# ---- Values on the memory that they are written to ----
crossed = [
    d("x", [2, 2], a=f(2, 2), c=f(2, 2, 2)),
    do("transpose", td="x", dim0=0, dim1=1, to="t"),
    do("get", td="t", key="c", to="u"),
    d("y", [2, 2], a=o(2, 2), c="u"),
]
for name, step in {
    "update_values": do("update_", td="x", src="y"),
    "load_state_dict": do("load_state_dict", td="x", state="y"),
    "set_in_place": do("set_", td="x", key="c", value="u"),
}.items():
    CASES(f"{name}_from_a_view", *crossed, step, diverges="writing another view of the same memory")
