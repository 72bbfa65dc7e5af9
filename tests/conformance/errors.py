"""Which of our statuses stand for an exception of the original. Loose on purpose: the original raises RuntimeError for
most things, and its texts change; what is tight is that both fail, at the same step."""

SHAPES = {"SHAPE", "INDEX", "ARGUMENT", "TORCH", "DTYPE"}
STATUSES = {
    "KeyError": {"KEY", "EXISTS", "NOT_FOUND"},
    "IndexError": {"INDEX", "SHAPE", "ARGUMENT", "TORCH"},
    "ValueError": {"ARGUMENT", "SHAPE", "INDEX", "KEY", "DTYPE", "TORCH"},
    "TypeError": {"ARGUMENT", "DTYPE", "KEY", "UNSUPPORTED", "TORCH"},
    "AttributeError": {"KEY", "ARGUMENT", "UNSUPPORTED"},
    "NotImplementedError": {"UNSUPPORTED", "ARGUMENT", "DTYPE", "TORCH"},
    "RuntimeError": SHAPES | {"KEY", "UNSUPPORTED"},
    "RecursionError": {"ARGUMENT"},
    "AssertionError": SHAPES,
}
LOCKED_TEXTS = ("Cannot modify locked TensorDict", "Cannot unlock a tensordict", "is locked")


def name(error):
    """The class that a vector records: the exception's, or Locked."""
    if isinstance(error, RuntimeError) and any(text in str(error) for text in LOCKED_TEXTS):
        return "Locked"
    if isinstance(error, TypeError) and "Can't broadcast" in str(error):  # so h5py calls shapes that do not fit
        return "ValueError"
    for known in type(error).__mro__:
        if known.__name__ in STATUSES:
            return known.__name__
    return type(error).__name__


def statuses(name):
    return {"LOCKED"} if name == "Locked" else STATUSES[name]
