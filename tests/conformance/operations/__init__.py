"""Every operation of a program in terms of stock tensordict. The names are those of its methods, or of the functions of
tensordict.h where one method does several things; ops_*.cpp hold the other half, file by file."""

from operations.table import OPERATIONS
from operations import basic, files, keys, lazy, math, modules, rows, scope, shape, state  # noqa: F401  they fill the table
