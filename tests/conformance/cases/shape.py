"""Other shapes of the batch dims: what is shared, what is copied, and what is refused."""

from cases import Cases, d, do, f, i, one, stack_of

CASES = Cases()
tree = [
    d("n", [2, 3, 1], b=f(2, 3, 1)),
    do("new", batch=[2, 3], to="e"),
    d("x", [2, 3], a=f(2, 3, 2), n="n", e="e", s=one("hi")),
]
small = [d("x", [2, 3], a=f(2, 3, 2), b=i(2, 3))]
ones = [d("n", [1, 2, 1, 3], b=f(1, 2, 1, 3)), d("x", [1, 2, 1], a=f(1, 2, 1, 2), n="n")]
nothing = [d("x", [], a=f(2, 3))]
empty = [d("x", [0, 3], a=f(0, 3, 2))]
data = [d("x", [2, 3], a=f(2, 3), s=stack_of(["a", "b", "c"], ["d", "e", "f"]))]

TABLE = {
    "view": [{"sizes": s} for s in ([6], [3, 2], [2, 3], [-1], [2, -1], [1, 6], [5], [-1, -1], [7, -1])],
    "reshape": [{"sizes": s} for s in ([6], [3, 2], [2, 3], [-1], [3, -1, 1], [5], [4, -1])],
    "flatten": [{"start": a, "end": b} for a, b in ((0, 1), (0, -1), (1, 1), (-2, -1), (1, 0), (0, 2), (-3, 1))],
    "unflatten": [
        {"dim": a, "sizes": s} for a, s in ((1, [3, 1]), (-1, [1, 3]), (0, [2, 1, 1]), (1, [2, 2]), (2, [2]), (0, [2]))
    ],
    "squeeze": [{}, {"dim": 0}, {"dim": -1}, {"dim": 5}, {"dim": -4}],
    "unsqueeze": [{"dim": a} for a in (0, 1, 2, -1, -3, 3, -4)],
    "expand": [{"sizes": s} for s in ([2, 3], [4, 2, 3], [2, 4], [3], [1, 2, 3])],
    "permute": [{"dims": a} for a in ([1, 0], [0, 1], [-1, 0], [0, 0], [2, 0], [0], [1])],
    "transpose": [{"dim0": a, "dim1": b} for a, b in ((0, 1), (0, 0), (-1, 0), (0, 2), (-3, 0))],
    "movedim": [
        {"source": a, "destination": b}
        for a, b in ((0, 1), (1, 1), (-1, 0), (2, 0), ([0, 1], [1, 0]), ([0, 0], [0, 1]))
    ],
    "narrow": [
        {"dim": a, "start": b, "length": n}
        for a, b, n in ((0, 0, 1), (1, 1, 2), (1, -2, 1), (-1, 0, 3), (1, 2, 2), (2, 0, 1), (0, 0, -1), (1, 3, 0))
    ],
    "split": [
        {"size": n, "dim": a}
        for n, a in ((1, 0), (2, 1), (5, 1), ([1, 2], 1), ([3], -1), ([1, 1], 1), (0, 0), (-1, 0), (1, 2), ([0, 3], 1))
    ],
    "chunk": [{"chunks": n, "dim": a} for n, a in ((2, 0), (2, 1), (5, 1), (0, 0), (2, 2), (1, -1))],
    "tensor_split": [
        {"sections": n, "dim": a}
        for n, a in ((2, 0), (2, 1), (5, 1), ([1], 1), ([0, 2], -1), (0, 0), (2, 2), ([2, 1], 1))
    ],
    "unbind": [{"dim": a} for a in (0, 1, -1, 2, -3)],
    "repeat": [{"repeats": r} for r in ([2, 1], [1, 1], [0, 2], [2], [-1, 1], [1, 1, 2])],
    "tile": [{"repeats": r} for r in ([2, 1], [2], [2, 1, 1])],
    "repeat_interleave": [
        {"repeats": r, "dim": a} for r, a in ((2, 0), (2, -1), ([1, 0, 2], 1), ([1, 2], 1), (0, 0), (-1, 0), (2, 2))
    ],
    "flip": [{"dims": a} for a in ([0], [0, 1], [-1], [2], [0, 0])],
    "roll": [
        {"shifts": s, "dims": a}
        for s, a in (([1], [0]), ([-1], [1]), ([1, 2], [0, 1]), ([4], [1]), ([1], [2]), ([1, 1], [0]))
    ],
    "rot90": [
        {"times": k, "dim0": a, "dim1": b}
        for k, a, b in ((1, 0, 1), (2, 0, 1), (-1, 0, 1), (1, 1, 0), (1, 0, 0), (4, 0, 1), (1, 0, 2))
    ],
    "contiguous": [{}],
}
STARTS = {"": tree, "of_ones": ones, "without_batch": nothing, "of_nothing": empty, "of_data": data}
PAST = "dims past the batch"
DIVERGES = {
    "view_1_of_data": {"diverges": "`view` of data that differs", "ours": None},
    "flatten_0_without_batch": {"diverges": PAST, "ours": "INDEX"},
    "flatten_2_without_batch": {"diverges": PAST, "ours": "INDEX"},
    "flatten_5": {"diverges": PAST, "ours": "INDEX"},
    "repeat_interleave_0_without_batch": {"diverges": PAST, "ours": "INDEX"},
    "repeat_interleave_1_without_batch": {"diverges": PAST, "ours": "INDEX"},
    "repeat_interleave_3_without_batch": {"diverges": PAST, "ours": "INDEX"},
    "repeat_interleave_6": {"diverges": PAST, "ours": "INDEX"},
    "rot90_5": {"diverges": "`rot90` by whole turns", "ours": None},
}
for op, rows in TABLE.items():
    for n, arguments in enumerate(rows):
        for start in ("", "of_data") if op in ("view", "reshape") and n else STARTS:
            if start and n > 1 and f"{op}_{n}_{start}" not in DIVERGES:
                continue
            name = f"{op}_{n}" + (f"_{start}" if start else "")
            CASES(name, *STARTS[start], do(op, td="x", to="y", **arguments), **DIVERGES.get(name, {}))
    writes = [do("write", td="x", value=7)]
    CASES(f"{op}_then_write", *small, do(op, td="x", to="y", **rows[0]), *writes)

