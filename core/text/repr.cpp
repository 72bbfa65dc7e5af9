#include "core/text/repr.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "core/dict/data/value_text.h"
#include "core/error.h"
#include "core/tensor/dtype.h"
#include "core/text/indent.h"
#include "core/text/lazy_repr.h"

namespace td {

namespace {

std::string size_text(at::IntArrayRef dims) {
  return "torch.Size(" + to_string(dims) + ")";
}

const char* truth(bool b) {
  return b ? "True" : "False";
}

std::string device_text(const Node& node) {
  return node.device() ? node.device()->str() : "None";
}

// As Python's format "%.4g", where nan has no sign.
std::string four_digits(double value, bool with_sign = false) {
  if (std::isnan(value)) return with_sign ? "+nan" : "nan";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, with_sign ? "%+.4g" : "%.4g", value);
  return buffer;
}

std::string item_text(const at::Tensor& t) {
  c10::Scalar s = t.item();
  return s.isBoolean() ? truth(s.toBool()) : std::to_string(s.toLong());
}

std::string summary(const at::Tensor& t) {
  if (t.numel() == 0) return "[]";
  if (!t.is_floating_point() && !t.is_complex()) return "min=" + item_text(t.min()) + ", max=" + item_text(t.max());
  at::Tensor wide = t.detach().to(t.is_complex() ? at::kComplexDouble : at::kDouble);
  double std = t.numel() > 1 ? wide.std(true).item().toDouble() : NAN;
  c10::Scalar mean = wide.mean().item();
  std::string text;
  if (mean.isComplex()) {
    c10::complex<double> m = mean.toComplexDouble();
    text = four_digits(m.real()) + four_digits(m.imag(), true) + "j";
  } else {
    text = four_digits(mean.toDouble());
  }
  return "mean=" + text + ", std=" + four_digits(std);
}

std::string leaf_text(const Node& parent, const Entry& e, const ReprOptions& o, bool in_params) {
  const at::Tensor& t = e.tensor();
  std::string fields;
  auto add = [&](bool show, const char* name, c10::function_ref<std::string()> text) {
    if (show) fields += (fields.empty() ? "" : ", ") + std::string(name) + text();
  };
  add(o.shape, "shape=", [&] { return size_text(t.sizes()); });
  add(o.field_device, "device=", [&] { return t.device().str(); });
  add(o.dtype, "dtype=torch.", [&] { return type_name(t.scalar_type()); });
  add(o.field_is_shared, "is_shared=", [&] { return std::string(truth(parent.is_shared() || t.is_cuda())); });
  add(o.grad, "requires_grad=", [&] { return std::string(truth(t.requires_grad())); });
  add(o.is_contiguous, "is_contiguous=", [&] { return std::string(truth(t.is_contiguous())); });
  add(o.is_view, "is_view=", [&] { return std::string(truth(t.is_view())); });
  add(o.storage_size, "storage_size=", [&] { return std::to_string(t.has_storage() ? t.storage().nbytes() : 0); });
  add(o.plain, "", [&] { return summary(t); });
  bool mapped = parent.is_memmap() && t.numel() > 0;  // without elements there is no file
  bool parameter = in_params && t.is_leaf() && t.requires_grad();
  if (e.is_unbatched()) return "UnbatchedTensor(" + fields + ")";
  return (mapped ? "MemoryMappedTensor(" : parameter ? "Parameter(" : "Tensor(") + fields + ")";
}

// Of members whose tensors are not stacked for this: what they have in common.
std::string ragged_text(const LazyLeaf& leaf, const ReprOptions& o) {
  std::string fields;
  auto add = [&](bool show, const std::string& text) {
    if (show) fields += (fields.empty() ? "" : ", ") + text;
  };
  add(o.shape, "shape=" + size_text(leaf.shape));
  add(o.field_device, "device=" + leaf.tensors[0].device().str());
  add(o.dtype, "dtype=torch." + type_name(leaf.type));
  add(o.field_is_shared, std::string("is_shared=") + truth(leaf.tensors[0].is_cuda()));
  return (leaf.unbatched ? "UnbatchedTensor(" : "Tensor(") + fields + ")";
}

constexpr size_t longest_list = 50;  // in characters

// The values as Python's nested lists, in batch order, and no more of them than are shown.
void append_list(std::string& s, const Data& d, at::IntArrayRef batch, size_t& next) {
  if (batch.empty()) {
    s += python_text(d.at(next++), true);
    return;
  }
  s += '[';
  for (int64_t i = 0; i < batch[0] && s.size() <= 4 * longest_list; ++i) {
    if (i) s += ", ";
    append_list(s, d, batch.slice(1), next);
  }
  s += ']';
}

std::string data_text(const Node& parent, const Data& d) {
  if (!d.stacked()) {
    std::string text = python_text(d.value(), false);
    if (characters(text) > 200) text = first_characters(text, 20) + "  ...  " + last_characters(text, 20);
    return std::string(d.class_name()) + "(data=" + text + ", batch_size=" + size_text(d.batch()) +
           ", device=" + device_text(parent) + ")";
  }
  size_t next = 0;
  std::string list;
  append_list(list, d, d.batch(), next);
  if (characters(list) > longest_list) list = first_characters(list, longest_list) + "...";
  return "NonTensorStack(\n    " + list + ",\n    batch_size=" + size_text(d.batch()) +
         ",\n    device=" + device_text(parent) + ")";
}

}  // namespace

