#include "core/storage/data_json.h"

#include <algorithm>
#include <cmath>

#include "core/dict/data/value_text.h"
#include "core/dict/node.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/tensor/ops.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

std::string_view view(const bj::string& s) {
  return {s.data(), s.size()};
}

// As orjson writes it: the shortest digits, with an exponent from 1e16 on and below 1e-5. What JSON has no number for
// is written as Python's json does.
std::string number_text(double f) {
  if (std::isnan(f)) return "NaN";
  if (std::isinf(f)) return f > 0 ? "Infinity" : "-Infinity";
  std::string s = shortest_digits(f, 1e-5);
  size_t e = s.find('e');
  if (e == s.npos) return s.find('.') == s.npos ? s + ".0" : s;
  size_t digits = e + 1;  // "1e-07" is "1e-7", "1e+16" is "1e16"
  if (s[digits] == '+') s.erase(digits, 1);
  if (s[digits] == '-') ++digits;
  while (s[digits] == '0' && digits + 1 < s.size()) s.erase(digits, 1);
  return s;
}

void append_compact(std::string& out, const bj::value& v) {
  const char* comma = "";
  if (std::string_view odd = odd_number(v); !odd.empty()) {
    out += odd;
  } else if (const bj::array* list = v.if_array()) {
    out += '[';
    for (const bj::value& item : *list) {
      out += comma;
      append_compact(out, item);
      comma = ",";
    }
    out += ']';
  } else if (const bj::object* object = v.if_object()) {
    out += '{';
    for (const auto& [name, item] : *object) {
      out += comma;
      append_json(out, std::string_view(name.data(), name.size()));
      out += ':';
      append_compact(out, item);
      comma = ",";
    }
    out += '}';
  } else if (v.is_string()) {
    append_json(out, view(v.get_string()));
  } else if (v.is_double()) {
    out += number_text(v.get_double());
  } else if (v.is_uint64()) {
    out += std::to_string(v.get_uint64());
  } else {
    out += v.is_null() ? "null" : v.is_int64() ? std::to_string(v.get_int64()) : v.get_bool() ? "true" : "false";
  }
}

