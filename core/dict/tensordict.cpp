#include "core/dict/tensordict.h"

#include <algorithm>
#include <atomic>

#include "core/dict/batch_size.h"

namespace td {

namespace {

// Without an owner, so that dicts which share it count no references; dicts may outlive all statics.
const auto& empty_list = *new std::shared_ptr<const KeyList>(std::shared_ptr<const KeyList>(), new KeyList);

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
  const size_t holes = other.keys_->holes();
  auto made = c10::make_intrusive<TensorDict>(batch, other.device(), other.keys_);
  if (holes) made->keys_ = std::make_shared<const KeyList>(other.keys_without_holes());
  if (other.python_class()) made->adopt_python_class(other.python_class());
  made->entries_.reserve(other.entries_.size() - holes);
  return made;
}

KeyList TensorDict::keys_without_holes() const {
  return keys_->without_holes([&](size_t i) { return !entries_[i]; });
}

bool TensorDict::same_keys(const TensorDict& other) const {
  if (keys_->holes() > 0 || other.keys_->holes() > 0) return false;
  if (keys_ == other.keys_) return true;
  if (keys_->size() != other.keys_->size()) return false;
  for (size_t i = 0; i < keys_->size(); ++i)
    if (!(*keys_)[i].is((*other.keys_)[i])) return false;
  return true;
}

NodePtr TensorDict::make_like(at::IntArrayRef batch) const {
  NodePtr made = make(batch, device());
  if (python_class()) made->adopt_python_class(python_class());
  return made;
}

size_t TensorDict::count() const {
  for (unsigned round = 0;; give_way(round++)) {
    const Section section;
    if (gate_.admits(section)) return entries_.size() - keys_->holes();
  }
}

const Entry* TensorDict::peek(const KeyView& key, Entry& made) const {
  made = find(key);
  return made ? &made : nullptr;
}

bool TensorDict::replace(const KeyView& key, Entry& value) {
  const Change change(gate_);
  size_t i = keys_->find(key);
  if (i == entries_.size()) return false;
  entries_[i].take(value);
  return true;
}

bool TensorDict::exchange(const KeyView& key, at::Tensor& value) {
  const Change change(gate_);
  if (locked() || writer().claimed_by_another() || device() || !begins_with(value.sizes(), batch_size())) return false;
  const size_t i = keys_->find(key);
  if (i == entries_.size() || !entries_[i].is_batched()) return false;
  entries_[i].exchange(value);
  return true;
}

void TensorDict::put(const Key& key, Entry value) {
  const Change change(gate_);
  const size_t i = keys_->find(key.view());
  if (i != entries_.size()) return entries_[i].take(value);
  put_new(key, std::move(value));
}

bool TensorDict::add(const Key& key, const Entry& value) {
  const Change change(gate_);
  if (keys_->find(key.view()) != entries_.size()) return false;
  put_new(key, value);
  return true;
}

void TensorDict::put_new(const Key& key, Entry value) {
  entries_.push_back(std::move(value));
  try {
    own_keys().append(key);
  } catch (...) {
    entries_.pop_back();
    throw;
  }
}

void TensorDict::ready_to_erase(KeyView key) {
  const Change change(gate_);
  if (keys_->find(key) != entries_.size()) own_keys();
}

bool TensorDict::erase(KeyView key) {
  Entry gone;  // goes when others may look again: that may call back
  const Change change(gate_);
  size_t i = keys_->find(key);
  if (i == entries_.size()) return false;
  KeyList& keys = own_keys();
  std::swap(gone, entries_[i]);
  if (keys.erase(i)) {
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  for (; !entries_.empty() && !entries_.back(); entries_.pop_back()) keys.drop_last_hole();
  if (keys.sparse()) {
    try {
      keys = keys_without_holes();
    } catch (const std::bad_alloc&) {
      return true;  // the holes stay
    }
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(), [](const Entry& e) { return !e; }), entries_.end());
  }
  return true;
}

std::pair<Key, Entry> TensorDict::last() const {
  const Walk here = walk();
  if (entries_.empty()) return {Key(""), Entry()};
  return {(*keys_)[entries_.size() - 1], entries_.back()};
}

size_t TensorDict::first_keys(std::optional<Key>* out, size_t max) const {
  for (unsigned round = 0;; give_way(round++)) {
    const Section section;
    if (!gate_.admits(section)) continue;
    for (size_t i = 0, n = 0; i < entries_.size() && n < max; ++i)
      if (entries_[i]) out[n++].emplace((*keys_)[i]);  // shares the text: nothing is allocated in a section
    return keys_->size() - keys_->holes();
  }
}

// Others that share the list keep it as it is.
KeyList& TensorDict::own_keys() {
  if (keys_.use_count() != 1) keys_ = std::make_shared<const KeyList>(*keys_);
  std::atomic_thread_fence(std::memory_order_acquire);  // after what the last other owner read
  return const_cast<KeyList&>(*keys_);
}

void TensorDict::reserve(size_t n) {
  if (n == 0) return;
  entries_.reserve(entries_.size() + n);
  own_keys().reserve(n);
}

void TensorDict::release_resources() {
  entries_.clear();
}

void TensorDict::visit(Detail /*detail*/, Visitor fn) const {
  const Walk here = walk();
  for (size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i]) fn((*keys_)[i], entries_[i]);
}

void TensorDict::parts(Detail /*detail*/, c10::function_ref<void(const Entry&)> fn) const {
  each(fn);
}

}  // namespace td
