// The form on few lines, which Python's tensordict prints by default from 0.15 on: dtypes and feature dims only.
#include "core/text/compact_repr.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/dict/data/value_text.h"
#include "core/error.h"
#include "core/text/lazy_repr.h"
#include "core/text/repr.h"

namespace td {

namespace {

constexpr size_t compact_width = 80;

// A token, or a node: `text` is then what stands before its braces.
struct CompactEntry {
  std::string key, text;
  bool is_node = false;
  std::vector<CompactEntry> entries;
  std::string flat;       // on one line, without the key
  size_t flat_width = 0;  // in characters
};

std::string compact_dims(at::IntArrayRef dims) {
  std::string s = "[";
  for (size_t i = 0; i < dims.size(); ++i) s += (i ? "," : "") + std::to_string(dims[i]);
  return s + "]";
}

// float32 is f32, bfloat16 bf16, uint8 u8.
std::string compact_type(at::ScalarType type) {
  std::string name = type_name(type);
  for (auto [from, to] : {std::pair{"float", "f"}, {"uint", "u"}, {"int", "i"}, {"complex", "c"}}) {
    size_t at = name.find(from);
    if (at != name.npos) name.replace(at, std::string_view(from).size(), to);
  }
  return name;
}

std::string python_type(const Value& v) {
  switch (v.kind) {
    case Value::Kind::none:
      return "NoneType";
    case Value::Kind::boolean:
      return "bool";
    case Value::Kind::integer:
      return "int";
    case Value::Kind::real:
      return "float";
    case Value::Kind::bytes:
      return "bytes";
    case Value::Kind::json:
      return v.text[0] == '[' ? "list" : v.text[0] == '{' ? "dict" : "int";
    case Value::Kind::pickle:
      return "object";
    default:
      return "str";
  }
}

std::string tensor_token(const Node& parent, at::IntArrayRef shape, at::ScalarType type, const std::string& devices,
                         bool unbatched, const ReprOptions& o) {
  bool unlike = shape == at::IntArrayRef({-1});  // members with different numbers of dims
  std::string token =
      compact_dims(unlike || unbatched ? shape : shape.slice(std::min(parent.batch_dims(), shape.size())));
  if (o.dtype) token = compact_type(type) + token;
  if (devices != "cpu" && !parent.device()) token += "@" + devices;
  return token;
}

std::string lazy_token(const Node& stack, const LazyLeaf& leaf, const ReprOptions& o) {
  std::set<std::string> devices;
  for (const at::Tensor& t : leaf.tensors) devices.insert(t.device().str());
  std::string all;
  for (const std::string& d : devices) all += (all.empty() ? "" : ",") + d;
  return tensor_token(stack, leaf.shape, leaf.type, all, leaf.unbatched, o);
}

std::string data_token(const Data& data) {
  return data.stacked() ? "NonTensorStack" : python_type(data.value());
}

std::string flat_entries(const std::vector<CompactEntry>& entries) {
  std::string s = "{";
  for (size_t i = 0; i < entries.size(); ++i) s += (i ? ", " : "") + entries[i].key + ": " + entries[i].flat;
  return s + "}";
}

std::vector<CompactEntry> compact_entries(const Node& node, const std::vector<Key>& keys, const ReprOptions& o);

CompactEntry compact_node(std::string text, std::vector<CompactEntry> entries) {
  CompactEntry made;
  made.text = std::move(text);
  made.is_node = true;
  made.entries = std::move(entries);
  made.flat = made.text + flat_entries(made.entries);
  return made;
}

const Node* first_member(const Node& node) {
  const Node* first = nullptr;
  node.each_member([&](const NodePtr& m, size_t i) { first = i == 0 ? m.get() : first; });
  return first;
}

// In a stack the first member says what an entry is.
CompactEntry compact_entry(const Node& node, const Key& k, const ReprOptions& o) {
  CompactEntry made;
  const Node* first = &node;
  while (const Node* inner = first_member(*first)) first = inner;
  made.key = k.text();
  Entry e;
  made.flat = made.text = unreadable(*first, [&] { e = shown(*first, k, false); });
  if (!made.text.empty()) {
    made.flat = made.text = "unreadable";
  } else if (e.is_data()) {
    made.flat = made.text = data_token(*e.data());
  } else if (e.is_node()) {
    std::string name = e.node()->class_name();
    NodePtr child = node.has_members() ? node.find(k.view()).node() : e.node();
    if (name == "TensorDict") name = "";
    if (child->batch_dims() > node.batch_dims()) name += compact_dims(child->batch_size().slice(node.batch_dims()));
    made = compact_node(name, compact_entries(*child, own_keys(*child), o));
    made.key = k.text();
  } else {
    LazyLeaf leaf = node.has_members() ? lazy_leaf(node, k) : LazyLeaf();
    if (!leaf.kinds.empty())
      throw Error(Code::key, "the members have entries of different kinds under this key").key(k.text());
    made.flat = made.text = node.has_members() ? lazy_token(node, leaf, o)
                                               : tensor_token(node, e.tensor().sizes(), e.tensor().scalar_type(),
                                                              e.tensor().device().str(), e.is_unbatched(), o);
  }
  return made;
}

std::vector<CompactEntry> compact_entries(const Node& node, const std::vector<Key>& keys, const ReprOptions& o) {
  std::vector<CompactEntry> out;
  for (const Key& k : keys) {
    out.push_back(compact_entry(node, k, o));
    out.back().flat_width = characters(out.back().flat);
  }
  if (o.sorted)
    std::stable_sort(out.begin(), out.end(), [](const CompactEntry& a, const CompactEntry& b) {
      return a.key + ": " + a.flat < b.key + ": " + b.flat;
    });
  return out;
}

// One line if it fits between the `used` columns before it and the `tail` ones after it, else a line for each entry.
std::string compact_render(const CompactEntry& e, size_t indent, size_t used, size_t tail) {
  if (!e.is_node || e.entries.empty() || used + e.flat_width + tail <= compact_width) return e.flat;
  std::string out = e.text + "{\n";
  for (size_t i = 0; i < e.entries.size(); ++i) {
    const CompactEntry& child = e.entries[i];
    bool last = i + 1 == e.entries.size();
    out += std::string(indent + 4, ' ') + child.key + ": " +
           compact_render(child, indent + 4, indent + 4 + characters(child.key) + 2, last ? tail + 1 : 1);
    out += last ? "}" : ",\n";
  }
  return out;
}

}  // namespace

std::string compact_repr(const Node& node, const ReprOptions& o) {
  if (const Node* inside = node.inside())
    return std::string(node.class_name()) + "(params=" + compact_repr(*inside, o) + ")";
  std::string head = std::string(node.class_name()) + "(";
  if (o.batch_size) head += "batch_size=" + compact_dims(node.batch_size()) + ", ";
  if (o.device && node.device()) head += "device=" + node.device()->str() + ", ";
  if (node.has_members()) head += "stack_dim=" + std::to_string(node.member_dim()) + ", ";
  head += "fields=";
  CompactEntry root = compact_node("", compact_entries(node, own_keys(node), o));
  root.flat_width = characters(root.flat);
  std::vector<CompactEntry> members;
  std::vector<Key> common = node.has_members() ? own_keys(node) : std::vector<Key>();
  node.each_member([&](const NodePtr& m, size_t i) {
    std::vector<Key> own = unshared_keys(*m, common);
    if (own.empty()) return;
    members.push_back(compact_node("", compact_entries(*m, own, o)));
    members.back().key = std::to_string(i);
    members.back().flat_width = characters(members.back().flat);
  });
  constexpr std::string_view more = ", exclusive_fields=";
  std::string out = head + compact_render(root, 0, characters(head), members.empty() ? 1 : 2 + more.size());
  if (!members.empty()) {
    CompactEntry exclusive = compact_node("", std::move(members));
    exclusive.flat_width = characters(exclusive.flat);
    size_t line = out.rfind('\n');
    std::string last = line == out.npos ? out : out.substr(line + 1);
    out += std::string(more) + compact_render(exclusive, 0, characters(last) + more.size(), 1);
  }
  return out + ")";
}

}  // namespace td
