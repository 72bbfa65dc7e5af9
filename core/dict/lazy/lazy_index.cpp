#include <algorithm>

#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/lazy/without_members.h"
#include "core/dict/shape/index.h"
#include "core/dict/shape/split.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

using Part = Index::Kind;

size_t width(const Index& i) {
  if (i.kind == Part::integer || i.kind == Part::slice) return 1;
  bool mask = i.kind == Part::tensor && i.tensor.scalar_type() == at::kBool;
  return mask ? static_cast<size_t>(i.tensor.dim()) : i.kind == Part::tensor;
}

// An index as a stack sees it: what hits its own dim, and what is left for the members.
struct Split {
  optional<Index> own;
  IndexList before, after;
  bool crosses = false;  // a mask over the stack's dim and others

  Split(const IndexList& indices, size_t stack_dim) {
    size_t dim = 0;
    for (const Index& i : indices) {
      size_t taken = width(i);
      bool here = dim <= stack_dim && stack_dim < dim + taken;
      if (here) {
        own = i;
        crosses = taken > 1;
      } else {
        (dim <= stack_dim && !own ? before : after).push_back(i);
      }
      dim += taken;
    }
    // Dims before the stack's own that the index does not reach are taken whole.
    for (; dim < stack_dim; ++dim) before.push_back({Part::slice, 0, INT64_MAX, 1, {}});
  }

  IndexList rest() const {
    IndexList all = before;
    all.insert(all.end(), after.begin(), after.end());
    return all;
  }
};

bool trivial(const IndexList& indices) {
  return std::all_of(indices.begin(), indices.end(), [](const Index& i) {
    return i.kind == Part::slice && i.start == 0 && i.stop == INT64_MAX && i.step == 1;
  });
}

size_t ranges(const IndexList& indices) {
  return static_cast<size_t>(std::count_if(
      indices.begin(), indices.end(), [](const Index& i) { return i.kind == Part::slice || i.kind == Part::none; }));
}

// Tensors broadcast to one group of dims.
size_t tensor_dims(const IndexList& indices) {
  size_t group = 0;
  for (const Index& i : indices)
    if (i.kind == Part::tensor)
      group = std::max(group, i.tensor.scalar_type() == at::kBool ? size_t(1) : static_cast<size_t>(i.tensor.dim()));
  return group;
}

// The dims that the result has in the place of those before the stack's own.
size_t dims_before(const IndexList& before) {
  return ranges(before) + tensor_dims(before);
}

// Members may be none, but they have a batch size.
NodePtr over_indexed(const LazyStack& stack, Nodes members, const IndexList& rest, size_t place) {
  NodePtr like = members.empty() && !trivial(rest) ? stand_in(stack) : NodePtr();
  if (like) like = index(*like, rest);
  return over(stack, std::move(members), place, like);
}

NodePtr taken(const LazyStack& stack, const at::Tensor& rows, const IndexList& rest, size_t place) {
  Nodes out;
  for (int64_t i = 0; i < rows.size(0); ++i) {
    at::Tensor row = rows.select(0, i);
    if (row.dim() > 0) {
      out.push_back(taken(stack, row, rest, place));
      continue;
    }
    auto n = static_cast<int64_t>(stack.members().size()), k = row.item<int64_t>();
    if (k < -n || k >= n)
      throw Error(Code::index,
                  "index " + std::to_string(k) + " is out of range for a stack of " + std::to_string(n) + " members");
    const NodePtr& m = stack.members()[static_cast<size_t>(k < 0 ? k + n : k)];
    out.push_back(trivial(rest) ? m : index(*m, rest));
  }
  return over_indexed(stack, std::move(out), rest, place);
}

// Tensors on both sides of the stack's dim, which is taken as a range: their dims move in front, as they do where a new
// dim stands between them.
IndexList kept_apart(const Split& parts) {
  IndexList all = parts.before;
  all.push_back({Part::none, 0, 0, 1, {}});
  all.insert(all.end(), parts.after.begin(), parts.after.end());
  return all;
}

at::Tensor rows_of(const at::Tensor& mask, const LazyStack& stack) {
  if (mask.size(0) != static_cast<int64_t>(stack.members().size()))
    throw Error(Code::index, "a mask of shape " + to_string(mask.sizes()) + " does not match a stack of " +
                                 std::to_string(stack.members().size()) + " members");
  return at::nonzero(mask).reshape({-1});
}

