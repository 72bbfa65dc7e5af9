// An index map in shared memory: one process writes, any number read without locks and without a system call. Hashes
// are only ever appended, and slots only ever filled, so what a reader sees is what there was when it read the count: a
// writer that dies leaves no more behind than slots which point past the count, and nobody follows those.
#pragma once

#include "core/query/index_table.h"
#include "core/shm/control.h"

namespace td::shm {

// The words that the writer changes while others read.
struct MapWords {
  alignas(128) Word count;       // of hashes that are there for all
  alignas(128) Word generation;  // which table is in use
  alignas(128) Word unfinished;  // not 0 while slots may point past the count
  Word writer_pid;               // a hint for people
};
static_assert(offsetof(MapWords, generation) == 128 && offsetof(MapWords, unfinished) == 256 && sizeof(MapWords) == 384,
              "the layout is the format");

// The layout: hashes, then tables, each with twice the slots of the one before. Readers of an old table still
// find in it what it held when they began.
struct MapShape {
  uint64_t capacity = 0;     // hashes
  uint64_t first_slots = 0;  // of the first table
  uint32_t generations = 0;  // tables

  uint64_t slots(uint64_t generation) const { return first_slots << generation; }
  uint64_t first_slot(uint64_t generation) const { return first_slots * ((uint64_t{1} << generation) - 1); }
  uint64_t all_slots() const { return first_slot(generations); }
};

// Any content of the memory is answered without leaving it; what makes no sense finds nothing.
class MapReader {
 public:
  MapReader(const MapWords& words, const int64_t* hashes, const uint64_t* slots, const MapShape& shape)
      : words_(words), hashes_(hashes), slots_(slots), shape_(shape) {}

  uint64_t count() const;
  // The index of each hash, -1 for those that are not among the first `below`, which is what count() said, or less.
  void look_up(const int64_t* wanted, size_t n, int64_t* indices, uint64_t below) const;
  // False for words that no writer ever leaves.
  bool possible() const;

  uint64_t generation() const;  // which of the tables is in use
  uint64_t writer_pid() const { return words_.writer_pid.load(); }
  const int64_t* hashes() const { return hashes_; }

 private:
  const MapWords& words_;
  const int64_t* hashes_;
  const uint64_t* slots_;
  MapShape shape_;
};

// Memory that is about to be written for the first time; throws if there is none.
class MapSpace {
 public:
  virtual void hashes(uint64_t end) = 0;                 // from the front
  virtual void slots(uint64_t begin, uint64_t end) = 0;  // and all of them 0
 protected:
  ~MapSpace() = default;
};

// There is one of it at a time; the lock that makes sure of it is not here.
class MapWriter {
 public:
  MapWriter(MapWords& words, int64_t* hashes, uint64_t* slots, const MapShape& shape, MapSpace& space)
      : words_(words), hashes_(hashes), slots_(slots), shape_(shape), space_(space) {}

  // Repairs the words after any earlier writer, however it ended. False for words that no writer ever leaves.
  bool take_over(uint64_t pid);

  // Gives hashes that are not there the next indices, in their order. Readers see them after keep(), all atomically.
  // False, and nothing has changed, if there are more than the capacity.
  bool extend(const int64_t* wanted, size_t n, int64_t* indices);
  void keep() noexcept;
  void undo() noexcept;

  // An index without a hash in the tables, for files made of maps with holes.
  void skip();

 private:
  IndexTable table() const;
  uint64_t* slots() const { return slots_ + shape_.first_slot(generation_); }
  void make_room(uint64_t more);
  void grow();
  int64_t find_or_append(int64_t hash);
  void place(uint64_t slot, uint64_t* into, uint64_t size);

  MapWords& words_;
  int64_t* hashes_;
  uint64_t* slots_;
  MapShape shape_;
  MapSpace& space_;
  uint64_t generation_ = 0;
  uint64_t kept_ = 0, count_ = 0;  // hashes that readers see; and all
};

}  // namespace td::shm
