"""Scopes, dicts like another, dicts that become another."""

from cases import Cases, d, do, f, i, one, stack_of

CASES = Cases()
tree = [d("n", [2, 3, 1], b=f(2, 3, 1)), d("x", [2, 3], a=f(2, 3), n="n", s=one("hi"))]
plain = [d("n", [2, 3], b=f(2, 3, 2)), d("x", [2, 3], a=f(2, 3), n="n")]
named = [*plain, do("set_names", td="x", names=["p", "q"])]
locked = [*plain, do("lock", td="x")]

# ---- Scopes ----
KINDS = {
    "flatten_keys": {"separator": "."},
    "view": {"sizes": [6]},
    "flatten": {"start": 0, "end": 1},
    "unflatten": {"dim": 1, "sizes": [3, 1]},
    "unsqueeze": {"dim": 1},
    "permute": {"dims": [1, 0]},
    "transpose": {"dim0": 0, "dim1": 1},
    "movedim": {"source": 0, "destination": 1},
    "flip": {"dims": [0]},
    "roll": {"shifts": [1], "dims": [1]},
}
SIZES = {
    "flatten_keys": (2, 3), "view": (6,), "flatten": (6,), "unflatten": (2, 3, 1), "unsqueeze": (2, 1, 3),
    "permute": (3, 2), "transpose": (3, 2), "movedim": (3, 2), "flip": (2, 3), "roll": (2, 3),
}  # fmt: skip
for kind, arguments in KINDS.items():
    begin = do(f"scope_{kind}", td="x", to="y", **arguments)
    CASES(f"scope_{kind}_alone", *plain, begin, do("scope_end", scope="y"))
    CASES(
        f"scope_{kind}_new_key", *plain, begin,
        do("set", td="y", key="new", value=f(*SIZES[kind], start=50)), do("scope_end", scope="y"),
    )  # fmt: skip
    CASES(
        f"scope_{kind}_write", *plain, begin, do("get", td="y", key="a", to="t"), do("write", td="t", value=7),
        do("scope_end", scope="y"),
    )  # fmt: skip
    CASES(
        f"scope_{kind}_replaced", *plain, begin,
        do("set", td="y", key="a", value=f(*SIZES[kind], start=50)), do("scope_end", scope="y"),
    )  # fmt: skip
    CASES(
        f"scope_{kind}_names", *named, begin, do("scope_end", scope="y"),
    )  # fmt: skip
nested = [d("x", [2], a=f(2)), do("set", td="x", key="n.b", value=f(2, 3)), do("set", td="x", key="n.c", value=f(2))]
CASES("scope_unflatten_keys", *nested, do("scope_unflatten_keys", td="x", separator=".", to="y"), do("scope_end", scope="y"))
CASES(
    "scope_unflatten_keys_new_key", *nested, do("scope_unflatten_keys", td="x", separator=".", to="y"),
    do("set", td="y", key=["n", "d"], value=f(2)), do("scope_end", scope="y"),
)  # fmt: skip
ones = [d("x", [2, 1], a=f(2, 1, 3))]
CASES("scope_squeeze", *ones, do("scope_squeeze", td="x", dim=1, to="y"), do("scope_end", scope="y"))
CASES(
    "scope_squeeze_new_key", *ones, do("scope_squeeze", td="x", dim=1, to="y"), do("set", td="y", key="b", value=f(2)),
    do("scope_end", scope="y"),
)  # fmt: skip
CASES("scope_unlock", *locked, do("scope_unlock", td="x", to="y"), do("set", td="x", key="c", value=f(2, 3)), do("scope_end", scope="y"))
CASES("scope_unlock_of_unlocked", *plain, do("scope_unlock", td="x", to="y"), do("scope_end", scope="y"))
CASES("scope_unlock_child", *locked, do("scope_unlock", td="n", to="y"))
CASES("scope_view_wrong_size", *plain, do("scope_view", td="x", sizes=[7], to="y"))
CASES("scope_permute_twice", *plain, do("scope_permute", td="x", dims=[0, 0], to="y"))
CASES("scope_unflatten_wrong", *plain, do("scope_unflatten", td="x", dim=0, sizes=[3, 3], to="y"))
CASES("scope_unsqueeze_out_of_range", *plain, do("scope_unsqueeze", td="x", dim=5, to="y"))
CASES(
    "scope_flatten_keys_delete", *plain, do("scope_flatten_keys", td="x", separator=".", to="y"),
    do("delete", td="y", key="n.b"), do("scope_end", scope="y"),
)  # fmt: skip

# ---- Dicts like another ----
for op, value in {"new_empty": {}, "new_full": {"value": 3}}.items():
    for sizes in ([], [4], [0], [5, 2, 1]):
        word = "_".join(map(str, sizes)) or "none"
        CASES(f"{op}_{word}", *plain, do(op, td="x", sizes=sizes, **value, to="y"))
    CASES(f"{op}_names", *named, do(op, td="x", sizes=[4, 5], **value, to="y"))
    CASES(f"{op}_fewer_names", *named, do(op, td="x", sizes=[4], **value, to="y"))
    CASES(f"{op}_dtype", *plain, do(op, td="x", sizes=[4], dtype="int64", **value, to="y"))
    CASES(f"{op}_locked", *locked, do(op, td="x", sizes=[4], **value, to="y"))
    CASES(f"{op}_negative", *plain, do(op, td="x", sizes=[-1], **value, to="y"))
