#include "core/dict/shape/stack.h"

#include <algorithm>
#include <cstring>

#include "core/dict/align.h"
#include "core/dict/any_node.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

void check_batches(const std::vector<const Node*>& nodes, const Path& level) {
  for (size_t i = 1; i < nodes.size(); ++i)
    if (!same_sizes(nodes[i]->batch_size(), nodes[0]->batch_size()))
      throw Error(Code::shape, "batch sizes differ: " + to_string(nodes[0]->batch_size()) + " and " +
                                   to_string(nodes[i]->batch_size()) + " in dict " + std::to_string(i))
          .key(level.size() ? to_string(level) : "");
}

void check_shapes(const Column<at::Tensor>& column) {
  for (size_t i = 1; i < column.entries.size(); ++i)
    if (!same_sizes(column.entries[i].sizes(), column.entries[0].sizes()))
      throw Error(Code::shape, "shapes differ: " + to_string(column.entries[0].sizes()) + " and " +
                                   to_string(column.entries[i].sizes()) + " in dict " + std::to_string(i))
          .key(to_string(column.path));
}

Dims stacked_sizes(const Leaves& tensors, size_t dim) {
  Dims sizes(tensors[0].sizes().begin(), tensors[0].sizes().end());
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim), static_cast<int64_t>(tensors.size()));
  return sizes;
}

at::Tensor stack_by_hand(const Leaves& tensors, size_t dim, fast::Arena& arena) {
  at::Tensor made = arena.take(stacked_sizes(tensors, dim), tensors[0].scalar_type());
  size_t outer = 1, inner = tensors[0].element_size();
  for (size_t d = 0; d < static_cast<size_t>(tensors[0].dim()); ++d)
    (d < dim ? outer : inner) *= static_cast<size_t>(tensors[0].sizes()[d]);
  if (made.numel() == 0) return made;
  char* to = fast::bytes(made);
  for (size_t o = 0; o < outer; ++o)
    for (const at::Tensor& t : tensors) {
      std::memcpy(to, fast::bytes(t) + o * inner, inner);
      to += inner;
    }
  return made;
}

}  // namespace

at::Tensor stack_tensors(const Leaves& tensors, size_t dim) {
  if (!fast::copies(tensors)) return at::stack(tensors, static_cast<int64_t>(dim));
  fast::Arena arena;
  arena.plan(stacked_sizes(tensors, dim), tensors[0].scalar_type());
  return stack_by_hand(tensors, dim, arena);
}

NodePtr stack(const std::vector<const Node*>& nodes, int64_t given_dim) {
  if (nodes.empty()) throw Error(Code::argument, "nothing to stack");
  const Node& first = *nodes[0];
  auto rank = static_cast<int64_t>(first.batch_dims()) + 1;
  if (given_dim < -rank || given_dim >= rank)
    throw Error(Code::index, "dim " + std::to_string(given_dim) + " is out of range for a result of " +
                                 std::to_string(rank) + " batch dims");
  auto dim = static_cast<size_t>(given_dim < 0 ? given_dim + rank : given_dim);
  if (has_lazy(first))
    return around_stacks(
        nodes, [&](const Several& n) { return stack(n, static_cast<int64_t>(dim)); },
        [&](const LazyStack& like, const Several& n) { return stack_stacks(like, n, dim); });

  Columns columns = align(nodes, check_batches);
  for (const auto& column : columns.tensors) check_shapes(column);
  fast::Arena arena;
  std::vector<bool> hand(columns.tensors.size());
  for (size_t i = 0; i < hand.size(); ++i) {
    const Leaves& tensors = columns.tensors[i].entries;
    if ((hand[i] = !columns.tensors[i].unbatched && fast::copies(tensors)))
      arena.plan(stacked_sizes(tensors, dim), tensors[0].scalar_type());
  }
  Leaves results;
  results.reserve(hand.size());
  for (size_t i = 0; i < hand.size(); ++i) {
    const Leaves& tensors = columns.tensors[i].entries;
    if (columns.tensors[i].unbatched)
      results.push_back(first_of_unbatched(tensors, columns.tensors[i].path));
    else
      results.push_back(hand[i] ? stack_by_hand(tensors, dim, arena) : at::stack(tensors, static_cast<int64_t>(dim)));
  }
  std::vector<DataPtr> data_results;
  for (const auto& column : columns.data) {
    Merged merged = merge(column.entries);
    data_results.push_back(stack_data(column.entries, merged, static_cast<int64_t>(dim)));
  }
  Dims batch(first.batch_size().begin(), first.batch_size().end());
  batch.insert(batch.begin() + static_cast<std::ptrdiff_t>(dim), static_cast<int64_t>(nodes.size()));
  Names names;
  if (std::all_of(nodes.begin(), nodes.end(), [&](const Node* n) { return n->names() == first.names(); }) &&
      !first.names().empty()) {
    names = first.names();
    names.insert(names.begin() + static_cast<std::ptrdiff_t>(dim), nullopt);
  }
  return rebuild(first, std::move(results), data_results, batch, names);
}

}  // namespace td
