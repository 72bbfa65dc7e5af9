// Keys in order, and where each is. Few are scanned, many are found through a hash index.
#pragma once

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/dict/key.h"

namespace td {

class KeyList {
 public:
  KeyList() = default;
  KeyList(const KeyList& other) : keys_(other.keys_), index_(other.index_) {}  // their texts are shared

  size_t size() const { return keys_.size(); }
  const Key& operator[](size_t i) const { return keys_[i]; }
  const std::vector<Key>& all() const { return keys_; }

  size_t find(const KeyView& key) const {  // size() if it is missing
    if (!index_.empty()) {
      auto it = index_.find(key);
      return it == index_.end() ? keys_.size() : it->second;
    }
    size_t i = 0;
    while (i < keys_.size() && !keys_[i].is(key)) ++i;
    return i;
  }
  void append(const Key& key);
  void erase(size_t at);

 private:
  struct Hash {
    using is_avalanching = void;
    size_t operator()(const KeyView& key) const { return key.hash; }
  };
  static constexpr size_t scan_limit = 8;

  void reindex();

  std::vector<Key> keys_;
  boost::unordered_flat_map<KeyView, size_t, Hash> index_;  // empty up to scan_limit; views of the keys' texts
};

}  // namespace td
