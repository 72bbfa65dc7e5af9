#include "core/query/index_map.h"

#include <algorithm>
#include <set>

#include "core/error.h"

namespace td {

namespace {

constexpr uint64_t smallest_table = 16;

bool past_load(uint64_t used, uint64_t slots) {  // at most four of five are used
  return used > slots - slots / 5;
}

uint64_t slots_for(uint64_t entries) {  // half as much again
  return std::max(smallest_table, entries + entries * 7 / 8 + 1);
}

}  // namespace

IndexMap::IndexMap(int64_t capacity, bool exact) : capacity_(capacity), exact_(exact), slots_(smallest_table) {
  if (capacity < 0 || capacity > IndexTable::limit)
    throw Error(Code::argument, "the capacity is " + std::to_string(capacity) + " entries")
        .hint("give 0 for no limit, or at most " + std::to_string(IndexTable::limit));
}

int64_t IndexMap::nbytes() const {
  size_t bytes = slots_.capacity() * 8 + hashes_.capacity() * 8 + holes_.capacity() / 8 + free_.capacity() * 4 +
                 stamps_.capacity() * 8 + recent_.capacity() * sizeof(recent_[0]) + keys_.capacity() * sizeof(keys_[0]);
  for (const std::string& key : keys_) bytes += key.capacity();
  return static_cast<int64_t>(bytes);
}

IndexTable IndexMap::table() const {
  return {slots_.data(), slots_.size(), hashes_.data(), &count_};
}

int64_t IndexMap::find(int64_t hash, size_t row, const Keys* keys, uint64_t* slot) const {
  std::string key;
  bool read = false;
  return table().find(hash, [&](uint64_t at, uint64_t index) {
    if (slot) *slot = at;
    if (!exact_) return true;
    if (!read) key = (*keys)(row), read = true;
    return keys_[index] == key;
  });
}

void IndexMap::look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t /* below */, const Keys* keys) const {
  if (!exact_) return table().find_all(hashes, n, indices);
  for (size_t i = 0; i < n; ++i) indices[i] = find(hashes[i], i, keys);
}

void IndexMap::extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) {
  tidy_queue();
  check_room(hashes, n, keys);
  steps_.clear();
  steps_count_ = count_, steps_recent_ = recent_.size(), steps_oldest_ = oldest_, steps_collisions_ = collisions_;
  try {
    if (exact_ || capacity_ > 0)
      extend_one_by_one(hashes, n, indices, keys);
    else
      extend_plain(hashes, n, indices);
  } catch (...) {
    undo();
    throw;
  }
}

void IndexMap::extend_one_by_one(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) {
  for (size_t i = 0; i < n; ++i) {
    indices[i] = find(hashes[i], i, keys);
    if (indices[i] < 0) indices[i] = insert(hashes[i], i, keys);
    if (capacity_ > 0) touch(static_cast<uint32_t>(indices[i]));
  }
}

// Only the hash decides, and nothing is evicted: what is there is found many at once, the rest goes in in order.
void IndexMap::extend_plain(const int64_t* hashes, size_t n, int64_t* indices) {
  constexpr size_t block = 512;
  for (size_t begin = 0; begin < n; begin += block) {
    size_t end = std::min(n, begin + block);
    table().find_all(hashes + begin, end - begin, indices + begin);
    auto missing = static_cast<size_t>(std::count_if(indices + begin, indices + end, [](int64_t i) { return i < 0; }));
    reserve(missing, missing == end - begin ? n - begin : 0);
    for (size_t i = begin; i < end; ++i)
      if (indices[i] < 0) indices[i] = find_or_insert(hashes[i]);
  }
}

// There is room for one more. It may have come with an earlier row of the batch.
int64_t IndexMap::find_or_insert(int64_t hash) {
  uint64_t tag = IndexTable::tag(hash), at = IndexTable::home(tag, slots_.size()), place = slots_.size();
  for (uint64_t s; (s = slots_[at]) != IndexTable::empty;) {
    if (s == IndexTable::dead)
      place = std::min(place, at);
    else if (s >> 32 == tag && hashes_[IndexTable::index(s)] == hash)
      return static_cast<int64_t>(IndexTable::index(s));
    if (++at == slots_.size()) at = 0;
  }
  uint32_t index = free_.empty() ? fresh_index() : freed_index();
  hashes_[index] = hash;
  if (place == slots_.size()) place = at, ++used_;
  slots_[place] = IndexTable::slot(tag, index);
  ++live_;
  return index;
}