size_t levels(const Value& value) {
  if (value.kind != Value::Kind::json) return 0;
  size_t open = 0, most = 0;
  bool quoted = false;
  for (size_t i = 0; i < value.text.size(); ++i) {
    char c = value.text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{'))
      most = std::max(most, ++open);
    else if (!quoted && (c == ']' || c == '}'))
      --open;
  }
  return most;
}

// The length of each level of lists, while all lists of a level have the same.
Dims lengths(const std::vector<const bj::value*>& level) {
  std::vector<const bj::value*> below;
  size_t length = 0;
  for (size_t i = 0; i < level.size(); ++i) {
    const bj::array* list = odd_number(*level[i]).empty() ? level[i]->if_array() : nullptr;
    if (!list || (i > 0 && list->size() != length)) return {};
    length = list->size();
    for (const bj::value& item : *list) below.push_back(&item);
  }
  if (level.empty()) return {};
  Dims dims{static_cast<int64_t>(length)};
  dims.append(lengths(below));
  return dims;
}

void check_dims(size_t dims) {
  if (dims > 64) throw Error(Code::corrupt, "a stack has more than 64 dims");
}

bool begins_with(at::IntArrayRef dims, at::IntArrayRef first) {
  return dims.size() >= first.size() && dims.slice(0, first.size()) == first;
}

void collect(const bj::value& lists, size_t dims, std::vector<Value>& out) {
  if (dims == 0)
    out.push_back(value_of(lists));
  else
    for (const bj::value& item : lists.get_array()) collect(item, dims - 1, out);
}

// Calls `item` for each element of the first dim, with commas in between.
template <class F>
void separated(std::string& out, int64_t n, F item) {
  for (int64_t i = 0; i < n; ++i) {
    if (i) out += ',';
    item(i);
  }
}

class StackWriter {
 public:
  StackWriter(std::string& out, const Data& data, size_t outer, PathView path)
      : out_(out), data_(data), outer_(outer + data.batch().size()), path_(path) {}

  void lists(at::IntArrayRef batch) {
    if (batch.empty()) return append_value(out_, data_.at(next_++), outer_, path_);
    out_ += '[';
    separated(out_, batch[0], [&](int64_t) { lists(batch.slice(1)); });
    out_ += ']';
  }

  void nodes(at::IntArrayRef batch, bool locked, const char* device) {
    bool last = batch.size() == 1;
    out_ += "{\"cls\":\"NonTensorStack\",\"non_tensors\":{";
    if (last)
      separated(out_, batch[0], [&](int64_t i) {
        out_ += '"' + std::to_string(i) + "\":";
        append_triple(out_, data_.at(next_++), {}, device, outer_ + 1, path_);
      });
    out_ += "},\"leaves\":{},\"cls_metadata\":{\"stack_dim\":0,\"stack_dim_name\":null,\"is_locked\":";
    out_ += locked ? "true}" : "false}";
    for (int64_t i = 0; i < batch[0] && !last; ++i) {
      out_ += ",\"" + std::to_string(i) + "\":";
      nodes(batch.slice(1), locked, device);
    }
    out_ += '}';
  }

 private:
  std::string& out_;
  const Data& data_;
  size_t outer_, next_ = 0;
  PathView path_;
};

// Of any batch size: what an element of a stack may have is only known when all are read.
DataPtr parse_any_triple(const bj::value& triple) {
  const bj::array* list = triple.if_array();
  if (!list || list->size() != 3) throw Error(Code::corrupt, "the entry is not [data, batch size, device]");
  return Data::uniform(value_of((*list)[0]), parse_batch((*list)[1]));
}

DataPtr parse_any_stack(const bj::object& node) {
  const bj::object &values = object_member(node, "non_tensors"), &meta = object_member(node, "cls_metadata");
  if (!object_member(node, "leaves").empty()) throw Error(Code::corrupt, "a stack of non-tensor data holds a tensor");
  const bj::value* dim_member = member(meta, "stack_dim");
  if (!dim_member || !dim_member->is_int64()) throw Error(Code::corrupt, "the member stack_dim is not an integer");
  std::vector<DataPtr> elements;
  for (;;) {
    std::string name = std::to_string(elements.size());
    const bj::value *value = member(values, name), *child = member(node, name);
    if (!value && !child) break;
    if (value && child) throw Error(Code::corrupt, "element " + name + " of the stack appears twice");
    if (child && !child->is_object()) throw Error(Code::corrupt, "element " + name + " of the stack is not an object");
    elements.push_back(value ? parse_any_triple(*value) : parse_any_stack(child->get_object()));
  }
  if (values.size() + node.size() != elements.size() + 4)
    throw Error(Code::corrupt, "the elements of the stack are not numbered from 0 on");
  if (elements.empty()) return Data::stack({}, {0});
  for (const DataPtr& e : elements)
    if (e->batch() != elements[0]->batch())
      throw Error(Code::corrupt, "the elements of the stack differ in batch size");
  check_dims(elements[0]->batch().size() + 1);
  int64_t dim = dim_member->get_int64(), dims = elements[0]->ids().dim() + 1;
  if (dim < -dims || dim >= dims)
    throw Error(Code::corrupt, "the stack_dim " + std::to_string(dim) + " is out of range");
  Merged merged = merge(elements);
  return c10::make_intrusive<Data>(at::stack(merged.ids, dim), merged.pool, true);
}

}  // namespace

Value value_of(const bj::value& json) {
  Value v;
  std::string_view odd = odd_number(json);
  if (odd == "NaN" || odd == "Infinity" || odd == "-Infinity") {
    v.kind = Value::Kind::real;
    v.f = odd == "NaN" ? std::nan("") : odd[0] == '-' ? -INFINITY : INFINITY;
  } else if (json.is_bool() || json.is_int64()) {
    v.kind = json.is_bool() ? Value::Kind::boolean : Value::Kind::integer;
    v.i = json.is_bool() ? json.get_bool() : json.get_int64();
  } else if (json.is_double()) {
    v.kind = Value::Kind::real;
    v.f = json.get_double();
  } else if (json.is_string()) {
    v.kind = Value::Kind::text;
    v.text = view(json.get_string());
  } else if (!json.is_null()) {
    v.kind = Value::Kind::json;
    append_compact(v.text, json);
  }
  return v;
}

