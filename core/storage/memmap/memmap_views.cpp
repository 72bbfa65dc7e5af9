#include "core/storage/memmap/memmap_views.h"

#include <algorithm>
#include <limits>

#include "core/dict/any_node.h"
#include "core/dict/shape/index.h"
#include "core/dict/shape/permute.h"
#include "core/dict/shape/shape.h"
#include "core/dict/shape/squeeze.h"
#include "core/error.h"
#include "core/storage/json.h"
#include "core/storage/memmap/memmap.h"
#include "core/tensor/factory.h"
#include "core/tensor/ops.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

constexpr std::string_view legacy_views = "tensordict._lazy._";
constexpr int64_t max_rows = int64_t{1} << 24;

Error bad_index(const std::string& why) {
  return Error(Code::corrupt, "the index of the view " + why);
}

std::string text(const bj::value& v) {
  const bj::string* s = v.if_string();
  return s ? std::string(s->data(), s->size()) : std::string();
}

int64_t integer(const bj::value* v, const char* what) {
  if (!v || !v->is_int64()) throw Error(Code::corrupt, std::string("the view has no integer ") + what);
  return v->get_int64();
}

// start, stop and step of a slice, each of which may be null. As Python reads them: those of a negative step count
// down.
Index slice_of(const bj::object& content) {
  auto part = [&](const char* name, int64_t absent) {
    const bj::value* v = member(content, name);
    if (!v) throw bad_index(std::string("has a slice without ") + name);
    return v->is_null() ? absent : integer(v, name);
  };
  Index i{Index::Kind::slice, 0, 0, 1, {}};
  i.step = part("step", 1);
  if (i.step <= 0) throw bad_index("has a slice with the step " + std::to_string(i.step));
  i.start = part("start", 0);
  i.stop = part("stop", std::numeric_limits<int64_t>::max());
  return i;
}

Index rows(std::vector<int64_t> values, at::IntArrayRef sizes) {
  Index i{Index::Kind::tensor, 0, 0, 1, {}};
  i.tensor = copy_of(values.data(), at::kLong, sizes);
  return i;
}

Index range_of(const bj::object& content) {
  int64_t start = integer(member(content, "start"), "start"), stop = integer(member(content, "stop"), "stop"),
          step = integer(member(content, "step"), "step");
  if (step == 0) throw bad_index("has a range with the step 0");
  std::vector<int64_t> values;
  for (int64_t v = start; step > 0 ? v < stop : v > stop;) {
    values.push_back(v);
    if (static_cast<int64_t>(values.size()) > max_rows) throw bad_index("has a range of too many rows");
    if (__builtin_add_overflow(v, step, &v)) break;
  }
  auto n = static_cast<int64_t>(values.size());
  return rows(std::move(values), {n});
}

// Nested lists of integers or of bools, all lists of a level as long.
void collect_rows(const bj::value& v, size_t level, Dims& sizes, std::vector<int64_t>& out, bool& mask, bool& first) {
  if (const bj::array* list = v.if_array()) {
    auto n = static_cast<int64_t>(list->size());
    if (level == sizes.size() && first) sizes.push_back(n);
    if (level >= sizes.size() || level >= 64 || sizes[level] != n) throw bad_index("has a tensor of ragged lists");
    for (const bj::value& item : *list) collect_rows(item, level + 1, sizes, out, mask, first);
    return;
  }
  if (level != sizes.size() || (!v.is_int64() && !v.is_bool()))
    throw bad_index("has a tensor that is not a list of integers");
  if (first) mask = v.is_bool();
  if (mask != v.is_bool()) throw bad_index("has a tensor of integers and bools");
  first = false;
  out.push_back(v.is_bool() ? v.get_bool() : v.get_int64());
}

Index tensor_of(const bj::value& content) {
  Dims sizes;
  std::vector<int64_t> values;
  bool mask = false, first = true;
  collect_rows(content, 0, sizes, values, mask, first);
  if (sizes.empty() && !mask) return Index{Index::Kind::integer, values[0], 0, 1, {}};
  Index i = rows(std::move(values), sizes);
  if (mask) i.tensor = i.tensor.to(at::kBool);
  return i;
}

// A list of what list indices and tensors are read from: values, and values with tags.
bj::value untagged(const bj::value& v) {
  const bj::array* list = v.if_array();
  if (!list || list->empty() || text((*list)[0]).empty()) return v;
  if (text((*list)[0]) != "list" || list->size() != 2 || !(*list)[1].is_array())
    throw bad_index("has a list of something else than integers");
  bj::array plain;
  for (const bj::value& item : (*list)[1].get_array()) plain.push_back(untagged(item));
  return plain;
}

void append_index(const bj::value& v, IndexList& out);

void append_all(const bj::array& list, IndexList& out) {
  for (const bj::value& item : list) append_index(item, out);
}

