#include "core/dict/key_list.h"

namespace td {

void KeyList::append(const Key& key) {
  keys_.push_back(key);
  if (!index_.empty())
    index_.emplace(keys_.back().view(), keys_.size() - 1);
  else if (keys_.size() > scan_limit)
    reindex();
}

bool KeyList::erase(size_t at) {
  if (index_.empty()) {
    keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }
  index_.erase(keys_[at].view());
  ++holes_;
  return false;
}

void KeyList::drop_last_hole() {
  keys_.pop_back();
  --holes_;
}

KeyList KeyList::without_holes(const std::function<bool(size_t)>& is_hole) const {
  KeyList list;
  list.keys_.reserve(keys_.size() - holes_);
  for (size_t i = 0; i < keys_.size(); ++i)
    if (!is_hole(i)) list.keys_.push_back(keys_[i]);
  if (list.keys_.size() > scan_limit) list.reindex();
  return list;
}

void KeyList::reindex() {
  index_.clear();
  for (size_t i = 0; i < keys_.size(); ++i) index_.emplace(keys_[i].view(), i);
}

}  // namespace td
