#include <algorithm>

#include "core/dict/lazy.h"
#include "core/dict/lazy_ops.h"
#include "core/dict/without_members.h"
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
  std::vector<Index> before, after;
  bool crosses = false;  // a mask over the stack's dim and others

  Split(const std::vector<Index>& indices, size_t stack_dim) {
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

  std::vector<Index> rest() const {
    std::vector<Index> all = before;
    all.insert(all.end(), after.begin(), after.end());
    return all;
  }
};

bool trivial(const std::vector<Index>& indices) {
  return std::all_of(indices.begin(), indices.end(), [](const Index& i) {
    return i.kind == Part::slice && i.start == 0 && i.stop == INT64_MAX && i.step == 1;
  });
}

// The dims that the result has in the place of those before the stack's own; tensors broadcast to one group of dims.
size_t dims_before(const std::vector<Index>& before) {
  size_t dims = 0, group = 0;
  for (const Index& i : before) {
    if (i.kind == Part::slice || i.kind == Part::none) ++dims;
    if (i.kind == Part::tensor)
      group = std::max(group, i.tensor.scalar_type() == at::kBool ? size_t(1) : static_cast<size_t>(i.tensor.dim()));
  }
  return dims + group;
}

// Members may be none, but they have a batch size.
NodePtr over_indexed(const LazyStack& stack, Nodes members, const std::vector<Index>& rest, size_t place) {
  NodePtr like = members.empty() && !trivial(rest) ? stand_in(stack) : NodePtr();
  if (like) like = index(*like, rest);
  return over(stack, std::move(members), place, like);
}

NodePtr taken(const LazyStack& stack, const at::Tensor& rows, const std::vector<Index>& rest, size_t place) {
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

at::Tensor rows_of(const at::Tensor& mask, const LazyStack& stack) {
  if (mask.size(0) != static_cast<int64_t>(stack.members().size()))
    throw Error(Code::index, "a mask of shape " + to_string(mask.sizes()) + " for a stack of " +
                                 std::to_string(stack.members().size()) + " members");
  return at::nonzero(mask).reshape({-1});
}

}  // namespace

NodePtr index_stack(const LazyStack& stack, const std::vector<Index>& indices) {
  Split parts(indices, stack.stack_dim());
  std::vector<Index> rest = parts.rest();
  bool tensors_before = has_tensors(parts.before), tensors = tensors_before || has_tensors(parts.after);
  bool own_tensor = parts.own && parts.own->kind == Part::tensor;
  // Tensors that are joined across the stack's dim, or move in front of it, need all values in one place.
  if (parts.crosses || (own_tensor && (tensors || parts.own->tensor.dim() == 0)) ||
      (tensors_before && has_tensors(parts.after)))
    return index(*dense(stack), indices);
  size_t place = dims_before(parts.before);
  auto member = [&](const NodePtr& m) { return trivial(rest) ? m : index(*m, rest); };
  auto n = static_cast<int64_t>(stack.members().size());
  if (!parts.own || parts.own->kind == Part::slice) {
    std::vector<Index> range;
    if (parts.own) range.push_back(*parts.own);
    range = normalized(std::move(range), {n});
    int64_t start = range.empty() ? 0 : range[0].start, stop = range.empty() ? n : range[0].stop,
            step = range.empty() ? 1 : range[0].step;
    Nodes out;
    for (int64_t i = start; i < stop; i += step) out.push_back(member(stack.members()[static_cast<size_t>(i)]));
    return over_indexed(stack, std::move(out), rest, place);
  }
  if (parts.own->kind == Part::integer)
    return member(stack.members()[static_cast<size_t>(normalized({*parts.own}, {n})[0].start)]);
  normalized({*parts.own}, {n});  // throws for a dtype that is no index
  const at::Tensor& t = parts.own->tensor;
  return taken(stack, t.scalar_type() == at::kBool ? rows_of(t, stack) : t.to(at::kLong), rest, place);
}

}  // namespace td
