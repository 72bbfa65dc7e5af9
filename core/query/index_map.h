// The index map of one process: a table over an array of hashes, with undo, erase, capacity and exact keys.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/query/huge_pages.h"
#include "core/query/index_table.h"
#include "core/query/indices.h"

namespace td {

class IndexMap final : public Indices {
 public:
  // At most `capacity` entries, then the least recently used one gives its index away; 0 for no limit.
  explicit IndexMap(int64_t capacity = 0, bool exact = false);

  int64_t size() const override { return live_; }
  int64_t next() const override { return static_cast<int64_t>(count_); }
  int64_t capacity() const { return capacity_; }
  bool exact() const override { return exact_; }
  int64_t collisions() const override { return collisions_; }
  int64_t evictions() const override { return evictions_; }
  int64_t nbytes() const override;

  void look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t below, const Keys* keys) const override;
  // Throws Error(nospace) if a batch has more different keys than the capacity.
  void extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) override;
  void undo() noexcept override;
  int64_t erase(const int64_t* hashes, size_t n, const Keys* keys) override;
  void clear() override;

  State state() const override;
  // Throws Error(argument) for indices that are negative, there twice or not below `next`, hashes that are there twice,
  // and more entries than the capacity.
  void load(State state) override;

  IndexTable table() const;  // valid until the map changes

 private:
  struct Step {  // of the last extend, to take it back; new indices are known by their size
    enum Kind : uint8_t { reused, evicted, touched } kind;
    uint32_t index;
    int64_t value;  // the old hash, or the old stamp
    std::string key;
  };

  int64_t find(int64_t hash, size_t row, const Keys* keys, uint64_t* slot = nullptr) const;
  uint32_t insert(int64_t hash, size_t row, const Keys* keys);  // it is not there
  int64_t find_or_insert(int64_t hash);
  void extend_plain(const int64_t* hashes, size_t n, int64_t* indices);
  void extend_one_by_one(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys);
  void reserve(size_t more, size_t rest);
  void check_room(const int64_t* hashes, size_t n, const Keys* keys) const;
  void evict();
  uint32_t freed_index();
  uint32_t fresh_index();
  void put_slot(int64_t hash, uint32_t index);
  void remove_slot(uint32_t index);
  void free_index(uint32_t index);
  void touch(uint32_t index);
  uint32_t oldest();
  void grow(uint64_t slots);
  void tidy_queue();

  int64_t capacity_;
  bool exact_;
  HugeVector<uint64_t> slots_;
  HugeVector<int64_t> hashes_;
  uint64_t count_ = 0, used_ = 0;  // hashes; slots that are not empty
  int64_t live_ = 0, collisions_ = 0, evictions_ = 0;
  std::vector<bool> holes_;     // indices without an entry; may be shorter than count_
  std::vector<uint32_t> free_;  // those that may be given again: a heap, the smallest first
  std::vector<std::string> keys_;

  std::vector<uint64_t> stamps_;                       // by index, when it was last used
  std::vector<std::pair<uint32_t, uint64_t>> recent_;  // in the order of use; outdated unless the stamp is the index's
  size_t oldest_ = 0;
  uint64_t clock_ = 0;

  std::vector<Step> steps_;
  size_t steps_recent_ = 0, steps_oldest_ = 0;
  uint64_t steps_count_ = 0;
  int64_t steps_collisions_ = 0;
};

using IndexMapPtr = c10::intrusive_ptr<IndexMap>;

}  // namespace td
