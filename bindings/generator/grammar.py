"""The grammar of names and types: RULES hold for every function, and `generate.py --check` fails where one is broken."""
import re

from . import contract

# What `new` makes has no name; `create` makes what has one as well: in a file, in shared memory, under a key.
MAKING = {"create": "new", "build": "new"}
NAMED = {"td_persistent_create", "td_remote_create", "td_segment_create", "td_channel_create", "td_dict_create_nested"}
# Setters, copies into tensors of the caller's, and a scope, which ends by itself; torch has zero_grad, too.
IN_PLACE = re.compile(r"_(set|into|zero_grad|scope)(_|$)|^td_scope_|^td_dict_map$")
# The status of every call is TD_OK or TD_ERR_...
FREE_PREFIX = {"td_status": "TD_"}
REMOVING = {"delete": "remove", "erase": "remove"}
RUN_ON = {"fromkeys": "from_keys", "setdefault": "set_default", "separates": "separate"}


def words(function):
    """Of the name, without td_ and the noun."""
    return function.name.split("_")[2:]


def error_comes_last(api):
    for f in api.functions:
        errors = [i for i, p in enumerate(f.parameters) if p.type.base == "td_error" and len(p.type.pointers) == 2]
        last = len(f.parameters) - 1
        status = f.result.base == "td_status" and f.name != "td_error_code"
        if status != bool(errors) or any(i != last for i in errors):
            yield f"{f.name}: a status comes with a td_error **err, as the last parameter"


def self_comes_first(api):
    for f in api.functions:
        if any(p.name == "self" for p in f.parameters[1:]):
            yield f"{f.name}: self is the first parameter"


def references_come_in_pairs(api):
    names = {f.name for f in api.functions}
    for name in names:
        for ending, other in (("_retain", "_release"), ("_release", "_retain")):
            if name.endswith(ending) and name[:-len(ending)] + other not in names:
                yield f"{name} has no {other}"


def options_have_a_size_and_defaults(api):
    for s in api.structs:
        grows = s.name.endswith("_options") or any(f.callback for f in s.fields)
        if grows and (s.fields[0].name != "struct_size" or s.init is None):
            yield f"{s.name}: options and callbacks begin with struct_size and have a {s.name.upper()}_INIT"


def callbacks_own_their_userdata(api):
    """The members of a struct of callbacks: functions, `userdata`, and `destroy` if it outlives the call."""
    for s in api.structs:
        names = [f.name for f in s.fields]
        if any(f.callback for f in s.fields) and names[-1] != "userdata" and names[-2:] != ["userdata", "destroy"]:
            yield f"{s.name}: callbacks end with userdata, or with userdata and destroy"


def counts_are_size_t(api):
    for f in api.functions:
        for i, p in enumerate(f.parameters):
            before = f.parameters[i - 1].type if i else None
            array = before and before.pointers and f.parameters[i - 1].name != "self"
            if array and contract.COUNT.fullmatch(p.name) and p.type.base != "size_t":
                yield f"{f.name}, {p.name}: the number of elements is a size_t, not {p.type.base}"


def one_verb_for(verbs, what):
    def rule(api):
        for f in api.functions:
            for word in words(f):
                if word in verbs and f.name not in NAMED:
                    yield f"{f.name}: {what} is called {verbs[word]}"
    return rule


def words_are_apart(api):
    for f in api.functions:
        for word in words(f):
            if word in RUN_ON:
                yield f"{f.name}: {word} is {RUN_ON[word]}"


def endings_say_something(api):
    for f in api.functions:
        if f.name.endswith("_p"):
            yield f"{f.name}: what does _p stand for?"


def in_place_has_an_underscore(api):
    for f in api.functions:
        theirs = re.search(r"[a-z]_(?:\(|$|,)", f.like) and not f.name.endswith("_")
        if theirs and not IN_PLACE.search(f.name):
            yield f"{f.name}: what works in place ends with an underscore"


def constants_begin_with_their_type(api):
    for e in api.enums:
        whole = re.sub(r"_flags$", "", e.name).upper() + "_"
        allowed = {whole, whole[:whole[:-1].rindex("_") + 1], FREE_PREFIX.get(e.name)}
        if e.prefix not in allowed:
            yield f"{e.name}: its names begin with {e.prefix}, not with {whole} or without its last word"
        if any(other.prefix == e.prefix and other.name < e.name for other in api.enums):
            yield f"{e.name}: its names begin with {e.prefix}, as those of another type"


def flags_have_a_type(api):
    for e in api.enums:
        if e.name not in api.aliases or (e.name.endswith("_flags") != (e.type == "uint64_t")):
            yield f"{e.prefix}...: flags without a type of their own"


def an_index_has_one_type(api):
    for f in api.functions:
        for p in f.parameters:
            if p.name in ("index", "group") and not p.type.pointers and p.type.base != "int64_t":
                yield f"{f.name}, {p.name}: an index is an int64_t, not {p.type.base}"


# Elements in memory are counted by size_t, as C does; rows and elements of tensors by int64_t, as torch does.
ROWS = re.compile(r"_(numel|len|nbytes|itemsize|param_count|param_bytes)$|^td_(query|store|row_map|dtype)_size$")


def a_count_has_one_type(api):
    for f in api.functions:
        wanted = "int64_t" if ROWS.search(f.name) else "size_t"
        counts = ROWS.search(f.name) or f.name.endswith(("_size", "_count", "_ndim", "_shape", "_strides"))
        if counts and f.result.base not in (wanted, "td_status"):
            yield f"{f.name}: this count is a {wanted}, not {f.result.base}"


def zero_is_the_default(api):
    for s in api.structs:
        for value in s.init or []:
            if not re.fullmatch(r"0|0\.0|NULL", value) and constant(api, value) != 0:
                yield f"{s.name}: its INIT has {value}; 0 means the default"


def constant(api, name):
    return next((int(c.value) for c in api.constants if c.name == name and c.value.isdigit()), None)


def structs_go_by_pointer(api):
    structs = {s.name for s in api.structs} - {"td_str"}
    for f in api.functions:
        for p in f.parameters:
            if p.type.base in structs and not p.type.pointers:
                yield f"{f.name}, {p.name}: {p.type.base} by value; it cannot grow"


def no_value_is_rounded(api):
    for f in api.functions:
        for p in f.parameters:
            if p.name == "value" and p.type.base == "double" and not p.type.pointers:
                yield f"{f.name}, {p.name}: a double rounds an int64; td_value"


RULES = [error_comes_last, self_comes_first, references_come_in_pairs, options_have_a_size_and_defaults,
         callbacks_own_their_userdata, counts_are_size_t, zero_is_the_default, structs_go_by_pointer,
         no_value_is_rounded, one_verb_for(MAKING, "making"), one_verb_for(REMOVING, "removing"), words_are_apart,
         endings_say_something, in_place_has_an_underscore, constants_begin_with_their_type, flags_have_a_type,
         an_index_has_one_type, a_count_has_one_type]


def broken(api):
    return [line for rule in RULES for line in rule(api)]
