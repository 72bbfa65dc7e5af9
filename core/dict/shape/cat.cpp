#include "core/dict/shape/cat.h"

#include <algorithm>
#include <cstring>

#include "core/dict/align.h"
#include "core/dict/any_node.h"
#include "core/dict/change/assign.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/join_members.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/lazy/write_through.h"
#include "core/dict/select.h"
#include "core/dict/shape/gather.h"
#include "core/dict/unbatched.h"
#include "core/dict/walk.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

using Dicts = std::vector<const Node*>;

bool equal_but(at::IntArrayRef a, at::IntArrayRef b, size_t dim) {
  bool equal = a.size() == b.size();
  for (size_t d = 0; equal && d < a.size(); ++d) equal = a[d] == b[d] || d == dim;
  return equal;
}

[[noreturn]] void throw_differing(const char* what, at::IntArrayRef a, at::IntArrayRef b, size_t i, const Path& path) {
  throw Error(Code::shape,
              std::string(what) + " differ: " + to_string(a) + " and " + to_string(b) + " in dict " + std::to_string(i))
      .key(path.size() ? to_string(path) : "")
      .hint("they may differ only in the dim that is joined");
}

template <class Parts, class SizesOf>
Dims joined(const Parts& parts, size_t dim, SizesOf sizes_of) {
  at::IntArrayRef first = sizes_of(parts[0]);
  Dims sizes(first.begin(), first.end());
  sizes[dim] = 0;
  for (const auto& p : parts) sizes[dim] += sizes_of(p)[dim];
  return sizes;
}

Dims joined_sizes(const Leaves& tensors, size_t dim) {
  return joined(tensors, dim, [](const at::Tensor& t) { return t.sizes(); });
}

Dims joined_batch(const Dicts& nodes, size_t dim) {
  return joined(nodes, dim, [](const Node* n) { return n->batch_size(); });
}

at::Tensor cat_by_hand(const Leaves& tensors, size_t dim, fast::Arena& arena) {
  at::Tensor made = arena.take(joined_sizes(tensors, dim), tensors[0].scalar_type());
  if (made.numel() == 0) return made;
  size_t outer = 1;
  for (int64_t size : made.sizes().slice(0, dim)) outer *= static_cast<size_t>(size);
  char* to = fast::bytes(made);
  for (size_t o = 0; o < outer; ++o)
    for (const at::Tensor& t : tensors) {
      size_t bytes = (outer == 1 ? t.nbytes() : t.nbytes() / outer);
      if (bytes) std::memcpy(to, fast::bytes(t) + o * bytes, bytes);
      to += bytes;
    }
  return made;
}

DataPtr cat_data(const std::vector<DataPtr>& entries, size_t dim) {
  Merged merged = merge(entries);
  at::Tensor ids = at::cat(merged.ids, static_cast<int64_t>(dim));
  bool one = std::all_of(entries.begin(), entries.end(),
                         [&](const DataPtr& d) { return !d->stacked() && d->value() == entries[0]->value(); });
  if (one) return Data::uniform(entries[0]->value(), ids.sizes());
  return c10::make_intrusive<Data>(std::move(ids), merged.pool, true);
}

void check_some(const Dicts& nodes, const char* verb) {
  if (nodes.empty()) throw Error(Code::argument, std::string("nothing to ") + verb);
}

Columns align_but(const Dicts& nodes, size_t dim) {
  Columns columns = align(nodes, [&](const Dicts& level, const Path& path) {
    for (size_t i = 1; i < level.size(); ++i)
      if (!equal_but(level[0]->batch_size(), level[i]->batch_size(), dim))
        throw_differing("batch sizes", level[0]->batch_size(), level[i]->batch_size(), i, path);
  });
  for (const auto& column : columns.tensors)
    for (size_t i = 1; i < column.entries.size() && !column.unbatched; ++i)
      if (!equal_but(column.entries[0].sizes(), column.entries[i].sizes(), dim))
        throw_differing("shapes", column.entries[0].sizes(), column.entries[i].sizes(), i, column.path);
  return columns;
}

// Of `out` what the dicts have; whatever else it holds is left alone.
NodePtr counterpart(const Node& out, const Node& like) {
  KeyChoice all;
  all.nested = true;
  std::vector<Path> paths;
  for (Path& p : keys(like, all))
    if (Entry e = like.look_at(p, Detail::kind); !e.is_node() || e.node()->count() == 0) paths.push_back(std::move(p));
  return select(out, paths, true);
}

