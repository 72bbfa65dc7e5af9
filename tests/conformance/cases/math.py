"""Arithmetic, comparison, reductions, functions over leaves, autograd and dtypes."""

from cases import Cases, d, do, f, floats, i, mask, o, one, scalar, tensor

CASES = Cases()
tree = [d("n", [2, 3], b=f(2, 3, start=1)), d("x", [2, 3], a=f(2, 3, 2, start=1), n="n")]
other = [d("m", [2, 3], b=o(2, 3)), d("y", [2, 3], n="m", a=f(2, 3, 2, start=3))]
whole = [d("x", [2], a=i(2, 3), b=tensor("bool", 2))]
bits = [d("x", [2], a=i(2, 3)), d("y", [2], a=i(2, 3, start=2))]
data = [d("x", [2], a=f(2), s=one("hi"))]

UNARY = (
    """abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round
sigmoid sign sin sinh sqrt tan tanh trunc isfinite isnan isneginf isposinf isreal""".split()
)
for call in UNARY:
    CASES(
        call,
        d("x", [3], a=floats(-0.5, 0.25, 2.5), b=floats(1.0, 0.5, 3.0)),
        do("pointwise", call=call, operands=["x"], to="y"),
    )
    if not call.startswith("is"):
        CASES(
            f"{call}_in_place",
            d("x", [3], a=floats(-0.5, 0.25, 2.5)),
            do("lock", td="x"),
            do("pointwise", call=f"{call}_", operands=["x"], to="y"),
        )
CASES("bitwise_not", *bits, do("pointwise", call="bitwise_not", operands=["x"], to="z"))
CASES("unary_keeps_data", *data, do("pointwise", call="neg", operands=["x"], to="y"))
CASES("unary_of_nothing", do("new", batch=[2], to="x"), do("pointwise", call="neg", operands=["x"], to="y"))

for call in ("add", "sub", "mul", "div", "pow", "maximum", "minimum", "remainder", "clamp_min", "clamp_max"):
    for what, operand in (
        ("number", 2),
        ("float", 0.5),
        ("dict", "y"),
        ("tensor", floats(1.0, 2.0, 3.0)),
        ("scalar", scalar(2.0)),
    ):
        if (
            call in ("maximum", "minimum", "clamp_min", "clamp_max") and what in ("number", "float", "tensor", "scalar")
        ) and call[0] == "m":
            continue
        CASES(f"{call}_{what}", *tree, *other, do("pointwise", call=call, operands=["x", operand], to="z"))
    if call not in ("maximum", "minimum", "remainder"):
        CASES(
            f"{call}_in_place", *tree, *other, do("lock", td="x"), do("pointwise", call=f"{call}_", operands=["x", "y"])
        )
for call, first in (("sub", 1), ("add", 2), ("mul", 3), ("div", 1.0)):
    CASES(
        f"number_{call}_dict",
        d("x", [3], a=floats(2.0, 4.0, 5.0)),
        do("pointwise", call=call, operands=[first, "x"], to="y"),
    )
CASES("number_minus_equal", d("x", [2], a=o(2)), do("pointwise", call="sub", operands=[1, "x"], to="y"))
CASES(
    "two_to_the_power",
    d("x", [2], a=f(2)),
    do("pointwise", call="pow", operands=[2, "x"], to="y"),
    diverges="`2 ** td`",
    ours=None,
)
CASES("add_alpha", *tree, *other, do("pointwise", call="add", operands=["x", "y"], kwargs={"alpha": 3}, to="z"))
CASES("sub_alpha", *tree, *other, do("pointwise", call="sub", operands=["x", "y"], kwargs={"alpha": 2}, to="z"))
for default in ("intersection", scalar(5.0)):
    CASES(
        f"add_default_{default if isinstance(default, str) else 'fill'}",
        d("x", [2], a=f(2), b=f(2)),
        d("y", [2], b=o(2), c=o(2)),
        do("pointwise", call="add", operands=["x", "y"], default=default, to="z"),
    )
