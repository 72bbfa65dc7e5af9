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

# ---- Groups ----
rows = [d("n", [4, 2], c=f(4, 2)), d("x", [4], u=ints(2, 0, 2, 1), a=f(4, 3), n="n", s=stack_of("b", "a", "b", "c"))]
CASES("group_by", *rows, do("group_by", td="x", key="u", to="g"))
CASES("group_by_data", *rows, do("group_by", td="x", key="s", to="g"))
CASES("group_by_shares", *rows, do("group_by", td="x", key="u", to="g"), do("write", td="g.0", value=-1))
CASES("group_by_names", *rows, do("set_names", td="x", names=["t"]), do("group_by", td="x", key="u", to="g"))
CASES("group_by_locked", *rows, do("lock", td="x"), do("group_by", td="x", key="u", to="g"))
CASES("group_by_nested_key", *rows, do("group_by", td="x", key=["n", "c"], to="g"))
CASES("group_by_missing", *rows, do("group_by", td="x", key="z", to="g"))
CASES("group_by_dict", *rows, do("group_by", td="x", key="n", to="g"))
CASES("group_by_below_tensor", *rows, do("group_by", td="x", key=["u", "z"], to="g"))
CASES("group_by_without_batch", d("x", [], u=ints(1, 2)), do("group_by", td="x", key="u", to="g"))
CASES("group_by_empty", d("x", [0], u=ints()), do("group_by", td="x", key="u", to="g"))
for name, values in {
    "rows": tensor("int64", 4, 2, data=[2, 0, 1, 1, 2, 0, 1, 0]),
    "bools": mask(1, 0, 0, 1),
    "floats": floats(1.5, -2, 1.5, 0),
    "nan": tensor("float32", 4, data=["nan", 1, "nan", "-inf"]),
    "bytes": tensor("uint8", 4, data=[255, 0, 7, 255]),
    "complex": tensor("complex64", 4, data=[1, 0, 1, 0]),
    "columns": tensor("int64", 4, 1, data=[3, 1, 3, 2]),
    "without_elements": tensor("float32", 4, 0, data=[]),
}.items():
    CASES(f"group_by_{name}", d("x", [4], u=values, i=i(4)), do("group_by", td="x", key="u", to="g"))
for name, values in {
    "numbers": [3, 1.5, True, 1],
    "text": ["\u00e9", "z", "", "z"],
    "none": [None, None, None, None],
    "lists": [[1, 2], [0, 5], [1, 2], [1]],
    "nested_lists": [["a", [2]], ["a", [1, 9]], ["a", [2]], ["", []]],
    "mixed": [1, "a", 1, 1],
    "none_and_one": [None, 1, None, 1],
    "objects": [{"a": 1}, {"a": 1}, {"a": 1}, {"a": 2}],
    "lists_of_others": [[1, "a"], [1, 2], [1], [1]],
    "lists_that_differ_before": [[1, "a"], [2, 2], [0, None], [3]],
    "objects_in_lists": [[{}], [], [], []],
    "reals": [1e300, -0.5, 1e300, 2],
}.items():
    CASES(f"group_by_data_{name}", d("x", [4], s=stack_of(*values), i=i(4)), do("group_by", td="x", key="s", to="g"))
CASES("group_by_one_value", d("x", [2], a=f(2), s=one("hi")), do("group_by", td="x", key="s", to="g"))
CASES("group_by_rows_of_data", *data, do("group_by", td="x", key="s", to="g"))

