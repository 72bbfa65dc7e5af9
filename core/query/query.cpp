#include "core/query/query.h"

#include <algorithm>

#include "core/dict/change/edit.h"
#include "core/dict/copy.h"
#include "core/dict/select.h"
#include "core/error.h"
#include "core/query/batch.h"
#include "core/query/index_map.h"
#include "core/system/parallel.h"
#include "core/tensor/fast.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

bool runs_through(PathView path, PathView shorter) {
  return shorter.size() < path.size() && std::equal(shorter.begin(), shorter.end(), path.begin());
}

bool same_path(PathView a, PathView b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

int64_t* values(const at::Tensor& t) {
  return t.data_ptr<int64_t>();
}

// Results of few rows share one allocation; many rows must not be kept alive by one index that a caller holds.
struct Results {
  explicit Results(int64_t n) {
    if (n > 4096 || fast::level() < fast::Level::arena) {
      hashes = at::empty({n}, at::kLong);
      indices = at::empty({n}, at::kLong);
      return;
    }
    fast::Arena arena;
    for (int i = 0; i < 2; ++i) arena.plan({n}, at::kLong);
    hashes = arena.take({n}, at::kLong);
    indices = arena.take({n}, at::kLong);
  }
  at::Tensor hashes, indices;
};

std::vector<HasherPtr> choose(const Query::Options& o, size_t k) {
  if (!o.hashes.empty()) {
    if (o.hashes.size() != k)
      throw Error(Code::argument,
                  std::to_string(o.hashes.size()) + " hashes were given for " + std::to_string(k) + " keys");
    return o.hashes;
  }
  std::vector<HasherPtr> chosen;
  if (!o.hash) {
    for (size_t i = 0; i < k; ++i) chosen.push_back(make_hasher(o.hash_type, o.hash_config));
  } else if (k == 1) {
    chosen.push_back(o.hash);
  } else {
    for (size_t i = 0; i < k; ++i) chosen.push_back(o.hash->clone());
  }
  return chosen;
}

}  // namespace

Query::Query(std::vector<Path> in_keys, Options options) : in_keys_(std::move(in_keys)), options_(std::move(options)) {
  if (in_keys_.empty()) throw Error(Code::argument, "a query needs at least one key");
  PathView index = options_.index_key, hash = options_.hash_key;
  if (runs_through(index, hash) || runs_through(hash, index))
    throw Error(Code::argument, "the index key " + to_string(index) + " and the hash key " + to_string(hash) +
                                    " overlap: one is part of the other");
  if (options_.hash && !options_.hashes.empty())
    throw Error(Code::argument, "one hash for all keys and a list of hashes were both given");
  if (options_.threads < 0) throw Error(Code::argument, "the number of threads is negative");
  for (const Path& key : in_keys_) names_.push_back(to_string(key));
  hashers_ = choose(options_, in_keys_.size());
  aggregator_ = options_.aggregator;
  if (!aggregator_ && in_keys_.size() > 1)
    aggregator_ = options_.hash             ? options_.hash
                  : options_.hashes.empty() ? make_hasher(options_.hash_type, options_.hash_config)
                                            : make_hasher("td.siphash", "");
  map_ = options_.map;
  if (custom_map(map_) && (options_.exact || options_.capacity != 0))
    throw Error(Code::argument, "a custom map can be used neither with exact keys nor with a capacity");
  if (!map_) map_ = c10::make_intrusive<IndexMap>(options_.capacity, options_.exact);
  reset_out_keys();
}

void Query::reset_out_keys() {
  selected_ = {options_.index_key, options_.hash_key};
}

void Query::select_out_keys(const std::vector<Path>& keys) {
  for (const Path& key : keys)
    if (std::none_of(selected_.begin(), selected_.end(), [&](const Path& k) { return same_path(k, key); }))
      throw Error(Code::key, "the key is not an out-key of the query").key(to_string(key));
  selected_ = keys;
}

QueryBatch Query::batch_of(const Node& data) const {
  return {data, in_keys_, names_, options_.canonical,
          [this](size_t i) { return hashers_[i]->takes_bytes() || map_->exact(); }};
}

