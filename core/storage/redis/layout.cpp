#include "core/storage/redis/layout.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include "core/dict/key.h"
#include "core/error.h"
#include "core/levels.h"
#include "core/storage/json.h"
#include "core/storage/redis/members.h"

namespace td::storage::redis {

namespace {

optional<std::string> optional_text(const Reply& reply) {
  if (is_nil(reply)) return nullopt;
  return text_of(reply);
}

Dims batch_of_text(const std::string& text) {
  return parse_batch(parse_json(text, "the batch size"));
}

Names parse_label_names(const boost::json::value& value, size_t dims) {
  const boost::json::array* list = value.if_array();
  if (!list || (!list->empty() && list->size() != dims)) throw Error(Code::corrupt, "the names do not fit the dims");
  Names names;
  for (const boost::json::value& v : *list) {
    const boost::json::string* s = v.if_string();
    if (!s && !v.is_null()) throw Error(Code::corrupt, "the name of a dim is not text");
    names.push_back(s ? Name(std::string(s->data(), s->size())) : Name());
  }
  return names;
}

Labels parse_label(const std::string& text) {
  const boost::json::value value = parse_json(text, "__labels__");
  const boost::json::object* object = value.if_object();
  const boost::json::value* batch = object ? member(*object, "batch_size") : nullptr;
  const boost::json::value* names = object ? member(*object, "names") : nullptr;
  if (!batch || !names) throw Error(Code::corrupt, "a label has no batch size and names");
  Dims dims = parse_batch(*batch);
  return {dims, parse_label_names(*names, dims.size())};
}

void check_path(const std::string& path) {
  try {
    check_utf8(path, "a path");
  } catch (const Error&) {
    throw Error(Code::corrupt, "the path of an entry is not UTF-8");
  }
  if (static_cast<size_t>(std::count(path.begin(), path.end(), separator)) >= max_levels)
    throw Error(Code::corrupt, "dicts are nested deeper than " + std::to_string(max_levels) + " levels");
}

void read_type(Leaf& leaf, at::IntArrayRef batch) try {
  if (!leaf.shape || !leaf.dtype) throw Error(Code::corrupt, "it has no shape or no dtype");
  leaf.type = parse_leaf_type(boost::json::string(*leaf.dtype), parse_json(*leaf.shape, "the shape"));
  if (leaf.type.bytes != leaf.bytes)
    throw Error(Code::corrupt, "it has " + std::to_string(leaf.bytes) + " bytes, but shape and dtype make " +
                                   std::to_string(leaf.type.bytes));
  check_batch(leaf.type.sizes, batch);
} catch (const Error& e) {
  leaf.why = e.message();
  leaf.code = e.code();
}

}  // namespace

Dims Layout::batch_of(const std::string& path) const {
  for (std::string at = path; !at.empty();) {
    if (auto label = labels.find(at); label != labels.end()) return label->second.batch;
    const size_t dot = at.rfind(separator);
    at = dot == at.npos ? "" : at.substr(0, dot);
  }
  return batch;
}

std::string checked_part(std::string_view key) {
  KeyView view(key);
  auto refuse = [&](const char* why) { return Error(Code::key, why).key(to_string(PathView(&view, 1))); };
  if (key.find(separator) != key.npos)
    throw refuse("a dict on a server cannot hold keys with a '.', which separates the keys there");
  if (key.empty()) throw refuse("a dict on a server cannot hold an empty key");
  return std::string(key);
}

std::string json_list(at::IntArrayRef dims) {
  std::string out = "[";
  for (size_t i = 0; i < dims.size(); ++i) out += (i ? ", " : "") + std::to_string(dims[i]);
  return out + "]";
}

std::string label_text(const Labels& label) {
  std::string out = "{\"batch_size\":" + json_list(label.batch) + ",\"names\":";
  append_names(out, label.names);
  return out + "}";
}

void ask_leaf(Request& request, const Keys& keys, const std::string& path, bool stack) {
  if (stack)
    request.add(
        {"HMGET", keys.meta(path), "shape", "dtype", "is_non_tensor", "encoding", "homogeneous", "layout", "shapes"});
  else
    request.add({"HMGET", keys.meta(path), "shape", "dtype", "is_non_tensor", "encoding"});
  request.add({"STRLEN", keys.values(path)});
}

Leaf parse_leaf(const Reply* next, const Layout& layout, const Leaf* last) {
  const std::vector<Reply>& fields = list_of(next[0]);
  if (fields.size() != (layout.stack ? 7 : 4)) throw Error(Code::corrupt, "the server's answer lacks fields");
  Leaf leaf;
  leaf.shape = optional_text(fields[0]);
  leaf.dtype = optional_text(fields[1]);
  leaf.is_data = optional_text(fields[2]);
  leaf.encoding = optional_text(fields[3]);
  leaf.bytes = integer_of(next[1]);
  if (leaf.bytes < 0) throw Error(Code::corrupt, "the server says that a string has a negative length");
  leaf.data = leaf.is_data == std::string("1");
  if (layout.stack) {
    leaf.homogeneous = optional_text(fields[4]);
    leaf.order = optional_text(fields[5]);
    leaf.shapes = optional_text(fields[6]);
    if (last && leaf.same_as(*last)) return *last;
    read_members(leaf, *layout.stack, layout.batch);
  } else if (!leaf.data) {
    read_type(leaf, layout.batch);
  } else if (leaf.bytes == 0) {
    leaf.why = "it has no value";
  } else if (leaf.encoding && *leaf.encoding != "json" && *leaf.encoding != "json_array" &&
             *leaf.encoding != "pickle") {
    leaf.why = "it has the unknown encoding '" + *leaf.encoding + "'";
  }
  return leaf;
}

Leaf tensor_leaf(const LeafType& type) {
  Leaf leaf;
  leaf.shape = json_list(stored_sizes(type));
  leaf.dtype = python_dtype(type);
  leaf.bytes = type.bytes;
  leaf.type = type;
  return leaf;
}

Leaf data_leaf(const char* encoding, size_t bytes) {
  Leaf leaf;
  leaf.is_data = "1";
  leaf.encoding = encoding;
  leaf.bytes = static_cast<int64_t>(bytes);
  leaf.data = true;
  return leaf;
}

void ask_root(Request& request, const Keys& keys) {
  request.add({"GET", keys.batch()})
      .add({"GET", keys.type()})
      .add({"GET", keys.version()})
      .add({"SMEMBERS", keys.paths()})
      .add({"HGETALL", keys.labels()});
}

Layout parse_root(const Reply* next) {
  Layout out;
  const bool stack = !is_nil(next[1]) && text_of(next[1]) == "lazy_stack";
  if (!is_nil(next[1]) && !stack)
    throw Error(Code::unsupported, "something of the unknown type '" + next[1].text + "' is there");
  if (is_nil(next[0]) && !stack)
    throw Error(Code::not_found, "the server has no dict with this id").hint_naming("{remote_list} names those it has");
  if (stack)
    out.stack = StackOf{0, 0};
  else
    out.batch = batch_of_text(text_of(next[0]));
  if (!is_nil(next[2])) {
    const std::string& text = text_of(next[2]);
    const bool number = !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == text.npos;
    if (!number) throw Error(Code::corrupt, "the version of the dict is '" + text + "'");
    out.version = std::stoll(text);
  }
  for (const Reply& path : list_of(next[3])) {
    check_path(text_of(path));
    out.leaves[path.text];
  }
  const std::vector<Reply>& labels = list_of(next[4]);
  for (size_t i = 0; i + 1 < labels.size(); i += 2) {
    check_path(text_of(labels[i]));
    out.labels[labels[i].text] = parse_label(text_of(labels[i + 1]));
  }
  for (auto leaf = out.leaves.begin(); leaf != out.leaves.end(); ++leaf) {
    auto below = out.leaves.lower_bound(leaf->first + separator);
    if (below != out.leaves.end() && is_below(below->first, leaf->first))
      throw Error(Code::corrupt, "the entries '" + leaf->first + "' and '" + below->first + "' exclude each other");
  }
  return out;
}

void ask_stack(Request& request, const Keys& keys) {
  request.add({"GET", keys.count()}).add({"GET", keys.stack_dim()}).add({"GET", keys.inner_batch()});
}

void parse_stack(const Reply* next, Layout& layout) {
  auto number = [&](const Reply& reply, const char* what) {
    if (is_nil(reply)) throw Error(Code::corrupt, std::string("the lazy stack has no ") + what);
    const std::string& text = text_of(reply);
    const size_t begin = text[0] == '-' ? 1 : 0;
    if (text.size() <= begin || text.size() > 10 || text.find_first_not_of("0123456789", begin) != text.npos)
      throw Error(Code::corrupt, std::string("the ") + what + " of the lazy stack is '" + text + "'");
    return std::stoll(text);
  };
  const int64_t count = number(next[0], "number of members");
  int64_t dim = number(next[1], "stack dim");
  if (is_nil(next[2])) throw Error(Code::corrupt, "the lazy stack has no batch size of its members");
  layout.batch = batch_of_text(text_of(next[2]));
  const auto dims = static_cast<int64_t>(layout.batch.size());
  if (dim < 0) dim = std::max<int64_t>(dims + dim, 0);  // where Python puts it
  if (count < 0 || dim > dims)
    throw Error(Code::corrupt, "a lazy stack of " + std::to_string(count) + " members of batch size " +
                                   to_string(layout.batch) + " along dim " + std::to_string(dim));
  if (count > max_stack_members)
    throw Error(Code::unsupported, "the lazy stack has " + std::to_string(count) + " members; the limit is " +
                                       std::to_string(max_stack_members));
  layout.stack = StackOf{count, static_cast<size_t>(dim)};
}

}  // namespace td::storage::redis
