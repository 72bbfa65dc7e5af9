"""Lazy stacks."""

from cases import Cases, d, do, f, i, ints, mask, o, one, scalar, z

CASES = Cases()
# Members with a common leaf, a ragged one, an exclusive one each, and a node.
members = [
    d("n", [], b=f(2)),
    d("m", [], b=o(2), x=scalar(1)),
    d("p", [], a=f(3), b=f(3), n="n", x0=z(1)),
    d("q", [], a=o(3), b=f(4), n="m", x1=z(1)),
]
ragged = [*members, do("lazy_stack", tds=["p", "q"], dim=0, to="x")]
plain = [
    d("p", [3], a=f(3, 2), b=i(3)),
    d("q", [3], a=o(3, 2), b=i(3, start=5)),
    do("lazy_stack", tds=["p", "q"], dim=0, to="x"),
]
last = [*plain[:2], do("lazy_stack", tds=["p", "q"], dim=1, to="x")]
nested = [
    d("n", [3], b=f(3)),
    d("m", [3], b=o(3)),
    d("p", [3], a=f(3), n="n"),
    d("q", [3], a=o(3), n="m"),
    do("lazy_stack", tds=["p", "q"], dim=0, to="x"),
]
uneven = [d("p", [2], a=f(2)), d("q", [3], a=o(3)), do("lazy_stack", tds=["p", "q"], dim=0, to="x")]

# ---- Making ----
for dim in (0, 1, -1, -2, 2, -3):
    diverges = {"diverges": "`stack` with a dim too negative", "ours": "INDEX"} if dim == -3 else {}
    CASES(f"stack_{dim}", *plain[:2], do("lazy_stack", tds=["p", "q"], dim=dim, to="x"), **diverges)
CASES("stack_of_none", do("lazy_stack", tds=[], to="x"))
CASES("stack_ragged", *ragged)
CASES(
    "stack_of_other_order",
    d("p", [], b=f(2), a=f(2)),
    d("q", [], a=f(2), b=f(2)),
    do("lazy_stack", tds=["p", "q"], to="x"),
    do("keys", td="x", to="k"),
)
CASES("stack_uneven", *uneven)
CASES("stack_other_ndim", d("p", [2], a=f(2)), d("q", [2, 1], a=f(2, 1)), do("lazy_stack", tds=["p", "q"], to="x"))
CASES(
    "stack_of_one_twice",
    d("p", [], a=f(2)),
    do("lazy_stack", tds=["p", "p"], to="x"),
    do("set", td="x", key="c", value=f(2)),
)
CASES("new", do("lazy_new", element=[3], dim=0, to="x"))
CASES(
    "new_then_append", do("lazy_new", element=[3], dim=0, to="x"), d("p", [3], a=f(3)), do("append", td="x", value="p")
)
CASES("maybe_dense", *plain[:2], do("maybe_dense_stack", tds=["p", "q"], dim=0, to="x"))
CASES("maybe_dense_is_lazy", *members, do("maybe_dense_stack", tds=["p", "q"], dim=0, to="x"))
CASES(
    "maybe_dense_lazy_below",
    d("n", [], a=f(2)),
    d("m", [], b=f(2)),
    d("p", [], n="n"),
    d("q", [], n="m"),
    do("maybe_dense_stack", tds=["p", "q"], dim=0, to="x"),
)
CASES("to_lazy_stack", d("p", [3, 2], a=f(3, 2)), do("to_lazy_stack", td="p", dim=1, to="x"))

