#include "core/storage/consolidated.h"

#include <algorithm>
#include <cstring>

#include "core/dict/entries.h"
#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/storage/jagged.h"
#include "core/storage/nested.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td::storage {

namespace {

template <class F>
void visit_jagged(const PlacedJagged& j, F fn) {
  fn(j.values);
  if (j.lengths) fn(*j.lengths);
  fn(j.offsets);
}

void visit_data(const Outline& o, const Path& path, const std::function<void(const Path&, const Data&)>& fn) {
  if (o.stack) fn(path, *o.stack);
  for (const auto& [key, data] : o.data) fn(path + key, *data);
  for (const auto& [key, node] : o.nodes) visit_data(node, o.stack_dim ? path : path + key, fn);
}

// ---- Trees of an outline --------------------------------------------------------------------------------------------

using MakeLeaf = std::function<at::Tensor(const PlacedLeaf&)>;

// A copy: the memory may be another's, who may change it meanwhile.
std::vector<int64_t> numbers(const at::Tensor& t) {
  std::vector<int64_t> out(static_cast<size_t>(t.numel()));
  if (!out.empty()) std::memcpy(out.data(), data(t), out.size() * sizeof out[0]);
  return out;
}

NodePtr build_jagged(const PlacedJagged& j, const Outline& o, const MakeLeaf& leaf) {
  std::vector<int64_t> offsets = numbers(leaf(j.offsets)), lengths;
  if (j.lengths) lengths = numbers(leaf(*j.lengths));
  ComponentType type{j.values.type.dtype, j.values.type.sizes, static_cast<size_t>(j.ragged_dim)};
  return nested_node(components_of(leaf(j.values), j.ragged_dim, offsets, lengths), type, o.batch, o.device, false);
}

class Builder {
 public:
  explicit Builder(const MakeLeaf& leaf) : leaf_(leaf) {}

  NodePtr build(const Outline& o, const Path& path) const {
    NodePtr node = o.stack_dim ? build_stack(o, path) : build_dict(o, path);
    if (!o.python_class.empty())
      node->adopt_python_class(std::make_shared<const PythonClass>(PythonClass{o.python_class, "", ""}));
    return node;
  }

 private:
  NodePtr build_dict(const Outline& o, const Path& path) const {
    auto node = c10::make_intrusive<TensorDict>(o.batch, o.device);
    node->adopt_names(o.names);
    node->reserve(o.data.size() + o.leaves.size() + o.jagged.size() + o.nodes.size());
    for (const auto& [key, data] : o.data) node->put_new(key, Entry(data));
    for (const auto& [key, placed] : o.leaves) node->put_new(key, Entry(leaf_(placed)));
    for (const auto& [key, j] : o.jagged) {
      try {
        node->put_new(key, Entry(build_jagged(j, o, leaf_)));
      } catch (Error& e) {
        throw e.key().empty() ? e.key(to_string(path + key)) : e;
      }
    }
    for (const auto& [key, child] : o.nodes)
      node->put_new(key, child.stack ? Entry(child.stack) : Entry(build(child, path + key)));
    return node;
  }

  NodePtr build_stack(const Outline& o, const Path& path) const {
    Nodes members;
    for (const auto& [key, child] : o.nodes) members.push_back(build(child, path));
    try {
      NodePtr stack = LazyStack::make(std::move(members), *o.stack_dim);
      if (o.stack_name) {
        Names names = spread(stack->names(), stack->batch_dims());
        names[static_cast<size_t>(stack->member_dim())] = o.stack_name;
        check_names(names, names.size());
        stack->adopt_names(std::move(names));
      }
      return stack;
    } catch (const Error& e) {
      throw Error(Code::corrupt, "the members do not make a stack: " + e.message())
          .key(path.size() ? to_string(path) : "");
    }
  }

  const MakeLeaf& leaf_;
};

// ---- Trees of the same structure ------------------------------------------------------------------------------------

class Pairer {
 public:
  explicit Pairer(const Pairing& fn) : fn_(fn) {}

  void pair(const Outline& o, const Node& node, const Path& path) const {
    if (o.stack_dim) return pair_members(o, node, path);
    if (node.batch_size() != at::IntArrayRef(o.batch))
      throw other("batch size " + to_string(o.batch), to_string(node.batch_size()), path);
    for (const auto& [key, leaf] : o.leaves) {
      Path below = path + key;
      Entry e = node.find(key);
      if (!e.is_tensor()) throw missing(e, below, "a tensor");
      fn_.leaf(below, leaf, e.tensor());
    }
    for (const auto& [key, j] : o.jagged) pair_jagged(j, node.find(key), path + key);
    for (const auto& [key, data] : o.data) pair_data(*data, node.find(key), path + key);
    for (const auto& [key, child] : o.nodes) {
      Path below = path + key;
      Entry e = node.find(key);
      if (child.stack) {
        pair_data(*child.stack, e, below);
      } else {
        if (!e.is_node()) throw missing(e, below, "a dict");
        pair(child, *e.node(), below);
      }
    }
    if (node.count() != o.leaves.size() + o.jagged.size() + o.data.size() + o.nodes.size())
      throw_unknown(o, node, path);
  }

