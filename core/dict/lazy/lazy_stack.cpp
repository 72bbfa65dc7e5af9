#include "core/dict/lazy/lazy_stack.h"

#include <algorithm>

#include "core/dict/batch_size.h"
#include "core/dict/edit.h"
#include "core/dict/lazy/without_members.h"
#include "core/dict/node_names.h"
#include "core/dict/persistent/persistent.h"
#include "core/dict/shape/split.h"
#include "core/dict/shape/stack.h"
#include "core/dict/tensordict.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"
#include "core/warnings.h"

namespace td {

namespace {

std::string one_path(const KeyView& key) {
  return to_string(PathView(&key, 1));
}

const char* entry_kind(const Entry& e) {
  return e.is_node() ? "a dict" : e.is_unbatched() ? "an unbatched tensor" : e.is_tensor() ? "a tensor" : "data";
}

void check_member(const Node& first, const Node& member, size_t index) {
  auto at = [&] { return "member " + std::to_string(index); };
  if (member.device() != first.device())
    throw Error(Code::device,
                "the members are on different devices: " + (first.device() ? first.device()->str() : "none") +
                    ", and " + (member.device() ? member.device()->str() : "none") + " in " + at())
        .hint("move all members to one device, or clear the device of all");
  if (member.batch_dims() != first.batch_dims())
    throw Error(Code::shape, "the members have different numbers of batch dims: " + to_string(first.batch_size()) +
                                 " and " + to_string(member.batch_size()) + " in " + at());
}

// What the members call their dims, with the name of the stack's own dim; none if they disagree.
Names joint_names(const Nodes& members, size_t dim, const Name& own) {
  Names names;
  if (!members.empty() &&
      std::all_of(members.begin(), members.end(), [&](const NodePtr& m) { return m->names() == members[0]->names(); }))
    names = members[0]->names();
  if (names.empty() && !own) return {};
  names = spread(names, members.empty() ? dim : members[0]->batch_dims());
  names.insert(names.begin() + static_cast<std::ptrdiff_t>(dim), own);
  return names;
}

// Nested stacks of the same members multiply; the limit keeps every walk over them finite.
constexpr size_t max_members = size_t{1} << 24;

[[noreturn]] void no_longer_fits(const Node& member, size_t i, at::IntArrayRef batch) {
  throw Error(Code::shape, "member " + std::to_string(i) + " of the stack has batch size " +
                               to_string(member.batch_size()) + " now, but the stack has " + to_string(batch))
      .hint("do not change the batch size of a member; make another stack");
}

// Throws Error(shape) if the batch size of a member is no longer what it was when the stack of that batch size was
// made.
inline void check_still(const Node& member, size_t i, at::IntArrayRef batch, size_t dim) {
  at::IntArrayRef sizes = member.batch_size();
  const int64_t* expected = batch.data();
  bool same = sizes.size() + 1 == batch.size();
  for (size_t d = 0; same && d < sizes.size(); ++d, ++expected) {
    expected += d == dim;
    same = *expected == -1 || sizes[d] == *expected;
  }
  if (!same) no_longer_fits(member, i, batch);
  member.check_current();
}

}  // namespace

void check_member_count(size_t members) {
  if (members > max_members)
    throw Error(Code::shape, "a lazy stack has more than " + std::to_string(max_members) +
                                 " members in all its levels, which is the limit");
}

size_t LazyStack::count_members(const Nodes& members) {
  size_t total = 0;
  for (const NodePtr& m : members) {
    const LazyStack* stack = of(*m);
    total += stack ? stack->total_ : 1;
    check_member_count(total);
  }
  return total;
}

Dims stacked_batch(const Nodes& members, size_t dim) {
  Dims batch(members[0]->batch_size().begin(), members[0]->batch_size().end());
  for (const NodePtr& m : members)
    for (size_t d = 0; d < batch.size(); ++d)
      if (m->batch_size()[d] != batch[d]) batch[d] = -1;
  batch.insert(batch.begin() + dim, static_cast<int64_t>(members.size()));
  return batch;
}

NodePtr LazyStack::make(Nodes members, int64_t given_dim, at::IntArrayRef element) {
  auto rank = static_cast<int64_t>(members.empty() ? element.size() : members[0]->batch_dims()) + 1;
  if (given_dim < -rank || given_dim >= rank)
    throw Error(Code::index, "dim " + std::to_string(given_dim) + " is out of range for a stack of " +
                                 std::to_string(rank) + " batch dims");
  auto dim = static_cast<size_t>(given_dim < 0 ? given_dim + rank : given_dim);
  if (static_cast<size_t>(rank) > max_dims)
    throw Error(Code::shape, "a lazy stack would have " + std::to_string(rank) + " batch dims; the limit is " +
                                 std::to_string(max_dims));
  if (members.empty()) {
    Dims batch(element.begin(), element.end());
    batch.insert(batch.begin() + dim, 0);
    return c10::make_intrusive<LazyStack>(Nodes(), dim, batch, nullopt);
  }
  for (size_t i = 1; i < members.size(); ++i) check_member(*members[0], *members[i], i);
  Dims batch = stacked_batch(members, dim);
  if (std::find(batch.begin(), batch.end(), -1) == batch.end()) checked_numel(batch, 1);
  Names names = joint_names(members, dim, nullopt);
  auto device = members[0]->device();
  NodePtr made = c10::make_intrusive<LazyStack>(std::move(members), dim, batch, device);
  if (!names.empty()) made->adopt_names(std::move(names));
  return made;
}

NodePtr LazyStack::over(Nodes members, optional<size_t> dim) const {
  Name own = names().empty() ? Name() : names()[dim_];
  Dims element(batch_size().begin(), batch_size().end());
  element.erase(element.begin() + dim_);
  NodePtr made = make(std::move(members), static_cast<int64_t>(dim.value_or(dim_)), element);
  const auto& stack = static_cast<const LazyStack&>(*made);
  made->adopt_python_class(stack.members_.empty() ? class_of_none(*this, element) : python_class());
  if (own) made->adopt_names(joint_names(stack.members_, stack.dim_, own));
  return made;
}

void LazyStack::insert(size_t index, const Nodes& members) {
  const Claim claim(writer());
  if (index > members_.size())
    throw Error(Code::index, "position " + std::to_string(index) + " is out of range for a stack of " +
                                 std::to_string(members_.size()) + " members");
  if (locked()) throw Error(Code::locked, "cannot add to a locked stack").hint("unlock it first");
  // Not all of them, or a stack that grows by one would cost the square of its size.
  if (!members_.empty()) check_still(*members_[0], 0, batch_size(), dim_);
  for (size_t i = 0; i < members.size(); ++i) {
    if (members[i]->contains(this)) throw Error(Code::argument, "a dict cannot contain itself");
    if (!members_.empty()) {
      check_member(*members_[0], *members[i], i);
    } else if (members[i]->batch_dims() + 1 != batch_dims()) {
      throw Error(Code::shape, "the stack has members of " + std::to_string(batch_dims() - 1) +
                                   " batch dims, but the new member has batch size " +
                                   to_string(members[i]->batch_size()));
    } else {
      check_member(*members[0], *members[i], i);
    }
    const Node& like = members_.empty() ? *members[0] : *members_[0];
    if (members[i]->batch_size() != like.batch_size())
      throw Error(Code::shape, "the members have batch size " + to_string(like.batch_size()) +
                                   ", but the new member has " + to_string(members[i]->batch_size()));
  }
  if (members.empty()) return;
  const size_t total = total_ + count_members(members);
  check_member_count(total);
  Dims batch = members_.empty() ? stacked_batch(members, dim_) : Dims(batch_size().begin(), batch_size().end());
  batch[dim_] = static_cast<int64_t>(members_.size() + members.size());
  members_.insert(members_.begin() + static_cast<std::ptrdiff_t>(index), members.begin(), members.end());
  total_ = total;
  adopt_batch(batch);
  if (!device()) adopt_device(members_[0]->device());
}

void LazyStack::restack(Nodes members) {
  const Claim claim(writer());
  Dims batch(batch_size().begin(), batch_size().end());
  batch[dim_] = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    if (members[i]->contains(this)) throw Error(Code::argument, "a dict cannot contain itself");
    check_member(*members[0], *members[i], i);
  }
  if (!members.empty() && members[0]->batch_dims() + 1 != batch_dims())
    throw Error(Code::shape, "the stack has members of " + std::to_string(batch_dims() - 1) +
                                 " batch dims, but the new member has batch size " +
                                 to_string(members[0]->batch_size()));
  total_ = count_members(members);
  members_ = std::move(members);
  adopt_batch(members_.empty() ? batch : stacked_batch(members_, dim_));
}

