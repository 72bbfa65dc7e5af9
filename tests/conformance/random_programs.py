"""Random programs. Each step is tried on stock as it is made, so that most succeed and the rest fail on purpose."""

import random

import torch

import observe
import stock
import random_draws  # noqa: F401  fills STEPS, as does random_shapes
import random_shapes  # noqa: F401
from random_steps import FIRST, STEPS, first_steps
from stock_values import BadProgram, Scope, is_td

MOST_ELEMENTS = 600  # in one register, to keep programs quick


class Maker:
    """Draws steps that fit the registers there are. `self.scope` is the program so far, run on stock."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = []
        self.scope = Scope()
        self.names = 0
        self.ended = False  # by a step that fails

    # ---- What steps.py draws from ----

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(list(items))

    def new_name(self):
        self.names += 1
        return f"r{self.names}"

    def dicts(self):
        return [n for n, v in self.scope.registers.items() if is_td(v)]

    def td(self, name):
        return self.scope.registers[name]

    # ---- Growing the program ----

    def try_step(self, step):
        """Adds a step; "ok", "failed" (kept as the last one), or "undone"."""
        before = list(self.steps)
        try:
            self.scope, failed, error = stock.run_steps([step], self.scope)
        except BadProgram:  # what no program can say, such as a stack of values for another batch size
            self.scope = stock.run_steps(before)[0]
            return "undone"
        if failed is None and all(small(v) for v in self.scope.registers.values()):
            self.steps.append(step)
            return "ok"
        # What the original has not been given is no subject of comparison.
        if failed is not None and not isinstance(error, NotImplementedError) and self.chance(0.15):
            self.steps.append(step)
            self.ended = True
            return "failed"
        self.steps = before
        self.scope = stock.run_steps(before)[0]
        return "undone"


def small(value):
    """A dict that holds itself is not, nor is what stock cannot show, or stack."""
    if is_td(value) and holds_itself(value):
        return False
    try:
        observe.Observer().register(value)
        return is_small(value)
    except Exception:  # whatever stock raises
        return False


def holds_itself(td, around=()):
    """Asked of the entries themselves, as stock takes exponential time for a stack in itself."""
    if any(td is one for one in around):
        return True
    inside = getattr(td, "_param_td", td)
    below = getattr(inside, "tensordicts", None) or getattr(inside, "_tensordict", {}).values()
    return any(holds_itself(v, (*around, td)) for v in below if is_td(v))


def is_small(value):
    if isinstance(value, torch.Tensor):
        return value.numel() <= MOST_ELEMENTS
    if is_td(value):
        if any(size < 0 for size in value.batch_size) and not hasattr(value, "tensordicts"):
            return False  # what stock makes of dicts without tensors
        return sum(t.numel() for t in value.values(True, True)) <= MOST_ELEMENTS and depth(value) < 5
    return True


def depth(td):
    return max((len(k) if isinstance(k, tuple) else 1 for k in td.keys(True)), default=0)


def program(seed, n_steps):
    make = Maker(seed)
    for step in first_steps(make):
        if make.try_step(step) != "ok":
            break
    for begin in FIRST:
        for step in begin(make) if not make.ended else ():
            if make.try_step(step) != "ok":
                break
    weights = [w for w, _ in STEPS]
    for _ in range(n_steps):
        if make.ended:
            break
        step = make.random.choices(STEPS, weights)[0][1](make)
        if step is not None and not make.ended:
            make.try_step(step)
    return {"steps": make.steps}
