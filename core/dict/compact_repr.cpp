// The form on few lines, which Python's tensordict prints by default from 0.15 on: dtypes and feature dims only.
#include <algorithm>
#include <vector>

#include "core/dict/repr.h"
#include "core/dict/value_text.h"

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
    default:
      return "str";
  }
}

std::string tensor_token(const Node& parent, const at::Tensor& t, const ReprOptions& o) {
  std::string token = compact_dims(t.sizes().slice(std::min<size_t>(parent.batch_dims(), t.dim())));
  if (o.dtype) token = compact_type(t.scalar_type()) + token;
  if (!t.device().is_cpu() && !parent.device()) token += "@" + t.device().str();
  return token;
}

std::string flat_entries(const std::vector<CompactEntry>& entries) {
  std::string s = "{";
  for (size_t i = 0; i < entries.size(); ++i) s += (i ? ", " : "") + entries[i].key + ": " + entries[i].flat;
  return s + "}";
}

std::vector<CompactEntry> compact_entries(const Node& node, const ReprOptions& o) {
  std::vector<CompactEntry> out;
  node.visit([&](const Key& k, const Entry& e) {
    CompactEntry made;
    made.key = k.text();
    if (e.is_tensor()) {
      made.flat = made.text = tensor_token(node, e.tensor(), o);
    } else if (e.is_data()) {
      made.flat = made.text = e.data()->stacked() ? "NonTensorStack" : python_type(e.data()->value());
    } else {
      const Node& child = *e.node();
      made.is_node = true;
      made.entries = compact_entries(child, o);
      std::string name = child.class_name();
      if (name != "TensorDict") made.text = name;
      if (child.batch_dims() > node.batch_dims())
        made.text += compact_dims(child.batch_size().slice(node.batch_dims()));
      made.flat = made.text + flat_entries(made.entries);
    }
    made.flat_width = characters(made.flat);
    out.push_back(std::move(made));
  });
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
  std::string head = std::string(node.class_name()) + "(";
  if (o.batch_size) head += "batch_size=" + compact_dims(node.batch_size()) + ", ";
  if (o.device && node.device()) head += "device=" + node.device()->str() + ", ";
  head += "fields=";
  CompactEntry root;
  root.is_node = true;
  root.entries = compact_entries(node, o);
  root.flat = flat_entries(root.entries);
  root.flat_width = characters(root.flat);
  return head + compact_render(root, 0, characters(head), 1) + ")";
}

}  // namespace td