 private:
  static Error missing(const Entry& e, const Path& path, const char* kind) {
    return Error(Code::key, e ? std::string("the entry is not ") + kind : std::string("no such key"))
        .key(to_string(path))
        .hint("the structure must be the same");
  }

  static Error other(const std::string& expected, const std::string& given, const Path& path) {
    return Error(Code::shape, expected + " was expected, got " + given)
        .key(path.size() ? to_string(path) : "")
        .hint("the structure must be the same");
  }

  void pair_members(const Outline& o, const Node& node, const Path& path) const {
    const Nodes members = all_members(node);
    auto text = [](size_t members, int64_t dim) {
      return std::to_string(members) + " members along dim " + std::to_string(dim);
    };
    std::string expected = "a lazy stack of " + text(o.nodes.size(), *o.stack_dim);
    if (!node.has_members()) throw other(expected, "another dict", path);
    if (members.size() != o.nodes.size() || node.member_dim() != *o.stack_dim)
      throw other(expected, "one of " + text(members.size(), node.member_dim()), path);
    for (size_t i = 0; i < o.nodes.size(); ++i) {
      try {
        pair(o.nodes[i].second, *members[i], path);
      } catch (const Error& e) {  // members have no part in the path
        throw Error(e.code(), e.message() + " in member " + std::to_string(i) + " of the stack")
            .key(e.key())
            .hint(e.hint());
      }
    }
  }

  void pair_jagged(const PlacedJagged& j, const Entry& e, const Path& path) const {
    optional<NestedParts> parts = e.is_node() ? nested_parts(*e.node()) : nullopt;
    if (!parts) throw missing(e, path, "a jagged tensor");
    const Components& components = parts->components;
    if (static_cast<size_t>(j.ragged_dim) >= parts->type.sizes.size())
      throw missing(e, path, "a jagged tensor of such components");
    try {
      joint_size(components, j.ragged_dim);
    } catch (Error& error) {
      throw error.key(to_string(path));
    }
    fn_.leaf(path, j.values, joint(components, parts->type, j.ragged_dim));
    fn_.leaf(path, j.offsets, offsets_of(components, j.ragged_dim));
  }

  void pair_data(const Data& planned, const Entry& e, const Path& path) const {
    if (!e.is_data()) throw missing(e, path, "data");
    fn_.data(path, planned, *e.data());
  }

  [[noreturn]] void throw_unknown(const Outline& o, const Node& node, const Path& path) const {
    auto known = [](const auto& list, const Key& key) {
      return std::any_of(list.begin(), list.end(), [&](const auto& item) { return item.first.is(key); });
    };
    Path extra = path;
    node.visit([&](const Key& key, const Entry&) {
      if (!known(o.leaves, key) && !known(o.jagged, key) && !known(o.data, key) && !known(o.nodes, key))
        extra = path + key;
    });
    throw Error(Code::key, "there is no such key").key(to_string(extra)).hint("an update cannot add keys");
  }

  const Pairing& fn_;
};

}  // namespace

int64_t end_of(const Outline& outline, int64_t start) {
  int64_t end = start;
  for_each_leaf(outline, [&](const PlacedLeaf& leaf) { end = std::max(end, leaf.offset + padded(leaf.type.bytes)); });
  return end;
}

NodePtr build(const Outline& outline, const std::function<at::Tensor(const PlacedLeaf&)>& leaf) {
  return Builder(leaf).build(outline, Path());
}

void pair(const Outline& outline, const Node& node, const Pairing& fn) {
  Pairer(fn).pair(outline, node, Path());
}

void for_each_data(const Outline& outline, const std::function<void(const Path&, const Data&)>& fn) {
  visit_data(outline, Path(), fn);
}

void for_each_leaf(const Outline& outline, const std::function<void(const PlacedLeaf&)>& fn) {
  for (const auto& [key, leaf] : outline.leaves) fn(leaf);
  for (const auto& [key, j] : outline.jagged) visit_jagged(j, fn);
  for (const auto& [key, node] : outline.nodes) for_each_leaf(node, fn);
}

}  // namespace td::storage
