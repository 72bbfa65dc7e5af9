"""Entries that belong to the whole batch: what passes them by, what keeps the first, what applies to them."""

from cases import Cases, d, do, f, i, ints, mask, one, scalar

CASES = Cases()


def table(to, start=0, batch=(2,)):
    """{"x": [*batch, 3], "t": unbatched [3, 4], ("n", "m"): unbatched [5]}"""
    return [
        d(to, list(batch), x=f(*batch, 3, start=start)),
        do("set_unbatched", td=to, key="t", value=f(3, 4, start=start)),
        do("set_unbatched", td=to, key=["n", "m"], value=i(5)),
    ]


x = table("x")
CASES("set", *x)
CASES("set_below_a_dict", d("x", [2]), do("set_unbatched", td="x", key=["a", "b"], value=f(7)))
CASES("set_without_dims", d("x", [2]), do("set_unbatched", td="x", key="a", value=scalar(3)))
CASES("set_over_a_tensor", d("x", [2], a=f(2)), do("set_unbatched", td="x", key="a", value=f(7)))
CASES("set_a_tensor_over_it", *x, do("set", td="x", key="t", value=f(2, 9)))
CASES("set_a_tensor_over_it_refused", *x, do("set", td="x", key="t", value=f(3, 4)))
CASES("set_in_locked", d("x", [2]), do("lock", td="x"), do("set_unbatched", td="x", key="a", value=f(7)))
CASES("get", *x, do("get", td="x", key="t", to="y"))
CASES("pop", *x, do("pop", td="x", key="t", to="y"))
CASES("keys", *x, do("keys", td="x", flags=["nested", "leaves"], to="k"))

SHAPES = {
    "index": [{"index": j} for j in ([0], [[0, 1, 1]], [ints(1, 0, 1)], [mask(1, 0)], [None])],
    "reshape": [{"sizes": s} for s in ([1, 2], [-1], [2, 1])],
    "view": [{"sizes": s} for s in ([1, 2], [2, 1])],
    "unflatten": [{"dim": 0, "sizes": [1, 2]}],
    "unsqueeze": [{"dim": 0}, {"dim": -1}],
    "squeeze": [{}],
    "expand": [{"sizes": [4, 2]}],
    "repeat": [{"repeats": [3]}],
    "repeat_interleave": [{"repeats": 2, "dim": 0}],
    "split": [{"size": 1, "dim": 0}],
    "chunk": [{"chunks": 2, "dim": 0}],
    "unbind": [{"dim": 0}],
    "flip": [{"dims": [0]}],
    "roll": [{"shifts": [1], "dims": [0]}],
    "gather": [{"dim": 0, "index": ints(1, 0, 0)}],
    "masked_select": [{"mask": mask(0, 1)}],
    "contiguous": [{}],
    "clone": [{}],
    "flatten_keys": [{}],
}
for op, rows in SHAPES.items():
    for n, arguments in enumerate(rows):
        CASES(f"{op}_{n}", *x, do(op, td="x", to="y", **arguments))
CASES("transpose", *table("x", batch=(2, 3)), do("transpose", td="x", dim0=0, dim1=1, to="y"))
CASES("permute", *table("x", batch=(2, 3)), do("permute", td="x", dims=[1, 0], to="y"))
CASES("flatten", *table("x", batch=(2, 3)), do("flatten", td="x", start=0, end=1, to="y"))

flat = [d("x", [2], x=f(2, 3)), do("set_unbatched", td="x", key="t", value=f(3, 4))]
CASES("auto_batch_size", *flat, do("auto_batch_size", td="x"))
CASES("auto_batch_size_of_nothing_else", d("x", [2]), do("set_unbatched", td="x", key="t", value=f(3, 4)), do("auto_batch_size", td="x"))
CASES(
    "auto_batch_size_below", *x, do("auto_batch_size", td="x"),
    diverges="a node of UnbatchedTensors in `auto_batch_size_`", ours=None,
)  # fmt: skip
CASES("set_batch_size", *x, do("set_batch_size", td="x", batch=[]))