// For `more` rows that are missing. If all of the last ones were, so may be the `rest` of the batch.
void IndexMap::reserve(size_t more, size_t rest) {
  if (past_load(used_ + more, slots_.size())) {
    uint64_t entries = static_cast<uint64_t>(live_), slots = std::max(slots_for(entries), (entries + more) * 5 / 4 + 2);
    grow(std::max(slots, std::min((entries + rest) * 3 / 2, 4 * slots)));
  }
  size_t hashes = hashes_.size() + more;
  if (hashes > hashes_.capacity())
    hashes_.reserve(std::max(hashes + hashes / 4, std::min(hashes_.size() + rest, 4 * hashes)));
  if (steps_.capacity() - steps_.size() < more && !free_.empty()) steps_.reserve(2 * steps_.size() + more);
}

// A row must not lose its index to a later row of its own batch.
void IndexMap::check_room(const int64_t* hashes, size_t n, const Keys* keys) const {
  if (capacity_ == 0 || static_cast<int64_t>(n) <= capacity_) return;
  std::set<std::pair<int64_t, std::string>> different;
  for (size_t i = 0; i < n; ++i) different.emplace(hashes[i], exact_ ? (*keys)(i) : std::string());
  if (static_cast<int64_t>(different.size()) > capacity_)
    throw Error(Code::nospace, "the batch has " + std::to_string(different.size()) +
                                   " different rows, but the capacity of the map is " + std::to_string(capacity_));
}

uint32_t IndexMap::insert(int64_t hash, size_t row, const Keys* keys) {
  std::string key;
  if (exact_) {
    key = (*keys)(row);
    if (table().find(hash) >= 0) ++collisions_;
  }
  if (past_load(used_ + 1, slots_.size())) grow(slots_for(static_cast<uint64_t>(live_) + 1));
  if (steps_.capacity() - steps_.size() < 2) steps_.reserve(2 * steps_.size() + 16);
  if (capacity_ > 0 && live_ == capacity_) evict();
  uint32_t index = free_.empty() ? fresh_index() : freed_index();
  hashes_[index] = hash;
  if (exact_) keys_[index] = std::move(key);
  put_slot(hash, index);
  return index;
}

void IndexMap::evict() {
  uint32_t index = oldest();
  if (holes_.size() < count_) holes_.resize(count_);
  free_.reserve(1);
  steps_.push_back({Step::evicted, index, hashes_[index], exact_ ? std::move(keys_[index]) : std::string()});
  remove_slot(index);
  free_index(index);
  ++evictions_;
}

uint32_t IndexMap::freed_index() {
  std::pop_heap(free_.begin(), free_.end(), std::greater<>());
  uint32_t index = free_.back();
  free_.pop_back();
  holes_[index] = false;
  steps_.push_back({Step::reused, index, 0, {}});
  return index;
}

uint32_t IndexMap::fresh_index() {
  if (next() >= IndexTable::limit) throw Error(Code::nospace, "the index map is full: the limit is 4294967293 entries");
  if (hashes_.size() == hashes_.capacity()) hashes_.reserve(hashes_.size() + hashes_.size() / 4 + 64);
  if (exact_) keys_.resize(count_ + 1);
  if (capacity_ > 0) stamps_.resize(count_ + 1);
  hashes_.push_back(0);
  return static_cast<uint32_t>(count_++);
}

void IndexMap::put_slot(int64_t hash, uint32_t index) {
  uint64_t tag = IndexTable::tag(hash), at = IndexTable::home(tag, slots_.size());
  while (IndexTable::is_live(slots_[at]))
    if (++at == slots_.size()) at = 0;
  if (slots_[at] == IndexTable::empty) ++used_;
  slots_[at] = IndexTable::slot(tag, index);
  ++live_;
}

