// Rows of a store drawn at random.
#include <algorithm>
#include <unordered_map>

#include <ATen/ops/randint.h>

#include "core/error.h"
#include "core/query/row_store.h"
#include "core/tensor/generator.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

// `count` different numbers below `n`: the beginning of a shuffle of all of them, of which only what moved is kept.
at::Tensor shuffled(int64_t count, int64_t n, const optional<at::Generator>& generator) {
  at::Tensor draws = at::empty({count}, at::kLong);
  draws.random_(generator);  // 63 bits: the remainder is as good as uniform
  std::unordered_map<int64_t, int64_t> moved;
  auto at_place = [&](int64_t i) {
    auto it = moved.find(i);
    return it == moved.end() ? i : it->second;
  };
  int64_t* chosen = draws.data_ptr<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t other = i + chosen[i] % (n - i), mine = at_place(i);
    chosen[i] = at_place(other);
    moved[other] = mine;
  }
  return draws;
}

}  // namespace

at::Tensor RowStore::sample(int64_t count, bool distinct, Generator* from) const {
  if (count < 0) throw Error(Code::argument, "the number of rows to sample is " + std::to_string(count));
  if (size_ == 0) throw Error(Code::index, "the store has no rows to sample from");
  if (distinct && count > size_)
    throw Error(Code::argument,
                "cannot sample " + std::to_string(count) + " different rows from a store of " + std::to_string(size_))
        .hint("sample fewer rows, or sample with replacement");
  optional<at::Generator> generator;
  if (from) generator = from->get();
  at::Tensor drawn = distinct ? shuffled(count, size_, generator) : at::randint(size_, {count}, generator, at::kLong);

  const auto end = present_.begin() + std::min<int64_t>(size_, static_cast<int64_t>(present_.size()));
  if (std::find(present_.begin(), end, false) == end) return drawn;  // the rows are those below size_
  std::vector<int64_t> rows;
  rows.reserve(static_cast<size_t>(size_));
  for (size_t i = 0; i < present_.size(); ++i)
    if (present_[i]) rows.push_back(static_cast<int64_t>(i));
  int64_t* index = drawn.data_ptr<int64_t>();
  for (int64_t i = 0; i < count; ++i) index[i] = rows[static_cast<size_t>(index[i])];
  return drawn;
}

}  // namespace td
