"""Random steps with lazy stacks: drawn with --lazy."""

from random_draws import on_td, step
from random_steps import dim, leaf_for, twin


@on_td(10)
def lazy(make, name, td):
    what = make.pick(["lazy_stack", "lazy_stack", "to_lazy_stack", "maybe_dense_stack", "member", "append", "get_list"])
    if what in ("lazy_stack", "maybe_dense_stack"):
        tds = [name] + [twin(make, td) for _ in range(make.random.randint(0, 2))]
        return {"op": what, "tds": tds, "dim": dim(make, td.batch_dims + 1), "to": make.new_name()}
    if what == "to_lazy_stack":
        return step(make, what, name, dim=dim(make, td.batch_dims))
    if not hasattr(td, "tensordicts"):
        return None
    if what == "member":
        return step(make, what, name, at=0)
    if what == "append":
        return step(make, what, name, False, value=make.pick(make.dicts()))
    keys = list(td.keys())
    return step(make, what, name, key=make.pick(keys)) if keys else None


@on_td(4)
def set_in_lazy(make, name, td):
    if not hasattr(td, "tensordicts") or -1 in td.batch_size:
        return None
    return step(make, "set", name, False, key=make.pick("abc"), value=leaf_for(make, td.batch_size))