// The members that an integer or a range takes.
std::vector<int64_t> members_in(const LazyStack& stack, const optional<Index>& own) {
  std::vector<int64_t> out;
  auto n = static_cast<int64_t>(stack.members().size());
  IndexList one = normalized({own.value_or(Index{Part::slice, 0, INT64_MAX, 1, {}})}, at::IntArrayRef(n));
  if (one[0].kind == Part::integer) return {one[0].start};
  out.reserve(static_cast<size_t>(one[0].length()));
  for (int64_t i = one[0].start; i < one[0].stop; i += one[0].step) out.push_back(i);
  return out;
}

bool joins(const Split& parts) {
  bool before = has_tensors(parts.before), after = has_tensors(parts.after);
  if (parts.crosses || !parts.own || parts.own->kind == Part::slice) return parts.crosses || (before && after);
  return parts.own->kind == Part::tensor && (before || after);
}

}  // namespace

bool joins_across(const LazyStack& stack, const IndexList& indices) {
  return joins(Split(indices, stack.stack_dim()));
}

StackParts stack_parts(const LazyStack& stack, const IndexList& indices) {
  Split split(indices, stack.stack_dim());
  StackParts out;
  bool own_tensor = split.own && split.own->kind == Part::tensor;
  if (joins(split)) {
    if (!split.crosses && !own_tensor)
      throw Error(Code::unsupported, "cannot write through index tensors on both sides of the stack's dim")
          .hint("write the members one by one");
    out = picked_parts(stack, indices);
  } else if (own_tensor) {
    at::Tensor rows = normalized({*split.own}, at::IntArrayRef(static_cast<int64_t>(stack.members().size())))[0].tensor;
    if (rows.scalar_type() == at::kBool) rows = rows_of(rows, stack);
    out.sizes.assign(rows.sizes().begin(), rows.sizes().end());
    at::Tensor flat = rows.cpu().reshape({-1}).contiguous();
    for (int64_t k = 0; k < flat.numel(); ++k) {
      Index one{Part::integer, static_cast<const int64_t*>(data(flat))[k], 0, 1, {}};
      out.parts.push_back({static_cast<size_t>(members_in(stack, one)[0]), split.rest()});
    }
    out.place = dims_before(split.before);
  } else {
    for (int64_t m : members_in(stack, split.own)) out.parts.push_back({static_cast<size_t>(m), split.rest()});
    if (!split.own || split.own->kind == Part::slice) out.sizes.push_back(static_cast<int64_t>(out.parts.size()));
    out.place = dims_before(split.before);
  }
  out.result_dims = stack.batch_dims() + tensor_dims(indices);
  for (const Index& i : indices) {
    if (i.kind == Part::none)
      ++out.result_dims;
    else if (i.kind != Part::slice)
      out.result_dims -= width(i);
  }
  return out;
}

NodePtr index_stack(const LazyStack& stack, const IndexList& indices) {
  Split parts(indices, stack.stack_dim());
  IndexList rest = parts.rest();
  bool own_tensor = parts.own && parts.own->kind == Part::tensor;
  // Tensors that are joined across the stack's dim choose single elements: at once where one tensor holds them.
  if (joins(parts) && (parts.crosses || own_tensor))
    return stacks_evenly(stack) ? index(*dense(stack), indices) : pick_elements(stack, indices);
  auto member = [&](const NodePtr& m) { return trivial(rest) ? m : index(*m, rest); };
  auto member_at = [&](const Index& i) {
    return member(stack.members()[static_cast<size_t>(members_in(stack, i)[0])]);
  };
  if (!parts.own || parts.own->kind == Part::slice) {
    bool apart = joins(parts);
    size_t place = apart ? tensor_dims(rest) + ranges(parts.before) : dims_before(parts.before);
    if (apart) rest = kept_apart(parts);
    auto part = [&](const NodePtr& m) {
      return apart ? unbind(*member(m), static_cast<int64_t>(place))[0] : member(m);
    };
    Nodes out;
    for (int64_t i : members_in(stack, parts.own)) out.push_back(part(stack.members()[static_cast<size_t>(i)]));
    NodePtr like = out.empty() && !trivial(rest) ? stand_in(stack) : NodePtr();
    if (like) like = part(like);
    return over(stack, std::move(out), place, like);
  }
  if (parts.own->kind == Part::integer) return member_at(*parts.own);
  normalized({*parts.own}, {static_cast<int64_t>(stack.members().size())});  // throws for a dtype that is no index
  const at::Tensor& t = parts.own->tensor;
  if (t.dim() == 0) return member_at({Part::integer, t.to(at::kLong).item<int64_t>(), 0, 1, {}});
  return taken(stack, t.scalar_type() == at::kBool ? rows_of(t, stack) : t.to(at::kLong), rest,
               dims_before(parts.before));
}

}  // namespace td
