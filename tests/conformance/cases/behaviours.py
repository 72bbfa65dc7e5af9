"""The thirty behaviours that a naive port gets wrong."""

from cases import Cases, d, do, f, ints, o, one, scalar, tensor, z

CASES = Cases()

# 1
CASES(
    "01_set_rebinds",
    d("x", [3], a=z(3)),
    do("tensor", to="v", value=f(3)),
    do("set", td="x", key="a", value="v"),
    do("get", td="x", key="a", to="same"),
)
CASES(
    "01_set_in_place_keeps_the_tensor",
    d("x", [3], a=z(3)),
    do("get", td="x", key="a", to="old"),
    do("tensor", to="v", value=f(3)),
    do("set_", td="x", key="a", value="v"),
)
# 2
CASES("02_no_scalar_broadcast_at_set", d("x", [3]), do("set", td="x", key="a", value=scalar(1, "int64")))
CASES("02_without_batch_anything_fits", d("x", []), do("set", td="x", key="a", value=scalar(1, "int64")))
# 3
CASES("03_node_of_other_batch_is_copied", d("s", [], a=z(3, 4)), d("x", [3]), do("set", td="x", key="n", value="s"))
CASES("03_node_of_same_batch_is_itself", d("s", [3], a=z(3, 4)), d("x", [3]), do("set", td="x", key="n", value="s"))
CASES(
    "03_node_of_more_batch_is_itself",
    d("s", [3, 4], a=z(3, 4)),
    d("x", [3]),
    do("set", td="x", key="n", value="s"),
    do("set", td="s", key="new", value=o(3, 4)),
)
# 4
nested = [d("n", [], b=scalar(1)), d("x", [], a=scalar(1), n="n")]
CASES("04_keys_children_first", *nested, do("keys", td="x", flags=["nested", "children_first"], to="k"))
CASES("04_items_node_first", *nested, do("keys", td="x", flags=["nested"], to="k"))
# 5
CASES("05_get_through_a_tensor", d("x", [3], a=z(3)), do("get", td="x", key=["a", "b"], to="y"))
CASES("05_get_missing_node", d("x", [3], a=z(3)), do("get", td="x", key=["q", "b"], to="y"))
# 6
CASES(
    "06_update_in_place_extra_key",
    d("x", [3], a=z(3)),
    d("y", [3], a=o(3), b=o(3)),
    do("update_", td="x", src="y"),
    diverges="`update_`",
    ours="KEY",
)
CASES("06_update_in_place_no_common_key", d("x", [3], a=z(3)), d("y", [3], b=o(3)), do("update_", td="x", src="y"))
# 7
CASES("07_set_in_place_missing", d("x", []), do("set_", td="x", key="b", value=scalar(1)))
CASES(
    "07_set_in_place_missing_node",
    d("x", []),
    do("set_", td="x", key=["n", "b"], value=scalar(1)),
    diverges="`set_` below a missing node",
    ours="KEY",
)
# 8
locked = [d("x", [2], a=z(2, 3)), do("lock", td="x")]
CASES("08_locked_update_in_place", *locked, d("y", [2], a=o(2, 3)), do("update", td="x", src="y", inplace=True))
CASES("08_locked_update", *locked, d("y", [2], a=o(2, 3)), do("update", td="x", src="y"))
CASES("08_locked_index_write", *locked, do("set_item", td="x", index=[0], value=5.0))
CASES("08_locked_batch_size", *locked, do("set_batch_size", td="x", batch=[]))
CASES("08_locked_names", *locked, do("set_names", td="x", names=["p"]))
CASES("08_locked_new_key_in_place", *locked, d("y", [2], b=o(2, 3)), do("update", td="x", src="y", inplace=True))
# 9
tree = [d("n", [2], b=z(2)), d("x", [2], n="n"), do("lock", td="x"), do("get", td="x", key="n", to="m")]
CASES("09_child_of_locked", *tree, do("unlock", td="m"))
CASES("09_child_after_its_root", *tree, do("release", what="x"), do("release", what="n"), do("unlock", td="m"))
CASES(
    "09_two_locked_parents",
    d("n", [2], b=z(2)),
    d("x", [2], n="n"),
    d("y", [2], n="n"),
    do("lock", td="x"),
    do("lock", td="y"),
    do("unlock", td="x"),
)
# 10
locked = [d("x", [2], a=f(2, 3)), do("lock", td="x")]
CASES("10_index_of_locked", *locked, do("index", td="x", index=[0], to="y"))
CASES("10_sum_of_locked", *locked, do("pointwise", call="add", operands=["x", 1], to="y"))
CASES("10_select_of_locked", *locked, do("select", td="x", keys=["a"], to="y"))
CASES("10_unbind_of_locked", *locked, do("unbind", td="x", dim=0, to="y"))
CASES("10_split_of_locked", *locked, do("split", td="x", size=1, dim=0, to="y"))
# 11
tree = [d("n", [2], b=z(2)), d("x", [2], a=f(2), n="n")]
CASES(
    "11_select_keeps_the_node",
    *tree,
    do("select", td="x", keys=["n"], to="y"),
    do("get", td="y", key="n", to="m"),
    do("set", td="m", key="new", value=o(2))
)
CASES(
    "11_copy_makes_nodes",
    *tree,
    do("copy", td="x", to="y"),
    do("get", td="y", key="n", to="m"),
    do("set", td="m", key="new", value=o(2))
)
# 12
CASES(
    "12_set_in_a_row_is_lost",
    d("x", [2], a=f(2, 3)),
    do("index", td="x", index=[0], to="r"),
    do("set", td="r", key="a", value=o(3)),
)
CASES(
    "12_set_in_place_in_a_row_writes",
    d("x", [2], a=f(2, 3)),
    do("index", td="x", index=[0], to="r"),
    do("set_", td="r", key="a", value=o(3)),
)
CASES(
    "12_advanced_index_copies",
    d("x", [2], a=f(2, 3)),
    do("index", td="x", index=[ints(0)], to="r"),
    do("zero_", td="r"),
)
# 13
CASES(
    "13_no_size_one_broadcast",
    d("x", [3, 4], a=z(3, 4)),
    d("y", [1, 4], a=o(1, 4)),
    do("set_item", td="x", index=[[0, 2]], value="y"),
)
CASES(
    "13_left_broadcast",
    d("x", [3, 4], a=z(3, 4, 2)),
    d("y", [4], a=f(4, 2)),
    do("set_item", td="x", index=[[None, None]], value="y"),
)
# 14
CASES(
    "14_index_write_makes_keys",
    d("x", [3, 4], a=z(3, 4)),
    d("y", [4], new=tensor("int64", 4, full=1)),
    do("set_item", td="x", index=[1], value="y"),
)
# 15
flat = [d("x", [], a=z(3))]
CASES("15_index_without_batch", *flat, do("index", td="x", index=[0], to="y"))
CASES(
    "15_index_write_without_batch",
    *flat,
    do("set_item", td="x", index=[0], value=0.0),
    diverges="index past the batch dims",
    ours="INDEX"
)
CASES("15_none_without_batch", *flat, do("index", td="x", index=[None], to="y"))
CASES(
    "15_ellipsis_without_batch",
    *flat,
    do("index", td="x", index=["..."], to="y"),
    diverges="index that takes everything",
    ours=None
)
# 16
CASES(
    "16_tensor_broadcasts_on_batch",
    d("x", [3, 4], a=z(3, 4, 2)),
    do("pointwise", call="add", operands=["x", f(4)], to="y"),
)
CASES("16_not_on_features", d("x", [3, 4], a=z(3, 4, 2)), do("pointwise", call="add", operands=["x", f(2)], to="y"))
CASES("16_dict_without_batch_expands", d("x", [], a=z(3)), do("pointwise", call="add", operands=["x", f(2)], to="y"))
# 17
CASES(
    "17_extra_leaf_in_other",
    d("x", [2], a=f(2)),
    d("y", [2], a=f(2), b=f(2)),
    do("pointwise", call="add", operands=["x", "y"], to="z"),
)
CASES(
    "17_missing_leaf_in_other",
    d("x", [2], a=f(2), b=f(2)),
    d("y", [2], a=f(2)),
    do("pointwise", call="add", operands=["x", "y"], to="z"),
)
CASES(
    "17_order_does_not_matter",
    d("x", [2], a=f(2), b=o(2)),
    d("y", [2], b=f(2), a=o(2)),
    do("pointwise", call="sub", operands=["x", "y"], to="z"),
)
CASES(
    "17_lerp_by_key",
    d("x", [2], a=f(2), b=o(2)),
    d("y", [2], b=f(2), a=o(2)),
    do("pointwise", call="lerp", operands=["x", "y", 0.5], to="z"),
)
# 18
empty = [do("new", batch=[], to="e"), d("x", [], a=o(1), e="e")]
CASES(
    "18_sum_with_empty_node",
    *empty,
    do("pointwise", call="add", operands=["x", 1], to="y"),
    diverges="arithmetic with empty nodes",
    ours=None
)
CASES("18_abs_with_empty_node", *empty, do("pointwise", call="abs", operands=["x"], to="y"))
# 19
CASES(
    "19_comparison_key_mismatch",
    d("x", [2], a=f(2)),
    d("y", [2], b=f(2)),
    do("pointwise", call="eq", operands=["x", "y"], to="z"),
)
CASES("19_all_of_nothing", do("new", batch=[], to="x"), do("all", td="x", to="y"))
CASES("19_any_of_nothing", do("new", batch=[], to="x"), do("any", td="x", to="y"))
# 20
rows = [d("x", [2, 3], a=f(2, 3, 4))]
CASES("20_sum_of_all", *rows, do("reduce", td="x", call="sum", to="y"))
CASES("20_sum_of_last_batch_dim", *rows, do("reduce", td="x", call="sum", dims=[-1], to="y"))
CASES("20_sum_of_features", *rows, do("reduce", td="x", call="sum", feature=True, to="y"))
CASES("20_dim_past_the_batch", *rows, do("reduce", td="x", call="sum", dims=[2], to="y"))
# 21
CASES("21_squeeze_is_of_batch_dims", d("x", [1], a=z(1, 1)), do("squeeze", td="x", to="y"))
CASES("21_flatten_is_of_batch_dims", *rows, do("flatten", td="x", start=0, end=-1, to="y"))
CASES("21_transpose_is_of_batch_dims", *rows, do("transpose", td="x", dim0=0, dim1=-1, to="y"))
CASES("21_split_is_of_batch_dims", *rows, do("split", td="x", size=2, dim=-1, to="y"))
CASES("21_expand_is_of_batch_dims", *rows, do("expand", td="x", sizes=[5, 2, 3], to="y"))
# 22
CASES("22_view_of_same_size_is_self", *rows, do("view", td="x", sizes=[2, 3], to="y"))
CASES(
    "22_to_the_same_device_is_self", do("new", batch=[2], device="cpu", to="x"), do("to", td="x", device="cpu", to="y")
)
CASES("22_to_cpu_without_device_is_new", *rows, do("to", td="x", device="cpu", to="y"))
# 23
CASES("23_stack_of_other_keys", d("x", [2], a=f(2)), d("y", [2], b=f(2)), do("stack", tds=["x", "y"], to="z"))
# 27
data = [d("x", [2], s=one("hello"))]
CASES("27_data_is_unwrapped", *data, do("get", td="x", key="s", to="y"))
CASES("27_stack_of_equal_data", *data, do("stack", tds=["x", "x"], to="y"))
CASES("27_cat_of_data", *data, d("z", [2], s=one("other")), do("cat", tds=["x", "z"], to="y"))
CASES(
    "27_index_write_of_other_data",
    *data,
    do("lock", td="x"),
    d("y", [], s=one("new")),
    do("set_item", td="x", index=[0], value="y")
)
CASES(
    "27_index_write_of_equal_data",
    *data,
    do("lock", td="x"),
    d("y", [], s=one("hello")),
    do("set_item", td="x", index=[0], value="y")
)
# 28
tree = [d("n", [], b=scalar(1)), do("new", batch=[], to="e"), d("x", [], a=scalar(0), n="n", e="e")]
CASES("28_flatten_keys", *tree, do("flatten_keys", td="x", to="y"))
CASES(
    "28_flatten_keys_collision",
    *tree,
    do("set", td="x", key="n.b", value=scalar(1)),
    do("flatten_keys", td="x", to="y")
)
CASES("28_exclude_leaves_the_node", *tree, do("exclude", td="x", keys=[["n", "b"]], to="y"))
CASES(
    "28_select_node_and_below",
    d("n", [], b=scalar(1), c=scalar(2)),
    d("x", [], a=scalar(0), n="n"),
    do("select", td="x", keys=["n", ["n", "b"]], to="y"),
)
# 29
CASES("29_repr_sorts_entries", d("x", [2], a=f(2), a0=f(2), B=f(2)), do("repr", td="x", to="y"))
# 30
CASES(
    "30_named_node_names",
    d("n", [2], a=z(2)),
    do("set_names", td="n", names=["q"]),
    do("new", batch=[2], to="x"),
    do("set", td="x", key="n", value="n"),
)
CASES(
    "30_conflicting_names",
    d("n", [2], a=z(2)),
    do("set_names", td="n", names=["q"]),
    do("new", batch=[2], to="x"),
    do("set_names", td="x", names=["p"]),
    do("set", td="x", key="n", value="n"),
)
named = [d("x", [2, 3], a=f(2, 3)), do("set_names", td="x", names=["p", "q"])]
CASES("30_view_drops_names", *named, do("view", td="x", sizes=[6], to="y"))
CASES("30_reshape_drops_names", *named, do("reshape", td="x", sizes=[6], to="y"))
CASES("30_flatten_merges_names", *named, do("flatten", td="x", start=0, end=1, to="y"))
CASES("30_comparison_drops_names", *named, do("pointwise", call="eq", operands=["x", "x"], to="y"))