# ---- Leaves with other strides ----
turned = [
    do("tensor", value=f(3, 2), to="t"),
    do("torch", call="transpose", overload="int", args=["t", 0, 1], to="u"),
    d("x", [2, 3], a="u"),
]
CASES("view_of_turned", *turned, do("view", td="x", sizes=[6], to="y"))
CASES("reshape_of_turned", *turned, do("reshape", td="x", sizes=[6], to="y"))
CASES("flatten_of_turned", *turned, do("flatten", td="x", start=0, end=1, to="y"))
CASES("contiguous_of_turned", *turned, do("contiguous", td="x", to="y"))
CASES(
    "expanded_writes_all",
    d("x", [1], a=f(1, 2)),
    do("expand", td="x", sizes=[3], to="y"),
    do("index", td="y", index=[0], to="r"),
    do("zero_", td="r"),
)
CASES(
    "repeat_interleave_of_scalar_leaf", d("x", [2], a=f(2)), do("repeat_interleave", td="x", repeats=3, dim=0, to="y")
)
CASES("expand_right", do("expand_right", value=f(2), shape=[2, 3], to="y"))
CASES("expand_right_refused", do("expand_right", value=f(2), shape=[3, 3], to="y"))
CASES("expand_as_right", do("expand_as_right", value=f(2, 1), other=f(2, 3, 2), to="y"))
CASES("expand_as_right_refused", do("expand_as_right", value=f(2, 3), other=f(2), to="y"))

# ---- The shapes of another dict ----
thin = [d("n", [3, 2], c=f(3, 2, 1, 4)), d("x", [3], a=f(3, 1, 4), n="n")]
wide = [d("m", [2, 3, 2], c=f(2, 3, 2, 6, 4)), d("w", [2, 3], z=i(2, 3), a=f(2, 3, 5, 4), n="m")]
as_wide = do("expand_as", td="x", other="w", to="y")
CASES("expand_as", *thin, *wide, as_wide)
CASES("expand_as_then_write", *thin, *wide, as_wide, do("write", td="x", value=7))
CASES("expand_as_locked", *thin, *wide, do("lock", td="x"), as_wide)
CASES("expand_as_names", *thin, *wide, do("set_names", td="x", names=["t"]), do("set_names", td="w", names=["p", "t"]), as_wide)
CASES("expand_as_missing", *thin, d("w", [2, 3], a=f(2, 3, 5, 4)), as_wide)
CASES("expand_as_missing_data", d("x", [3], s=one("hi")), d("w", [2, 3], a=f(2, 3)), as_wide)
CASES(
    "expand_as_other_kind", d("n", [3]), d("x", [3], a="n"), d("w", [2, 3], a=f(2, 3)), as_wide,
    diverges="a dict where another has a tensor, in functions over leaves", ours="KEY",
)  # fmt: skip
CASES("expand_as_too_small", d("x", [3], a=f(3, 2)), d("w", [2, 3], a=f(2, 3, 1)), as_wide)
CASES("expand_as_fewer_dims", d("x", [3], a=f(3, 2)), d("w", [], a=f(2)), as_wide)
CASES("expand_as_batch_of_features", d("x", [1, 4], a=f(1, 4)), d("w", [3], a=f(3, 4)), as_wide)
CASES("expand_as_nothing", d("x", [3]), d("w", [2, 5]), as_wide)
CASES("expand_as_data", d("x", [3], a=f(3), s=one("hi")), d("w", [2, 3], a=f(2, 3), s=one("no")), as_wide)
CASES(
    "expand_as_stacked_data", d("x", [3], s=stack_of("a", "b", "c")), d("w", [2, 3], s=stack_of(["d"] * 3, ["e"] * 3)), as_wide,
    diverges="`expand_as` of stacked non-tensor data", ours=None,
)  # fmt: skip
lazy = [d("p", [], a=f(1)), d("q", [], a=f(1)), do("lazy_stack", tds=["p", "q"], dim=0, to="x")]
CASES("expand_as_of_lazy", *lazy, d("w", [2], a=f(2, 5)), as_wide)
CASES("expand_as_of_lazy_to_more", *lazy, d("w", [3, 2], a=f(3, 2, 5)), as_wide)
CASES(
    "expand_as_to_lazy", d("x", [2], a=f(2, 1)), d("p", [], a=f(5)), d("q", [], a=f(5)),
    do("lazy_stack", tds=["p", "q"], dim=0, to="w"), as_wide,
)  # fmt: skip
CASES(
    "expand_as_to_ragged", d("x", [2], a=f(2, 1)), d("p", [], a=f(5)), d("q", [], a=f(6)),
    do("lazy_stack", tds=["p", "q"], dim=0, to="w"), as_wide,
)  # fmt: skip
