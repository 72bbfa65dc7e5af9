#!/usr/bin/env python3
"""Writes schedule.txt: learning rates and momenta of torch.optim.lr_scheduler, step by step.

    make_schedule_vectors.py > schedule.txt        made with torch 2.13

A case is a line `case OPTIMIZER LR SCHEDULE...`, where a schedule is its name and its numbers, joined with commas; then a
line with the learning rate and the momentum (or beta1) for each step, from step 0. Numbers are hexadecimal, so exact. In
the cases of `by_hand`, the learning rate is doubled after step 3.
"""
import warnings

import torch
from torch.optim import lr_scheduler as torch_schedules

MAKE = {
    "step": lambda o, size, gamma: torch_schedules.StepLR(o, size, gamma),
    "multi_step": lambda o, gamma, *milestones: torch_schedules.MultiStepLR(o, milestones, gamma),
    "exponential": lambda o, gamma: torch_schedules.ExponentialLR(o, gamma),
    "cosine": lambda o, steps, min_lr: torch_schedules.CosineAnnealingLR(o, steps, min_lr),
    "linear": lambda o, start, end, steps: torch_schedules.LinearLR(o, start, end, steps),
    "constant": lambda o, factor, steps: torch_schedules.ConstantLR(o, factor, steps),
    "one_cycle": lambda o, max_lr, steps: torch_schedules.OneCycleLR(o, max_lr, steps),
    "one_cycle_other": lambda o, max_lr, steps: torch_schedules.OneCycleLR(
        o, max_lr, steps, pct_start=0.4, anneal_strategy="linear", base_momentum=0.5, max_momentum=0.9, div_factor=10.0,
        final_div_factor=100.0, three_phase=True),
    "one_cycle_kept": lambda o, max_lr, steps: torch_schedules.OneCycleLR(o, max_lr, steps, cycle_momentum=False),
}

CASES = [
    ("sgd", 0.1, [("step", 3, 0.1)]),
    ("sgd", 0.1, [("step", 1, 0.97)]),
    ("adam", 0.05, [("multi_step", 0.3, 2, 7, 7, 5)]),
    ("adam", 0.05, [("multi_step", 0.3)]),
    ("sgd", 1.0, [("exponential", 0.93)]),
    ("adam", 1e-3, [("cosine", 5, 0.0)]),
    ("sgd", 0.1, [("cosine", 10, 1e-3)]),
    ("sgd", 0.1, [("cosine", 1, 0.01)]),
    ("sgd", 0.1, [("linear", 0.1, 1.0, 6)]),
    ("sgd", 0.1, [("linear", 1.0, 0.0, 8)]),
    ("sgd", 0.1, [("linear", 1 / 3, 0.7, 1)]),
    ("sgd", 0.1, [("constant", 1 / 3, 4)]),
    ("sgd", 0.1, [("constant", 0.5, 3), ("exponential", 0.9)]),
    ("adam", 0.1, [("linear", 0.25, 1.0, 4), ("cosine", 9, 1e-4)]),
    ("sgd", 0.1, [("one_cycle", 0.5, 12)]),
    ("adam", 0.1, [("one_cycle", 0.02, 7)]),
    ("adam", 0.1, [("one_cycle_other", 0.02, 12)]),
    ("sgd", 0.1, [("one_cycle_kept", 0.02, 12)]),
    ("by_hand", 0.1, [("step", 2, 0.5)]),
    ("by_hand", 0.1, [("cosine", 8, 0.01)]),
    ("by_hand", 0.1, [("linear", 0.5, 1.0, 6)]),
]


def run(name, lr, schedules):
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.Adam([weight], lr) if name == "adam" else torch.optim.SGD([weight], lr, momentum=0.7)
    made = [MAKE[kind](optimizer, *numbers) for kind, *numbers in schedules]
    steps = min([12] + [numbers[1] for kind, *numbers in schedules if kind.startswith("one_cycle")])
    group = optimizer.param_groups[0]
    for step in range(steps + 1):
        if step:
            optimizer.step()
            for schedule in made:
                schedule.step()
        yield group["lr"], group["betas"][0] if name == "adam" else group["momentum"]
        if name == "by_hand" and step == 3:
            group["lr"] *= 2


def main():
    warnings.simplefilter("error")
    for name, lr, schedules in CASES:
        spelled = " ".join(",".join([kind, *(float(number).hex() for number in numbers)]) for kind, *numbers in schedules)
        print("case", name, float(lr).hex(), spelled)
        print(" ".join(f"{float(rate).hex()} {float(momentum).hex()}" for rate, momentum in run(name, lr, schedules)))


main()
