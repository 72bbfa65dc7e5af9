// Keys in order, and where each is. Few are scanned, many are found through a hash index. Where one of many goes, its
// place stays as a hole until half of them are, so that taking away costs the same however many there are.
#pragma once

#include <functional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/dict/key.h"

namespace td {

class KeyList {
 public:
  KeyList() = default;
  KeyList(const KeyList& other)  // their texts are shared
      : keys_(other.keys_), holes_(other.holes_), index_(other.index_) {}
  KeyList(KeyList&&) = default;
  KeyList& operator=(KeyList&&) = default;

  size_t size() const { return keys_.size(); }  // places, holes too
  size_t holes() const { return holes_; }
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
  void reserve(size_t more) { keys_.reserve(keys_.size() + more); }

  // Few keys move up; true then. Else the place is a hole, which its owner knows.
  bool erase(size_t at);
  void drop_last_hole();
  bool sparse() const { return holes_ > 0 && (keys_.size() - holes_ <= scan_limit || holes_ > keys_.size() / 2); }
  KeyList without_holes(const std::function<bool(size_t)>& is_hole) const;

 private:
  struct Hash {
    using is_avalanching = void;
    size_t operator()(const KeyView& key) const { return key.hash; }
  };
  static constexpr size_t scan_limit = 8;

  void reindex();

  std::vector<Key> keys_;
  size_t holes_ = 0;                                        // none while there is no index
  boost::unordered_flat_map<KeyView, size_t, Hash> index_;  // empty up to scan_limit; views of the keys' texts
};

}  // namespace td