# ---- Reading and writing ----
for name, start in (("ragged", ragged), ("plain", plain), ("last", last), ("nested", nested)):
    CASES(f"get_{name}", *start, do("get", td="x", key="a", to="y"))
    CASES(f"get_{name}_is_fresh", *start, do("get", td="x", key="a", to="y"), do("write", td="y", value=9))
    CASES(f"keys_{name}", *start, do("keys", td="x", to="k"))
    if name != "ragged":
        CASES(f"keys_{name}_nested", *start, do("keys", td="x", flags=["nested"], to="k"))
    CASES(f"entry_shape_{name}", *start, do("entry_shape", td="x", key="a", to="y"))
    CASES(f"len_{name}", *start, do("len", td="x", to="y"))
    CASES(f"lock_{name}", *start, do("lock", td="x"))
    CASES(f"unlock_member_{name}", *start, do("lock", td="x"), do("unlock", td="q"))
    CASES(f"clone_{name}", *start, do("clone", td="x", to="y"))
    CASES(f"copy_{name}", *start, do("copy", td="x", to="y"), do("write", td="y", value=9))
    CASES(f"repr_{name}", *start, do("repr", td="x", to="y"))
    for n, index in enumerate([[0], [-1], [5], [[0, 1]], [[None, None, 2]], [None], [ints(1, 0)], [mask(1, 0)]]):
        CASES(f"index_{n}_{name}", *start, do("index", td="x", index=index, to="y"))
CASES("get_ragged_leaf", *ragged, do("get", td="x", key="b", to="y"))
CASES("get_exclusive", *ragged, do("get", td="x", key="x0", to="y"))
CASES("has_exclusive", *ragged, do("has", td="x", key="x0", to="y"))
CASES(
    "get_node_writes_through", *ragged, do("get", td="x", key="n", to="y"), do("set_", td="y", key="b", value=z(2, 2))
)
CASES("set_node_writes_through", *nested, do("get", td="x", key="n", to="y"), do("set", td="y", key="c", value=f(2, 3)))
CASES("entry_shape_ragged_leaf", *ragged, do("entry_shape", td="x", key="b", to="y"))
CASES("get_list", *ragged, do("get_list", td="x", key="b", to="y"))
CASES("get_list_missing", *ragged, do("get_list", td="x", key="zz", to="y"))
CASES("get_jagged", *ragged, do("get_jagged", td="x", key="b", to="y"))
CASES("get_jagged_missing", *ragged, do("get_jagged", td="x", key="zz", to="y"))
CASES("get_padded", *ragged, do("get_padded", td="x", key="b", padding=-1.0, to="y"))
CASES("get_padded_left", *ragged, do("get_padded", td="x", key="b", left=True, to="y"))
CASES(
    "set_gives_views",
    *plain,
    do("tensor", value=f(2, 3), to="v"),
    do("set", td="x", key="c", value="v"),
    do("write", td="q", value=7),
)
CASES("set_last_dim", *last, do("set", td="x", key="c", value=f(3, 2)))
CASES("set_wrong_batch", *plain, do("set", td="x", key="c", value=f(3, 3)))
CASES("set_uneven", *uneven, do("set", td="x", key="c", value=f(2, 3)))
CASES("set_list", *ragged, do("set_list", td="x", key="z", values=[f(2), f(5)]))
CASES("set_list_too_few", *ragged, do("set_list", td="x", key="z", values=[f(2)]))
CASES("set_in_place", *plain, do("set_", td="x", key="a", value=f(2, 3, 2)))
CASES("set_in_place_exclusive", *ragged, do("set_", td="x", key="x0", value=f(2, 1)))
CASES("set_locked", *plain, do("lock", td="x"), do("set", td="x", key="c", value=f(2, 3)))
CASES("set_member_locked", *plain, do("lock", td="q"), do("set", td="x", key="c", value=f(2, 3)))
CASES("set_member_locked_last", *plain, do("lock", td="q"), do("set", td="x", key="a", value=f(2, 3)))
CASES("delete_exclusive", *ragged, do("delete", td="x", key="x0"))
CASES("delete_common", *ragged, do("delete", td="x", key="a"))
CASES("delete_missing", *ragged, do("delete", td="x", key="zz"))
CASES("pop", *plain, do("pop", td="x", key="a", to="y"))
CASES("pop_exclusive", *ragged, do("pop", td="x", key="x0", to="y"))
CASES("rename", *plain, do("rename_key", td="x", old="a", new="c"))
CASES("update_dense", *plain, d("y", [2, 3], a=z(2, 3, 2), c=f(2, 3)), do("update", td="x", src="y"))
CASES(
    "update_lazy",
    *plain,
    d("r", [3], a=z(3, 2)),
    d("s", [3], a=z(3, 2), c=f(3)),
    do("lazy_stack", tds=["r", "s"], to="y"),
    do("update", td="x", src="y"),
)
CASES("update_values", *plain, d("y", [2, 3], a=z(2, 3, 2)), do("update_", td="x", src="y"))
CASES("update_wrong_size", *plain, d("y", [3, 3], a=z(3, 3, 2)), do("update", td="x", src="y"))
CASES("zero", *plain, do("zero_", td="x"))
CASES("fill", *plain, do("fill_", td="x", key="a", value=3))
CASES("clear", *plain, do("clear", td="x"))

