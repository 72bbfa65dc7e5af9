#include "core/dict/align.h"

#include <algorithm>

#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

const char* kind_name(const Entry& e) {
  return e.is_node() ? "a dict" : e.is_unbatched() ? "an unbatched tensor" : e.is_tensor() ? "a tensor" : "data";
}

void align_level(const std::vector<const Node*>& nodes, const Path& prefix, CheckLevel check, Columns& out);

// What stands under one key, dict after dict.
class Line {
 public:
  Line(Path path, const Entry& first, size_t n) : path_(std::move(path)), first_(first) {
    if (first.is_tensor()) tensors_.reserve(n);
  }

  void add(const Entry& e) {
    size_t i = n_++;
    if (!e) throw Error(Code::key, "the key is in dict 0 but not in dict " + std::to_string(i)).key(to_string(path_));
    if (!e.same_kind(first_))
      throw Error(Code::key, std::string("the entry is ") + kind_name(first_) + " in dict 0 and " + kind_name(e) +
                                 " in dict " + std::to_string(i))
          .key(to_string(path_));
    if (e.is_tensor())
      tensors_.push_back(e.tensor());
    else if (e.is_node())
      nodes_.push_back(e.node());
    else
      data_.push_back(e.data());
  }

  void finish(CheckLevel check, Columns& out) {
    std::vector<const Node*> children;
    for (const NodePtr& node : nodes_) children.push_back(node.get());
    if (first_.is_node()) align_level(children, path_, check, out);
    if (first_.is_tensor()) out.tensors.push_back({std::move(path_), std::move(tensors_), first_.is_unbatched()});
    if (first_.is_data()) out.data.push_back({std::move(path_), std::move(data_)});
  }

 private:
  Path path_;
  const Entry& first_;
  size_t n_ = 0;
  Nodes nodes_;  // a lazy stack makes its nodes when asked
  std::vector<at::Tensor> tensors_;
  std::vector<DataPtr> data_;
};

// Ordinary dicts that have the same keys in the same order need no look-up.
bool in_step(const std::vector<const TensorDict*>& dicts) {
  return std::all_of(dicts.begin() + 1, dicts.end(), [&](const TensorDict* d) { return d->same_keys(*dicts[0]); });
}

void align_level(const std::vector<const Node*>& nodes, const Path& prefix, CheckLevel check, Columns& out) {
  check(nodes, prefix);
  const Node& first = *nodes[0];
  std::vector<Walk> walks;  // no thread adds a key while it is walked
  std::vector<const TensorDict*> dicts;
  walks.reserve(nodes.size());
  dicts.reserve(nodes.size());
  for (const Node* node : nodes)
    if (const TensorDict* plain = node->plain()) {
      walks.push_back(plain->walk());
      dicts.push_back(plain);
    }
  if (dicts.size() == nodes.size() && in_step(dicts)) {
    size_t at = 0;
    first.visit([&](const Key& k, const Entry& e) {
      Line line(prefix + k, e, nodes.size());
      for (const TensorDict* dict : dicts) line.add(dict->entries()[at]);
      line.finish(check, out);
      ++at;
    });
    return;
  }
  for (size_t i = 1; i < nodes.size(); ++i)
    nodes[i]->visit(Detail::shape, [&](const Key& k, const Entry&) {
      if (!first.has_common(k))
        throw Error(Code::key, "the key is in dict " + std::to_string(i) + " but not in dict 0")
            .key(to_string(prefix + k));
    });
  first.visit([&](const Key& k, const Entry& e) {
    Line line(prefix + k, e, nodes.size());
    for (const Node* node : nodes) line.add(node->find(k));
    line.finish(check, out);
  });
}

[[noreturn]] void not_in_all(const Path& path) {
  throw Error(Code::key, "the leaf is not in all dicts").key(to_string(path));
}

void check_no_more(const Node& first, const Node& dict, const Path& prefix) {
  dict.visit(Detail::shape, [&](const Key& k, const Entry& e) {
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
  if (optional<Nodes> parts = first.apart(dict)) {
    first.each_member([&](const NodePtr& m, size_t i) { pair_level(*m, *(*parts)[i], prefix, pairing, out); });
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
  out.tensors.reserve(nodes[0]->count());
  align_level(nodes, Path(), check, out);
  return out;
}

}  // namespace td
