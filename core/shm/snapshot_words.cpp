#include "core/shm/snapshot_words.h"

#include <chrono>
#include <thread>

namespace td::shm {

namespace {

constexpr uint64_t writer_bit = uint64_t{1} << 63;
constexpr unsigned max_looks = 1000;

}  // namespace

// Holding a reader's byte is being that reader: what an earlier one left behind is cleared first.
// tests/models: snapshots
bool Snapshots::join() {
  for (unsigned reader = 0; reader < max_readers; ++reader) {
    if (!locks_.lock(reader)) continue;
    for (unsigned b = 0; b < count_; ++b) words_.holders[b].value.fetch_and(~(uint64_t{1} << reader));
    me_ = reader;
    return true;
  }
  return false;
}

// tests/models: snapshots
Snapshots::~Snapshots() {
  if (me_ == max_readers || !ours()) return;
  for (unsigned b = 0; b < count_; ++b) words_.holders[b].value.fetch_and(~(uint64_t{1} << me_));
}

// tests/models: snapshots
bool Snapshots::latest(uint64_t& word, unsigned& buffer) const {
  word = words_.latest.value.load();
  buffer = static_cast<unsigned>(word & 255);
  return buffer < count_;
}

// tests/models: snapshots
Snapshots::Found Snapshots::pin(unsigned& buffer) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (me_ == max_readers && !join()) return Found::none;
  uint64_t mine = uint64_t{1} << me_;
  for (unsigned look = 0; look < max_looks; ++look) {
    uint64_t word, again;
    if (!latest(word, buffer)) return Found::corrupt;
    uint64_t before = words_.holders[buffer].value.fetch_or(mine);
    unsigned now;
    if (!(before & writer_bit) && latest(again, now) && again == word) {
      ++pins_[buffer];
      return Found::done;
    }
    if (pins_[buffer] == 0) words_.holders[buffer].value.fetch_and(~mine);
  }
  return Found::corrupt;  // no writer is that fast, so the words are corrupted
}

// tests/models: snapshots
void Snapshots::let_go(unsigned buffer) {
  if (!ours()) return;  // before the lock, which another thread may have held when this process was forked
  std::lock_guard<std::mutex> guard(mutex_);
  if (--pins_[buffer] == 0) words_.holders[buffer].value.fetch_and(~(uint64_t{1} << me_));
}

// Readers that died hold nothing any more. The caller has the mutex.
// tests/models: snapshots
void Snapshots::sweep() {
  uint64_t held = 0;
  for (unsigned b = 0; b < count_; ++b) held |= words_.holders[b].value.load();
  for (unsigned reader = 0; reader < max_readers; ++reader) {
    if (!(held >> reader & 1) || reader == me_ || !locks_.lock(reader)) continue;
    for (unsigned b = 0; b < count_; ++b) words_.holders[b].value.fetch_and(~(uint64_t{1} << reader));
    locks_.unlock(reader);
  }
}

// tests/models: snapshots
Snapshots::Found Snapshots::find_free(unsigned& buffer) {
  uint64_t word;
  unsigned newest;
  if (!latest(word, newest)) return Found::corrupt;
  for (buffer = 0; buffer < count_; ++buffer) {
    uint64_t nobody = 0;
    if (buffer != newest && words_.holders[buffer].value.compare_exchange_strong(nobody, writer_bit))
      return Found::done;
  }
  return Found::none;
}

// tests/models: snapshots
Snapshots::Found Snapshots::begin(unsigned& buffer) {
  std::lock_guard<std::mutex> guard(mutex_);
  Found found = find_free(buffer);
  if (found == Found::none) sweep();
  // A reader that was too late has its mark on a buffer for an instant.
  for (int look = 0; found == Found::none && look < 20; ++look) {
    found = find_free(buffer);
    if (found == Found::none) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return found;
}

// tests/models: snapshots
void Snapshots::commit(unsigned buffer) {
  std::lock_guard<std::mutex> guard(mutex_);
  words_.holders[buffer].value.fetch_and(~writer_bit);
  uint64_t generation = words_.latest.value.load() >> 8;
  words_.latest.value.store((generation + 1) << 8 | buffer);
}

}  // namespace td::shm