Value parse_value(std::string_view json) {
  try {
    return value_of(parse_json(json, ""));
  } catch (const Error& e) {
    throw Error(Code::argument, e.message()).hint_naming("give text as {DATA_STR}, and other values as JSON");
  }
}

namespace {

NodePtr dict_of(const bj::object& object) {
  NodePtr node = TensorDict::make({});
  for (const auto& member : object) {
    const Key key((std::string(view(member.key()))));
    const bj::object* below = member.value().if_object();
    if (below)
      node->set(Path({key}), dict_of(*below));
    else
      node->set(Path({key}), Data::uniform(value_of(member.value()), {}));
  }
  return node;
}

bj::value json_of(std::string_view text) {
  try {
    return parse_json(text, "");
  } catch (const Error& e) {
    throw Error(Code::argument, e.message());
  }
}

}  // namespace

NodePtr dict_of_json(std::string_view json) {
  const bj::value value = json_of(json);
  if (!value.is_object()) throw Error(Code::argument, "the JSON is not an object");
  return dict_of(value.get_object());
}

Nodes dicts_of_json(std::string_view json) {
  const bj::value value = json_of(json);
  if (!value.is_array() || !odd_number(value).empty()) throw Error(Code::argument, "the JSON is not a list of objects");
  Nodes dicts;
  for (const bj::value& element : value.get_array()) {
    if (!element.is_object())
      throw Error(Code::argument, "element " + std::to_string(dicts.size()) + " of the JSON list is not an object");
    dicts.push_back(dict_of(element.get_object()));
  }
  return dicts;
}

void append_value(std::string& out, const Value& value, size_t outer, PathView path, size_t deepest) {
  if (value.kind == Value::Kind::pickle)
    throw Error(Code::unsupported,
                "what Python pickled is kept in memmap directories and archives only, and as a whole")
        .key(to_string(path));
  if (value.kind == Value::Kind::bytes)
    throw Error(Code::unsupported, "bytes are not JSON; they would have to be pickled with all data beside them")
        .key(to_string(path))
        .hint("store them as a uint8 tensor, or as text");
  if (outer + levels(value) > deepest)
    throw Error(Code::unsupported, "the value is nested too deeply for the format").key(to_string(path));
  switch (value.kind) {
    case Value::Kind::none:
      out += "null";
      break;
    case Value::Kind::boolean:
      out += value.i ? "true" : "false";
      break;
    case Value::Kind::integer:
      out += std::to_string(value.i);
      break;
    case Value::Kind::real:
      out += number_text(value.f);
      break;
    case Value::Kind::text:
      append_json(out, std::string_view(value.text));
      break;
    default:
      out += value.text;
  }
}

void append_lists(std::string& out, const Data& data, size_t outer, PathView path) {
  StackWriter(out, data, outer, path).lists(data.batch());
}

DataPtr stack_of_lists(const bj::value& lists, at::IntArrayRef batch) {
  if (!lists.is_array() || !odd_number(lists).empty())
    throw Error(Code::corrupt, "the member data of a stack is not a list");
  Dims dims = lengths({&lists});
  check_dims(dims.size());
  if (dims.back() == 0 && begins_with(batch, dims)) return Data::stack({}, batch);  // lists say no more
  check_batch(dims, batch);
  std::vector<Value> values;
  collect(lists, dims.size(), values);
  return Data::stack(std::move(values), dims);
}

void append_stack(std::string& out, const Data& data, bool locked, const char* device, size_t outer, PathView path) {
  StackWriter(out, data, outer, path).nodes(data.batch(), locked, device);
}

DataPtr parse_stack(const bj::object& node, at::IntArrayRef batch) {
  DataPtr data = parse_any_stack(node);
  if (data->batch().back() == 0 && begins_with(batch, data->batch())) return Data::stack({}, batch);
  check_batch(data->batch(), batch);
  return data;
}

void append_triple(std::string& out, const Value& value, at::IntArrayRef batch, const char* device, size_t outer,
                   PathView path) {
  out += '[';
  append_value(out, value, outer + 1, path);
  out += ',';
  append_json(out, batch);
  out += std::string(",") + device + ']';
}

DataPtr parse_triple(const bj::value& triple, at::IntArrayRef batch) {
  DataPtr data = parse_any_triple(triple);
  check_batch(data->batch(), batch);
  return data;
}

}  // namespace td::storage