void LazyStack::restack(Nodes members, size_t dim) {
  const Claim claim(writer());
  Dims batch = stacked_batch(members, dim);
  total_ = count_members(members);
  members_ = std::move(members);
  dim_ = dim;
  adopt_batch(batch);
  adopt_device(members_[0]->device());
}

optional<Nodes> LazyStack::apart(const Node& whole) const {
  check_current();
  whole.check_current();
  // Compared before anything is taken apart: a batch size may be absurd.
  if (whole.batch_dims() <= dim_ || static_cast<size_t>(whole.batch_size()[dim_]) != members_.size())
    throw Error(Code::shape, "a stack of " + std::to_string(members_.size()) + " members along dim " +
                                 std::to_string(dim_) + " does not match a dict with batch size " +
                                 to_string(whole.batch_size()))
        .hint("both must have the same size along that dim");
  const LazyStack* other = of(whole);
  return other && other->dim_ == dim_ ? other->members_ : unbind(whole, static_cast<int64_t>(dim_));
}

std::vector<Entry> LazyStack::column(const KeyView& key) const {
  std::vector<Entry> out;
  out.reserve(members_.size());
  for (const NodePtr& m : members_) out.push_back(m->find(key));
  return out;
}

std::vector<Key> LazyStack::common_keys() const {
  std::vector<Key> keys;
  if (members_.empty()) return keys;
  auto add = [&](const Key& k) {
    if (std::all_of(members_.begin() + 1, members_.end(), [&](const NodePtr& m) { return m->has_common(k); }))
      keys.push_back(k);
  };
  // Not the outline of a stack, which asks what is under each key: with stacks in stacks that would double at each
  // level.
  if (const LazyStack* inner = of(*members_[0]))
    for (const Key& k : inner->common_keys()) add(k);
  else
    members_[0]->outline([&](const Key& k, const Entry&) { add(k); });
  return keys;
}

