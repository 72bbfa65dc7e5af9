// Writing into a lazy stack: each member gets its part of the value, under its part of the index.
#include <algorithm>

#include "core/dict/batch_size.h"
#include "core/dict/change/assign.h"
#include "core/dict/change/update.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/lazy/ragged.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/shape/index.h"
#include "core/dict/shape/squeeze.h"
#include "core/dict/unbatched.h"
#include "core/error.h"

namespace td {

namespace {

using Part = Index::Kind;

// The element of the dims from `place` on that stands at `number`, row by row.
NodePtr element_of(const NodePtr& value, size_t place, at::IntArrayRef sizes, size_t number) {
  if (sizes.empty()) return value;
  IndexList indices(place, {Part::slice, 0, INT64_MAX, 1, {}});
  IndexList own;
  for (size_t d = sizes.size(); d-- > 0;) {
    auto size = static_cast<size_t>(sizes[d]);
    own.insert(own.begin(), {Part::integer, static_cast<int64_t>(number % size), 0, 1, {}});
    number /= size;
  }
  indices.insert(indices.end(), own.begin(), own.end());
  return index(*value, std::move(indices));
}

// A value without batch dims of its own whose tensors have the selected sizes all the same.
NodePtr with_selected_batch(const LazyStack& target, const IndexList& indices, const Node& value) {
  at::IntArrayRef batch = target.batch_size();
  NodePtr same = itself(value);
  if (value.batch_dims() > 0 || value.has_members() || std::find(batch.begin(), batch.end(), -1) != batch.end())
    return same;
  Dims selected = indexed_sizes(batch, normalized(indices, batch));
  Leaves all = batched_leaves(value);
  if (all.empty() || selected.empty() ||
      !std::all_of(all.begin(), all.end(), [&](const at::Tensor& t) { return begins_with(t.sizes(), selected); }))
    return same;
  NodePtr made = shallow_copy(value);
  made->set_batch_size(selected);
  return made;
}

// Has the value, which has no batch dims, one element for each of its leaves?
bool one_element(const Node& stack, const Node& value) {
  if (std::find(stack.batch_size().begin(), stack.batch_size().end(), -1) != stack.batch_size().end()) return false;
  std::vector<Path> paths = leaf_paths(value);
  return std::all_of(paths.begin(), paths.end(), [&](const Path& p) {
    if (!stack.look_at(p, Detail::kind).is_batched() || !value.look_at(p, Detail::kind).is_batched()) return true;
    return entry_shape(stack, p).size() == static_cast<size_t>(value.tensor(p).dim()) + stack.batch_dims();
  });
}

}  // namespace

bool picks_elements(const Node& target, const IndexList& indices) {
  const LazyStack* stack = LazyStack::of(target);
  return stack && joins_across(*stack, without_ellipsis(indices, target.batch_size())) && stacks_evenly(target) &&
         !has_unbatched(target);  // of which one tensor would hold the first only
}

bool assign_to_stack(Node& target, const IndexList& indices, const Node& value) {
  const LazyStack* stack = LazyStack::of(target);
  if (!stack) return false;
  if (stack->stack_dim() == 0 && indices.size() == 1 && indices[0].kind == Part::integer) {
    auto n = static_cast<int64_t>(stack->members().size());
    int64_t i = normalized(indices, {n})[0].start;
    update(*stack->members()[static_cast<size_t>(i)], value, {true, false});
    return true;
  }
  if (value.batch_dims() > 0 || !one_element(target, value)) return false;
  Dims place = indexed_sizes(target.batch_size(), normalized(indices, target.batch_size()));
  if (!place.empty()) assign(target, indices, *expand(value, place));
  return !place.empty();
}

bool Assignment::members(const Node& node, const IndexList& given, const Node& value, const Path& prefix) {
  const LazyStack* stack = LazyStack::of(node);
  if (!stack) return false;
  const LazyStack& target = *stack;
  target.check_current();
  IndexList indices = without_ellipsis(given, target.batch_size());
  StackParts parts = stack_parts(target, indices);
  NodePtr whole = with_selected_batch(target, indices, value);
  // A value that lacks leading dims is the same for all of them.
  size_t lacking = parts.result_dims - std::min(parts.result_dims, whole->batch_dims());
  size_t kept = parts.sizes.size() - std::min(parts.sizes.size(), lacking - std::min(lacking, parts.place));
  at::IntArrayRef sizes = at::IntArrayRef(parts.sizes).slice(parts.sizes.size() - kept);
  size_t place = parts.place - std::min(lacking, parts.place), each = 1;
  for (int64_t s : sizes) each *= static_cast<size_t>(s);
  if (kept > 0 && (place + kept > whole->batch_dims() || whole->batch_size().slice(place, kept) != sizes))
    throw Error(Code::shape, "the index selects sizes " + to_string(sizes) +
                                 " along the stack's dim, but the value has batch size " +
                                 to_string(whole->batch_size()))
        .key(prefix.size() ? to_string(prefix) : "")
        .hint("the value must have the selected batch size, or its last dims");
  for (size_t i = 0; i < parts.parts.size(); ++i) {
    const NodePtr& member = target.members()[parts.parts[i].member];
    values(*member, member, std::move(parts.parts[i].rest), *element_of(whole, place, sizes, i % each), prefix);
  }
  return true;
}

// As in the original, a number goes to the entries that all members have.
bool Assignment::fill_members(const Node& target, const IndexList& given, const c10::Scalar& value,
                              const Path& prefix) {
  if (!target.has_members()) return false;
  target.check_current();
  IndexList indices = without_ellipsis(given, target.batch_size());
  target.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (e.is_node()) fill(*e.node(), indices, value, prefix + k);
    if (e.is_batched()) fill_key(target, k, indices, value, prefix + k);
  });
  return true;
}

void Assignment::fill_key(const Node& holder, const Key& key, const IndexList& indices, const c10::Scalar& value,
                          const Path& path) {
  const LazyStack* stack = LazyStack::of(holder);
  if (!stack && holder.find(key).is_unbatched()) return;
  if (!stack)
    return number_into(holder.tensor(Path(std::vector<Key>{key})), normalized(indices, holder.batch_size()),
                       holder.batch_dims(), value, path);
  for (const StackPart& p : stack_parts(*stack, indices).parts)
    fill_key(*stack->members()[p.member], key, p.rest, value, path);
}

}  // namespace td
