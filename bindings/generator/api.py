"""What a header says, as plain data. README.md describes it as `generate.py --json` prints it."""
from dataclasses import dataclass, field
from typing import Dict, List, Optional


@dataclass
class Type:
    """`base` and, from the inside out, one entry a pointer: is what it points to const?"""
    base: str
    pointers: List[bool] = field(default_factory=list)


@dataclass
class Marks:
    """What base.h's TD_NULLABLE and its siblings say of a pointer."""
    nullable: bool = False
    out_nullable: bool = False
    keeps: bool = False
    writes: bool = False
    takes: bool = False
    length: Optional[str] = None  # what stands in TD_LEN(...)


@dataclass
class Field:
    """A parameter or a member: of a type, or a function, or a union. `array` members stand in a row."""
    name: str
    type: Optional[Type] = None
    callback: "Optional[Callback]" = None
    union: "Optional[List[Field]]" = None
    marks: Marks = field(default_factory=Marks)
    array: Optional[int] = None


@dataclass
class Callback:
    """A pointer to a function."""
    name: str
    result: Type
    parameters: List[Field]
    doc: str = ""


@dataclass
class Function:
    name: str
    result: Type
    result_nullable: bool
    parameters: List[Field]
    doc: str
    chapter: str          # "segment": it stands in tensordict/segment.h
    section: str          # "Shared segments"
    stability: str        # "stable" or "preview"
    tags: List[str]       # "any-thread", "exclusive", "leaf", "may-block", "may-call-back", "may-alias"
    errors: List[str]     # names of the statuses that the doc speaks of, without TD_ERR_
    like: str             # what it is in Python
    since: str


@dataclass
class Constant:
    name: str
    type: str             # an alias, or uint64_t for flags, or a C type for #define
    value: str            # a C expression
    doc: str


@dataclass
class Struct:
    name: str
    fields: List[Field]
    doc: str
    init: Optional[List[str]] = None  # the values of TD_X_INIT for a td_x, nested braces flattened


@dataclass
class Enum:
    """Names for the values of an alias; or, without one, flags."""
    name: str
    type: str             # "int32_t"; uint64_t for flags
    chapter: str
    prefix: str           # what all names begin with
    constants: List[str]
    doc: str


@dataclass
class Chapter:
    name: str             # "dict_shape"
    title: str            # "Shape"
    stability: str        # "stable" or "preview"
    doc: str


@dataclass
class Api:
    version: str = ""
    chapters: List[Chapter] = field(default_factory=list)     # in the order in which tensordict.h includes them
    homes: Dict[str, str] = field(default_factory=dict)       # the chapter of each type
    aliases: Dict[str, str] = field(default_factory=dict)     # td_status: int32_t
    opaque: List[str] = field(default_factory=list)
    callbacks: List[Callback] = field(default_factory=list)
    structs: List[Struct] = field(default_factory=list)
    enums: List[Enum] = field(default_factory=list)
    constants: List[Constant] = field(default_factory=list)
    functions: List[Function] = field(default_factory=list)
