#include "core/dict/stack.h"

#include <algorithm>
#include <cstring>

#include "core/dict/copy.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

// One leaf of the result: the tensors to stack, and the key for errors.
struct Column {
  Path path;
  Leaves tensors;
};

void collect(const std::vector<const Node*>& nodes, const Path& prefix, std::vector<Column>& out) {
  const Node& first = *nodes[0];
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i]->batch_size() != first.batch_size())
      throw Error(Code::shape, "batch sizes differ: " + to_string(first.batch_size()) + " and " +
                                   to_string(nodes[i]->batch_size()) + " in dict " + std::to_string(i))
          .key(prefix.size() ? to_string(prefix) : "");
    nodes[i]->visit([&](const Key& k, const Entry&) {
      if (!first.find(k))
        throw Error(Code::key, "the key is in dict " + std::to_string(i) + " but not in dict 0")
            .key(to_string(prefix + k));
    });
  }
  first.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    std::vector<const Node*> children;
    Column column{path, {}};
    for (size_t i = 0; i < nodes.size(); ++i) {
      Entry other = nodes[i]->find(k);
      if (!other)
        throw Error(Code::key, "the key is in dict 0 but not in dict " + std::to_string(i)).key(to_string(path));
      if (other.is_node() != e.is_node())
        throw Error(Code::key, "the entry is a dict in one and a tensor in another").key(to_string(path));
      if (other.is_node())
        children.push_back(other.node().get());
      else
        column.tensors.push_back(other.take_tensor());
    }
    if (e.is_node()) {
      collect(children, path, out);
      return;
    }
    for (size_t i = 1; i < column.tensors.size(); ++i)
      if (column.tensors[i].sizes() != column.tensors[0].sizes())
        throw Error(Code::shape, "shapes differ: " + to_string(column.tensors[0].sizes()) + " and " +
                                     to_string(column.tensors[i].sizes()) + " in dict " + std::to_string(i))
            .key(to_string(path));
    out.push_back(std::move(column));
  });
}

bool by_hand(const Leaves& tensors) {
  for (const at::Tensor& t : tensors)
    if (!fast::arenas(t) || !t.is_contiguous() || t.scalar_type() != tensors[0].scalar_type()) return false;
  return true;
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
  char* to = static_cast<char*>(const_cast<void*>(data(made)));
  if (inner == 0) return made;
  for (size_t o = 0; o < outer; ++o)
    for (const at::Tensor& t : tensors) {
      std::memcpy(to, static_cast<const char*>(data(t)) + o * inner, inner);
      to += inner;
    }
  return made;
}

}  // namespace

NodePtr stack(const std::vector<const Node*>& nodes, int64_t given_dim) {
  if (nodes.empty()) throw Error(Code::argument, "nothing to stack");
  const Node& first = *nodes[0];
  auto rank = static_cast<int64_t>(first.batch_dims()) + 1;
  if (given_dim < -rank || given_dim >= rank)
    throw Error(Code::index, "dim " + std::to_string(given_dim) + " is out of range for a result of " +
                                 std::to_string(rank) + " batch dims");
  auto dim = static_cast<size_t>(given_dim < 0 ? given_dim + rank : given_dim);

  std::vector<Column> columns;
  collect(nodes, Path(), columns);
  fast::Arena arena;
  std::vector<bool> hand(columns.size());
  for (size_t i = 0; i < columns.size(); ++i)
    if ((hand[i] = by_hand(columns[i].tensors)))
      arena.plan(stacked_sizes(columns[i].tensors, dim), columns[i].tensors[0].scalar_type());
  Leaves results;
  for (size_t i = 0; i < columns.size(); ++i)
    results.push_back(hand[i] ? stack_by_hand(columns[i].tensors, dim, arena)
                              : at::stack(columns[i].tensors, static_cast<int64_t>(dim)));
  Dims batch(first.batch_size().begin(), first.batch_size().end());
  batch.insert(batch.begin() + static_cast<std::ptrdiff_t>(dim), static_cast<int64_t>(nodes.size()));
  Names names;
  if (std::all_of(nodes.begin(), nodes.end(), [&](const Node* n) { return n->names() == first.names(); }) &&
      !first.names().empty()) {
    names = first.names();
    names.insert(names.begin() + static_cast<std::ptrdiff_t>(dim), nullopt);
  }
  return rebuild(first, results, batch, names);
}

}  // namespace td
