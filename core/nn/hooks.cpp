#include "core/nn/hooks.h"

#include <algorithm>

namespace td {

uint64_t Hooks::add(Hook hook, bool prepend) {
  static std::atomic<uint64_t> next{1};
  hook.id = next++;
  uint64_t id = hook.id;
  auto shared = std::make_shared<const Hook>(std::move(hook));
  std::lock_guard<std::mutex> lock(mutex_);
  hooks_.insert(prepend ? hooks_.begin() : hooks_.end(), std::move(shared));
  any_ = true;
  return id;
}

// The hook dies outside the lock: its owner's destroy function may call back.
bool Hooks::remove(uint64_t id) {
  std::shared_ptr<const Hook> gone;  // before the lock, so that it outlives it
  std::lock_guard<std::mutex> lock(mutex_);
  auto at = std::find_if(hooks_.begin(), hooks_.end(), [&](const auto& h) { return h->id == id; });
  if (at == hooks_.end()) return false;
  gone = *at;
  hooks_.erase(at);
  any_ = !hooks_.empty();
  return true;
}

Hooks::List Hooks::of(HookKind kind) const {
  std::lock_guard<std::mutex> lock(mutex_);
  List out;
  std::copy_if(hooks_.begin(), hooks_.end(), std::back_inserter(out), [&](const auto& h) { return h->kind == kind; });
  return out;
}

// The old one dies outside the lock, too.
void Hooks::set_extra_state(ExtraStatePtr extra) {
  std::lock_guard<std::mutex> lock(mutex_);
  extra_.swap(extra);
}

ExtraStatePtr Hooks::extra_state() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return extra_;
}

}  // namespace td
