// The map of a query where it is the caller's: functions that may fail, tell untruths or come back here.
#pragma once

#include <utility>

#include "core/dict/node.h"
#include "core/query/indices.h"

namespace td {

class CustomMap final : public Indices {
 public:
  // `look_up`, `insert` and `numbers` are there; the others may be empty.
  struct Functions {
    std::function<void(const int64_t*hashes, size_t n, int64_t*indices)> look_up, insert;
    std::function<void(const int64_t* hashes, size_t n)> erase;
    std::function<std::pair<int64_t, int64_t>()> numbers;  // the size, and one more than the largest index
    std::function<void()> clear;
    std::function<void(Node& state)> write;
    std::function<void(const Node& state)> read;
  };
  explicit CustomMap(Functions functions) : functions_(std::move(functions)) {}

  int64_t size() const override { return numbers().first; }
  int64_t next() const override { return numbers().second; }
  int64_t nbytes() const override { return 0; }  // it is not this library's memory

  // All throw Error(callback) for a function that fails, and for indices and numbers that cannot be; Error(unsupported)
  // for a function that is not there, and inside of one of this map's functions.
  void look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t below, const Keys* keys) const override;
  // After a failure the map is asked to forget what was new, which needs `erase`.
  void extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) override;
  void keep() noexcept override { added_.clear(); }
  void undo() noexcept override;
  int64_t erase(const int64_t* hashes, size_t n, const Keys* keys) override;
  void clear() override;

  // Into an empty dict, and from one that the same function filled, among other entries.
  void write(Node& state) const;
  void read(const Node& state);

  // A map that is asked for its arrays says that it has none: see `write` and `read`.
  State state() const override;
  void load(State state) override;

  void check_outside() const;  // throws inside of one of this map's functions, on the same thread

 private:
  class Inside;
  std::pair<int64_t, int64_t> numbers() const;
  void check(const char* function, const int64_t* hashes, size_t n, const int64_t* indices, int64_t lowest) const;

  Functions functions_;
  std::vector<int64_t> added_;  // of the last extend, to take it back
};

// Null if the map is one of the library's own.
CustomMap* custom_map(const IndicesPtr& map);

}  // namespace td