void check_out(const Node& out, at::IntArrayRef batch) {
  if (out.batch_size() != batch)
    throw Error(Code::shape,
                "the result has batch size " + to_string(batch) + ", but `out` has " + to_string(out.batch_size()));
}

}  // namespace

NodePtr cat(const Dicts& nodes, int64_t given_dim) {
  check_some(nodes, "join");
  const Node& first = *nodes[0];
  size_t dim = batch_dim(first, given_dim);
  if (NodePtr made = cat_any_stack(nodes, dim)) return made;
  if (has_lazy(first))
    return around_stacks(
        nodes, [&](const Several& n) { return cat(n, given_dim); },
        [&](const LazyStack& stack, const Several& n) { return cat_stacks(stack, n, dim); });
  Columns columns = align_but(nodes, dim);
  fast::Arena arena;
  std::vector<bool> hand;
  for (const auto& column : columns.tensors) {
    hand.push_back(!column.unbatched && fast::copies(column.entries));
    if (hand.back()) arena.plan(joined_sizes(column.entries, dim), column.entries[0].scalar_type());
  }
  Leaves results;
  results.reserve(hand.size());
  for (size_t i = 0; i < hand.size(); ++i) {
    const Leaves& tensors = columns.tensors[i].entries;
    if (columns.tensors[i].unbatched)
      results.push_back(first_of_unbatched(tensors, columns.tensors[i].path));
    else
      results.push_back(hand[i] ? cat_by_hand(tensors, dim, arena) : at::cat(tensors, static_cast<int64_t>(dim)));
  }
  std::vector<DataPtr> data_results;
  for (const auto& column : columns.data) data_results.push_back(cat_data(column.entries, dim));
  return rebuild(first, std::move(results), data_results, joined_batch(nodes, dim), first.names());
}

void cat_into(const Dicts& nodes, int64_t given_dim, Node& out) {
  check_some(nodes, "join");
  if (has_persistent(out) && write_through(out, [&](Node& copy) { cat_into(nodes, given_dim, copy); })) return;
  size_t dim = batch_dim(*nodes[0], given_dim);
  Assignment assignment;
  if (has_lazy(out)) {
    assignment.only_as_it_is();
    cat_into_members(assignment, nodes, dim, out);
    return assignment.commit();
  }
  NodePtr there = counterpart(out, *nodes[0]);
  Dicts all = nodes;
  all.push_back(there.get());
  align_but(all, dim);
  check_out(out, joined_batch(nodes, dim));
  int64_t start = 0;
  for (const Node* n : nodes) {
    IndexList place(dim, {Index::Kind::slice, 0, INT64_MAX, 1, {}});
    int64_t stop = start + n->batch_size()[dim];
    place.push_back({Index::Kind::slice, start, stop, 1, {}});
    assignment.leave_unbatched(n != nodes[0]);
    assignment.values(out, std::move(place), *n);
    start = stop;
  }
  assignment.commit();
}

void stack_into(const Dicts& nodes, int64_t given_dim, Node& out) {
  check_some(nodes, "stack");
  if (has_persistent(out) && write_through(out, [&](Node& copy) { stack_into(nodes, given_dim, copy); })) return;
  size_t dim = batch_dim(out, given_dim);
  Dims batch(nodes[0]->batch_size().begin(), nodes[0]->batch_size().end());
  if (dim > batch.size())
    throw Error(Code::index, "dim " + std::to_string(given_dim) + " is out of range for a result of " +
                                 std::to_string(batch.size() + 1) + " batch dims");
  Assignment assignment;
  if (has_lazy(out)) {
    assignment.only_as_it_is();
    stack_into_members(assignment, nodes, dim, out);
    return assignment.commit();
  }
  align_but(nodes, SIZE_MAX);
  NodePtr there = counterpart(out, *nodes[0]);
  align({nodes[0], there.get()}, [](const Dicts&, const Path&) {});
  batch.insert(batch.begin() + static_cast<std::ptrdiff_t>(dim), static_cast<int64_t>(nodes.size()));
  check_out(out, batch);
  for (size_t i = 0; i < nodes.size(); ++i) {
    IndexList place(dim, {Index::Kind::slice, 0, INT64_MAX, 1, {}});
    place.push_back({Index::Kind::integer, static_cast<int64_t>(i), 0, 1, {}});
    assignment.leave_unbatched(i > 0);
    assignment.values(out, std::move(place), *nodes[i]);
  }
  assignment.commit();
}

}  // namespace td