std::string type_name(at::ScalarType type) {
  std::string_view name = dtype_name(type);
  return name.empty() ? std::string(c10::toString(type)) : std::string(name);
}

namespace {

std::string node_text(const Node& node, const ReprOptions& o, bool in_params);

std::string stacked_text(const Node& stack, const Key& k, const ReprOptions& o) {
  LazyLeaf leaf = lazy_leaf(stack, k);
  if (!leaf.kinds.empty()) return "[" + leaf.kinds + "]";
  if (leaf.tensors.empty()) {
    Entry e = stack.find(k.view());
    return e.is_node() ? node_text(*e.node(), o, false) : data_text(stack, *e.data());
  }
  bool ragged = std::find(leaf.shape.begin(), leaf.shape.end(), -1) != leaf.shape.end();
  bool more = o.grad || o.is_contiguous || o.is_view || o.storage_size || o.plain;
  if (ragged || !more) return ragged_text(leaf, o);
  return leaf_text(stack, stack.find(k.view()), o, false);
}

// The entries under `keys` between braces, or all of them.
std::string fields_text(const Node& node, const ReprOptions& o, bool in_params, const std::vector<Key>& keys) {
  std::vector<std::string> fields;
  for (const Key& k : keys) {
    std::string text;
    if (node.has_members()) {
      text = stacked_text(node, k, o);
    } else {
      bool values = o.grad || o.is_contiguous || o.is_view || o.storage_size || o.plain;
      Entry e;
      text = unreadable(node, [&] { e = shown(node, k, values); });
      text = !text.empty() ? text
             : e.is_node() ? node_text(*e.node(), o, in_params)
             : e.is_data() ? data_text(node, *e.data())
                           : leaf_text(node, e, o, in_params);
    }
    fields.push_back(k.text() + ": " + text);
  }
  if (o.sorted) std::sort(fields.begin(), fields.end());  // whole strings, as the original sorts them
  std::string inner = "\n";
  for (size_t i = 0; i < fields.size(); ++i) inner += (i ? ",\n" : "") + fields[i];
  return indented(inner, 4);
}

std::string exclusive_text(const Node& stack, const ReprOptions& o) {
  std::string inner;
  std::vector<Key> common = own_keys(stack);
  stack.each_member([&](const NodePtr& m, size_t i) {
    std::vector<Key> own = unshared_keys(*m, common);
    if (own.empty()) return;
    std::string text = std::to_string(i) + " ->" + fields_text(*m, o, false, own);
    inner += (inner.empty() ? "" : ",\n") + indented(text, 4);
  });
  return "exclusive_fields={\n" + inner + "}";
}

std::string node_text(const Node& node, const ReprOptions& o, bool in_params) {
  if (const Node* inside = node.inside())
    return std::string(node.class_name()) + "(params=" + node_text(*inside, o, true) + ")";
  const bool stack = node.has_members();
  bool shared = node.is_shared() || (node.device() && node.device()->is_cuda());
  std::string body = indented("fields={" + fields_text(node, o, in_params, own_keys(node)) + "}", 4);
  if (stack) body += ",\n" + indented(exclusive_text(node, o), 4);
  if (o.batch_size) body += ",\n    batch_size=" + size_text(node.batch_size());
  if (o.device) body += ",\n    device=" + device_text(node);
  if (o.is_shared)
    body += std::string(",\n    is_shared=") +
            (stack && node.batch_size()[static_cast<size_t>(node.member_dim())] == 0 ? "None" : truth(shared));
  if (stack) body += ",\n    stack_dim=" + std::to_string(node.member_dim());
  return std::string(node.class_name()) + "(\n" + body + ")";
}

}  // namespace

std::string repr(const Node& node, const ReprOptions& o) {
  return node_text(node, o, false);
}

}  // namespace td
