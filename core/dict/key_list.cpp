#include "core/dict/key_list.h"

namespace td {

void KeyList::append(const Key& key) {
  keys_.push_back(key);
  if (!index_.empty())
    index_.emplace(keys_.back().view(), keys_.size() - 1);
  else if (keys_.size() > scan_limit)
    reindex();
}

void KeyList::erase(size_t at) {
  if (at + 1 == keys_.size() && keys_.size() > scan_limit + 1) {  // popping from the end moves nothing
    index_.erase(keys_.back().view());
    keys_.pop_back();
    return;
  }
  index_.clear();
  keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(at));
  if (keys_.size() > scan_limit) reindex();
}

void KeyList::reindex() {
  index_.clear();
  for (size_t i = 0; i < keys_.size(); ++i) index_.emplace(keys_[i].view(), i);
}

}  // namespace td
