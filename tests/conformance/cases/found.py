"""What random programs found: each was a bug here."""

from cases import Cases, d, do, f, one

CASES = Cases()

smaller = [
    d("n", [2, 3], s=one("x")),
    d("x", [2, 3], a=f(2, 3), n="n"),
    do("auto_batch_size", td="n", limit=1),
]
for op in ("contiguous", "clone", "copy"):
    CASES(
        f"{op}_of_data_in_a_node_made_smaller", *smaller, do(op, td="x", to="y"),
        diverges="a node made smaller than its parent", ours=None,
    )  # fmt: skip
CASES(
    "clone_of_data_below_a_node_made_smaller",
    d("m", [2, 3], s=one("x")),
    d("n", [2, 3], m="m"),
    d("x", [2, 3], a=f(2, 3), n="n"),
    do("set_batch_size", td="n", batch=[2]),
    do("clone", td="x", to="y"),
    diverges="a node made smaller than its parent", ours=None,
)  # fmt: skip