void IndexMap::remove_slot(uint32_t index) {
  uint64_t slot = 0;
  table().find(hashes_[index], [&](uint64_t at, uint64_t i) { return slot = at, i == index; });
  uint64_t following = slot + 1 == slots_.size() ? 0 : slot + 1;
  bool last_of_run = slots_[following] == IndexTable::empty;
  slots_[slot] = last_of_run ? IndexTable::empty : IndexTable::dead;
  if (last_of_run) --used_;
  --live_;
}

// There is room in free_ and in holes_.
void IndexMap::free_index(uint32_t index) {
  holes_[index] = true;
  free_.push_back(index);
  std::push_heap(free_.begin(), free_.end(), std::greater<>());
}

// Old and new slots are both walked in the order of their tags.
void IndexMap::grow(uint64_t slots) {
  HugeVector<uint64_t> made(slots);
  uint64_t used = 0;
  auto move = [&](uint64_t s) {
    uint64_t at = IndexTable::home(s >> 32, slots);
    while (made[at] != IndexTable::empty)
      if (++at == slots) at = 0;
    made[at] = s;
    ++used;
  };
  for (uint64_t s : slots_)
    if (IndexTable::is_live(s)) move(s);
  slots_.swap(made);
  used_ = used;
}

void IndexMap::undo() noexcept {
  for (size_t i = steps_.size(); i-- > 0;) {
    Step& s = steps_[i];
    if (s.kind == Step::touched) {
      if (s.index < steps_count_) stamps_[s.index] = static_cast<uint64_t>(s.value);
    } else if (s.kind == Step::reused) {
      remove_slot(s.index);
      free_index(s.index);
    } else {  // its index is free by now
      free_.erase(std::find(free_.begin(), free_.end(), s.index));
      std::make_heap(free_.begin(), free_.end(), std::greater<>());
      holes_[s.index] = false;
      hashes_[s.index] = s.value;
      if (exact_) keys_[s.index] = std::move(s.key);
      put_slot(s.value, s.index);
      --evictions_;
    }
  }
  while (count_ > steps_count_) {
    remove_slot(static_cast<uint32_t>(count_ - 1));
    hashes_.pop_back();
    --count_;
  }
  if (exact_) keys_.resize(count_);
  if (capacity_ > 0) stamps_.resize(count_);
  steps_.clear();
  recent_.resize(steps_recent_);
  oldest_ = steps_oldest_;
  collisions_ = steps_collisions_;
}

void IndexMap::touch(uint32_t index) {
  steps_.push_back({Step::touched, index, static_cast<int64_t>(stamps_[index]), {}});
  recent_.emplace_back(index, ++clock_);
  stamps_[index] = clock_;
}

uint32_t IndexMap::oldest() {
  for (;; ++oldest_) {
    uint32_t index = recent_[oldest_].first;
    bool there = index >= holes_.size() || !holes_[index];
    if (there && stamps_[index] == recent_[oldest_].second) return index;
  }
}

// Drops the outdated entries when they are most.
void IndexMap::tidy_queue() {
  if (recent_.size() < 64 + 4 * static_cast<size_t>(live_)) return;
  size_t kept = 0;
  for (size_t i = oldest_; i < recent_.size(); ++i) {
    uint32_t index = recent_[i].first;
    bool there = index < count_ && (index >= holes_.size() || !holes_[index]);
    if (there && stamps_[index] == recent_[i].second) recent_[kept++] = recent_[i];
  }
  recent_.resize(kept);
  oldest_ = 0;
}

int64_t IndexMap::erase(const int64_t* hashes, size_t n, const Keys* keys) {
  steps_.clear();
  free_.reserve(free_.size() + n);
  holes_.resize(count_);
  int64_t erased = 0;
  for (size_t i = 0; i < n; ++i) {
    int64_t index = find(hashes[i], i, keys);
    if (index < 0) continue;
    remove_slot(static_cast<uint32_t>(index));
    free_index(static_cast<uint32_t>(index));
    if (exact_) keys_[static_cast<size_t>(index)].clear();
    ++erased;
  }
  return erased;
}

void IndexMap::clear() {
  load(IndexMap(capacity_, exact_).state());
}

}  // namespace td
