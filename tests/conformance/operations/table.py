"""The table of operations, and how to add to it."""

OPERATIONS = {}


def op(function):
    """Names that Python has taken end with two underscores here."""
    OPERATIONS[function.__name__.removesuffix("__")] = function
    return function


def method(name, *arguments, optional=()):
    """An operation that hands raw arguments on to the method of the same name."""

    def run(s):
        given = [s.raw(a) for a in arguments] + [s.raw(a) for a in optional if a in s.step]
        s.put(getattr(s.td(), name)(*given))

    OPERATIONS[name] = run


def with_list(name, argument):
    """The same for a method that takes the elements of one argument."""

    def run(s):
        s.put(getattr(s.td(), name)(*s.raw(argument)))

    OPERATIONS[name] = run
