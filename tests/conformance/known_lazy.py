"""Known differences of lazy stacks."""

from tensordict import LazyStackedTensorDict

from known import dicts_of, entries, known, ours_only


def has_lazy(*tds):
    return any(isinstance(v, LazyStackedTensorDict) for td in tds for v in (td, *entries(td)))


@known("keys of a lazy stack")
def _(d):
    keys = d.op == "keys" or any("the order" in line for line in d.lines)
    return keys and has_lazy(*dicts_of(d))


@known("kind of dict after operations on a lazy stack")
def _(d):
    # Lazy against dense: only the kind tells them apart here, the values are compared by the vectors.
    kinds = [line for line in d.lines if "/members" in line or "/stack_dim" in line]
    return d.error is None and not d.our_status and bool(kinds) and has_lazy(*dicts_of(d))


@known("`stack` with a dim too negative")
def _(d):
    return d.op in ("lazy_stack", "maybe_dense_stack") and ours_only(d, "INDEX")
