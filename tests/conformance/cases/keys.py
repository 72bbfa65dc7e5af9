"""Choosing, renaming, flattening and splitting keys."""

from cases import Cases, d, do, f, i, o, one, z

CASES = Cases()
tree = [d("n", [2], b=f(2, 3), c=i(2)), do("new", batch=[2], to="e"), d("x", [2], a=f(2, 3), n="n", e="e", s=one("hi"))]
locked = [*tree, do("lock", td="x")]

for name, keys in {
    "one": ["a"],
    "nothing": [],
    "order": ["n", "a"],
    "nested": [["n", "c"], "s"],
    "node_and_below": ["n", ["n", "b"]],
    "two_below": [["n", "c"], ["n", "b"]],
    "empty_node": ["e"],
    "missing": ["a", "zz"],
    "missing_below": [["n", "zz"]],
    "missing_node": [["zz", "a"]],
}.items():
    CASES(f"select_{name}", *tree, do("select", td="x", keys=keys, to="y"), do("write", td="y", value=9))
    CASES(f"select_lenient_{name}", *tree, do("select", td="x", keys=keys, strict=False, to="y"))
    CASES(f"select_in_place_{name}", *tree, do("select_", td="x", keys=keys))
    CASES(f"exclude_{name}", *tree, do("exclude", td="x", keys=keys, to="y"), do("write", td="y", value=9))
    CASES(f"exclude_in_place_{name}", *tree, do("exclude_", td="x", keys=keys))
CASES("select_through_a_leaf", *tree, do("select", td="x", keys=[["a", "b"]], to="y"))
CASES("select_of_locked", *locked, do("select", td="x", keys=["a", "n"], to="y"))
CASES("select_in_place_of_locked", *locked, do("select_", td="x", keys=["a"]))
CASES("exclude_of_locked", *locked, do("exclude", td="x", keys=["a"], to="y"))
CASES("exclude_in_place_of_locked", *locked, do("exclude_", td="x", keys=["a"]))

for name, old, new in (
    ("leaf", "a", "q"),
    ("over_leaf", ["n", "b"], ["n", "c"]),
    ("node", "n", "m"),
    ("out_of_node", ["n", "b"], "q"),
    ("into_node", "a", ["n", "q"]),
    ("into_new_node", "a", ["p", "q"]),
    ("same", "a", "a"),
    ("missing", "zz", "q"),
    ("missing_same", "zz", "zz"),
    ("onto_its_node", ["n", "b"], "n"),
    ("data", "s", "q"),
):
    CASES(
        f"rename_{name}",
        *tree,
        do("rename_key", td="x", old=old, new=new),
        diverges="renaming onto its own node" if name == "onto_its_node" else None,
    )
    CASES(f"rename_safe_{name}", *tree, do("rename_key", td="x", old=old, new=new, safe=True))
CASES("rename_locked", *locked, do("rename_key", td="x", old="a", new="q"))

for recurse in (False, True):
    CASES(
        f"empty_{recurse}",
        *tree,
        do("empty", td="x", recurse=recurse, to="y"),
        diverges="`empty(recurse=True)`" if recurse else None,
    )
    CASES(
        f"empty_of_locked_{recurse}",
        *locked,
        do("empty", td="x", recurse=recurse, to="y"),
        diverges="`empty(recurse=True)`" if recurse else None,
    )
CASES("filter_empty", *tree, do("filter_empty_", td="x"))
CASES("filter_empty_of_locked", *locked, do("filter_empty_", td="x"))

CASES("flatten", *tree, do("flatten_keys", td="x", to="y"), do("write", td="y", value=9))
CASES("flatten_of_locked", *locked, do("flatten_keys", td="x", to="y"))
CASES("flatten_separator", *tree, do("flatten_keys", td="x", separator="/", to="y"))
CASES("flatten_clash", *tree, do("set", td="x", key="n.b", value=f(2)), do("flatten_keys", td="x", to="y"))
CASES("unflatten", d("x", [2], ("a.b", f(2)), ("a.c", o(2)), ("q", z(2))), do("unflatten_keys", td="x", to="y"))
CASES("unflatten_empty_parts", d("x", [2], ("a..b", f(2))), do("unflatten_keys", td="x", to="y"))
CASES("unflatten_separator", d("x", [2], ("a/b", f(2))), do("unflatten_keys", td="x", separator="/", to="y"))
CASES(
    "unflatten_into_a_node",
    d("n", [2], c=f(2)),
    d("x", [2], ("n.b", f(2)), n="n"),
    do("unflatten_keys", td="x", to="y"),
)
CASES("unflatten_onto_a_leaf", d("x", [2], ("a.b", f(2)), a=f(2)), do("unflatten_keys", td="x", to="y"))
CASES(
    "unflatten_onto_a_key", d("n", [2], b=o(2)), d("x", [2], ("n.b", f(2)), n="n"), do("unflatten_keys", td="x", to="y")
)
CASES("flatten_unflatten", *tree, do("flatten_keys", td="x", to="y"), do("unflatten_keys", td="y", to="z"))

for name, sets in {
    "two": [["a"], ["n"]],
    "nested": [[["n", "b"]], ["a"]],
    "rest": [["a"]],
    "nothing": [[]],
    "missing": [["a", "zz"]],
    "twice": [["a"], ["a"]],
    "data": [["s"]],
}.items():
    CASES(f"split_keys_{name}", *tree, do("split_keys", td="x", sets=sets, to="y"))
    CASES(
        f"split_keys_lenient_{name}",
        *tree,
        do("split_keys", td="x", sets=sets, strict=False, to="y"),
        **({"diverges": "a key in two sets of `split_keys`", "ours": "KEY"} if name == "twice" else {}),
    )
CASES("select_lenient_leaf_and_below", *tree, do("select", td="x", keys=["a", ["a", "b"]], strict=False, to="y"))
