// What an index map remembers, as plain arrays, and back.
#include <algorithm>

#include "core/error.h"
#include "core/query/index_map.h"

namespace td {

namespace {

[[noreturn]] void bad_state(const std::string& what) {
  throw Error(Code::argument, "not the state of an index map: " + what);
}

void check_indices(const IndexMap::State& state, std::vector<bool>& there) {
  for (int64_t index : state.indices) {
    if (index < 0 || index >= state.next)
      bad_state("the index " + std::to_string(index) + " is not below the next one, " + std::to_string(state.next));
    if (there[static_cast<size_t>(index)]) bad_state("the index " + std::to_string(index) + " appears twice");
    there[static_cast<size_t>(index)] = true;
  }
}

}  // namespace

IndexMap::State IndexMap::state() const {
  State state;
  IndexTable t = table();
  state.next = next();
  for (uint64_t i = 0; i < count_; ++i) {
    if (i < holes_.size() && holes_[i]) continue;
    state.hashes.push_back(t.hashes[i]);
    state.indices.push_back(static_cast<int64_t>(i));
    if (exact_) state.keys.push_back(keys_[i]);
  }
  return state;
}

void IndexMap::load(State state) {
  size_t n = state.hashes.size();
  if (state.indices.size() != n)
    bad_state(std::to_string(n) + " hashes and " + std::to_string(state.indices.size()) + " indices");
  if (state.keys.size() != (exact_ ? n : 0))
    bad_state(exact_ ? "a map with exact keys needs the bytes of its rows" : "it belongs to a map with exact keys");
  // Each index costs memory, also one that nothing is kept under: a few bytes must not ask for gigabytes.
  int64_t free_of_charge = int64_t{1} << (exact_ ? 22 : 24);
  if (state.next < 0 || state.next > IndexTable::limit || state.next > free_of_charge + 1024 * static_cast<int64_t>(n))
    bad_state("the next index is " + std::to_string(state.next));
  if (capacity_ > 0 && (static_cast<int64_t>(n) > capacity_ || state.next > capacity_))
    bad_state("more entries than the capacity, " + std::to_string(capacity_));
  std::vector<bool> there(static_cast<size_t>(state.next));
  check_indices(state, there);

  IndexMap made(capacity_, exact_);
  made.grow(std::max<uint64_t>(16, n + n / 3 + 1));
  made.hashes_.resize(static_cast<size_t>(state.next));
  made.count_ = static_cast<uint64_t>(state.next);
  if (exact_) made.keys_.resize(made.count_);
  if (capacity_ > 0) made.stamps_.resize(made.count_);
  Keys keys = [&](size_t row) { return state.keys[row]; };
  for (size_t i = 0; i < n; ++i) {
    auto index = static_cast<uint32_t>(state.indices[i]);
    if (made.find(state.hashes[i], i, exact_ ? &keys : nullptr) >= 0) bad_state("a hash appears twice");
    made.hashes_[index] = state.hashes[i];
    if (exact_) made.keys_[index] = std::move(state.keys[i]);
    made.put_slot(state.hashes[i], index);
    if (capacity_ > 0) made.touch(index);
  }
  there.flip();
  made.holes_ = std::move(there);
  made.steps_.clear();

  slots_.swap(made.slots_), hashes_.swap(made.hashes_), holes_.swap(made.holes_), free_.swap(made.free_);
  keys_.swap(made.keys_), stamps_.swap(made.stamps_), recent_.swap(made.recent_), steps_.swap(made.steps_);
  count_ = made.count_, used_ = made.used_, live_ = made.live_, oldest_ = made.oldest_, clock_ = made.clock_;
  collisions_ = evictions_ = 0;
}

}  // namespace td
