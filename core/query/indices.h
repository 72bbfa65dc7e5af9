// Dense indices for 64-bit hashes: the first occurrence of a hash gets the next free index. Every value is legal as a
// hash, 0 and -1 too. The map behind it is this process's own (IndexMap), a file that one process writes and others
// read (FileMap), or such a file with new rows in front of it (LayeredMap).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <c10/util/intrusive_ptr.h>

namespace td {

class Indices : public c10::intrusive_ptr_target {
 public:
  // The bytes of row `i` of a batch, for maps that compare keys and not only hashes.
  using Keys = std::function<std::string(size_t i)>;

  // The hashes, in the order of the indices.
  struct State {
    std::vector<int64_t> hashes, indices;
    int64_t next = 0;
    std::vector<std::string> keys;  // exact maps only
  };

  virtual int64_t size() const = 0;
  virtual int64_t next() const = 0;  // indices handed out so far: one more than the largest
  virtual bool exact() const { return false; }
  virtual int64_t collisions() const { return 0; }  // different keys with one hash, met while extending
  virtual int64_t evictions() const { return 0; }
  virtual int64_t nbytes() const = 0;

  // The index of each hash, -1 for those that are not there. `below` is what next() gave: with the same one, another
  // process's inserts in between change no answer. Does not count as use.
  virtual void look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t below, const Keys* keys) const = 0;

  // The same, but hashes that are not there get indices in their order: freed ones first, the smallest first. Nothing
  // has changed if it throws.
  virtual void extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) = 0;
  // After each extend, one of the two: lets other processes see what is new; or takes it back.
  virtual void keep() noexcept {}
  virtual void undo() noexcept = 0;

  // Forgets entries and frees their indices; returns how many were there.
  virtual int64_t erase(const int64_t* hashes, size_t n, const Keys* keys) = 0;
  virtual void clear() = 0;

  virtual State state() const = 0;
  virtual void load(State state) = 0;  // replaces everything
};

using IndicesPtr = c10::intrusive_ptr<Indices>;

}  // namespace td