# ---- Padded samples ----
short, long = d("p", [2], a=f(2), b=f(2, 2)), d("q", [3], a=f(3), b=f(3, 2, start=9))
padded = [short, long, do("pad_sequence", tds=["p", "q"], mask_key="masks", to="x")]
CASES("unpad_sequence", *padded, do("unpad_sequence", td="x", to="y"))
CASES("unpad_sequence_shares", *padded, do("unpad_sequence", td="x", to="y"), do("write", td="x", value=-1))
CASES("unpad_sequence_locked", *padded, do("lock", td="x"), do("unpad_sequence", td="x", to="y"))
CASES("unpad_sequence_names", *padded, do("set_names", td="x", names=["n", "t"]), do("unpad_sequence", td="x", to="y"))
CASES("unpad_sequence_other_masks", *padded, do("get", td="x", key="masks", to="m"), do("unpad_sequence", td="x", masks="m", to="y"))
CASES("unpad_sequence_no_masks", short, do("unpad_sequence", td="p", to="y"))
CASES("unpad_sequence_no_batch", d("x", [], a=f(2, 2)), do("unpad_sequence", td="x", mask=tensor("bool", 2, 2), to="y"))
features = [
    d("p", [2], a=f(2, 3), b=f(2, 1)), d("q", [2], a=f(2, 5), b=f(2, 4)),
    do("pad_sequence", tds=["p", "q"], pad_dim=1, mask_key="masks", to="x"),
]  # fmt: skip
CASES("unpad_sequence_features", *features, do("unpad_sequence", td="x", pad_dim=1, to="y"))
CASES("unpad_sequence_last_dim", *features, do("unpad_sequence", td="x", pad_dim=-1, to="y"))
CASES("unpad_sequence_another_dim", *features, do("unpad_sequence", td="x", pad_dim=0, to="y"))
CASES("unpad_sequence_dim_too_far", *features, do("unpad_sequence", td="x", pad_dim=5, to="y"))
episodes = d("x", [2], a=f(2, 3), b=f(2, 3, 2), s=one("hi"))
for name, marks in {
    "mask": mask(1, 0, 0, 1, 1, 1), "left": mask(0, 0, 1, 0, 1, 1), "middle": mask(0, 1, 0, 0, 1, 0),
    "nothing": mask(0, 0, 0, 1, 1, 1), "hole": mask(1, 0, 1, 1, 1, 1),
}.items():  # fmt: skip
    marks = {**marks, "shape": [2, 3]}
    CASES(f"unpad_sequence_{name}", episodes, do("unpad_sequence", td="x", mask=marks, to="y"))
    CASES(
        f"unpad_sequence_{name}_of_batch", d("x", [2, 3], a=f(2, 3), s=stack_of(["a", "b", "c"], ["d", "e", "f"])),
        do("unpad_sequence", td="x", mask=marks, to="y"),
    )  # fmt: skip
CASES("unpad_sequence_mask_too_long", episodes, do("unpad_sequence", td="x", mask=tensor("bool", 2, 4), to="y"))
CASES("unpad_sequence_mask_of_one_dim", episodes, do("unpad_sequence", td="x", mask=mask(1, 1), to="y"))
CASES(
    "unpad_sequence_mask_missing", d("m", [2], a=tensor("bool", 2, 3)), episodes, do("unpad_sequence", td="x", masks="m", to="y")
)
CASES("unpad_sequence_no_samples", d("x", [0], a=f(0, 3)), do("unpad_sequence", td="x", mask=tensor("bool", 0, 3), to="y"))

