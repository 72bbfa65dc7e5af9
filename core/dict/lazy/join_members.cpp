#include "core/dict/lazy/join_members.h"

#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/shape/split.h"
#include "core/error.h"

namespace td {

namespace {

using Dicts = std::vector<const Node*>;

[[noreturn]] void throw_other_batch(const Node& value, at::IntArrayRef batch) {
  throw Error(Code::shape, "a part of the target has batch size " + to_string(batch) +
                               ", but the result to write there has " + to_string(value.batch_size()))
      .hint("the target must have the batch size of the result");
}

// What stays as it was would be neither the old dict nor the new one.
void check_covers(const Node& target, const Node& value, const Path& prefix) {
  target.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (!value.has_common(k)) throw Error(Code::key, "the entry is not in all dicts").key(to_string(path));
    if (!e.is_node()) return;
    Entry below = value.look_at(Path(std::vector<Key>{k}), Detail::kind);
    if (below.is_node()) check_covers(*e.node(), *below.node(), path);
  });
}

void write_whole(Assignment& writes, Node& target, const Node& value) {
  if (target.batch_size() != value.batch_size()) throw_other_batch(value, target.batch_size());
  check_covers(target, value, Path());
  writes.leave_unbatched(false);
  writes.values(target, {}, value);
}

// One for each member of `out`, which is stacked along what is dim `dim` of `node`.
Nodes members_of(const Node& node, size_t dim, size_t count) {
  const LazyStack* stack = LazyStack::of(node);
  if (dim >= node.batch_dims() || node.batch_size()[dim] != static_cast<int64_t>(count))
    throw Error(Code::shape, "batch size " + to_string(node.batch_size()) + " does not fit a stack of " +
                                 std::to_string(count) + " members along dim " + std::to_string(dim));
  return stack && stack->stack_dim() == dim ? stack->members() : unbind(node, static_cast<int64_t>(dim));
}

template <class Join>
void each_column(const Dicts& nodes, size_t dim, const LazyStack& out, Join join) {
  std::vector<Nodes> parts;
  for (const Node* n : nodes) parts.push_back(members_of(*n, dim, out.members().size()));
  for (size_t i = 0; i < out.members().size(); ++i) {
    Dicts column;
    for (const Nodes& p : parts) column.push_back(p[i].get());
    join(column, *out.members()[i]);
  }
}

Index all_of_dim() {
  return {Index::Kind::slice, 0, INT64_MAX, 1, {}};
}

}  // namespace

void cat_into_members(Assignment& writes, const Dicts& nodes, size_t dim, Node& out) {
  out.check_current();
  for (const Node* n : nodes)
    if (n->batch_dims() != out.batch_dims()) throw_other_batch(*n, out.batch_size());
  const LazyStack* stack = LazyStack::of(out);
  if (stack && stack->stack_dim() != dim)
    return each_column(nodes, stack->stack_dim(), *stack, [&](const Dicts& column, Node& member) {
      cat_into_members(writes, column, dim < stack->stack_dim() ? dim : dim - 1, member);
    });
  int64_t start = 0;
  for (const Node* n : nodes) {
    int64_t size = n->batch_size()[dim];
    if (size < 0 || size > out.batch_size()[dim] - start) throw_other_batch(*n, out.batch_size());
    if (stack) {
      Nodes parts = members_of(*n, dim, static_cast<size_t>(size));
      for (size_t i = 0; i < parts.size(); ++i)
        write_whole(writes, *stack->members()[static_cast<size_t>(start) + i], *parts[i]);
    } else {
      for (size_t d = 0; d < out.batch_dims(); ++d)
        if (d != dim && n->batch_size()[d] != out.batch_size()[d]) throw_other_batch(*n, out.batch_size());
      check_covers(out, *n, Path());
      IndexList place(dim, all_of_dim());
      place.push_back({Index::Kind::slice, start, start + size, 1, {}});
      writes.leave_unbatched(n != nodes[0]);
      writes.values(out, std::move(place), *n);
    }
    start += size;
  }
  if (start != out.batch_size()[dim])
    throw Error(Code::shape, "the dicts have " + std::to_string(start) + " elements along dim " + std::to_string(dim) +
                                 ", but the target has batch size " + to_string(out.batch_size()));
}

void stack_into_members(Assignment& writes, const Dicts& nodes, size_t dim, Node& out) {
  out.check_current();
  for (const Node* n : nodes)
    if (n->batch_dims() + 1 != out.batch_dims()) throw_other_batch(*n, out.batch_size());
  if (out.batch_size()[dim] != static_cast<int64_t>(nodes.size()))
    throw Error(Code::shape, std::to_string(nodes.size()) + " dicts do not fill dim " + std::to_string(dim) +
                                 " of a target with batch size " + to_string(out.batch_size()));
  const LazyStack* stack = LazyStack::of(out);
  if (stack && stack->stack_dim() != dim) {
    bool before = dim < stack->stack_dim();
    return each_column(nodes, stack->stack_dim() - before, *stack, [&](const Dicts& column, Node& member) {
      stack_into_members(writes, column, before ? dim : dim - 1, member);
    });
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (stack) {
      write_whole(writes, *stack->members()[i], *nodes[i]);
      continue;
    }
    Dims batch(out.batch_size().begin(), out.batch_size().end());
    batch.erase(batch.begin() + dim);
    if (nodes[i]->batch_size() != at::IntArrayRef(batch)) throw_other_batch(*nodes[i], out.batch_size());
    check_covers(out, *nodes[i], Path());
    IndexList place(dim, all_of_dim());
    place.push_back({Index::Kind::integer, static_cast<int64_t>(i), 0, 1, {}});
    writes.leave_unbatched(i > 0);
    writes.values(out, std::move(place), *nodes[i]);
  }
}

}  // namespace td
