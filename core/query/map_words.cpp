#include "core/query/map_words.h"

#include <algorithm>
#include <vector>

namespace td::shm {

namespace {

constexpr size_t rows_at_once = 512;

// tests/models: map
void set(uint64_t* slot, uint64_t value) {
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);
}

}  // namespace

// ---- Reading --------------------------------------------------------------------------------------------------------

// tests/models: map
uint64_t MapReader::count() const {
  return std::min(words_.count.load(std::memory_order_acquire), shape_.capacity);
}

// tests/models: map
uint64_t MapReader::generation() const {
  return std::min<uint64_t>(words_.generation.load(std::memory_order_acquire), shape_.generations - 1);
}

bool MapReader::possible() const {
  return words_.count.load() <= shape_.capacity && words_.generation.load() < shape_.generations;
}

// The caller read the count before this reads the generation: every hash below it is in this table.
// tests/models: map
void MapReader::look_up(const int64_t* wanted, size_t n, int64_t* indices, uint64_t below) const {
  uint64_t there = std::min(below, shape_.capacity), now = generation();
  IndexTable table{slots_ + shape_.first_slot(now), shape_.slots(now), hashes_, &there};
  table.find_all(wanted, n, indices);
}

// ---- Writing --------------------------------------------------------------------------------------------------------

IndexTable MapWriter::table() const {
  return {slots(), shape_.slots(generation_), hashes_, &count_};
}

// tests/models: map
bool MapWriter::take_over(uint64_t pid) {
  uint64_t count = words_.count.load(), generation = words_.generation.load();
  if (count > shape_.capacity || generation >= shape_.generations) return false;
  generation_ = generation;
  kept_ = count_ = count;
  space_.hashes(count);
  words_.writer_pid.store(pid);
  if (words_.unfinished.load() == 0) return true;
  // Slots that point past the count were filled last, so nothing is found by going past them.
  uint64_t *all = slots(), size = shape_.slots(generation_);
  for (uint64_t i = 0; i < size; ++i)
    if (all[i] != IndexTable::empty && IndexTable::index(all[i]) >= count) set(&all[i], IndexTable::empty);
  words_.unfinished.store(0);
  return true;
}

// tests/models: map
bool MapWriter::extend(const int64_t* wanted, size_t n, int64_t* indices) {
  for (size_t begin = 0; begin < n; begin += rows_at_once) {
    size_t end = std::min(n, begin + rows_at_once);
    table().find_all(wanted + begin, end - begin, indices + begin);
    uint64_t missing = 0;
    for (size_t i = begin; i < end; ++i) missing += indices[i] < 0;
    if (missing == 0) continue;
    words_.unfinished.store(1);
    make_room(missing);
    for (size_t i = begin; i < end; ++i) {
      if (indices[i] < 0) indices[i] = find_or_append(wanted[i]);
      if (indices[i] >= 0) continue;
      undo();
      return false;
    }
  }
  return true;
}

// tests/models: map
void MapWriter::make_room(uint64_t more) {
  uint64_t wanted = std::min(count_ + more, shape_.capacity);
  space_.hashes(wanted);
  while (wanted > shape_.slots(generation_) / 5 * 4 && generation_ + 1 < shape_.generations) grow();
}

// tests/models: map
int64_t MapWriter::find_or_append(int64_t hash) {
  uint64_t tag = IndexTable::tag(hash), size = shape_.slots(generation_), at = IndexTable::home(tag, size);
  uint64_t* all = slots();
  for (uint64_t probes = 0; all[at] != IndexTable::empty; ++probes) {
    uint64_t index = IndexTable::index(all[at]);
    if (all[at] >> 32 == tag && index < count_ && hashes_[index] == hash) return static_cast<int64_t>(index);
    if (++at == size) at = 0;
    if (probes == size) return -1;  // full: not a table that this class filled
  }
  if (count_ == shape_.capacity) return -1;
  hashes_[count_] = hash;
  set(&all[at], IndexTable::slot(tag, count_));
  return static_cast<int64_t>(count_++);
}

// tests/models: map
void MapWriter::keep() noexcept {
  if (kept_ == count_) return;
  kept_ = count_;
  words_.count.store(count_, std::memory_order_release);
  words_.unfinished.store(0, std::memory_order_release);
}

// tests/models: map
void MapWriter::undo() noexcept {
  uint64_t *all = slots(), size = shape_.slots(generation_);
  while (count_ > kept_) {
    --count_;
    uint64_t tag = IndexTable::tag(hashes_[count_]), wanted = IndexTable::slot(tag, count_);
    uint64_t at = IndexTable::home(tag, size);
    for (uint64_t probes = 0; probes < size && all[at] != wanted && all[at] != IndexTable::empty; ++probes)
      if (++at == size) at = 0;
    if (all[at] == wanted) set(&all[at], IndexTable::empty);
  }
  words_.unfinished.store(0, std::memory_order_release);
}

void MapWriter::skip() {
  make_room(1);
  if (count_ < shape_.capacity) hashes_[count_++] = 0;
}

// tests/models: map
void MapWriter::place(uint64_t slot, uint64_t* into, uint64_t size) {
  uint64_t at = IndexTable::home(slot >> 32, size);
  for (uint64_t probes = 0; into[at] != IndexTable::empty; ++probes) {
    if (probes == size) return;
    if (++at == size) at = 0;
  }
  set(&into[at], slot);
}

// Old and new slots are both walked in the order of their tags. What readers do not see yet goes in last, so that it
// can be taken out again.
// tests/models: map
void MapWriter::grow() {
  uint64_t old_size = shape_.slots(generation_), size = shape_.slots(generation_ + 1);
  uint64_t first = shape_.first_slot(generation_ + 1);
  space_.slots(first, first + size);
  const uint64_t* old = slots();
  uint64_t* made = slots_ + first;
  std::vector<uint64_t> later;
  for (uint64_t i = 0; i < old_size; ++i) {
    if (!IndexTable::is_live(old[i])) continue;
    uint64_t index = IndexTable::index(old[i]);
    if (index < kept_)
      place(old[i], made, size);
    else if (index < count_)
      later.push_back(old[i]);
  }
  for (uint64_t slot : later) place(slot, made, size);
  ++generation_;
  words_.generation.store(generation_, std::memory_order_release);
}

}  // namespace td::shm
