// From rows to hashes.
#include <algorithm>

#include <c10/util/SmallVector.h>

#include "core/error.h"
#include "core/query/batch.h"
#include "core/query/query.h"
#include "core/system/parallel.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

constexpr int64_t rows_at_once = 512, rows_a_thread = 16384;

}  // namespace

// Small pieces, so that what one step writes is still in the cache when the next reads it.
void Query::hash_piece(const QueryBatch& batch, int64_t begin, int64_t end, int64_t* out) const {
  size_t k = hashers_.size();
  auto hash = [&](size_t i, int64_t from, size_t n, int64_t* to) {
    const Rows& c = batch.columns[i];
    hashers_[i]->hash(c.data() + static_cast<size_t>(from) * c.stride(), n, c.row_bytes(), c.stride(), to);
  };
  if (k == 1) return hash(0, begin, static_cast<size_t>(end - begin), out + begin);
  int64_t room = std::min(rows_at_once, end - begin);
  c10::SmallVector<int64_t, 8> column(static_cast<size_t>(room)), matrix(static_cast<size_t>(room) * k);
  for (int64_t at = begin; at < end; at += rows_at_once) {
    auto n = static_cast<size_t>(std::min(rows_at_once, end - at));
    for (size_t i = 0; i < k; ++i) {
      hash(i, at, n, column.data());
      for (size_t row = 0; row < n; ++row) matrix[row * k + i] = column[row];
    }
    aggregator_->hash(reinterpret_cast<const uint8_t*>(matrix.data()), n, k * 8, k * 8, out + at);
  }
}

at::Tensor Query::hash_batch(const QueryBatch& batch, at::Tensor hashes) const {
  size_t k = hashers_.size();
  auto bytes = [](const HasherPtr& h) { return h->takes_bytes(); };
  auto safe = [](const HasherPtr& h) { return h->thread_safe(); };
  bool all_bytes = std::all_of(hashers_.begin(), hashers_.end(), bytes) && (k == 1 || aggregator_->takes_bytes());
  if (all_bytes) {
    auto* out = hashes.data_ptr<int64_t>();
    bool threads = options_.threads != 1 && std::all_of(hashers_.begin(), hashers_.end(), safe) &&
                   (k == 1 || aggregator_->thread_safe());
    if (batch.n > 0 && !threads) hash_piece(batch, 0, batch.n, out);
    if (threads)
      parallel_for(
          batch.n, rows_a_thread, [&](int64_t begin, int64_t end) { hash_piece(batch, begin, end, out); },
          options_.threads);
    return hashes;
  }
  if (k == 1) return hashers_[0]->hash(batch.tensors[0], names_[0]);
  std::vector<at::Tensor> columns;
  for (size_t i = 0; i < k; ++i) columns.push_back(hashers_[i]->hash(batch.tensors[i], names_[i]));
  return aggregator_->hash(at::stack(columns, -1), "the hashes of the keys");
}

}  // namespace td
