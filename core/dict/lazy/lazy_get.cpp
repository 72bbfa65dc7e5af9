#include "core/dict/lazy/lazy_get.h"

#include <algorithm>

#include "core/dict/change/assign.h"
#include "core/dict/change/edit.h"
#include "core/dict/change/where.h"
#include "core/dict/entries.h"
#include "core/dict/lazy/without_members.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

struct Place {
  const LazyStack* stack;
  size_t below;  // parts of the path that lead to it
  NodePtr hold;
};

Place first_stack(const Node& node, PathView path, bool to_set = false) {
  const Node* at = &node;
  NodePtr hold;
  for (size_t i = 0; i < path.size(); ++i) {
    at->check_current();
    if (const LazyStack* stack = LazyStack::of(*at)) return {stack, i, hold};
    Entry e = at->find(path[i]);
    if (!e && !to_set) node.node(path);  // throws what is wrong with it
    if (!e.is_node()) break;
    hold = e.take_node();
    at = hold.get();
  }
  throw Error(Code::unsupported, "the entry is not in a lazy stack").key(to_string(path)).hint_naming("use {dict_get}");
}

// The dim that entries of different sizes are joined along: the first behind the stack's, or the ragged one of a nested
// tensor.
size_t joining_dim(const LazyStack& stack, const optional<ComponentType>& nested) {
  return nested && nested->ragged_dim ? *nested->ragged_dim : stack.stack_dim();
}

Dims longest(const std::vector<at::Tensor>& values, std::string key) {
  Dims sizes(values[0].sizes().begin(), values[0].sizes().end());
  for (const at::Tensor& t : values) {
    if (t.dim() != values[0].dim())
      throw Error(Code::shape, "the members have different numbers of dims: " + to_string(values[0].sizes()) + " and " +
                                   to_string(t.sizes()))
          .key(std::move(key));
    for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::max(sizes[d], t.sizes()[d]);
  }
  return sizes;
}

// The dims up to the last one in which some value is shorter.
size_t padded_dims(const std::vector<at::Tensor>& values, const Dims& sizes) {
  size_t n = 0;
  for (const at::Tensor& t : values)
    for (size_t d = 0; t.defined() && d < sizes.size(); ++d)
      if (t.sizes()[d] != sizes[d]) n = std::max(n, d + 1);
  return n;
}

// Undefined values are padding all over. The mask has the dims of a member's batch at least. `inner` are masks of
// values that were padded before; none, or an undefined one, says that all of a value is one.
Padded pad_together(const std::vector<at::Tensor>& values, const Dims& sizes, const LazyStack& stack,
                    const Padding& padding, const std::vector<at::Tensor>& inner = {}) {
  size_t dim = stack.stack_dim(), least = stack.batch_dims() - 1;
  for (const at::Tensor& mask : inner)
    if (mask.defined()) least = std::max(least, static_cast<size_t>(mask.dim()));
  const at::Tensor& like = *std::find_if(values.begin(), values.end(), [](const at::Tensor& t) { return t.defined(); });
  Dims all = sizes, masked(sizes.begin(), sizes.begin() + std::max(padded_dims(values, sizes), least));
  all.insert(all.begin() + dim, static_cast<int64_t>(values.size()));
  masked.insert(masked.begin() + dim, static_cast<int64_t>(values.size()));
  checked_numel(all, like.element_size());
  Padded out{
      number(padding.value, like.scalar_type()).to(like.device()).expand(all).clone(at::MemoryFormat::Contiguous),
      at::zeros(masked, at::TensorOptions(at::kBool).device(like.device()))};
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].defined()) continue;
    at::Tensor to = out.values.select(static_cast<int64_t>(dim), static_cast<int64_t>(i));
    at::Tensor mask = out.mask.select(static_cast<int64_t>(dim), static_cast<int64_t>(i));
    for (size_t d = 0; d < sizes.size(); ++d) {
      int64_t n = values[i].sizes()[d], start = padding.left ? sizes[d] - n : 0;
      to = to.narrow(static_cast<int64_t>(d), start, n);
      if (static_cast<int64_t>(d) < mask.dim()) mask = mask.narrow(static_cast<int64_t>(d), start, n);
    }
    to.copy_(values[i]);
    if (i < inner.size() && inner[i].defined())
      mask.copy_(expand_right(inner[i], mask.sizes()));
    else
      mask.fill_(true);
  }
  return out;
}