CASES(
    "add_default_number",
    d("x", [2], a=f(2), b=f(2)),
    d("y", [2], b=o(2)),
    do("pointwise", call="add", operands=["x", "y"], default=5.0, to="z"),
    diverges="default of a missing leaf",
    ours=None,
)
CASES("add_missing", *tree, d("y", [2, 3], a=f(2, 3, 2)), do("pointwise", call="add", operands=["x", "y"], to="z"))
CASES(
    "add_extra",
    *tree,
    *other,
    do("set", td="y", key="q", value=f(2, 3)),
    do("pointwise", call="add", operands=["x", "y"], to="z"),
)
CASES(
    "add_in_place_extra",
    *tree,
    *other,
    do("set", td="y", key="q", value=f(2, 3)),
    do("pointwise", call="add_", operands=["x", "y"]),
)
CASES("add_in_place_missing", *tree, d("y", [2, 3], a=f(2, 3, 2)), do("pointwise", call="add_", operands=["x", "y"]))
CASES("add_other_batch", *tree, d("y", [4], a=f(4)), do("pointwise", call="add", operands=["x", "y"], to="z"))
CASES("add_tensor_does_not_fit", *tree, do("pointwise", call="add", operands=["x", floats(1.0, 2.0)], to="z"))
CASES("add_tensor_of_batch", *tree, do("pointwise", call="add", operands=["x", f(2, 3)], to="z"))
CASES("add_tensor_that_expands", *tree, do("pointwise", call="add", operands=["x", f(4, 2, 3)], to="z"))
CASES(
    "add_float_to_int_in_place",
    *whole,
    do("select", td="x", keys=["a"], to="w"),
    do("pointwise", call="add_", operands=["w", 0.5]),
)
CASES(
    "add_float_to_int",
    *whole,
    do("select", td="x", keys=["a"], to="w"),
    do("pointwise", call="add", operands=["w", 0.5], to="z"),
)
CASES("add_keeps_data", *data, do("pointwise", call="add", operands=["x", 1], to="y"))
CASES("clamp", *tree, do("pointwise", call="clamp", operands=["x", 2, 4], to="z"))
CASES("clamp_of_dicts", *tree, *other, do("pointwise", call="clamp", operands=["x"], kwargs={"min": "y"}, to="z"))
CASES("lerp", *tree, *other, do("pointwise", call="lerp", operands=["x", "y", 0.25], to="z"))
CASES("addcmul", *tree, *other, do("pointwise", call="addcmul", operands=["x", "x", "y"], kwargs={"value": 2}, to="z"))
CASES("addcdiv", *tree, *other, do("pointwise", call="addcdiv", operands=["x", "x", "y"], to="z"))
for call in ("bitwise_and", "bitwise_or", "bitwise_xor", "logical_and"):
    CASES(call, *bits, do("pointwise", call=call, operands=["x", "y"], to="z"))
for call in ("eq", "ne", "lt", "le", "gt", "ge"):
    for what, operand in (("number", 2), ("dict", "y"), ("scalar", scalar(2.0))):
        CASES(f"{call}_{what}", *tree, *other, do("pointwise", call=call, operands=["x", operand], to="z"))
CASES("eq_missing", *tree, d("y", [2, 3], a=f(2, 3, 2)), do("pointwise", call="eq", operands=["x", "y"], to="z"))
CASES("eq_data", *data, do("pointwise", call="eq", operands=["x", 1], to="y"), diverges="comparisons", ours=None)

# ---- Reductions ----
SEVERAL = "`prod`, `max` over several dims"
WAYS = {
    "": {},
    "first": {"dims": [0]},
    "last": {"dims": [-1]},
    "both": {"dims": [0, 1]},
    "kept": {"dims": [1], "keepdim": True},
    "features": {"feature": True},
    "past": {"dims": [2]},
}
for call in (
    "sum",
    "mean",
    "prod",
    "std",
    "var",
    "nansum",
    "nanmean",
    "amax",
    "amin",
    "max",
    "min",
    "all",
    "any",
    "cummax",
    "cummin",
    "logsumexp",
    "softmax",
):
    for way, arguments in WAYS.items():
        if call in ("all", "any") and way not in ("first", "last", "past"):
            continue
        if call in ("softmax", "cummax", "cummin") and way not in ("first", "last", "past"):
            continue
        if call == "logsumexp" and way in ("", "features"):
            continue
        if call in ("max", "min", "prod") and way == "both":
            continue
        odd = call in ("amax", "amin", "max", "min") and way in ("both", "features")
        CASES(
            f"{call}_{way}",
            *tree,
            do("reduce", td="x", call=call, to="z", **arguments),
            diverges=SEVERAL if odd else None,
        )
CASES("prod_both", *tree, do("reduce", td="x", call="prod", dims=[0, 1], to="z"), diverges=SEVERAL, ours=None)
CASES("sum_of_ints", *whole, do("reduce", td="x", call="sum", dims=[0], to="y"))
CASES("sum_dtype", *whole, do("reduce", td="x", call="sum", dims=[0], kwargs={"dtype": "float64"}, to="y"))
CASES("mean_of_ints", *whole, do("reduce", td="x", call="mean", dims=[0], to="y"))
CASES("sum_keeps_data", *data, do("reduce", td="x", call="sum", dims=[0], to="y"))
CASES("sum_together", *tree, do("reduce_all", td="x", call="sum", to="y"))
CASES("sum_together_rows", d("x", [2], a=f(2, 3), b=f(2, 3)), do("reduce_all", td="x", call="sum", dims=[0], to="y"))
CASES("var_correction", *tree, do("reduce", td="x", call="var", dims=[0], kwargs={"correction": 0}, to="y"))
for ask in ("all", "any"):
    CASES(f"{ask}_true", d("x", [2], a=mask(1, 1)), do(ask, td="x", to="y"))
    CASES(f"{ask}_mixed", d("x", [2], a=mask(1, 0)), do(ask, td="x", to="y"))
    CASES(f"{ask}_false", d("x", [2], a=mask(0, 0)), do(ask, td="x", to="y"))

