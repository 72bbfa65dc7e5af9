#include "core/dict/tensordict.h"

namespace td {

NodePtr TensorDict::make(at::IntArrayRef batch, optional<c10::Device> device) {
  return c10::make_intrusive<TensorDict>(batch, device);
}

size_t TensorDict::position(const KeyView& key) const {
  if (!index_.empty()) {
    auto it = index_.find(key);
    return it == index_.end() ? slots_.size() : it->second;
  }
  size_t i = 0;
  while (i < slots_.size() && !slots_[i].key.is(key)) ++i;
  return i;
}

const Entry* TensorDict::peek(const KeyView& key, Entry&) const {
  size_t i = position(key);
  return i == slots_.size() ? nullptr : &slots_[i].value;
}

bool TensorDict::replace(const KeyView& key, Entry& value) {
  size_t i = position(key);
  if (i == slots_.size()) return false;
  slots_[i].value = std::move(value);
  return true;
}

void TensorDict::put(const Key& key, Entry value) {
  if (replace(key, value)) return;
  size_t i = slots_.size();
  slots_.push_back({key, std::move(value)});
  if (!index_.empty())
    index_.emplace(slots_.back().key.view(), i);
  else if (slots_.size() > scan_limit)
    reindex();
}

bool TensorDict::erase(KeyView key) {
  size_t i = position(key);
  if (i == slots_.size()) return false;
  if (i + 1 == slots_.size() && slots_.size() > scan_limit + 1) {  // popping from the end moves nothing
    index_.erase(key);
    slots_.pop_back();
    return true;
  }
  index_.clear();
  slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(i));
  if (slots_.size() > scan_limit) reindex();
  return true;
}

void TensorDict::release_resources() {
  index_.clear();
  slots_.clear();
}

void TensorDict::visit(Visitor fn) const {
  for (const Slot& s : slots_) fn(s.key, s.value);
}

void TensorDict::reindex() {
  index_.clear();
  for (size_t i = 0; i < slots_.size(); ++i) index_.emplace(slots_[i].key.view(), i);
}

}  // namespace td
