"""Indexing, writing by index, joining and selecting rows."""

from cases import Cases, d, do, f, floats, i, ints, mask, o, one, scalar, stack_of, tensor, z

CASES = Cases()
tree = [d("n", [3, 2, 2], b=f(3, 2, 2)), d("x", [3, 2], a=f(3, 2, 4), n="n", s=one("hi"))]
data = [d("x", [3, 2], a=i(3, 2), s=stack_of(["a", "b"], ["c", "d"], ["e", "f"]))]
locked = [*tree, do("lock", td="x")]
ALL = [None, None]

# ---- Index ----
INDICES = {
    "int": [1],
    "last": [-1],
    "too_far": [3],
    "too_negative": [-4],
    "two_ints": [1, 0],
    "past_the_batch": [1, 0, 0],
    "slice": [[0, 2]],
    "slice_from": [[1, None]],
    "step": [[None, None, 2]],
    "empty_slice": [[2, 1]],
    "far_slice": [[1, 9]],
    "second": [ALL, 1],
    "none": [None],
    "none_between": [0, None],
    "ellipsis": ["...", 0],
    "ellipsis_first": [0, "..."],
    "two_ellipses": ["...", "..."],
    "ints": [ints(2, 0, 2)],
    "negative_ints": [ints(-1, 0)],
    "ints_too_far": [ints(5)],
    "no_ints": [tensor("int64", 0, data=[])],
    "grid": [tensor("int64", 2, 2, data=[0, 1, 2, 0])],
    "pairs": [ints(0, 2), ints(1, 0)],
    "apart": [ints(0, 2), None, ints(1, 0)],
    "outer": [[0, 2], ints(1)],
    "mask": [mask(1, 0, 1)],
    "mask_of_nothing": [mask(0, 0, 0)],
    "mask_short": [mask(1, 0)],
    "full_mask": [tensor("bool", 3, 2)],
    "second_mask": [ALL, mask(1, 0)],
    "int_and_ints": [0, ints(1, 1)],
    "int32": [tensor("int32", 2, data=[1, 0])],
    "slice_past": [ALL, ALL, 0],
    "mask_past": [tensor("bool", 3, 2, 4)],
    "none_none": [None, 0, None],
}
for name, index in INDICES.items():
    CASES(f"index_{name}", *tree, do("index", td="x", index=index, to="y"))
    if name in ("int", "slice", "ints", "mask", "second", "none", "grid", "full_mask", "ellipsis", "pairs"):
        CASES(f"index_{name}_of_data", *data, do("index", td="x", index=index, to="y"))
        CASES(f"index_{name}_shares", *tree, do("index", td="x", index=index, to="y"), do("write", td="y", value=-1))
    CASES(
        f"set_number_{name}", d("x", [3, 2], a=f(3, 2, 4), b=i(3, 2)), do("set_item", td="x", index=index, value=-1.0)
    )
CASES(
    "set_number_data",
    *tree,
    do("set_item", td="x", index=[0], value=-1.0),
    diverges="a number written over non-tensor data",
    ours=None,
)
CASES("index_of_empty_batch", d("x", [0, 2], a=f(0, 2)), do("index", td="x", index=[[0, 2]], to="y"))
CASES("index_of_empty_batch_too_far", d("x", [0, 2], a=f(0, 2)), do("index", td="x", index=[0], to="y"))
CASES(
    "index_by_everything",
    *tree,
    do("index", td="x", index=[ALL], to="y"),
    diverges="index that takes everything",
    ours=None,
)
CASES(
    "index_by_uint8",
    *tree,
    do("index", td="x", index=[tensor("uint8", 3, data=[1, 0, 1])], to="y"),
    diverges="`uint8` index tensors",
    ours="DTYPE",
)

# ---- Writing by index ----
row = [d("m", [2, 2], b=o(2, 2)), d("y", [2], a=o(2, 4), n="m")]
for name, index, src in (
    ("int", [1], row),
    ("slice", [[0, 2]], [d("y", [2, 2], a=o(2, 2, 4))]),
    ("left_broadcast", [ALL], row),
    ("ints", [ints(2, 0)], [d("y", [2, 2], a=f(2, 2, 4, start=50))]),
    ("mask", [mask(1, 0, 1)], [d("y", [2, 2], a=f(2, 2, 4, start=50))]),
    ("full_mask", [tensor("bool", 3, 2)], [d("y", [3], a=f(3, 4, start=50))]),
    ("wrong_batch", [[0, 2]], [d("y", [3, 2], a=o(3, 2, 4))]),
    ("wrong_features", [1], [d("y", [2], a=o(2, 3))]),
    ("new_key", [1], [d("y", [2], q=i(2))]),
    ("fewer_dims_that_fit", [1], [d("y", [], a=o(2, 4))]),
    ("too_far", [5], row),
    ("cast", [1], [d("y", [2], a=i(2, 4))]),
):
    CASES(f"set_{name}", *tree, *src, do("set_item", td="x", index=index, value="y"))
    if name in ("int", "new_key"):
        CASES(f"set_locked_{name}", *locked, *src, do("set_item", td="x", index=index, value="y"))