# ---- One tensor of all ----
mixed = [d("n", [4, 3], s=f(4, 3, 2)), d("e", [4]), d("x", [4], p=f(4, start=50), v=f(4, 3), n="n", e="e")]
CASES("pack", *mixed, do("pack", td="x", to="y"))
CASES("pack_first_dim", *mixed, do("pack", td="x", dim=0, to="y"))
CASES("pack_dim_1", *mixed, do("pack", td="x", dim=1, to="y"))
CASES("pack_dim_too_far", *mixed, do("pack", td="x", dim=2, to="y"))
CASES("pack_dim_too_negative", *mixed, do("pack", td="x", dim=-3, to="y"))
CASES("pack_then_write", *mixed, do("pack", td="x", to="y"), do("write", td="y.flat", value=7))
CASES("pack_locked_names", *mixed, do("set_names", td="x", names=["t"]), do("lock", td="x"), do("pack", td="x", to="y"))
CASES("pack_of_dtypes", d("x", [2], a=f(2), b=i(2)), do("pack", td="x", to="y"))
CASES("pack_of_ints", d("x", [2], a=i(2, 2), b=i(2)), do("pack", td="x", to="y"))
CASES("pack_of_data", d("x", [2], a=f(2), s=one("hi")), do("pack", td="x", to="y"))
CASES("pack_without_batch", d("x", [], a=scalar(3), b=f(2)), do("pack", td="x", to="y"))
CASES("pack_of_two_batch_dims", d("x", [2, 3], a=f(2, 3), b=f(2, 3, 2)), do("pack", td="x", dim=1, to="y"))
CASES("pack_of_nothing", d("x", [3]), do("pack", td="x", to="y"))
CASES("pack_of_nothing_first_dim", d("x", [3]), do("pack", td="x", dim=0, to="y"))
CASES("pack_of_empty_features", d("x", [3], a=f(3, 0), b=f(3, 2)), do("pack", td="x", to="y"))
CASES("pack_of_empty_batch", d("x", [0], a=f(0, 3), b=f(0)), do("pack", td="x", to="y"))
CASES("pack_sorts", d("x", [2], ("b.c", f(2)), ("B", f(2)), a=f(2)), do("set", td="x", key=["b", "a"], value=f(2)), do("pack", td="x", to="y"))
CASES("pack_like", *mixed, d("n2", [2, 3], s=f(2, 3, 2)), d("z", [2], v=f(2, 3), n="n2", p=f(2)), do("pack", td="z", like="x", to="y"))
CASES("pack_like_lacks", *mixed, d("z", [2], v=f(2, 3)), do("pack", td="z", like="x", to="y"))
CASES("pack_like_has_more", d("x", [2], a=f(2)), d("z", [2], a=f(2), b=f(2)), do("pack", td="z", like="x", to="y"))
CASES("pack_like_of_other_features", d("x", [2], a=f(2)), d("z", [2], a=f(2, 1)), do("pack", td="z", like="x", to="y"))
stack = [d("p", [], a=f(2), b=scalar(1)), d("q", [], a=f(2, start=5), b=scalar(2)), do("lazy_stack", tds=["p", "q"], dim=0, to="x")]
CASES("pack_of_lazy", *stack, do("pack", td="x", to="y"))
CASES("pack_below_lazy", *stack, d("z", [], n="x"), do("pack", td="z", to="y"))
CASES("pack_of_lazy_with_exclusive_keys", *stack, do("set", td="p", key="c", value=f(2)), do("pack", td="x", to="y"))
CASES("pack_of_ragged", *stack, do("set", td="p", key="a", value=f(3)), do("pack", td="x", to="y"))
CASES("unpack_fewer_rows", *mixed, do("unpack", td="x", value=f(2, 10), to="y"))
CASES("unpack_more_dims", *mixed, do("unpack", td="x", value=f(2, 2, 10), to="y"))
CASES("unpack_other_dtype", *mixed, do("unpack", td="x", value=i(2, 10), to="y"))
CASES("unpack_other_columns", *mixed, do("unpack", td="x", value=f(2, 9), to="y"))
CASES("unpack_no_dims", *mixed, do("unpack", td="x", value=scalar(1), to="y"))
CASES("unpack_first_dim", *mixed, do("unpack", td="x", dim=0, value=f(10, 2), to="y"))

# ---- Descriptions ----
schema = [["obs", "uint8", [2]], [["n", "r"], "float32", []], ["b", "bool", [1, 2]]]
CASES("from_schema", do("from_schema", schema=schema, batch=[3], to="y"))
CASES("from_schema_without_batch", do("from_schema", schema=schema, batch=[], to="y"))
CASES("from_schema_shared", do("from_schema", schema=schema, batch=[3], storage="shared", to="y"))
CASES("from_schema_of_nothing", do("from_schema", schema=[], batch=[3], to="y"))
CASES("from_schema_negative", do("from_schema", schema=[["a", "uint8", [-1]]], batch=[3], to="y"))