class Densify {
 public:
  explicit Densify(const Padding& padding) : padding_(padding) {}

  NodePtr node(const Node& from, const Path& prefix) {
    if (const LazyStack* stack = LazyStack::of(from)) return together(*stack, prefix);
    Entries all = entries(from);
    for (auto& [key, entry] : all)
      if (entry.is_node()) entry = Entry(node(*entry.node(), prefix + key));
    return with_entries(from, all);
  }

  std::vector<std::pair<Path, at::Tensor>> masks;

 private:
  NodePtr together(const LazyStack& stack, const Path& prefix) {
    stack.check_current();
    Dims batch(stack.batch_size().begin(), stack.batch_size().end());
    for (size_t d = 0; d < batch.size(); ++d)
      for (const NodePtr& m : stack.members())
        if (d != stack.stack_dim()) batch[d] = std::max(batch[d], m->batch_size()[d < stack.stack_dim() ? d : d - 1]);
    NodePtr made = stack.make_like(batch);
    made->adopt_names(stack.names());
    std::vector<Key> keys;
    for (const NodePtr& m : stack.members())
      m->visit(Detail::shape, [&](const Key& k, const Entry&) {
        if (std::none_of(keys.begin(), keys.end(), [&](const Key& other) { return other.is(k); })) keys.push_back(k);
      });
    for (const Key& k : keys) made->put(k, entry(stack, k, batch, prefix + k));
    return made;
  }

  Entry entry(const LazyStack& stack, const Key& key, const Dims& batch, const Path& path) {
    Nodes nodes;
    std::vector<DataPtr> data;
    std::vector<at::Tensor> tensors;
    Entry first;
    for (const NodePtr& m : stack.members()) {
      Entry e = m->find(key);
      if (!first) first = e;
      if (e &&
          (e.is_node() != first.is_node() || e.is_batched() != first.is_batched() || e.is_data() != first.is_data()))
        throw Error(Code::key, "the entry has different kinds in different members").key(to_string(path));
      nodes.push_back(e.is_node() ? e.take_node() : m->make_like(m->batch_size()));
      tensors.push_back(e.is_tensor() ? e.take_tensor() : at::Tensor());
      data.push_back(e.is_data() ? e.data() : Data::uniform(Value(), m->batch_size()));
    }
    if (first.is_unbatched()) return first;
    if (first.is_node()) return Entry(node(*LazyStack::make(std::move(nodes), dim(stack)), path));
    if (first.is_data()) {
      Merged merged = merge(data);
      return Entry(c10::make_intrusive<Data>(at::stack(merged.ids, dim(stack)), merged.pool, true));
    }
    std::vector<at::Tensor> present;
    for (const at::Tensor& t : tensors)
      if (t.defined()) present.push_back(t);
    Dims sizes = longest(present, to_string(path));
    Dims inner = batch;
    inner.erase(inner.begin() + stack.stack_dim());
    for (size_t d = 0; d < std::min(inner.size(), sizes.size()); ++d) sizes[d] = std::max(sizes[d], inner[d]);
    bool pads = present.size() < tensors.size() || padded_dims(tensors, sizes) > 0;
    Padded padded = pad_together(tensors, sizes, stack, padding_);
    if (pads) masks.emplace_back(path, padded.mask);
    return Entry(padded.values);
  }

  static int64_t dim(const LazyStack& stack) { return static_cast<int64_t>(stack.stack_dim()); }

  Padding padding_;
};

}  // namespace