CASES("set_data_row", *data, d("y", [2], s=one("new")), do("set_item", td="x", index=[1], value="y"))
CASES("set_from_itself", *tree, do("index", td="x", index=[0], to="y"), do("set_item", td="x", index=[2], value="y"))

# ---- Stack and cat ----
other = [d("m", [3, 2, 2], b=o(3, 2, 2)), d("y", [3, 2], a=o(3, 2, 4), n="m", s=one("yo"))]
for op in ("stack", "cat"):
    for dim in (0, 1, 2, -1, -2, 3):
        CASES(f"{op}_{dim}", *tree, *other, do(op, tds=["x", "y"], dim=dim, to="z"))
    CASES(f"{op}_of_one", *tree, do(op, tds=["x"], dim=0, to="z"))
    CASES(f"{op}_with_itself", *tree, do(op, tds=["x", "x"], dim=0, to="z"), do("write", td="z", value=9))
    CASES(f"{op}_of_none", do(op, tds=[], dim=0, to="z"))
    CASES(f"{op}_of_equal_data", *data, do(op, tds=["x", "x"], dim=0, to="z"))
    CASES(f"{op}_missing_key", *tree, d("y", [3, 2], a=o(3, 2, 4)), do(op, tds=["x", "y"], dim=0, to="z"))
    CASES(
        f"{op}_other_order",
        d("x", [2], a=f(2), b=i(2)),
        d("y", [2], b=i(2), a=f(2)),
        do(op, tds=["x", "y"], dim=0, to="z"),
    )
    CASES(f"{op}_other_features", d("x", [2], a=f(2, 3)), d("y", [2], a=f(2, 4)), do(op, tds=["x", "y"], dim=0, to="z"))
    CASES(
        f"{op}_other_batch", d("x", [2, 3], a=f(2, 3)), d("y", [2, 4], a=f(2, 4)), do(op, tds=["x", "y"], dim=0, to="z")
    )
    CASES(
        f"{op}_other_batch_without_leaves",
        do("new", batch=[2, 3], to="x"),
        do("new", batch=[2, 4], to="y"),
        do(op, tds=["x", "y"], dim=0, to="z"),
        **({"diverges": "`cat` along a dim, other batch sizes", "ours": "SHAPE"} if op == "cat" else {}),
    )
    CASES(f"{op}_other_dtype", d("x", [2], a=f(2)), d("y", [2], a=i(2)), do(op, tds=["x", "y"], dim=0, to="z"))
    CASES(
        f"{op}_other_kind",
        d("m", [2], b=f(2)),
        d("x", [2], a="m"),
        d("y", [2], a=f(2)),
        do(op, tds=["x", "y"], dim=0, to="z"),
    )
    CASES(f"{op}_without_batch", d("x", [], a=f(2)), d("y", [], a=o(2)), do(op, tds=["x", "y"], dim=0, to="z"))
    into = [d("x", [2], a=f(2, 3)), d("y", [2], a=o(2, 3))]
    size = [2, 2] if op == "stack" else [4]
    CASES(
        f"{op}_into",
        *into,
        d("t", size, a=z(*size, 3)),
        do("lock", td="t"),
        do(f"{op}_into", tds=["x", "y"], dim=0, target="t"),
    )
    CASES(f"{op}_into_wrong_batch", *into, d("t", [5], a=z(5, 3)), do(f"{op}_into", tds=["x", "y"], dim=0, target="t"))
    CASES(
        f"{op}_into_wrong_keys",
        *into,
        d("t", size, b=z(*size, 3)),
        do(f"{op}_into", tds=["x", "y"], dim=0, target="t"),
        diverges="writing into an existing result (`out=`)",
        ours="KEY",
    )
CASES("cat_sizes", d("x", [2, 3], a=f(2, 3)), d("y", [1, 3], a=o(1, 3)), do("cat", tds=["x", "y"], dim=0, to="z"))
CASES(
    "stack_too_negative",
    d("x", [2], a=f(2)),
    do("stack", tds=["x", "x"], dim=-3, to="z"),
    diverges="`stack` with a dim too negative",
    ours="INDEX",
)

# ---- Padding ----
for name, pairs in {
    "after": [0, 1],
    "both": [1, 1, 0, 2],
    "crop": [-1, 0],
    "nothing": [0, 0],
    "odd": [1],
    "too_many": [0, 1, 0, 1, 0, 1],
    "crop_all": [-2, -2],
    "grow_and_crop": [2, -1],
}.items():
    CASES(
        f"pad_{name}",
        *tree[:-1],
        d("x", [3, 2], a=f(3, 2, 4), n="n"),
        do("pad", td="x", pairs=pairs, value=-1.0, to="y"),
    )