NodePtr LazyStack::stacked_nodes(const std::vector<Entry>& column) const {
  Nodes nodes;
  nodes.reserve(column.size());
  for (const Entry& e : column) nodes.push_back(e.node());
  NodePtr made = make(std::move(nodes), static_cast<int64_t>(dim_));
  if (!names().empty() && names()[dim_])
    made->adopt_names(joint_names(static_cast<LazyStack&>(*made).members_, dim_, names()[dim_]));
  return made;
}

Entry LazyStack::stacked(const KeyView& key) const {
  std::vector<Entry> all = column(key);
  if (all.empty() || std::any_of(all.begin(), all.end(), [](const Entry& e) { return !e; })) return Entry();
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i].is_node() != all[0].is_node() || all[i].is_batched() != all[0].is_batched() ||
        all[i].is_data() != all[0].is_data())
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
    if (leaves[i].sizes() != leaves[0].sizes())
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

bool LazyStack::replace(const KeyView& key, Entry& value) {
  put(Key(key), std::move(value));
  return true;
}

// A member that has the key takes its part without memory; another may find none, and then all are as they were.
void LazyStack::put_parts(const Key& key, c10::function_ref<Entry(size_t)> part_of) {
  std::vector<Entry> parts;
  parts.reserve(members_.size());
  for (size_t i = 0; i < members_.size(); ++i) parts.push_back(part_of(i));
  size_t done = 0;
  try {
    for (; done < members_.size(); ++done) {
      if (members_[done]->replace(key.view(), parts[done])) continue;
      members_[done]->put(key, std::move(parts[done]));
      parts[done] = Entry();
    }
  } catch (...) {
    while (done-- > 0)
      if (parts[done])
        members_[done]->replace(key.view(), parts[done]);
      else
        members_[done]->erase(key.view());
    throw;
  }
}

// `nodes`: those that a dict is taken apart into.
Entry LazyStack::part_for(const Entry& value, Nodes& nodes, size_t index) const {
  auto dim = static_cast<int64_t>(dim_), at = static_cast<int64_t>(index);
  if (value.is_unbatched()) return value;  // of the whole stack, and so of each member
  if (value.is_tensor()) return Entry(value.tensor().select(dim, at));
  if (value.is_node()) return Entry(std::move(nodes[index]));
  if (!value.data()->stacked()) return Entry(Data::uniform(value.data()->value(), members_[index]->batch_size()));
  return Entry(value.data()->with(value.data()->ids().select(dim, at), true));
}