mixed = [d("n", [2, 3], b=f(2, 3, 2)), d("e", [2]), d("x", [2], a=f(2, 3), i=i(2), n="n", e="e", s=one("hi"))]
for name, arguments in {
    "numbers": {"data": [1.5, 2]}, "number": {"data": 3}, "truth": {"data": True}, "no_numbers": {"data": []},
    "tensor": {"data": f(2, 3)}, "ints": {"data": i(2)}, "dtype": {"data": [1.5], "dtype": "float64"},
    "too_large": {"data": [1e300], "dtype": "uint8"}, "nan": {"data": f(1), "dtype": "bool"},
    "ints_cannot_require_grad": {"data": [1.5], "requires_grad": True},
    "requires_grad": {"data": [1.5], "requires_grad": True, "dtype": "float32"},
}.items():  # fmt: skip
    CASES(f"new_tensor_{name}", *mixed, do("new_tensor", td="x", to="y", **arguments))
CASES("new_tensor_names", *named, do("new_tensor", td="x", data=[1.5], to="y"))
CASES("new_tensor_locked", *locked, do("new_tensor", td="x", data=[1.5], to="y"))
like = [d("n", [4, 5], b=f(4, 5)), d("w", [4], z=f(4), i=f(4, 1, start=2), a=i(4), n="n")]
CASES("new_tensor_dict", *plain, d("m", [2], b=i(2)), d("w", [2], a=i(2), n="m"), do("new_tensor", td="x", data="w", to="y"))
CASES("new_tensor_dict_names", *plain, d("m", [2], b=i(2)), d("w", [2], a=i(2), n="m"), do("set_names", td="w", names=["p"]), do("new_tensor", td="x", data="w", to="y"))
CASES("new_tensor_dict_node", d("n", [2, 3], b=i(2, 3)), d("x", [2], n="n", i=i(2), a=f(2)), *like, do("new_tensor", td="x", data="w", to="y"))
CASES("new_tensor_dict_lacks", *plain, d("w", [2], a=i(2)), do("new_tensor", td="x", data="w", to="y"))
CASES("new_tensor_dict_data", d("x", [2], a=f(2), s=one("hi")), d("w", [3], a=i(3), s=one("no")), do("new_tensor", td="x", data="w", to="y"))
CASES("new_tensor_dict_lacks_data", d("x", [2], a=f(2), s=one("hi")), d("w", [3], a=i(3)), do("new_tensor", td="x", data="w", to="y"))
CASES(
    "new_tensor_of_stacked_data", d("x", [2], a=f(2), s=stack_of("p", "q")), do("new_tensor", td="x", data=[1.5], to="y"),
    diverges="`new_*` of a `NonTensorStack`", ours=None,
)  # fmt: skip
CASES(
    "new_tensor_of_lazy", d("p", [], a=f(2)), d("q", [], a=f(2)), do("lazy_stack", tds=["p", "q"], dim=0, to="x"),
    do("new_tensor", td="x", data=[1.5], to="y"),
)  # fmt: skip
CASES("to_tensordict", *tree, do("to_tensordict", td="x", to="y"))
CASES("to_tensordict_locked", *locked, do("to_tensordict", td="x", to="y"))
CASES("to_tensordict_of_lazy", *plain, do("clone", td="x", to="z"), do("lazy_stack", tds=["x", "z"], dim=0, to="l"), do("to_tensordict", td="l", to="y"))

# ---- Dicts that become another ----
INPLACE = {
    "reshape": ([6], do("reshape", td="x", sizes=[6], to="other")),
    "flatten": ([0, 1], do("flatten", td="x", start=0, end=1, to="other")),
    "unflatten": ([1, [3, 1]], do("unflatten", td="x", dim=1, sizes=[3, 1], to="other")),
    "repeat": ([2, 1], do("repeat", td="x", repeats=[2, 1], to="other")),
    "roll": ([[1], [1]], do("roll", td="x", shifts=[1], dims=[1], to="other")),
}
for method, (arguments, make) in INPLACE.items():
    for how, start in (("", plain), ("_names", named), ("_locked", locked)):
        CASES(
            f"become_{method}{how}",
            *start,
            make,
            do("become", td="x", other="other", method=method, arguments=arguments),
            do("release", what="other"),
            ours=None,
        )

# ---- Autograd in place ----
own = [*plain, do("clone", td="x", to="y"), do("requires_grad_", td="y")]  # the original refuses to detach views
CASES("detach_in_place", *own, do("detach_", td="y"))
CASES("detach_in_place_locked", *own, do("lock", td="y"), do("detach_", td="y"))
