"""Makes a program small that still shows what it shows."""

import copy


def without(program, i):
    return {"steps": program["steps"][:i] + program["steps"][i + 1 :]}


def renamed(value, old, new):
    if isinstance(value, dict):
        return {k: renamed(v, old, new) if k != "to" else v for k, v in value.items()}
    if isinstance(value, list):
        return [renamed(v, old, new) for v in value]
    return new if value == old else value


def bypassed(program, i):
    """Without a step, whose result later ones replace by what it read."""
    step = program["steps"][i]
    made = step.get("to")
    for read in [step.get("td")] + step.get("tds", []) + step.get("operands", []):
        if made and isinstance(read, str):
            for result in (made, made + ".0", made + ".1"):
                yield {"steps": program["steps"][:i] + renamed(program["steps"][i + 1 :], result, read)}


def candidates(program):
    """Smaller programs: fewer steps, then fewer items, then less of the arguments."""
    for i in reversed(range(len(program["steps"]))):
        yield without(program, i)
    for i in reversed(range(len(program["steps"]))):
        yield from bypassed(program, i)
    for i, step in enumerate(program["steps"]):
        for name in ("items", "keys", "tds", "index", "sets"):
            for k in range(len(step[name]) if isinstance(step.get(name), list) else 0):
                smaller = copy.deepcopy(program)
                del smaller["steps"][i][name][k]
                yield smaller


def shrink(program, shows):
    """`shows` says whether a program still does; the smallest one found."""
    progress = True
    while progress:
        progress = False
        for smaller in candidates(program):
            try:
                found = shows(smaller)
            except Exception:  # no program, or one whose registers the original cannot show
                found = False
            if found:
                program, progress = smaller, True
                break
    return program
