#include "core/dict/repr.h"

#include <algorithm>
#include <vector>

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

}  // namespace

std::string repr(const Node& node) {
  std::vector<std::string> fields;
  node.visit([&](const Key& k, const Entry& e) {
    fields.push_back(k.text() + ": " + (e.is_node() ? repr(*e.node()) : leaf_text(node, e.tensor())));
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
