"""Functions of the caller's over data and over what all dicts have, entries that are separated, data in place."""

from cases import Cases, d, do, f, i, o, one, stack_of, z

CASES = Cases()
tree = [
    d("n", [2], b=f(2, 3), t=stack_of("p", "q")),
    do("new", batch=[2], to="e"),
    d("x", [2], a=f(2), s=one("hi"), n="n", e="e"),
]
data_only = [d("n", [2], t=stack_of("p", "q")), d("x", [2], a=f(2), n="n")]

# ---- Functions over data ----
for what in ("itself", "text", "ones", "nothing"):
    CASES(f"map_{what}", *tree, do("map", td="x", fn="add_one", data=what, to="y"))
    CASES(f"map_{what}_below", *data_only, do("map", td="x", fn="itself", data=what, to="y"))
    CASES(f"map_{what}_keeps_empty", *data_only, do("map", td="x", fn="itself", data=what, emptied="keep", to="y"))
CASES("map_text_of_locked", *tree, do("lock", td="x"), do("map", td="x", fn="add_one", data="text", to="y"))
CASES("map_drops_both", *tree, do("map", td="x", fn="drop_a", data="nothing", emptied="drop_all", to="y"))

# ---- Merging by a function ----
without = [d("n", [2], b=f(2, 3)), d("x", [2], n="n", a=f(2))]
others = [
    d("m", [2], b=o(2, 3), q=i(2)),
    d("w", [2], n="m", a=o(2), u=z(2)),
]
CASES("merge_sum", *without, *others, do("merge_with", tds=["x", "w"], fn="total", to="y"))
CASES("merge_first", *without, *others, do("merge_with", tds=["w", "x"], fn="itself", to="y"), do("write", td="y", value=7))
CASES("merge_beside_data", *tree, *others, do("merge_with", tds=["x", "w"], fn="total", to="y"),
      diverges="`merge_tensordicts` of data and nodes", ours=None)
CASES("merge_three", d("x", [2], a=f(2)), d("y", [2], a=o(2), b=o(2)), d("z", [2], a=o(2), c=z(2)),
      do("merge_with", tds=["x", "y", "z"], fn="total", to="w"))

# ---- Separating ----
plain = [d("n", [2], b=f(2, 3), c=i(2)), d("x", [2], a=f(2), n="n")]
for name, keys in {
    "one": ["a"],
    "nested": [["n", "b"]],
    "whole_node": ["n"],
    "all_of_a_node": [["n", "b"], ["n", "c"]],
    "nothing": [],
    "twice": ["a", "a"],
    "missing": ["a", "zz"],
    "missing_below": [["n", "zz"]],
}.items():
    CASES(f"separates_{name}", *plain, do("separates", td="x", keys=keys, to="y"))
    CASES(f"separates_{name}_keeps_nodes", *plain, do("separates", td="x", keys=keys, keep_empty=True, to="y"))
    if name not in ("missing", "missing_below", "twice"):
        CASES(f"separates_{name}_lenient", *plain, do("separates", td="x", keys=keys, strict=False, to="y"))
CASES("separates_filled", *plain, do("separates", td="x", keys=["a", "zz"], fill=o(2), to="y"))
CASES("separates_filled_below", *plain, do("separates", td="x", keys=[["n", "zz"], ["w", "zz"]], fill=o(2), to="y"))
CASES("separates_of_locked", *plain, do("lock", td="x"), do("separates", td="x", keys=["a"], to="y"))
CASES("separates_beside_data", d("x", [2], a=f(2), s=one("hi")), do("separates", td="x", keys=["a"], to="y"),
      diverges="data beside what `separates` takes", ours=None)
CASES("separates_data", d("x", [2], a=f(2), s=one("hi")), do("separates", td="x", keys=["s"], to="y"))
CASES("separates_beside_an_empty_node", do("new", batch=[2], to="e"), d("x", [2], a=f(2), e="e"),
      do("separates", td="x", keys=["a"], to="y"), diverges="`separates` and nodes that were empty before", ours=None)

# ---- Data in place ----
for name, key in {"one": "s", "stack": ["n", "t"], "missing": "zz", "missing_below": ["n", "zz"]}.items():
    CASES(f"set_data_in_place_{name}", *tree, do("set_data_", td="x", key=key, value="new"))
    CASES(f"set_data_in_place_{name}_of_locked", *tree, do("lock", td="x"), do("set_data_", td="x", key=key, value="new"))
for value in (3, 2.5, None, True, [1, 2]):
    CASES(f"set_data_in_place_{value}", *tree, do("set_data_", td="x", key="s", value=value))
CASES("set_data_in_place_of_a_tensor", *tree, do("set_data_", td="x", key="a", value="new"))
