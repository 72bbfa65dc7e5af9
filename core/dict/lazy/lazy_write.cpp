// What is set into a lazy stack, or erased from it: each member gets its part.
#include <algorithm>

#include "core/dict/change/edit.h"
#include "core/dict/change/together.h"
#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/node_names.h"
#include "core/dict/shape/split.h"
#include "core/error.h"

namespace td {

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
  Together together(*this);
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
  together.commit();
}

namespace {

// Those of several stores; each arrives as a whole.
class GatheredOfAll final : public Gathered {
 public:
  void add(std::unique_ptr<Gathered> one) { all_.push_back(std::move(one)); }
  void commit() override {
    for (const auto& one : all_) one->commit();
  }

 private:
  std::vector<std::unique_ptr<Gathered>> all_;
};

}  // namespace

// Members in one store have one change, which the first of them begins.
std::unique_ptr<Gathered> LazyStack::change(optional<int64_t> version) const {
  std::unique_ptr<GatheredOfAll> all;
  for (const NodePtr& m : members_) {
    if (!m->stored() && !m->has_members()) continue;
    std::unique_ptr<Gathered> one = m->change(all ? nullopt : version);
    if (!one) continue;
    if (!all) all = std::make_unique<GatheredOfAll>();
    all->add(std::move(one));
  }
  return all;
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