# ---- Functions over leaves ----
emptied = [d("n", [2], a=f(2)), do("new", batch=[2], to="e"), d("x", [2], a=f(2), b=f(2), n="n", e="e")]
for how in ("drop", "drop_all", "keep"):
    CASES(f"map_{how}", *emptied, do("map", td="x", fn="drop_a", emptied=how, to="y"))
    CASES(f"map_nothing_left_{how}", d("x", [2], a=f(2)), do("map", td="x", fn="drop_a", emptied=how, to="y"))
CASES("map_add_one", *tree, do("map", td="x", fn="add_one", to="y"))
CASES("map_itself", *tree, do("map", td="x", fn="itself", to="y"))
CASES("map_in_place", *tree, do("lock", td="x"), do("map", td="x", fn="add_one", inplace=True))
CASES("map_two", *tree, *other, do("map", td="x", fn="total", others=["y"], to="z"))
CASES("map_two_missing", *tree, d("y", [2, 3], a=f(2, 3, 2)), do("map", td="x", fn="total", others=["y"], to="z"))
CASES(
    "map_two_missing_as_null",
    *tree,
    d("m", [2, 3], q=f(2, 3)),
    d("y", [2, 3], a=f(2, 3, 2), n="m"),
    do("map", td="x", fn="total", others=["y"], missing_as_null=True, to="z"),
)
CASES("map_loses_batch", *tree, do("map", td="x", fn="first_row", to="z"))
CASES("map_other_batch", *tree, do("map", td="x", fn="first_row", batch=[3], to="z"))
CASES("map_keeps_data", *data, do("map", td="x", fn="add_one", to="y"))

# ---- Autograd, dtype, state ----
CASES("requires_grad", *tree, do("requires_grad_", td="x"), do("requires_grad", td="x", to="y"))
CASES("requires_grad_of_ints", *whole, do("requires_grad_", td="x"))
CASES("detach", *tree, do("requires_grad_", td="x"), do("detach", td="x", to="y"))
CASES(
    "backward",
    *tree,
    do("requires_grad_", td="x"),
    do("pointwise", call="mul", operands=["x", "x"], to="y"),
    do("reduce", td="y", call="sum", to="z"),
    do("backward", td="z"),
    do("grad", td="x", to="g"),
)
CASES(
    "backward_gradient",
    *tree,
    do("requires_grad_", td="x"),
    do("pointwise", call="mul", operands=["x", 3], to="y"),
    do("detach", td="y", to="w"),
    do("backward", td="y", gradient="w"),
    do("grad", td="x", to="g"),
)
CASES("backward_without_grad", *tree, do("backward", td="x"))
CASES(
    "backward_not_scalar",
    *tree,
    do("requires_grad_", td="x"),
    do("pointwise", call="mul", operands=["x", 3], to="y"),
    do("backward", td="y"),
)
CASES("grad_of_none", *tree, do("grad", td="x", to="g"))
CASES(
    "zero_grad",
    *tree,
    do("requires_grad_", td="x"),
    do("reduce", td="x", call="sum", to="z"),
    do("backward", td="z"),
    do("zero_grad", td="x", set_to_none=False),
    do("grad", td="x", to="g"),
)
CASES("write_to_leaf_that_requires_grad", *tree, do("requires_grad_", td="x"), do("zero_", td="x"))
for dtype in ("float64", "int32", "bool", "float32", "float16"):
    CASES(f"to_{dtype}", *tree, do("to", td="x", dtype=dtype, to="y"))
CASES("to_of_data", *data, do("to", td="x", dtype="float64", to="y"))
CASES("state_dict", *tree, do("requires_grad_", td="x"), do("state_dict", td="x", to="y"))
CASES("load_state_dict", *tree, *other, do("load_state_dict", td="x", state="y"))
CASES("load_state_dict_assign", *tree, *other, do("load_state_dict", td="x", state="y", assign=True))
CASES("load_state_dict_missing", *tree, d("y", [2, 3], a=o(2, 3, 2)), do("load_state_dict", td="x", state="y"))
CASES(
    "load_state_dict_extra",
    *tree,
    *other,
    do("set", td="y", key="q", value=f(2, 3)),
    do("load_state_dict", td="x", state="y"),
)
