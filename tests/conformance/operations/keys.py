"""Choosing and renaming keys, names of dims, batch sizes."""

from operations.table import op


@op
def rename_key(s):
    s.td().rename_key_(s.key("old"), s.key("new"), safe=s.raw("safe", False))


@op
def set_batch_size(s):
    s.td().batch_size = s.raw("batch")


@op
def auto_batch_size(s):
    s.td().auto_batch_size_(s.raw("limit"))


@op
def set_names(s):
    s.td().names = s.raw("names") or None


@op
def refine_names(s):
    s.td().refine_names(*s.raw("names"))


@op
def rename_names(s):
    s.td().rename_(**s.raw("map"))


@op
def select(s):
    s.put(s.td().select(*s.keys(), strict=s.raw("strict", True)))


@op
def select_(s):
    s.td().select(*s.keys(), strict=s.raw("strict", True), inplace=True)


@op
def exclude(s):
    s.put(s.td().exclude(*s.keys()))


@op
def exclude_(s):
    s.td().exclude(*s.keys(), inplace=True)


@op
def split_keys(s):
    s.put(s.td().split_keys(*([s.as_key(k) for k in one] for one in s.raw("sets")), strict=s.raw("strict", True)))


@op
def separates(s):
    default = {"default": s.tensor("fill")} if "fill" in s.step else {}
    keywords = {"strict": s.raw("strict", True), "filter_empty": not s.raw("keep_empty", False)}
    s.put(s.td().separates(*s.keys(), **keywords, **default))


@op
def empty(s):
    s.put(s.td().empty(recurse=s.raw("recurse", False)))


@op
def filter_empty_(s):
    s.td().filter_empty_()


@op
def flatten_keys(s):
    s.put(s.td().flatten_keys(s.raw("separator", ".")))


@op
def unflatten_keys(s):
    s.put(s.td().unflatten_keys(s.raw("separator", ".")))


@op
def filter_data(s):
    s.put(s.td().filter_non_tensor_data())