CASES("pad_data", *tree, do("pad", td="x", pairs=[0, 1], to="y"))
parts = [d("x", [2], a=f(2, 3), b=f(2)), d("y", [3], a=o(3, 3), b=o(3))]
CASES("pad_sequence", *parts, do("pad_sequence", tds=["x", "y"], to="z"))
CASES("pad_sequence_masks", *parts, do("pad_sequence", tds=["x", "y"], mask_key="masks", to="z"))
CASES("pad_sequence_value", *parts, do("pad_sequence", tds=["x", "y"], value=-1.0, to="z"))
CASES("pad_sequence_common_keys", *parts, d("w", [1], a=z(1, 3)), do("pad_sequence", tds=["x", "w"], to="z"))
CASES(
    "pad_sequence_features",
    d("x", [], a=f(2)),
    d("y", [], a=f(4)),
    do("pad_sequence", tds=["x", "y"], mask_key="masks", to="z"),
)
CASES(
    "pad_sequence_of_scalars",
    d("x", [], a=scalar(1)),
    d("y", [], a=scalar(2)),
    do("pad_sequence", tds=["x", "y"], to="z"),
)
CASES("pad_sequence_of_none", do("pad_sequence", tds=[], to="z"))
CASES(
    "pad_sequence_other_features",
    d("x", [2], a=f(2, 3)),
    d("y", [3], a=f(3, 4)),
    do("pad_sequence", tds=["x", "y"], to="z"),
)

# ---- Gather, masks, where ----
for name, dim, index in (
    ("rows", 0, tensor("int64", 2, 2, data=[0, 1, 2, 0])),
    ("columns", 1, tensor("int64", 3, 1, data=[0, 1, 0])),
    ("short", 0, ints(2, 0)),
    ("negative_dim", -1, tensor("int64", 3, 1, data=[0, 1, 0])),
    ("out_of_range", 0, tensor("int64", 1, 2, data=[3, 0])),
    ("bad_dim", 2, ints(0)),
    ("float_index", 0, floats(0.0, 1.0)),
    ("too_large", 1, tensor("int64", 4, 1, full=0)),
):
    CASES(f"gather_{name}", *tree, do("gather", td="x", dim=dim, index=index, to="y"))
for name, m in {
    "rows": mask(1, 0, 1),
    "none": mask(0, 0, 0),
    "full": tensor("bool", 3, 2),
    "column": tensor("bool", 3, 1, data=[True, False, True]),
    "wrong": mask(1, 0),
    "too_deep": tensor("bool", 3, 2, 4),
    "not_bool": ints(1, 0, 1),
}.items():
    CASES(f"masked_select_{name}", *tree, do("masked_select", td="x", mask=m, to="y"))
    CASES(f"masked_fill_{name}", *tree, do("masked_fill", td="x", mask=m, value=-1.0, to="y"))
    CASES(f"masked_fill_in_place_{name}", *locked, do("masked_fill_", td="x", mask=m, value=-1.0))
    CASES(
        f"where_{name}",
        *tree,
        *other,
        do("where", td="x", condition=m, other="y", to="w"),
        diverges="`where` over non-tensor data" if name == "none" else None,
    )
CASES(
    "where_missing_key",
    *tree,
    d("y", [3, 2], a=o(3, 2, 4)),
    do("where", td="x", condition=mask(1, 0, 1), other="y", to="w"),
)
CASES(
    "where_padded",
    d("x", [2], a=f(2), b=f(2)),
    d("y", [2], a=o(2), c=o(2)),
    do("where", td="x", condition=mask(1, 0), other="y", pad=-1.0, to="w"),
)

# ---- Sets of rows ----
for name, extra in (
    ("rows", {"key": "a"}),
    ("columns", {"key": "a", "dim": 1}),
    ("missing", {"key": "zz"}),
    ("bad_dim", {"key": "a", "dim": 2}),
    ("nested", {"key": ["n", "b"]}),
):
    twice = [
        d("n", [3, 2], b=tensor("int64", 3, 2, data=[1, 2, 0, 0, 1, 2])),
        d("x", [3, 2], a=tensor("int64", 3, 2, data=[3, 3, 1, 1, 3, 3]), n="n"),
    ]
    CASES(f"unique_{name}", *twice, do("unique", td="x", to="y", **extra))
    CASES(
        f"is_in_{name}",
        *twice,
        do("index", td="x", index=[[0, 1]] if extra.get("dim") != 1 else [ALL, [0, 1]], to="r"),
        do("is_in", td="x", reference="r", to="y", **extra),
    )
CASES("unique_without_batch", d("x", [], a=i(3)), do("unique", td="x", key="a", to="y"))

# ---- Found by random programs ----
two = [d("x", [2, 2], a=f(2, 2, 2))]
CASES("set_number_mask_and_slice", *two, do("set_item", td="x", index=[mask(0, 1), [-1, 2]], value=1))
CASES(
    "set_mask_and_slice",
    *two,
    d("y", [1, 1], a=o(1, 1, 2)),
    do("set_item", td="x", index=[mask(0, 1), [-1, 2]], value="y"),
)
CASES(
    "fill_of_no_rows",
    d("x", [2, 0, 3], a=i(2, 0, 3, 1)),
    do("index", td="x", index=[[2, 3], tensor("bool", 0, data=[])], to="y"),
    do("fill_", td="y", key="a", value=0),
)