void append_tagged(const std::string& tag, const bj::array& list, IndexList& out) {
  const bj::value* content = list.size() > 1 ? &list[1] : nullptr;
  if (tag == "ellipsis" && list.size() == 1) return out.push_back(Index{Index::Kind::ellipsis, 0, 0, 1, {}});
  if (tag == "tensor" && list.size() == 3) return out.push_back(tensor_of(*content));
  if (content && list.size() == 2) {
    if (tag == "tuple" && content->is_array()) return append_all(content->get_array(), out);
    if (tag == "list" && content->is_array()) return out.push_back(tensor_of(untagged(list)));
    if (tag == "slice" && content->is_object()) return out.push_back(slice_of(content->get_object()));
    if (tag == "range" && content->is_object()) return out.push_back(range_of(content->get_object()));
  }
  throw bad_index("has a part \"" + tag + "\" that is not understood");
}

void append_index(const bj::value& v, IndexList& out) {
  if (out.size() > 64) throw bad_index("has too many parts");
  if (const bj::array* list = v.if_array()) {
    if (list->empty()) return;
    if (std::string tag = text((*list)[0]); !tag.empty())
      append_tagged(tag, *list, out);
    else
      append_all(*list, out);  // of a version without tags: a tuple of indices
  } else if (v.is_null()) {
    out.push_back(Index{Index::Kind::none, 0, 0, 1, {}});
  } else if (v.is_int64()) {
    out.push_back(Index{Index::Kind::integer, v.get_int64(), 0, 1, {}});
  } else if (v.is_bool()) {
    out.push_back(tensor_of(v));
  } else {
    throw bad_index("is not an index");
  }
}

// Rows may be named again and again: what is made must not outgrow what was saved without measure.
void check_growth(const Node& source, const IndexList& wanted) {
  if (!has_tensors(wanted)) return;
  constexpr double free_rows = 1 << 16, free_bytes = 1 << 20, max_times = 16;
  auto there = static_cast<double>(std::max<int64_t>(1, numel(source))), bytes = static_cast<double>(source.nbytes());
  auto made = static_cast<double>(checked_numel(indexed_sizes(source.batch_size(), wanted), 1));
  if (made > std::max(free_rows, max_times * there) || bytes / there * made > std::max(free_bytes, max_times * bytes))
    throw bad_index("takes far more rows than there are");
}

NodePtr sub_view(const bj::object& meta, const Node& source) {
  const bj::value* given = member(meta, "index");
  if (!given) throw Error(Code::corrupt, "the member index is missing");
  IndexList wanted = parse_index(*given);
  if (!has_lazy(source)) check_growth(source, normalized(wanted, source.batch_size()));
  return index(source, std::move(wanted));
}

Dims integers(const bj::object& arguments, const char* name) {
  const bj::value* v = member(arguments, name);
  Dims dims;
  if (v && v->is_int64()) dims.push_back(v->get_int64());
  if (v && v->is_array())
    for (const bj::value& item : v->get_array()) dims.push_back(integer(&item, name));
  if (!v || dims.size() > 64 || (!v->is_int64() && !v->is_array()))
    throw Error(Code::corrupt, std::string("the view has no ") + name);
  return dims;
}

NodePtr other_shape(const bj::object& meta, const Node& source) {
  const bj::value *op = member(meta, "custom_op"), *kwargs = member(meta, "custom_op_kwargs");
  std::string name = op ? text(*op) : "";
  if (!kwargs || !kwargs->is_object()) throw Error(Code::corrupt, "the member custom_op_kwargs is not an object");
  const bj::object& arguments = kwargs->get_object();
  if (name == "unsqueeze") return unsqueeze(source, integer(member(arguments, "dim"), "dim"));
  if (name == "squeeze") return squeeze(source, arguments.empty() ? Dims() : integers(arguments, "dim"));
  if (name == "permute") return permute(source, integers(arguments, "dims"));
  if (name == "view") return view(source, integers(arguments, "size"));
  if (name == "transpose")
    return transpose(source, integer(member(arguments, "dim0"), "dim0"), integer(member(arguments, "dim1"), "dim1"));
  throw Error(Code::corrupt, "the view's operation \"" + name + "\" is not understood");
}

}  // namespace

bool is_view_class(const std::string& name) {
  if (name == python_sub_view) return true;
  if (name.compare(0, legacy_views.size(), legacy_views) != 0) return false;
  std::string view = name.substr(legacy_views.size());
  for (std::string_view known :
       {"UnsqueezedTensorDict", "SqueezedTensorDict", "ViewedTensorDict", "TransposedTensorDict", "PermutedTensorDict"})
    if (view == known) return true;
  return false;
}

NodePtr apply_view(const std::string& kind, const bj::object& meta, const Node& source) {
  try {
    return kind == python_sub_view ? sub_view(meta, source) : other_shape(meta, source);
  } catch (...) {  // LibTorch has errors of its own
    Error e = current_error();
    if (e.code() == Code::corrupt || e.code() == Code::oom) throw e;
    throw Error(Code::corrupt, "the view does not fit to its source: " + e.message()).key(e.key()).hint(e.hint());
  }
}

IndexList parse_index(const bj::value& index) {
  IndexList out;
  append_index(index, out);
  return out;
}

}  // namespace td::storage
