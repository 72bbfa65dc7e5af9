// What a query remembers, as a dict that can be saved like any other.
#include <cstring>

#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/query/query.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

at::Tensor numbers(const std::vector<int64_t>& list) {
  at::Tensor t = at::empty({static_cast<int64_t>(list.size())}, at::kLong);
  if (!list.empty()) std::memcpy(t.data_ptr<int64_t>(), list.data(), list.size() * sizeof(int64_t));
  return t;
}

at::Tensor bytes(const std::string& text) {
  at::Tensor t = at::empty({static_cast<int64_t>(text.size())}, at::kByte);
  if (!text.empty()) std::memcpy(t.data_ptr<uint8_t>(), text.data(), text.size());
  return t;
}

at::Tensor entry(const Node& state, const Path& key, at::ScalarType type, int64_t dims) {
  at::Tensor t = state.tensor(key);
  if (t.scalar_type() != type || t.dim() != dims)
    throw Error(Code::argument, std::string("not the state of a query: it is ") + c10::toString(t.scalar_type()) +
                                    " of shape " + to_string(t.sizes()))
        .key(to_string(key));
  return t.detach().cpu().contiguous();
}

std::vector<int64_t> numbers(const Node& state, const Path& key) {
  at::Tensor t = entry(state, key, at::kLong, 1);
  const int64_t* p = t.data_ptr<int64_t>();
  return {p, p + t.numel()};
}

std::string text(const Node& state, const Path& key) {
  at::Tensor t = entry(state, key, at::kByte, 1);
  return {reinterpret_cast<const char*>(t.data_ptr<uint8_t>()), static_cast<size_t>(t.numel())};
}

Path hasher_key(size_t i) {
  return Path(std::vector<Key>{Key("hashes"), Key(std::to_string(i))});
}

std::vector<std::string> split(const std::string& rows, const std::vector<int64_t>& sizes) {
  std::vector<std::string> keys;
  size_t at = 0;
  for (int64_t size : sizes) {
    if (size < 0 || static_cast<size_t>(size) > rows.size() - at)
      throw Error(Code::argument, "not the state of a query: the rows are truncated").key("\"rows\"");
    keys.push_back(rows.substr(at, static_cast<size_t>(size)));
    at += static_cast<size_t>(size);
  }
  return keys;
}

}  // namespace

std::string Query::identity() const {
  std::string all = options_.canonical ? "canonical\n" : "\n";
  for (const HasherPtr& h : hashers_) all += h->identity() + "\n";
  if (hashers_.size() > 1) all += aggregator_->identity() + "\n";
  return all;
}

namespace {

void write_arrays(Node& state, const Indices::State& map, bool exact) {
  state.set(Path{"keys"}, numbers(map.hashes));
  state.set(Path{"values"}, numbers(map.indices));
  state.set(Path{"next"}, at::scalar_tensor(map.next, at::kLong));
  if (!exact) return;
  std::string rows;
  std::vector<int64_t> sizes;
  for (const std::string& key : map.keys) rows += key, sizes.push_back(static_cast<int64_t>(key.size()));
  state.set(Path{"rows"}, bytes(rows));
  state.set(Path{"row_sizes"}, numbers(sizes));
}

// A map of the caller's writes what it likes, but for the entries that are the query's.
void write_custom(Node& state, const CustomMap& map) {
  map.write(state);
  for (const char* ours : {"identity", "hashes"})
    if (state.get(Path{ours}))
      throw Error(Code::callback, "`state` of a custom map wrote an entry under a key that belongs to the query")
          .key('"' + std::string(ours) + '"');
  if (state.batch_dims() > 0 || state.locked())
    throw Error(Code::callback, "`state` of a custom map changed the batch size of the dict, or locked it");
}

}  // namespace

NodePtr Query::state() const {
  NodePtr state = TensorDict::make({});
  if (const CustomMap* own = custom_map(map_))
    write_custom(*state, *own);
  else
    write_arrays(*state, map_->state(), map_->exact());
  state->set(Path{"identity"}, bytes(identity()));
  std::vector<HasherPtr> all = all_hashers();
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i]->identity().empty()) state->set(hasher_key(i), bytes(saved_state(*all[i])));
  return state;
}

Indices::State Query::map_state(const Node& state) const {
  Indices::State map;
  map.hashes = numbers(state, Path{"keys"});
  map.indices = numbers(state, Path{"values"});
  if (state.get(Path{"next"}))
    map.next = entry(state, Path{"next"}, at::kLong, 0).item<int64_t>();
  else
    for (int64_t i : map.indices) map.next = i < map.next ? map.next : i + 1;
  if (map_->exact()) map.keys = split(text(state, Path{"rows"}), numbers(state, Path{"row_sizes"}));
  return map;
}

void Query::load_state(const Node& state, bool any_hash) {
  if (!any_hash && text(state, Path{"identity"}) != identity())
    throw Error(Code::argument, "the hashes were made by other hash types or configs")
        .hint("make the query with the same hash types and configs; it now has:" + identity());
  CustomMap* own = custom_map(map_);
  Indices::State map = own ? Indices::State() : map_state(state);

  // Hashes first, into copies: a state that does not load must change nothing.
  std::vector<HasherPtr> hashers = all_hashers();
  for (size_t i = 0; i < hashers.size(); ++i) {
    if (!state.get(hasher_key(i)) || hashers[i]->identity().empty()) continue;
    hashers[i] = hashers[i]->clone();
    restore_state(*hashers[i], text(state, hasher_key(i)));
  }
  if (own)
    own->read(state);
  else
    map_->load(std::move(map));
  use(std::move(hashers));
}

std::vector<HasherPtr> Query::all_hashers() const {
  std::vector<HasherPtr> all = hashers_;
  if (hashers_.size() > 1) all.push_back(aggregator_);
  return all;
}

void Query::use(std::vector<HasherPtr> all) {
  if (hashers_.size() > 1) {
    aggregator_ = std::move(all.back());
    all.pop_back();
  }
  hashers_ = std::move(all);
}

}  // namespace td
