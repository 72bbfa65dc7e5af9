#include "core/dict/align.h"

#include "core/dict/lazy_stack.h"
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
    Nodes held;  // a lazy stack makes its nodes when asked
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
      if (other.is_node()) held.push_back(other.node()), children.push_back(held.back().get());
      if (other.is_tensor()) tensors.entries.push_back(other.take_tensor());
      if (other.is_data()) data.entries.push_back(other.data());
    }
    if (e.is_node()) align_level(children, path, check, out);
    if (e.is_tensor()) out.tensors.push_back(std::move(tensors));
    if (e.is_data()) out.data.push_back(std::move(data));
  });
}

[[noreturn]] void not_in_all(const Path& path) {
  throw Error(Code::key, "the leaf is not in all dicts").key(to_string(path));
}

void check_no_more(const Node& first, const Node& dict, const Path& prefix) {
  dict.outline([&](const Key& k, const Entry& e) {
    if (e.is_data() || first.has_common(k)) return;
    if (e.is_tensor()) not_in_all(prefix + k);
    std::vector<Path> below = leaf_paths(*e.node());
    Path path = prefix + k;
    if (below.empty()) return;
    for (const Key& part : below[0].keys()) path = path + part;
    not_in_all(path);
  });
}

void pair_level(const Node& first, const Node& dict, const Path& prefix, const Pairing& pairing, Leaves& out) {
  if (const LazyStack* stack = first.lazy()) {
    Nodes others = stack->apart(dict);
    for (size_t i = 0; i < others.size(); ++i) pair_level(*stack->members()[i], *others[i], prefix, pairing, out);
    return;
  }
  size_t met = 0;
  first.visit([&](const Key& k, const Entry& e) {
    Entry other = dict.find(k);
    met += static_cast<bool>(other);
    if (e.is_node() && other.is_node()) {
      pair_level(*e.node(), *other.node(), prefix + k, pairing, out);
    } else if (e.is_node()) {
      std::vector<Path> below = leaf_paths(*e.node());
      if (!below.empty() && !pairing.missing_as_none) not_in_all(prefix + k + below[0].keys()[0]);
      out.resize(out.size() + below.size());
    } else if (e.is_tensor()) {
      if (!other.is_tensor() && !pairing.missing_as_none) not_in_all(prefix + k);
      out.push_back(other.is_tensor() ? other.take_tensor() : at::Tensor());
    }
  });
  if (met < dict.count() && !pairing.extra) check_no_more(first, dict, prefix);
}

}  // namespace

Leaves leaves_like(const Node& first, const Node& dict, const Pairing& pairing) {
  if (&first == &dict) return leaves(dict);
  Leaves out;
  pair_level(first, dict, Path(), pairing, out);
  return out;
}

Columns align(const std::vector<const Node*>& nodes, CheckLevel check) {
  Columns out;
  align_level(nodes, Path(), check, out);
  return out;
}

}  // namespace td
