#include "core/dict/align.h"

#include "core/error.h"

namespace td {

namespace {

const char* kind_name(const Entry& e) {
  return e.is_node() ? "a dict" : e.is_tensor() ? "a tensor" : "data";
}

void align_level(const std::vector<const Node*>& nodes, const Path& prefix, CheckLevel check, Columns& out) {
  check(nodes, prefix);
  const Node& first = *nodes[0];
  for (size_t i = 1; i < nodes.size(); ++i)
    nodes[i]->visit([&](const Key& k, const Entry&) {
      if (!first.find(k))
        throw Error(Code::key, "the key is in dict " + std::to_string(i) + " but not in dict 0")
            .key(to_string(prefix + k));
    });
  first.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    std::vector<const Node*> children;
    Column<at::Tensor> tensors{path, {}};
    Column<DataPtr> data{path, {}};
    for (size_t i = 0; i < nodes.size(); ++i) {
      Entry other = nodes[i]->find(k);
      if (!other)
        throw Error(Code::key, "the key is in dict 0 but not in dict " + std::to_string(i)).key(to_string(path));
      if (other.is_node() != e.is_node() || other.is_tensor() != e.is_tensor())
        throw Error(Code::key, std::string("the entry is ") + kind_name(e) + " in dict 0 and " + kind_name(other) +
                                   " in dict " + std::to_string(i))
            .key(to_string(path));
      if (other.is_node()) children.push_back(other.node().get());
      if (other.is_tensor()) tensors.entries.push_back(other.take_tensor());
      if (other.is_data()) data.entries.push_back(other.data());
    }
    if (e.is_node()) align_level(children, path, check, out);
    if (e.is_tensor()) out.tensors.push_back(std::move(tensors));
    if (e.is_data()) out.data.push_back(std::move(data));
  });
}

}  // namespace

Columns align(const std::vector<const Node*>& nodes, CheckLevel check) {
  Columns out;
  align_level(nodes, Path(), check, out);
  return out;
}

}  // namespace td
