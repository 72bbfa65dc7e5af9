#include "core/dict/repr.h"

#include <algorithm>
#include <vector>

#include "core/dict/value_text.h"
#include "core/tensor/dtype.h"

namespace td {

namespace {

std::string size_text(at::IntArrayRef dims) {
  return "torch.Size(" + to_string(dims) + ")";
}

const char* truth(bool b) {
  return b ? "True" : "False";
}

std::string indented(const std::string& text) {
  std::string out;
  for (char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

std::string leaf_text(const Node& parent, const at::Tensor& t) {
  std::string_view name = dtype_name(t.scalar_type());
  std::string dtype = name.empty() ? std::string(c10::toString(t.scalar_type())) : std::string(name);
  return std::string(parent.is_memmap() ? "MemoryMappedTensor" : "Tensor") + "(shape=" + size_text(t.sizes()) +
         ", device=" + t.device().str() + ", dtype=torch." + dtype + ", is_shared=" + truth(parent.is_shared()) + ")";
}

// The values as Python's nested lists, in batch order.
std::string list_text(const std::vector<const Value*>& values, at::IntArrayRef batch, size_t& next) {
  if (batch.empty()) return python_text(*values[next++], true);
  std::string s = "[";
  for (int64_t i = 0; i < batch[0]; ++i) s += (i ? ", " : "") + list_text(values, batch.slice(1), next);
  return s + "]";
}

std::string data_text(const Node& parent, const Data& d) {
  std::string device = parent.device() ? parent.device()->str() : "None";
  if (!d.stacked()) {
    std::string text = python_text(d.value(), false);
    if (characters(text) > 200) text = first_characters(text, 20) + "  ...  " + last_characters(text, 20);
    return "NonTensorData(data=" + text + ", batch_size=" + size_text(d.batch()) + ", device=" + device + ")";
  }
  size_t next = 0;
  std::string list = list_text(d.values(), d.batch(), next);
  if (characters(list) > 50) list = first_characters(list, 50) + "...";
  return "NonTensorStack(\n    " + list + ",\n    batch_size=" + size_text(d.batch()) + ",\n    device=" + device + ")";
}

}  // namespace

std::string repr(const Node& node) {
  std::vector<std::string> fields;
  node.visit([&](const Key& k, const Entry& e) {
    fields.push_back(k.text() + ": " +
                     (e.is_node()   ? repr(*e.node())
                      : e.is_data() ? data_text(node, *e.data())
                                    : leaf_text(node, e.tensor())));
  });
  std::sort(fields.begin(), fields.end());  // whole strings, as the original sorts them
  std::string inner;
  for (const std::string& f : fields) inner += (inner.empty() ? "\n" : ",\n") + f;
  std::string body =
      "fields={" + (fields.empty() ? "\n}" : indented(inner) + "}") + ",\nbatch_size=" + size_text(node.batch_size()) +
      ",\ndevice=" + (node.device() ? node.device()->str() : "None") + ",\nis_shared=" + truth(node.is_shared());
  return std::string(node.class_name()) + "(" + indented("\n" + body) + ")";
}

}  // namespace td
