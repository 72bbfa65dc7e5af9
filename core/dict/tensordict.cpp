#include "core/dict/tensordict.h"

#include <atomic>

#include "core/dict/batch_size.h"

namespace td {

namespace {

const auto empty_list = std::make_shared<const KeyList>();

}  // namespace

const std::shared_ptr<const KeyList>& TensorDict::no_keys() {
  return empty_list;
}

NodePtr TensorDict::make(at::IntArrayRef batch, optional<c10::Device> device) {
  check_size(batch);
  return c10::make_intrusive<TensorDict>(batch, device);
}

c10::intrusive_ptr<TensorDict> TensorDict::make_with_keys_of(const TensorDict& other, at::IntArrayRef batch) {
  check_size(batch);
  auto made = c10::make_intrusive<TensorDict>(batch, other.device());
  made->keys_ = other.keys_;
  made->adopt_python_class(other.python_class());
  made->entries_.reserve(other.entries_.size());
  return made;
}

bool TensorDict::same_keys(const TensorDict& other) const {
  if (keys_ == other.keys_) return true;
  if (keys_->size() != other.keys_->size()) return false;
  for (size_t i = 0; i < keys_->size(); ++i)
    if (!(*keys_)[i].is((*other.keys_)[i])) return false;
  return true;
}

NodePtr TensorDict::make_like(at::IntArrayRef batch) const {
  NodePtr made = make(batch, device());
  made->adopt_python_class(python_class());
  return made;
}

const Entry* TensorDict::peek(const KeyView& key, Entry&) const {
  size_t i = keys_->find(key);
  return i == entries_.size() ? nullptr : &entries_[i];
}

bool TensorDict::replace(const KeyView& key, Entry& value) {
  size_t i = keys_->find(key);
  if (i == entries_.size()) return false;
  entries_[i] = std::move(value);
  return true;
}

void TensorDict::put(const Key& key, Entry value) {
  if (replace(key, value)) return;
  entries_.push_back(std::move(value));
  try {
    own_keys().append(key);
  } catch (...) {
    entries_.pop_back();
    throw;
  }
}

bool TensorDict::erase(KeyView key) {
  size_t i = keys_->find(key);
  if (i == entries_.size()) return false;
  own_keys().erase(i);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

// Others that share the list keep it as it is.
KeyList& TensorDict::own_keys() {
  if (keys_.use_count() != 1) keys_ = std::make_shared<const KeyList>(*keys_);
  std::atomic_thread_fence(std::memory_order_acquire);  // after what the last other owner read
  return const_cast<KeyList&>(*keys_);
}

void TensorDict::release_resources() {
  entries_.clear();
}

void TensorDict::visit(Visitor fn) const {
  for (size_t i = 0; i < entries_.size(); ++i) fn((*keys_)[i], entries_[i]);
}

void TensorDict::parts(c10::function_ref<void(const Entry&)> fn) const {
  for (const Entry& e : entries_) fn(e);
}

}  // namespace td