# ---- Members ----
CASES("member_is_itself", *ragged, do("member", td="x", at=1, to="y"), do("same", a="q", b="y", to="z"))
CASES("index_is_the_member", *ragged, do("index", td="x", index=[1], to="y"), do("same", a="q", b="y", to="z"))
CASES("unbind_gives_members", *plain, do("unbind", td="x", dim=0, to="y"))
CASES("unbind_other_dim", *plain, do("unbind", td="x", dim=1, to="y"))
CASES("append", *plain, d("r", [3], a=z(3, 2)), do("append", td="x", value="r"))
CASES("append_wrong_batch", *plain, d("r", [4], a=z(4, 2)), do("append", td="x", value="r"))
CASES("append_locked", *plain, do("lock", td="x"), d("r", [3], a=z(3, 2)), do("append", td="x", value="r"))
CASES("insert", *plain, d("r", [3], a=z(3, 2)), do("insert", td="x", at=1, tds=["r"]))

# ---- Index writes ----
for n, (index, batch) in enumerate(
    [([0], [3]), ([[0, 2]], [2, 3]), ([ints(1)], [1, 3]), ([mask(1, 0)], [1, 3]), ([[None, None], 1], [2])]
):
    CASES(f"set_item_{n}", *plain, d("y", batch, a=z(*batch, 2)), do("set_item", td="x", index=index, value="y"))
    CASES(f"set_number_{n}", *plain, do("set_item", td="x", index=index, value=5))
CASES("set_item_new_key", *plain, d("y", [3], c=f(3)), do("set_item", td="x", index=[0], value="y"))

# ---- Shapes and joins ----
for op, arguments in {
    "permute": {"dims": [1, 0]},
    "transpose": {"dim0": 0, "dim1": 1},
    "unsqueeze": {"dim": 0},
    "split": {"size": 1, "dim": 0},
    "chunk": {"chunks": 2, "dim": 1},
    "expand": {"sizes": [2, 2, 3]},
    "reshape": {"sizes": [6]},
    "flatten": {"start": 0, "end": 1},
    "contiguous": {},
    "narrow": {"dim": 1, "start": 0, "length": 2},
    "squeeze": {},
    "movedim": {"source": 0, "destination": 1},
}.items():
    kind = "kind of dict after operations on a lazy stack" if op == "narrow" else None
    CASES(f"{op}", *plain, do(op, td="x", to="y", **arguments), diverges=kind)
    arguments = {"sizes": [2, 3, 2]} if op == "expand" else arguments
    CASES(f"{op}_last", *last, do(op, td="x", to="y", **arguments), diverges=kind)