namespace {

PathView part_below(PathView path, size_t parts) {
  return PathView(path.begin() + parts, path.size() - parts);
}

// Whether a stack is on the way: the entry is then one of many.
bool leads_through_stack(const Node& node, PathView path) {
  if (node.has_members()) return true;
  if (path.size() < 2) return false;
  Entry e = node.find(path[0]);
  return e.is_node() && leads_through_stack(*e.node(), path.below());
}

std::vector<at::Tensor> member_tensors(const Place& place, PathView path) {
  std::vector<at::Tensor> out;
  try {
    for (const NodePtr& m : place.stack->members()) out.push_back(m->tensor(part_below(path, place.below)));
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
  return out;
}

}  // namespace

std::vector<at::Tensor> get_list(const Node& node, PathView path) {
  Place place = first_stack(node, path);
  PathView rest = part_below(path, place.below);
  std::vector<at::Tensor> out;
  try {
    for (const NodePtr& m : place.stack->members()) {
      if (!leads_through_stack(*m, rest)) {
        out.push_back(m->tensor(rest));
        continue;
      }
      std::vector<at::Tensor> inner = get_list(*m, rest);
      check_member_count(out.size() + inner.size());
      out.insert(out.end(), inner.begin(), inner.end());
    }
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
  return out;
}

void set_list(Node& node, PathView path, const std::vector<at::Tensor>& values) {
  Place place = first_stack(node, path, true);
  PathView rest(path.begin() + place.below, path.size() - place.below);
  const Nodes& members = place.stack->members();
  if (values.size() != members.size())
    throw Error(Code::argument, std::to_string(values.size()) + " values were given for a stack of " +
                                    std::to_string(members.size()) + " members")
        .key(to_string(path));
  if (place.stack->sealed()) check_unlocked(*place.stack, Path(path));
  Edit edit;
  try {
    for (size_t i = 0; i < members.size(); ++i) edit.set(*members[i], rest, Entry(values[i]));
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
  edit.keep();
}

Padded get_padded(const Node& node, PathView path, const Padding& padding) {
  Place place = first_stack(node, path);
  PathView rest = part_below(path, place.below);
  std::vector<at::Tensor> values, masks;
  try {
    for (const NodePtr& m : place.stack->members()) {
      if (m->look_at(rest, Detail::kind).is_unbatched())
        refuse_unbatched_entry(Path(path), "it is not stacked, and so not padded");
      bool stacked = leads_through_stack(*m, rest);
      Padded inner = stacked ? get_padded(*m, rest, padding) : Padded{m->tensor(rest), at::Tensor()};
      values.push_back(std::move(inner.values));
      masks.push_back(std::move(inner.mask));
    }
    if (values.empty()) throw Error(Code::key, "the stack has no members");
    return pad_together(values, longest(values, to_string(path)), *place.stack, padding, masks);
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
}

Jagged get_jagged(const Node& node, PathView path) {
  Place place = first_stack(node, path);
  bool component = path.size() == place.below + 1 && path[place.below].text == component_key;
  optional<ComponentType> nested = component ? component_type(*place.stack) : nullopt;
  std::vector<at::Tensor> values = member_tensors(place, path);
  size_t dim = joining_dim(*place.stack, nested);
  if (values.empty() && nested && dim < nested->sizes.size()) {
    nested->sizes[dim] = 0;
    return {at::empty(nested->sizes, at::TensorOptions(nested->dtype)), at::zeros({1}, at::TensorOptions(at::kLong))};
  }
  if (values.empty()) throw Error(Code::key, "the stack has no members").key(to_string(path));
  Dims sizes = longest(values, to_string(path));
  bool joins = dim < sizes.size();
  for (const at::Tensor& t : values)
    for (size_t d = 0; d < sizes.size(); ++d) joins = joins && (d == dim || t.sizes()[d] == sizes[d]);
  if (!joins)
    throw Error(Code::shape, "only dim " + std::to_string(dim) +
                                 " of the members' tensors may differ, but the largest sizes are " + to_string(sizes))
        .key(to_string(path))
        .hint_naming("use {dict_get_padded} or {dict_get_list}, which take stacks of any shapes");
  at::Tensor offsets = at::zeros({static_cast<int64_t>(values.size()) + 1}, at::TensorOptions(at::kLong));
  auto* at = static_cast<int64_t*>(const_cast<void*>(data(offsets)));
  for (size_t i = 0; i < values.size(); ++i) at[i + 1] = at[i] + values[i].sizes()[dim];
  return {at::cat(values, static_cast<int64_t>(dim)), offsets};
}

NodePtr densify(const Node& node, const Padding& padding, const Path* mask_key) {
  Densify work(padding);
  NodePtr made = work.node(node, Path());
  if (!mask_key) return made;
  if (made->get(*mask_key))
    throw Error(Code::exists, "the dict already has an entry under the key of the masks").key(to_string(*mask_key));
  NodePtr masks = made->make_like(made->batch_size().slice(0, 0));
  for (auto& [path, mask] : work.masks) masks->set(path, mask);
  made->set(*mask_key, masks);
  return made;
}

}  // namespace td