# ---- Several dicts ----
both = [*x, *table("y", start=50)]
CASES("stack", *both, do("stack", tds=["x", "y"], dim=0, to="z"))
CASES("stack_at_the_end", *both, do("stack", tds=["x", "y"], dim=1, to="z"))
CASES("cat", *both, do("cat", tds=["x", "y"], dim=0, to="z"))
CASES(
    "stack_of_other_shapes", d("x", [2]), d("y", [2]), do("set_unbatched", td="x", key="a", value=f(3)),
    do("set_unbatched", td="y", key="a", value=f(4)), do("stack", tds=["x", "y"], dim=0, to="z"),
)  # fmt: skip
lazy = [*both, do("lazy_stack", tds=["x", "y"], dim=0, to="z")]
CASES("lazy_stack", *lazy)
CASES("lazy_stack_get", *lazy, do("get", td="z", key="t", to="t"))
CASES("lazy_stack_index", *lazy, do("index", td="z", index=[1], to="w"))
CASES("lazy_stack_index_members", *lazy, do("index", td="z", index=[[None, None], 0], to="w"))
CASES("lazy_stack_contiguous", *lazy, do("contiguous", td="z", to="w"))
CASES("lazy_stack_set", *lazy, do("set_unbatched", td="z", key="new", value=f(7)))
CASES(
    "cat_with_an_ordinary_tensor", *flat, d("y", [2], x=f(2, 3), t=f(2, 3, 4)), do("cat", tds=["x", "y"], dim=0, to="z"),
    diverges="`UnbatchedTensor` beside an ordinary tensor in `stack`, `cat` and lazy stacks", ours="KEY",
)  # fmt: skip
CASES("update", *both, do("update", td="x", src="y"))
CASES("update_", *both, do("update_", td="x", src="y"))
CASES("update_a_tensor", *x, d("y", [2], t=f(2, 7)), do("update", td="x", src="y"))

# ---- Writing ----
CASES("set_at", *both, do("index", td="y", index=[1], to="v"), do("set_item", td="x", index=[0], value="v"))
CASES("set_at_without_it", *x, d("v", [], x=f(3, start=9)), do("set_item", td="x", index=[0], value="v"))
CASES(
    "set_at_into_a_tensor", d("x", [2], t=f(2, 3)), d("v", []), do("set_unbatched", td="v", key="t", value=f(3, start=9)),
    do("set_item", td="x", index=[1], value="v"),
)  # fmt: skip
CASES(
    "set_a_number_at", *x, do("set_item", td="x", index=[0], value=5.0),
    diverges="`UnbatchedTensor` under an indexed assignment", ours=None,
)  # fmt: skip
CASES("masked_fill", *x, do("masked_fill", td="x", mask=mask(1, 0), value=7.0, to="y"))
CASES("pad", *flat, do("pad", td="x", pairs=[0, 2], to="y"))
CASES("zero_", *x, do("zero_", td="x"))
CASES("fill_", *x, do("fill_", td="x", key="t", value=3.0))
CASES("write", *x, do("index", td="x", index=[0], to="y"), do("write", td="y", value=7))

# ---- Arithmetic ----
CASES("add_a_number", *x, do("pointwise", call="add", operands=["x", 1], to="y"))
CASES("add_a_dict", *both, do("pointwise", call="add", operands=["x", "y"], to="z"))
CASES("add_a_row", *x, do("pointwise", call="add", operands=["x", f(2)], to="y"))
CASES("neg", *x, do("pointwise", call="neg", operands=["x"], to="y"))
CASES("sum", *x, do("reduce", td="x", call="sum", dims=[0], to="y"))
CASES("sum_of_all_dims", *x, do("reduce", td="x", call="sum", to="y"))
CASES(
    "sum_of_features", *x, do("reduce", td="x", call="sum", feature=True, to="y"),
    diverges="`UnbatchedTensor` in reductions that keep dims, have several results or take the features", ours="UNSUPPORTED",
)  # fmt: skip
CASES("data_beside_it", *x, do("set", td="x", key="s", value=one("hi")), do("index", td="x", index=[0], to="y"))