CASES("squeeze_of_one", d("p", [3], a=f(3)), do("lazy_stack", tds=["p"], to="x"), do("squeeze", td="x", dim=0, to="y"))
CASES("cat_along_the_stack", *plain, do("cat", tds=["x", "x"], dim=0, to="y"))
CASES("cat_along_another", *plain, do("cat", tds=["x", "x"], dim=1, to="y"))
CASES("stack_of_lazies", *plain, do("stack", tds=["x", "x"], dim=0, to="y"))
CASES(
    "stack_of_lazy_and_dense",
    *plain,
    d("r", [2, 3], a=z(2, 3, 2), b=i(2, 3)),
    do("stack", tds=["x", "r"], dim=0, to="y"),
)
CASES("select", *ragged, do("select", td="x", keys=["a"], to="y"))
CASES("exclude", *ragged, do("exclude", td="x", keys=["a"], to="y"))
CASES("flatten_keys", *nested, do("flatten_keys", td="x", to="y"))
CASES("set_batch_size", *plain, do("set_batch_size", td="x", batch=[2]))
CASES("set_batch_size_same", *plain, do("set_batch_size", td="x", batch=[2, 3]))
CASES("names", *plain, do("set_names", td="x", names=["s", "t"]))

# ---- Computing ----
CASES("add_number", *ragged, do("pointwise", call="add", operands=["x", 1], to="y"))
CASES("add_lazy", *ragged, do("pointwise", call="add", operands=["x", "x"], to="y"))
CASES(
    "add_dense",
    *plain,
    d("r", [2, 3], a=o(2, 3, 2), b=i(2, 3)),
    do("pointwise", call="add", operands=["x", "r"], to="y"),
)
CASES("eq_number", *ragged, do("pointwise", call="eq", operands=["x", 1], to="y"))
CASES("add_in_place", *ragged, do("pointwise", call="add_", operands=["x", 1]))
CASES("abs", *ragged, do("pointwise", call="abs", operands=["x"], to="y"))
CASES("sum", *plain, do("reduce", td="x", call="sum", dims=[0], to="y"))
CASES("sum_of_ragged", *ragged, do("reduce", td="x", call="sum", dims=[0], to="y"))
CASES("map", *ragged, do("map", td="x", fn="add_one", to="y"))
CASES("gather", *plain, do("gather", td="x", dim=0, index=ints(1, 0), to="y"))
CASES("masked_select", *plain, do("masked_select", td="x", mask=mask(1, 0), to="y"))
CASES("where", *plain, do("where", td="x", condition=mask(1, 0), other="x", to="y"))
CASES("where_of_ragged", *ragged, do("where", td="x", condition=mask(1, 0), other="x", to="y"))
CASES("masked_fill_of_ragged", *ragged, do("masked_fill", td="x", mask=mask(1, 0), value=7, to="y"))
CASES("mask_of_ragged", *uneven, do("index", td="x", index=[mask(1, 0)], to="y"))
CASES("repeat", *plain, do("repeat", td="x", repeats=[2, 1], to="y"))
CASES("repeat_interleave", *plain, do("repeat_interleave", td="x", repeats=[2], dim=0, to="y"))
CASES("view", *plain, do("view", td="x", sizes=[6], to="y"))
CASES(
    "data",
    d("p", [], s=one("a")),
    d("q", [], s=one("b")),
    do("lazy_stack", tds=["p", "q"], to="x"),
    do("get", td="x", key="s", to="y"),
)
CASES("to_float64", *ragged, do("to", td="x", dtype="float64", to="y"))
CASES(
    "set_in_a_dict",
    *plain,
    do("new", batch=[2], to="r"),
    do("set", td="r", key="n", value="x"),
    do("get", td="r", key=["n", "a"], to="y"),
)
CASES(
    "nested_set",
    *plain,
    do("new", batch=[2], to="r"),
    do("set", td="r", key="n", value="x"),
    do("set", td="r", key=["n", "c"], value=f(2, 3)),
)
CASES("is_locked_of_locked_members", *plain, do("lock", td="p"), do("lock", td="q"), do("is_locked", td="x", to="y"))
