// Rows of dicts by index, and with a query, maps from rows to rows.
//
//     RowMap map(query, store);
//     map.set(observations, values);
//     Dict values = map.get(observations);
#ifndef TENSORDICT_STORE_HPP
#define TENSORDICT_STORE_HPP

#include "query.hpp"

namespace tensordict {

struct StoreOptions {
  std::int64_t capacity = 0;  // rows at most; 0: no limit
  bool preallocate = false;   // take the memory of all rows at the first write
  std::string path = {};      // keep the rows in this directory; "": in memory
};

struct SampleOptions {
  bool without_replacement = false;  // all rows of a sample are different
};

class Store : public Handle<Store, td_store, td_store_retain, td_store_release> {
 public:
  explicit Store(Adopted raw) noexcept : Handle(raw) {}
  explicit Store(const StoreOptions& options) : Store(created(options)) {}

  // Copies row i of `rows` to the int64 index[i].
  void set(const Tensor& index, const Dict& rows) {
    detail::call(td_store_set, Handle::get(), index.get(), rows.get());
  }
  Dict get(const Tensor& index) const { return detail::made<Dict>(td_store_get, Handle::get(), index.get()); }
  Tensor contains(const Tensor& index) const {
    return detail::made<Tensor>(td_store_contains, Handle::get(), index.get());
  }
  // Rows drawn at random, and their indices.
  std::pair<Dict, Tensor> sample(std::int64_t batch_size, const SampleOptions& options = {},
                                 WithGenerator generator = {}) const {
    td_sample_options raw = TD_SAMPLE_OPTIONS_INIT;
    raw.without_replacement = options.without_replacement;
    td_dict* rows = nullptr;
    td_tensor* index = nullptr;
    detail::call(td_store_sample, Handle::get(), batch_size, &raw, generator.get(), &rows, &index);
    Dict owned = Dict::adopt(rows);
    return {std::move(owned), Tensor::adopt(index)};
  }
  void clear() { detail::call(td_store_clear, Handle::get()); }
  std::int64_t size() const noexcept { return td_store_size(Handle::get()); }
  StoreOptions options() const {
    td_store_options raw = TD_STORE_OPTIONS_INIT;
    detail::call(td_store_get_options, Handle::get(), &raw);
    return {raw.capacity, raw.preallocate != 0, raw.path.data ? std::string(detail::view(raw.path)) : std::string()};
  }
  using Handle::get;

 private:
  static Store created(const StoreOptions& options) {
    td_store_options raw = TD_STORE_OPTIONS_INIT;
    raw.capacity = options.capacity;
    raw.preallocate = options.preallocate;
    raw.path = detail::optional_str(options.path);
    return detail::made<Store>(td_store_new, &raw);
  }
};

class RowMap : public Handle<RowMap, td_row_map, td_row_map_retain, td_row_map_release> {
 public:
  explicit RowMap(Adopted raw) noexcept : Handle(raw) {}
  // Keeps both.
  RowMap(Query& query, Store& store) : RowMap(detail::made<RowMap>(td_row_map_new, query.get(), store.get())) {}

  // Stores each row of `rows` under that of `keys`.
  void set(const Dict& keys, const Dict& rows) { detail::call(td_row_map_set, Handle::get(), keys.get(), rows.get()); }
  // IndexError naming the first that is not there.
  Dict get(const Dict& keys) const { return detail::made<Dict>(td_row_map_get, Handle::get(), keys.get()); }
  Tensor contains(const Dict& keys) const {
    return detail::made<Tensor>(td_row_map_contains, Handle::get(), keys.get());
  }
  // Drops everything, also from the query and the store.
  void clear() { detail::call(td_row_map_clear, Handle::get()); }
  std::int64_t size() const noexcept { return td_row_map_size(Handle::get()); }
  using Handle::get;
};

}  // namespace tensordict

#endif
