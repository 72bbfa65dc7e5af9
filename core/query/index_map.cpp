#include "core/query/index_map.h"

namespace td {

void IndexMap::look_up(const int64_t* hashes, size_t n, int64_t* indices) const {
  auto missing = static_cast<int64_t>(size());
  for (size_t i = 0; i < n; ++i) {
    auto it = indices_.find(hashes[i]);
    indices[i] = it == indices_.end() ? missing : it->second;
  }
}

void IndexMap::extend(const int64_t* hashes, size_t n, int64_t* indices) {
  size_t before = size();
  try {
    for (size_t i = 0; i < n; ++i) {
      auto placed = indices_.emplace(hashes[i], static_cast<int64_t>(indices_.size()));
      indices[i] = placed.first->second;
      if (!placed.second) continue;
      try {
        hashes_.push_back(hashes[i]);
      } catch (...) {
        indices_.erase(placed.first);
        throw;
      }
    }
  } catch (...) {
    shrink(before);
    throw;
  }
}

void IndexMap::shrink(size_t size) noexcept {
  for (size_t i = hashes_.size(); i > size; --i) indices_.erase(hashes_[i - 1]);
  if (size < hashes_.size()) hashes_.resize(size);
}

}  // namespace td
