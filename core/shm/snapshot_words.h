// Words in a segment's first page: which snapshot buffer is the newest, and who holds which. The
// writer fills a buffer that no process holds and then names it the newest; a reader marks the one it found and looks
// again. So a reader never waits, sees no half of an update, and a writer that dies in the middle has changed nothing.
#pragma once

#include <mutex>

#include "core/shm/control.h"
#include "core/system/lock_bytes.h"

namespace td::shm {

inline constexpr unsigned max_snapshots = 8, max_readers = 62;

struct alignas(128) SnapshotWord {
  Word value;
  uint64_t reserved[15];
};
// From byte 512 of the page.
struct SnapshotWords {
  SnapshotWord latest;                  // {generation:56, buffer:8}
  SnapshotWord holders[max_snapshots];  // a bit for each reader, and the writer's
};
static_assert(sizeof(SnapshotWords) == 128 * 9, "the layout is the format");
inline constexpr size_t snapshot_words_offset = 512;

class Snapshots {
 public:
  enum class Found { done, none, corrupt };

  // `fd` is a description of its own of the segment's file.
  Snapshots(SnapshotWords& words, unsigned count, storage::Fd file)
      : words_(words), count_(count), locks_(std::move(file)) {}
  ~Snapshots();

  // Marks the newest buffer; each is to be let go of once. `none` if all places for readers are taken.
  Found pin(unsigned& buffer);
  void let_go(unsigned buffer);

  // For the writer: takes a buffer without holders, which becomes the newest. `none` if readers hold all others.
  Found begin(unsigned& buffer);
  void commit(unsigned buffer);

  bool ours() const { return locks_.ours(); }

 private:
  bool join();
  bool latest(uint64_t& word, unsigned& buffer) const;
  void sweep();
  Found find_free(unsigned& buffer);

  SnapshotWords& words_;
  unsigned count_;
  LockBytes locks_;
  std::mutex mutex_;
  unsigned me_ = max_readers;  // not one of the readers yet
  unsigned pins_[max_snapshots] = {};
};

}  // namespace td::shm
