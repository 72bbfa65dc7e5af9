// What a lazy stack shows under a key: the entries of its members, stacked.
#include <algorithm>

#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/shape/stack.h"
#include "core/dict/tensordict.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/warnings.h"

namespace td {

namespace {

std::string one_path(const KeyView& key) {
  return to_string(PathView(&key, 1));
}

const char* entry_kind(const Entry& e) {
  return e.is_node() ? "a dict" : e.is_unbatched() ? "an unbatched tensor" : e.is_tensor() ? "a tensor" : "data";
}

}  // namespace

NodePtr LazyStack::stacked_nodes(const std::vector<Entry>& column) const {
  Nodes nodes;
  nodes.reserve(column.size());
  for (const Entry& e : column) nodes.push_back(e.node());
  NodePtr made = make(std::move(nodes), static_cast<int64_t>(dim_));
  if (!names().empty() && names()[dim_])
    made->adopt_names(joint_names(static_cast<LazyStack&>(*made).members_, dim_, names()[dim_]));
  return made;
}

// The tensors of all members, if these are ordinary dicts with tensors of one shape; else nothing.
std::vector<at::Tensor> LazyStack::plain_column(const KeyView& key) const {
  std::vector<at::Tensor> out;
  out.reserve(members_.size());  // nothing may be allocated while an entry is borrowed
  auto take = [&](const Entry* e) {
    const bool fits = e && e->is_batched() && (out.empty() || same_sizes(e->tensor().sizes(), out[0].sizes()));
    if (fits) out.push_back(e->tensor());
    return fits;
  };
  auto beyond = [](const Node&, PathView) { return false; };  // never: the path has one part
  for (const NodePtr& m : members_) {
    const TensorDict* dict = static_cast<const Node&>(*m).plain();
    if (!dict || !dict->read(PathView(&key, 1), take, beyond)) return {};
  }
  return out;
}

Entry LazyStack::stacked(const KeyView& key) const {
  if (std::vector<at::Tensor> tensors = plain_column(key); !tensors.empty()) return Entry(stack_tensors(tensors, dim_));
  std::vector<Entry> all = column(key);
  if (all.empty() || std::any_of(all.begin(), all.end(), [](const Entry& e) { return !e; })) return Entry();
  for (size_t i = 1; i < all.size(); ++i)
    if (!all[i].same_kind(all[0]))
      throw Error(Code::key, std::string("the entry is ") + entry_kind(all[0]) + " in member 0 and " +
                                 entry_kind(all[i]) + " in member " + std::to_string(i))
          .key(one_path(key));
  if (all[0].is_node()) return Entry(stacked_nodes(all));
  if (all[0].is_data()) {
    std::vector<DataPtr> data;
    for (const Entry& e : all) data.push_back(e.data());
    Merged merged = merge(data);
    for (const at::Tensor& ids : merged.ids)
      if (ids.sizes() != merged.ids[0].sizes())
        throw Error(Code::shape, "the members' non-tensor data has different batch sizes").key(one_path(key));
    return Entry(stack_data(data, merged, static_cast<int64_t>(dim_)));
  }
  std::vector<at::Tensor> leaves(all.size());
  const bool unbatched = all[0].is_unbatched();
  for (size_t i = 0; i < all.size(); ++i) leaves[i] = all[i].take_tensor();
  if (unbatched) return Entry::unbatched(first_of_unbatched(leaves, PathView(&key, 1)));
  for (size_t i = 1; i < leaves.size(); ++i)
    if (!same_sizes(leaves[i].sizes(), leaves[0].sizes()))
      throw Error(Code::shape, "the members have different shapes: " + to_string(leaves[0].sizes()) + " and " +
                                   to_string(leaves[i].sizes()) + " in member " + std::to_string(i))
          .key(one_path(key))
          .hint_naming("use {dict_get_list}, {dict_get_padded} or {dict_get_jagged} for such entries");
  return Entry(stack_tensors(leaves, dim_));
}

const Entry* LazyStack::peek(const KeyView& key, Entry& made) const {
  WarningScope warnings;
  made = stacked(key);
  return made ? &made : nullptr;
}

void LazyStack::visit(Detail detail, Visitor fn) const {
  const auto moment = moment_of_all(nullptr);
  for (const Key& k : common_keys()) fn(k, detail == Detail::value ? stacked(k.view()) : outlined(k.view()));
}

Entry LazyStack::outlined(const KeyView& key) const {
  const auto moment = moment_of_all(nullptr);
  std::vector<Entry> all;
  for (const NodePtr& m : members_) all.push_back(m->look_at(PathView(&key, 1), Detail::kind));
  // A mix of dicts and tensors is not a dict, because no key can lead into it.
  auto other = std::find_if(all.begin(), all.end(), [](const Entry& e) { return !e.is_node(); });
  return other == all.end() ? Entry(stacked_nodes(all)) : *other;
}

}  // namespace td
