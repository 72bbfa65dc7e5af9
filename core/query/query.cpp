#include "core/query/query.h"

#include <algorithm>

#include "core/error.h"
#include "core/query/rows.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

bool runs_through(PathView path, PathView shorter) {
  return shorter.size() < path.size() && std::equal(shorter.begin(), shorter.end(), path.begin());
}

at::Tensor new_int64(int64_t n) {
  return at::empty({n}, at::kLong);
}

int64_t* values(const at::Tensor& t) {
  return t.data_ptr<int64_t>();
}

// Puts an entry back as it was when what follows fails.
class Restore {
 public:
  Restore(Node& data, PathView path) : data_(data), path_(path), before_(data.get(path)) {}
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;
  void keep() { done_ = true; }
  ~Restore() {
    if (done_) return;
    try {
      if (before_.is_tensor()) data_.set(path_, before_.tensor());
      if (before_.is_node()) data_.set(path_, before_.node());
      if (!before_ && data_.get(path_)) data_.erase_path(path_);
    } catch (...) {  // out of memory a second time: the first error is on its way
    }
  }

 private:
  Node& data_;
  PathView path_;
  Entry before_;
  bool done_ = false;
};

}  // namespace

Query::Query(std::vector<Path> in_keys, Options options) : in_keys_(std::move(in_keys)), options_(std::move(options)) {
  if (in_keys_.empty()) throw Error(Code::argument, "a query needs at least one key");
  PathView index = options_.index_key, hash = options_.hash_key;
  if (runs_through(index, hash) || runs_through(hash, index))
    throw Error(Code::argument, "the index key " + to_string(index) + " and the hash key " + to_string(hash) +
                                    " run through each other");
  size_t n = in_keys_.size() == 1 ? 1 : in_keys_.size() + 1;
  for (size_t i = 0; i < n; ++i) hashers_.emplace_back(options_.hash_type, options_.hash_config);
}

void Query::forward(Node& data, bool extend, bool write_hash) {
  at::Tensor hashes;
  hash_rows(data, hashes);
  int64_t n = hashes.size(0);
  check_writable(data, options_.index_key, n);
  if (write_hash) check_writable(data, options_.hash_key, n);

  at::Tensor indices = new_int64(n);
  size_t before = map_.size();
  if (extend)
    map_.extend(values(hashes), static_cast<size_t>(n), values(indices));
  else
    map_.look_up(values(hashes), static_cast<size_t>(n), values(indices));
  try {
    Restore index(data, options_.index_key);
    data.set(options_.index_key, std::move(indices));
    if (write_hash) data.set(options_.hash_key, std::move(hashes));
    index.keep();
  } catch (...) {
    map_.shrink(before);
    throw;
  }
}

void Query::hash_rows(const Node& data, at::Tensor& hashes) const {
  std::vector<Rows> columns;
  for (const Path& key : in_keys_) {
    columns.emplace_back(data.tensor(key), to_string(key));
    if (columns.back().size() != columns.front().size())
      throw Error(Code::shape, "it has " + std::to_string(columns.back().size()) + " rows, " + to_string(in_keys_[0]) +
                                   " has " + std::to_string(columns.front().size()))
          .key(to_string(key))
          .hint("rows are counted along the leading dim and must be equally many");
  }
  size_t n = columns.front().size(), k = columns.size();
  hashes = new_int64(static_cast<int64_t>(n));
  auto hash = [&](size_t i, int64_t* out) {
    const Rows& c = columns[i];
    hashers_[i].hash(c.data(), c.size(), c.row_bytes(), c.stride(), out);
  };
  if (k == 1) return hash(0, values(hashes));

  std::vector<int64_t> column(n), matrix(n * k);
  for (size_t i = 0; i < k; ++i) {
    hash(i, column.data());
    for (size_t row = 0; row < n; ++row) matrix[row * k + i] = column[row];
  }
  size_t row_bytes = k * sizeof(int64_t);
  // An empty vector has no data, and a plugin is promised that its rows are valid.
  static const int64_t nothing = 0;
  const int64_t* rows = n == 0 ? &nothing : matrix.data();
  hashers_.back().hash(reinterpret_cast<const uint8_t*>(rows), n, row_bytes, row_bytes, values(hashes));
}

void Query::check_writable(const Node& data, PathView path, int64_t n_rows) const {
  const Node* parent = &data;
  NodePtr hold;
  for (size_t depth = 0; depth + 1 < path.size(); ++depth) {
    Entry e = parent->find(path[depth]);
    if (!e) break;
    if (e.is_tensor()) throw Error(Code::key, "the path runs through a tensor").key(to_string(path));
    hold = e.take_node();
    parent = hold.get();
  }
  if (parent->locked())
    throw Error(Code::locked, "cannot modify a locked dict").key(to_string(path)).hint("unlock it first");
  at::IntArrayRef batch = parent->batch_size();
  if (batch.size() > 1 || (batch.size() == 1 && batch[0] != n_rows))
    throw Error(Code::shape, "batch mismatch: batch size " + to_string(batch) + ", the results have the shape [" +
                                 std::to_string(n_rows) + "]")
        .key(to_string(path))
        .hint("rows are counted along the leading dim of the inputs only");
}

}  // namespace td