bool LazyStack::put_in_members(PathView path, const Entry& value) {
  if (!has(path[0])) return false;
  Nodes nodes = value.is_node() ? *apart(*value.node()) : Nodes();
  Edit edit;
  for (size_t i = 0; i < members_.size(); ++i) edit.set(*members_[i], path, part_for(value, nodes, i));
  edit.keep();
  return true;
}

void LazyStack::put(const Key& key, Entry value) {
  Nodes nodes = value.is_node() ? *apart(*value.node()) : Nodes();
  auto part_of = [&](size_t i) { return part_for(value, nodes, i); };
  if (std::all_of(members_.begin(), members_.end(), [](const NodePtr& m) { return m->plain(); }))
    return put_parts(key, part_of);
  KeyView view = key.view();
  check_write({&view, 1});
  std::vector<Entry> before = column(key.view());  // a file may refuse what the members before it have taken
  size_t done = 0;
  try {
    for (; done < members_.size(); ++done) members_[done]->put(key, part_of(done));
  } catch (...) {
    for (size_t i = 0; i < done; ++i)
      if (before[i])
        members_[i]->put(key, std::move(before[i]));
      else
        members_[i]->erase(key.view());
    throw;
  }
}

bool LazyStack::erase(KeyView key) {
  check_write({&key, 1});
  ready_to_erase(key);
  bool any = false;
  for (const NodePtr& m : members_) any = m->erase(key) || any;
  return any;
}

void LazyStack::ready_to_erase(KeyView key) {
  for (const NodePtr& m : members_) m->ready_to_erase(key);
}

void LazyStack::visit(Visitor fn) const {
  for (const Key& k : common_keys()) fn(k, stacked(k.view()));
}

Entry LazyStack::outlined(const KeyView& key) const {
  std::vector<Entry> all;
  for (const NodePtr& m : members_) all.push_back(m->kind(PathView(&key, 1)));
  // A mix of dicts and tensors is not a dict, because no key can lead into it.
  auto other = std::find_if(all.begin(), all.end(), [](const Entry& e) { return !e.is_node(); });
  return other == all.end() ? Entry(stacked_nodes(all)) : *other;
}

void LazyStack::outline(Visitor fn) const {
  for (const Key& k : common_keys()) fn(k, outlined(k));
}

NodePtr LazyStack::make_like(at::IntArrayRef batch) const {
  return TensorDict::make(batch, device());
}

void LazyStack::parts(c10::function_ref<void(const Entry&)> fn) const {
  for (const NodePtr& m : members_) fn(Entry(m));
}

bool LazyStack::has(const KeyView& key) const {
  return std::any_of(members_.begin(), members_.end(), [&](const NodePtr& m) { return m->has(key); });
}

bool LazyStack::has_common(const KeyView& key) const {
  return !members_.empty() &&
         std::all_of(members_.begin(), members_.end(), [&](const NodePtr& m) { return m->has_common(key); });
}

void LazyStack::check_current() const {
  for (size_t i = 0; i < members_.size(); ++i) check_still(*members_[i], i, batch_size(), dim_);
}

bool LazyStack::locked() const {
  return lock().held() || (!members_.empty() &&
                           std::all_of(members_.begin(), members_.end(), [](const NodePtr& m) { return m->locked(); }));
}

bool LazyStack::sealed() const {
  return lock().held() || std::any_of(members_.begin(), members_.end(), [](const NodePtr& m) { return m->sealed(); });
}

void LazyStack::set_batch_size(at::IntArrayRef batch) {
  if (batch == batch_size()) return;
  throw Error(Code::shape, "a lazy stack has the batch size of its members, " + to_string(batch_size()) +
                               "; it cannot become " + to_string(batch))
      .hint_naming("make a dense copy with {dict_contiguous} first");
}

void LazyStack::set_names(const Names& names) {
  Names given = names.empty() ? Names(batch_dims()) : names;
  check_names_below(*this, given);
  Names inner = given;
  inner.erase(inner.begin() + static_cast<std::ptrdiff_t>(dim_));
  KeptNames before;
  try {
    for (const NodePtr& m : members_) {
      before.note(m);
      m->set_names(inner);
    }
  } catch (...) {
    before.put_back();
    throw;
  }
  adopt_names(std::move(given));
}

}  // namespace td
