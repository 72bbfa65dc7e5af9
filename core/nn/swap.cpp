#include "core/nn/swap.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <ATen/functorch/BatchedTensorImpl.h>

#include "core/dict/copy.h"
#include "core/dict/tensordict.h"
#include "core/fork.h"
#include "core/nn/tree.h"

namespace td {

namespace {

// Where a parameter stood, a tensor becomes one too, with the same need of a gradient; one that has a gradient of its
// own stays, so that it gets it.
at::Tensor of_same_kind(const at::Tensor& given, const at::Tensor& own) {
  bool follows = given.requires_grad() || at::functorch::isBatchedTensor(given);
  if (!own.defined() || !own.requires_grad() || follows) return given;
  return given.detach().requires_grad_();
}

// The swaps that have not ended, in the order in which they began.
struct Open {
  ProcessMutex mutex;
  std::vector<Swap*> swaps;
};

Open& all_open = *new Open;  // never destroyed: a scope may be released when the process ends

}  // namespace

Swap::Swap(Module& root, const Node& given, bool keep_kind) {
  std::vector<at::Tensor> values;
  std::set<std::pair<const Module*, size_t>> taken;
  for (const Path& name : leaf_paths(given)) {
    TensorPlace place = find_tensor(root, name);
    if (!place.module) throw Error(Code::key, "the module has no such parameter or buffer").key(to_string(name));
    if (!taken.insert({place.module, place.index}).second) continue;
    c10::raw::intrusive_ptr::incref(static_cast<c10::intrusive_ptr_target*>(place.module));
    at::Tensor value = given.tensor(name);
    bool parameter = keep_kind && place.role() == Role::parameter;
    values.push_back(parameter ? of_same_kind(value, place.value()) : value);
    changes_.push_back({ModulePtr::reclaim(place.module), place.index, place.value(), values.back(), name});
  }
  ProcessLock hold(all_open.mutex);
  all_open.swaps.push_back(this);
  for (size_t i = 0; i < changes_.size(); ++i) changes_[i].module->set_tensor(changes_[i].index, values[i]);
}

Swap::Change* Swap::next(const Change& c) const {
  auto after = std::find(all_open.swaps.begin(), all_open.swaps.end(), this);
  for (auto later = after == all_open.swaps.end() ? after : after + 1; later != all_open.swaps.end(); ++later)
    for (Change& other : (*later)->changes_)
      if (other.module == c.module && other.index == c.index) return &other;
  return nullptr;
}

at::Tensor Swap::now(const Change& c) const {
  ProcessLock hold(all_open.mutex);
  const Change* later = next(c);
  return later ? later->own : c.module->tensors()[c.index].value;
}

Swap::~Swap() {
  restore();
}

void Swap::restore() noexcept {
  std::vector<Change> done;  // destroyed outside the lock, with the objects that have no other owner
  ProcessLock hold(all_open.mutex);
  for (Change& c : changes_) {
    if (Change* later = next(c))
      std::swap(later->own, c.own);
    else if (c.index < c.module->tensors().size()) {
      at::Tensor other = c.module->tensors()[c.index].value;
      c.module->set_tensor(c.index, std::exchange(c.own, other));
    }
  }
  done.swap(changes_);
  auto& swaps = all_open.swaps;
  swaps.erase(std::remove(swaps.begin(), swaps.end(), this), swaps.end());
}

// Also into a locked dict: its keys stay. Those that it has lost are found before the first is written.
void Swap::write_back(Node& given) const {
  std::vector<std::tuple<NodePtr, Key, at::Tensor>> writes;
  for (const Change& c : changes_) {
    const at::Tensor now = this->now(c);
    const bool there = now.defined() && now.is_same(given.tensor(c.name));
    if (!now.defined() || there || now.is_same(c.put)) continue;
    NodePtr parent = c.name.size() > 1 ? given.node(PathView(c.name).parent()) : itself(given);
    writes.emplace_back(std::move(parent), c.name.keys().back(), now);
  }
  for (auto& [node, key, value] : writes) node->put(key, Entry(value));
}

void Swap::give_up() noexcept {
  std::vector<Change> done;  // ends outside of the lock
  ProcessLock hold(all_open.mutex);
  done.swap(changes_);
  auto& swaps = all_open.swaps;
  swaps.erase(std::remove(swaps.begin(), swaps.end(), this), swaps.end());
}

NodePtr Swap::previous() const {
  NodePtr out = TensorDict::make({});
  for (const Change& c : changes_)
    if (c.own.defined()) out->set(c.name, c.own);
  return out;
}

ModuleScope::ModuleScope(ModulePtr root, NodePtr given, bool keep_kind)
    : Scope(given, given, [](const Node& n) { return shallow_copy(n); }),
      root_(std::move(root)),
      given_(std::move(given)),
      swap_(*root_, *given_, keep_kind) {}

ModuleScope::~ModuleScope() {
  if (!ended_) swap_.give_up();
}

void ModuleScope::check_open() const {
  if (ended_) throw Error(Code::closed, "the scope has ended already");
}

void ModuleScope::end() {
  check_open();
  swap_.write_back(*given_);
  ended_ = true;
  swap_.restore();
}

void ModuleScope::cancel() {
  check_open();
  ended_ = true;
  swap_.restore();
}

}  // namespace td
