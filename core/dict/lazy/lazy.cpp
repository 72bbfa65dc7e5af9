#include "core/dict/lazy/lazy.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/batch_size.h"
#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/ragged.h"
#include "core/dict/lock.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/shape/split.h"
#include "core/dict/shape/stack.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

bool same_layout(const std::vector<const Node*>& nodes) {
  return std::all_of(nodes.begin() + 1, nodes.end(), [&](const Node* n) {
    return n->batch_size() == nodes[0]->batch_size() && n->count() == nodes[0]->count();
  });
}

// Whether torch.stack would take the entries at this level, apart from those that are nodes.
bool level_stacks(const Several& nodes) {
  if (!same_layout(nodes)) return false;
  for (const Node* n : nodes)
    if (n->has_members() && !ragged_keys(*n).empty()) return false;
  bool fits = true;
  nodes[0]->visit(Detail::shape, [&](const Key& k, const Entry& first) {
    for (const Node* n : nodes) {
      if (!fits || n == nodes[0]) continue;
      Entry e = n->has_common(k) ? n->look_at(Path(std::vector<Key>{k}), Detail::kind) : Entry();
      fits = e && e.is_node() == first.is_node() && e.is_batched() == first.is_batched() &&
             e.is_data() == first.is_data() && (!e.is_tensor() || e.tensor().sizes() == first.tensor().sizes());
    }
  });
  return fits;
}

bool all_stack(const Several& nodes) {
  for (const Node* n : nodes)
    if (n->has_members() && !stacks_evenly(*n)) return false;
  if (nodes.empty()) return true;
  if (!level_stacks(nodes)) return false;
  bool fits = true;
  nodes[0]->visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (!fits || !e.is_node()) return;
    Nodes children;
    for (const Node* n : nodes) children.push_back(n->node(Path(std::vector<Key>{k})));
    fits = all_stack(several(children));
  });
  return fits;
}

}  // namespace

bool stacks_evenly(const Node& node) {
  return node.has_members() && all_stack(several(all_members(node)));
}

namespace {

NodePtr dense_at(const Node& node, const Path& prefix) {
  if (!has_lazy(node)) return itself(node);
  Entries all;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) { all.emplace_back(k, e); });
  for (auto& [key, entry] : all) {
    if (entry.is_node()) {
      entry = Entry(dense_at(*entry.node(), prefix + key));
    } else if (node.has_members()) {
      try {
        entry = node.find(key);
      } catch (Error& e) {
        throw e.key(to_string(prefix + key));
      }
    }
  }
  return with_entries(node, all);
}

}  // namespace

NodePtr dense(const Node& node) {
  return dense_at(node, Path());
}

NodePtr lazy_stack(const Nodes& nodes, int64_t dim) {
  if (nodes.empty())
    throw Error(Code::argument, "nothing to stack").hint_naming("use {dict_lazy_new} to make a stack without members");
  return LazyStack::make(nodes, dim);
}

NodePtr lazy_empty(at::IntArrayRef element, int64_t dim) {
  checked_numel(element, 1);
  return LazyStack::make({}, dim, element);
}

NodePtr to_lazy_stack(const Node& node, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  Dims element(node.batch_size().begin(), node.batch_size().end());
  element.erase(element.begin() + dim);
  return LazyStack::make(unbind(node, given_dim), static_cast<int64_t>(dim), element);
}

namespace {

bool one_stacking(const Nodes& nodes) {
  const LazyStack* first = LazyStack::of(*nodes[0]);
  return first && !first->members().empty() && std::all_of(nodes.begin(), nodes.end(), [&](const NodePtr& n) {
           const LazyStack* stack = LazyStack::of(*n);
           return stack && stack->stack_dim() == first->stack_dim() &&
                  stack->members().size() == first->members().size();
         });
}

// As the original does: the first members together, then the second ones.
NodePtr stack_members(const Nodes& nodes, size_t dim) {
  const LazyStack& first = *LazyStack::of(*nodes[0]);
  bool before = dim <= first.stack_dim();
  Nodes members;
  for (size_t i = 0; i < first.members().size(); ++i) {
    Nodes column;
    for (const NodePtr& n : nodes) column.push_back(LazyStack::of(*n)->members()[i]);
    members.push_back(maybe_dense_stack(column, static_cast<int64_t>(before ? dim : dim - 1)));
  }
  return first.over(std::move(members), first.stack_dim() + before);
}

}  // namespace

NodePtr maybe_dense_stack(const Nodes& nodes, int64_t dim) {
  if (nodes.empty()) throw Error(Code::argument, "nothing to stack");
  auto rank = static_cast<int64_t>(nodes[0]->batch_dims()) + 1;
  for (const NodePtr& n : nodes)
    if (n->batch_dims() != nodes[0]->batch_dims())
      throw Error(Code::shape, "the dicts have different numbers of batch dims: " + to_string(nodes[0]->batch_size()) +
                                   " and " + to_string(n->batch_size()));
  if (dim < -rank || dim >= rank) return LazyStack::make(nodes, dim);
  if (dim < 0) dim += rank;
  if (one_stacking(nodes)) return stack_members(nodes, static_cast<size_t>(dim));
  if (!level_stacks(several(nodes))) return LazyStack::make(nodes, dim);
  // The tensors and data of this level are stacked, and each node below decides for itself.
  Nodes flat;
  for (const NodePtr& n : nodes) {
    Entries kept;
    n->visit([&](const Key& k, const Entry& e) {
      kept.emplace_back(k, e.is_node() ? Entry(TensorDict::make(n->batch_size(), n->device())) : e);
    });
    flat.push_back(with_entries(*n, kept));
  }
  NodePtr made = stack(several(flat), dim);
  nodes[0]->visit([&](const Key& k, const Entry& e) {
    if (!e.is_node()) return;
    Nodes children;
    for (const NodePtr& n : nodes) children.push_back(n->find(k).take_node());
    made->put(k, Entry(maybe_dense_stack(children, dim)));
  });
  return made;
}

}  // namespace td
