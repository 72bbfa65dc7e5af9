#include "core/dict/lazy/lazy_stack.h"

#include <algorithm>

#include "core/dict/batch_size.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

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

void LazyStack::restack(Nodes members, optional<size_t> dim) {
  const Claim claim(writer());
  Dims batch(batch_size().begin(), batch_size().end());
  batch[dim_] = 0;
  if (!dim) {
    for (size_t i = 0; i < members.size(); ++i) {
      if (members[i]->contains(this)) throw Error(Code::argument, "a dict cannot contain itself");
      check_member(*members[0], *members[i], i);
    }
    if (!members.empty() && members[0]->batch_dims() + 1 != batch_dims())
      throw Error(Code::shape, "the stack has members of " + std::to_string(batch_dims() - 1) +
                                   " batch dims, but the new member has batch size " +
                                   to_string(members[0]->batch_size()));
  }
  if (!members.empty()) batch = stacked_batch(members, dim.value_or(dim_));
  total_ = count_members(members);
  members_ = std::move(members);
  dim_ = dim.value_or(dim_);
  adopt_batch(batch);
  if (dim) adopt_device(members_[0]->device());
}

std::vector<Entry> LazyStack::column(const KeyView& key) const {
  const auto moment = moment_of_all(&key);
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
    members_[0]->visit(Detail::shape, [&](const Key& k, const Entry&) { add(k); });
  return keys;
}

NodePtr LazyStack::make_like(at::IntArrayRef batch) const {
  return TensorDict::make(batch, device());
}

void LazyStack::parts(Detail /*detail*/, c10::function_ref<void(const Entry&)> fn) const {
  for (const NodePtr& m : members_) fn(Entry(m));
}

bool LazyStack::has(const KeyView& key) const {
  const auto moment = moment_of_all(nullptr);
  return std::any_of(members_.begin(), members_.end(), [&](const NodePtr& m) { return m->has(key); });
}

bool LazyStack::has_common(const KeyView& key) const {
  const auto moment = moment_of_all(nullptr);
  return !members_.empty() &&
         std::all_of(members_.begin(), members_.end(), [&](const NodePtr& m) { return m->has_common(key); });
}

NodePtr LazyStack::member_at(int64_t index) const {
  auto n = static_cast<int64_t>(members_.size());
  if (index < -n || index >= n) return {};
  const auto i = static_cast<size_t>(index < 0 ? index + n : index);
  check_still(*members_[i], i, batch_size(), dim_);
  return members_[i];
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

}  // namespace td
