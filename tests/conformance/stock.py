"""Runs programs (see README.md) on stock Python tensordict.

python stock.py < programs.jsonl     # one program a line in, one observation a line out
"""

import json
import sys
import warnings

import torch
from tensordict import set_printoptions

import errors
import observe
from operations import OPERATIONS
from stock_values import BadProgram, Scope

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
set_printoptions(compact=False).set()  # 0.15 prints less by default


def run_steps(steps, scope=None):
    """The registers after `steps`, and the step that failed with its exception, or None and None."""
    scope = scope or Scope()
    for i, step in enumerate(steps):
        scope.step = step
        try:
            with torch.set_grad_enabled(not step.get("no_grad", False)):
                OPERATIONS[step["op"]](scope)
        except BadProgram:
            raise
        except Exception as error:  # whatever the original raises is an observation
            return scope, i, error
    return scope, None, None


def run(program):
    """The observation: registers, or the error with the registers as they were before the step that failed."""
    scope, failed, error = run_steps(program["steps"])
    picture = {}
    if failed is not None:
        picture["error"] = {"step": failed, "class": errors.name(error), "text": str(error)[:200]}
        scope, again, _ = run_steps(program["steps"][:failed])
        assert again is None
    picture["registers"] = observe.Observer().everything(scope.registers)
    return picture


def main():
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line)), allow_nan=False), flush=True)


if __name__ == "__main__":
    main()
