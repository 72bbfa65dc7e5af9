#include "core/query/layered_map.h"

#include <algorithm>

#include "core/error.h"

namespace td {

LayeredMap::LayeredMap(FileMapPtr below)
    : base_(std::move(below)),
      base_next_(base_->next()),
      base_size_(base_next_ - base_->holes()),
      own_(c10::make_intrusive<IndexMap>()) {}

std::vector<int64_t> LayeredMap::look_below(const int64_t* hashes, size_t n, int64_t* indices) const {
  if (base_)
    base_->look_up(hashes, n, indices, base_next_, nullptr);
  else
    std::fill(indices, indices + n, -1);
  std::vector<int64_t> missing;
  for (size_t i = 0; i < n; ++i)
    if (indices[i] < 0) missing.push_back(hashes[i]);
  return missing;
}

// The file's indices come first.
void LayeredMap::put_above(const std::vector<int64_t>& own, int64_t* indices, size_t n) const {
  size_t next = 0;
  for (size_t i = 0; i < n; ++i) {
    if (indices[i] >= 0) continue;
    int64_t index = own[next++];
    indices[i] = index < 0 ? index : base_next_ + index;
  }
}

void LayeredMap::look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t below, const Keys* keys) const {
  std::vector<int64_t> missing = look_below(hashes, n, indices), own(missing.size());
  own_->look_up(missing.data(), missing.size(), own.data(), below, keys);
  put_above(own, indices, n);
}

void LayeredMap::extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) {
  std::vector<int64_t> missing = look_below(hashes, n, indices), own(missing.size());
  own_->extend(missing.data(), missing.size(), own.data(), keys);
  put_above(own, indices, n);
}

int64_t LayeredMap::erase(const int64_t* hashes, size_t n, const Keys* keys) {
  std::vector<int64_t> indices(n), missing = look_below(hashes, n, indices.data());
  if (missing.size() < n)
    throw Error(Code::unsupported,
                "rows cannot be removed from a map in a file, because other processes may be reading it")
        .where(base_->path())
        .hint_naming("load the result of {query_state} into a query that has its own map");
  return own_->erase(hashes, n, keys);
}

void LayeredMap::clear() {
  own_->clear();
  drop_base();
}

Indices::State LayeredMap::state() const {
  State state = base_ ? base_->state(base_next_) : State();
  State own = own_->state();
  state.next = next();
  state.hashes.insert(state.hashes.end(), own.hashes.begin(), own.hashes.end());
  for (int64_t index : own.indices) state.indices.push_back(base_next_ + index);
  return state;
}

void LayeredMap::load(State state) {
  own_->load(std::move(state));
  drop_base();
}

void LayeredMap::drop_base() noexcept {
  base_.reset();
  base_size_ = base_next_ = 0;
}

}  // namespace td
