"""Parameters."""

from cases import Cases, d, do, f, i, o

CASES = Cases()
tree = [d("n", [], w=f(2, 2)), d("x", [], a=f(3), count=i(3), n="n"), do("params", td="x", to="p")]

CASES("wrap", *tree)
CASES("wrap_no_convert", *tree[:2], do("params", td="x", no_convert=True, to="p"))
CASES("wrap_locked", *tree[:2], do("params", td="x", lock=True, to="p"))
CASES("parameter_names", *tree, do("parameter_names", td="p", to="y"))
CASES("buffer_names", *tree, do("buffer_names", td="p", to="y"))
CASES("set", *tree, do("set", td="p", key="c", value=f(2)))
CASES("set_ints", *tree, do("set", td="p", key="c", value=i(2)))
CASES("set_below", *tree, do("set", td="p", key=["n", "c"], value=f(2)))
CASES("set_in_place", *tree, do("set_", td="p", key="a", value=o(3)))
CASES("zero", *tree, do("zero_", td="p"))
CASES("fill", *tree, do("fill_", td="p", key="a", value=2))
CASES("update_values", *tree, d("y", [], a=o(3)), do("update_", td="p", src="y"))
CASES("delete", *tree, do("delete", td="p", key="a"))
CASES("lock", *tree, do("lock", td="p"))
CASES("set_locked", *tree, do("lock", td="p"), do("set", td="p", key="c", value=f(2)))
CASES("get", *tree, do("get", td="p", key="a", to="y"))
CASES("get_node", *tree, do("get", td="p", key="n", to="y"))
CASES("clone", *tree, do("clone", td="p", to="y"), do("release", what="x"))
CASES("copy", *tree, do("copy", td="p", to="y"))
CASES("detach", *tree, do("detach", td="p", to="y"))
CASES("select", *tree, do("select", td="p", keys=["a"], to="y"))
CASES(
    "add", *tree, do("select", td="p", keys=["a", "n"], to="s"), do("pointwise", call="add", operands=["s", 1], to="y")
)
CASES("flatten_keys", *tree, do("flatten_keys", td="p", to="y"))
CASES("map", *tree, do("map", td="p", fn="add_one", to="y"))
CASES("to_float64", *tree, do("to", td="p", dtype="float64", to="y"))
rows = [d("x", [2], a=f(2, 3)), do("params", td="x", to="p")]
CASES("index", *rows, do("index", td="p", index=[0], to="y"))
CASES("unbind", *rows, do("unbind", td="p", dim=0, to="y"))
CASES("reshape", *rows, do("unsqueeze", td="p", dim=0, to="y"))
CASES("stack", *rows, do("stack", tds=["p", "p"], dim=0, to="y"))
CASES("sum", *rows, do("reduce", td="p", call="sum", dims=[0], to="y"))
CASES(
    "backward",
    *tree,
    do("select", td="p", keys=["a", "n"], to="s"),
    do("pointwise", call="mul", operands=["s", 2], to="y"),
    do("reduce", td="y", call="sum", to="z"),
    do("backward", td="z"),
    do("grad", td="p", to="g")
)
CASES("state_dict", *tree, do("select", td="p", keys=["a", "n"], to="s"), do("is_empty", td="s", to="y"))