NodePtr Query::forward(const NodePtr& data, const Call& call) {
  QueryBatch batch = batch_of(*data);
  NodePtr target = call.clone.value_or(options_.clone) ? shallow_copy(*data) : data;
  check_writable(*target, options_.index_key, batch.n);
  if (call.write_hash) check_writable(*target, options_.hash_key, batch.n);
  if (call.found_key) check_writable(*target, *call.found_key, batch.n);
  Results results(batch.n);
  at::Tensor hashes = hash_batch(batch, std::move(results.hashes));
  auto n = static_cast<size_t>(batch.n);
  int64_t* indices = values(results.indices);
  IndexMap::Keys keys = [&](size_t row) { return batch.key_of(row); };

  at::Tensor found;
  int64_t next = 0;
  if (call.found_key || !call.extend) {
    next = find(batch, hashes, indices);
    if (call.found_key) found = results.indices.ge(0);
  }
  if (call.extend)
    map_->extend(values(hashes), n, indices, &keys);
  else
    answer_misses(indices, n, next);
  try {
    Edit edit;
    edit.set(*target, options_.index_key, results.indices);
    if (call.write_hash) edit.set(*target, options_.hash_key, hashes);
    if (call.found_key) edit.set(*target, *call.found_key, found);
    if (selected_.size() < 2) {
      std::vector<Path> kept = in_keys_, dropped;
      kept.insert(kept.end(), selected_.begin(), selected_.end());
      for (const Path& key : {options_.index_key, options_.hash_key})
        if (std::none_of(kept.begin(), kept.end(), [&](const Path& k) { return same_path(k, key); }))
          dropped.push_back(key);
      drop_keys(*target, dropped, kept);
    }
    edit.keep();
  } catch (...) {
    if (call.extend) map_->undo();
    throw;
  }
  if (call.extend) map_->keep();
  return target;
}

// Gives the number of indices that were handed out when it looked.
int64_t Query::find(const QueryBatch& batch, const at::Tensor& hashes, int64_t* indices) const {
  const int64_t* wanted = values(hashes);
  const int64_t next = map_->next();
  auto look = [&](int64_t begin, int64_t end) {
    IndexMap::Keys keys = [&](size_t row) { return batch.key_of(static_cast<size_t>(begin) + row); };
    map_->look_up(wanted + begin, static_cast<size_t>(end - begin), indices + begin, next, &keys);
  };
  if (options_.threads == 1 || custom_map(map_))
    look(0, batch.n);
  else
    parallel_for(batch.n, 16384, look, options_.threads);
  return next;
}

void Query::answer_misses(int64_t* indices, size_t n, int64_t next) const {
  for (size_t i = 0; i < n; ++i) {
    if (indices[i] >= 0) continue;
    if (options_.miss == Miss::error)
      throw Error(Code::key, "row " + std::to_string(i) + " is not in the map")
          .hint("extend the map, or ask for a mask");
    if (options_.miss == Miss::size) indices[i] = next;
  }
}

at::Tensor Query::hash(const Node& data) const {
  QueryBatch batch = batch_of(data);
  return hash_batch(batch, at::empty({batch.n}, at::kLong));
}

at::Tensor Query::look_up(const Node& data) const {
  QueryBatch batch = batch_of(data);
  at::Tensor indices = at::empty({batch.n}, at::kLong);
  find(batch, hash_batch(batch, at::empty({batch.n}, at::kLong)), values(indices));
  return indices;
}

at::Tensor Query::extend(const Node& data) {
  QueryBatch batch = batch_of(data);
  at::Tensor indices = at::empty({batch.n}, at::kLong), hashes = hash_batch(batch, at::empty({batch.n}, at::kLong));
  IndexMap::Keys keys = [&](size_t row) { return batch.key_of(row); };
  map_->extend(values(hashes), static_cast<size_t>(batch.n), values(indices), &keys);
  return indices;
}

at::Tensor Query::contains(const Node& data) const {
  return look_up(data).ge(0);
}

int64_t Query::erase(const Node& data) {
  QueryBatch batch = batch_of(data);
  at::Tensor hashes = hash_batch(batch, at::empty({batch.n}, at::kLong));
  IndexMap::Keys keys = [&](size_t row) { return batch.key_of(row); };
  return map_->erase(values(hashes), static_cast<size_t>(batch.n), &keys);
}

void Query::clear() {
  map_->clear();
}

void Query::check_outside() const {
  if (const CustomMap* own = custom_map(map_)) own->check_outside();
}

void Query::check_writable(const Node& data, PathView path, int64_t n_rows) const {
  const Node* parent = &data;
  NodePtr hold;
  for (size_t depth = 0; depth + 1 < path.size(); ++depth) {
    Entry e = parent->find(path[depth]);
    if (!e) break;
    if (!e.is_node()) throw runs_through(e, path);
    hold = e.take_node();
    parent = hold.get();
  }
  if (parent->locked())
    throw Error(Code::locked, "cannot modify a locked dict").key(to_string(path)).hint("unlock the dict first");
  at::IntArrayRef batch = parent->batch_size();
  if (batch.size() > 1 || (batch.size() == 1 && batch[0] != n_rows))
    throw Error(Code::shape, "batch mismatch: batch size " + to_string(batch) + ", but the results have shape [" +
                                 std::to_string(n_rows) + "]")
        .key(to_string(path))
        .hint("the rows of a query are along the leading dim of the inputs only");
}

}  // namespace td
