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

std::string saved(const Hasher& hasher) {
  std::string all;
  td_writer writer{&all, [](void* target, const void* data, size_t size, td_error**) -> td_status {
                     try {
                       static_cast<std::string*>(target)->append(static_cast<const char*>(data), size);
                       return TD_OK;
                     } catch (...) {
                       return TD_ERR_OOM;
                     }
                   }};
  hasher.save(writer);
  return all;
}

void restore(Hasher& hasher, std::string_view all) {
  td_reader reader{&all, [](void* source, void* out, size_t size, size_t* got, td_error**) -> td_status {
                     auto& left = *static_cast<std::string_view*>(source);
                     *got = size < left.size() ? size : left.size();
                     std::memcpy(out, left.data(), *got);
                     left.remove_prefix(*got);
                     return TD_OK;
                   }};
  hasher.load(reader);
}

Path hasher_key(size_t i) {
  return Path(std::vector<Key>{Key("hashes"), Key(std::to_string(i))});
}

std::vector<std::string> split(const std::string& rows, const std::vector<int64_t>& sizes) {
  std::vector<std::string> keys;
  size_t at = 0;
  for (int64_t size : sizes) {
    if (size < 0 || static_cast<size_t>(size) > rows.size() - at)
      throw Error(Code::argument, "not the state of a query: the rows are cut short").key("\"rows\"");
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

NodePtr Query::state() const {
  IndexMap::State map = map_->state();
  NodePtr state = TensorDict::make({});
  state->set(Path{"keys"}, numbers(map.hashes));
  state->set(Path{"values"}, numbers(map.indices));
  state->set(Path{"next"}, at::scalar_tensor(map.next, at::kLong));
  state->set(Path{"identity"}, bytes(identity()));
  if (map_->exact()) {
    std::string rows;
    std::vector<int64_t> sizes;
    for (const std::string& key : map.keys) rows += key, sizes.push_back(static_cast<int64_t>(key.size()));
    state->set(Path{"rows"}, bytes(rows));
    state->set(Path{"row_sizes"}, numbers(sizes));
  }
  std::vector<HasherPtr> all = hashers_;
  if (hashers_.size() > 1) all.push_back(aggregator_);
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i]->identity().empty()) state->set(hasher_key(i), bytes(saved(*all[i])));
  return state;
}

void Query::load_state(const Node& state, bool any_hash) {
  if (!any_hash && text(state, Path{"identity"}) != identity())
    throw Error(Code::argument, "the hashes were made by other hash types or configs")
        .hint("make the query with the same ones; it has now:" + identity());
  IndexMap::State map;
  map.hashes = numbers(state, Path{"keys"});
  map.indices = numbers(state, Path{"values"});
  if (state.get(Path{"next"}))
    map.next = entry(state, Path{"next"}, at::kLong, 0).item<int64_t>();
  else
    for (int64_t i : map.indices) map.next = i < map.next ? map.next : i + 1;
  if (map_->exact()) map.keys = split(text(state, Path{"rows"}), numbers(state, Path{"row_sizes"}));

  // Hashes first, into copies: a state that does not load must change nothing.
  std::vector<HasherPtr> hashers = hashers_;
  if (hashers_.size() > 1) hashers.push_back(aggregator_);
  for (size_t i = 0; i < hashers.size(); ++i) {
    if (!state.get(hasher_key(i)) || hashers[i]->identity().empty()) continue;
    hashers[i] = hashers[i]->clone();
    restore(*hashers[i], text(state, hasher_key(i)));
  }
  map_->load(std::move(map));
  if (hashers_.size() > 1) {
    aggregator_ = std::move(hashers.back());
    hashers.pop_back();
  }
  hashers_ = std::move(hashers);
}

}  // namespace td
