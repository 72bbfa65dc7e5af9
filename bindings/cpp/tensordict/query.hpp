// Queries: rows to dense indices. The first occurrence of a row gets the next free index.
//
//     Query query({"image"});
//     query.forward(td);                                      // writes "_index" and "_hash"
#ifndef TENSORDICT_QUERY_HPP
#define TENSORDICT_QUERY_HPP

#include <memory>

#include "hash.hpp"
#include "module.hpp"

namespace tensordict {

// What a row that is not in the map gets when the map is not extended.
enum class Miss : td_query_miss {
  size = TD_QUERY_MISS_SIZE,  // the number of indices handed out so far
  minus_one = TD_QUERY_MISS_MINUS_ONE,
  error = TD_QUERY_MISS_ERROR,
};

class Query;

struct QueryOptions {
  std::optional<Key> index_key = std::nullopt;  // "_index"
  std::optional<Key> hash_key = std::nullopt;   // "_hash"
  std::string hash_type = {};                   // "td.siphash"
  std::string hash_config = {};
  const Hash* hash = nullptr;                 // instead of a type: one for all keys, or
  const std::vector<Hash>* hashes = nullptr;  // one for each key
  const Hash* aggregator = nullptr;           // hashes the row of hashes of several keys
  const Query* map_of = nullptr;              // shares the map of another query
  std::int64_t capacity = 0;                  // at most so many entries; 0: no limit
  Miss miss = Miss::size;
  std::int32_t threads = 0;  // that hash and look up; 0: one; -1: LibTorch's
  bool clone = false;        // call gives a copy
  bool exact = false;        // rows with equal hashes stay apart
  bool canonical = false;    // 0.0 is -0.0 and every NaN the same
};

// A map from hashes to indices of the caller's: a table of its own, the index of a storage that there is already. Functions
// throw to fail, and have changed nothing then; look_up, size and state may run on several threads at once. They cannot use
// queries over this very map.
class IndexMap {
 public:
  virtual ~IndexMap() = default;
  // Writes the index of each hash, or -1 for one that is not there.
  virtual void look_up(const std::int64_t* hashes, std::size_t n, std::int64_t* indices) = 0;
  // Adds hashes, all different and none of them there, and writes their indices.
  virtual void insert(const std::int64_t* hashes, std::size_t n, std::int64_t* indices) = 0;
  // Forgets those of the hashes that are there; takes back what was inserted by a call that fails.
  virtual void erase(const std::int64_t* hashes, std::size_t n) = 0;
  virtual std::int64_t size() const = 0;  // hashes that are there
  virtual std::int64_t next() const = 0;  // one more than the largest index so far
  virtual void clear() { throw UnsupportedError("the map cannot be cleared"); }
  // Writes all to an empty dict, and takes over what it wrote there.
  virtual void state(Dict&) const { throw UnsupportedError("the map writes no state"); }
  virtual void load(const Dict&) { throw UnsupportedError("the map loads no state"); }
};

namespace detail {

// The functions of an IndexMap, of which the library keeps a reference.
struct MapFunctions {
  using Owner = std::shared_ptr<IndexMap>;
  static IndexMap& map(void* userdata) { return **static_cast<Owner*>(userdata); }

  static td_status look_up(void* self, const std::int64_t* hashes, std::size_t n, std::int64_t* indices,
                           td_error** err) noexcept {
    return guard(err, [&] { map(self).look_up(hashes, n, indices); });
  }
  static td_status insert(void* self, const std::int64_t* hashes, std::size_t n, std::int64_t* indices,
                          td_error** err) noexcept {
    return guard(err, [&] { map(self).insert(hashes, n, indices); });
  }
  static td_status erase(void* self, const std::int64_t* hashes, std::size_t n, td_error** err) noexcept {
    return guard(err, [&] { map(self).erase(hashes, n); });
  }
  static td_status size(void* self, std::int64_t* size, std::int64_t* next, td_error** err) noexcept {
    return guard(err, [&] { *size = map(self).size(), *next = map(self).next(); });
  }
  static td_status clear(void* self, td_error** err) noexcept {
    return guard(err, [&] { map(self).clear(); });
  }
  static td_status state(void* self, td_dict* state, td_error** err) noexcept {
    return guard(err, [&] {
      Dict dict = Dict::borrow(state);
      map(self).state(dict);
    });
  }
  static td_status load(void* self, const td_dict* state, td_error** err) noexcept {
    return guard(err, [&] {
      const Dict dict = Dict::borrow(state);
      map(self).load(dict);
    });
  }
  static Lent<td_index_map> of(Owner owner) {
    if (!owner) throw ArgumentError("there is no map");
    return {{sizeof(td_index_map), look_up, insert, erase, size, clear, state, load, keep(std::move(owner)),
             destroy<Owner>}};
  }
};

}  // namespace detail

struct QueryCallOptions {
  bool extend = true;                           // rows that are not in the map get new indices
  bool write_hash = true;                       // also write the hash
  std::optional<bool> clone = std::nullopt;     // write to a copy; none: as the query was made
  std::optional<Key> found_key = std::nullopt;  // where to write whether each row was in the map before
};

enum class QueryMode : td_query_map_mode {
  read = TD_QUERY_MAP_READ,
  copy = TD_QUERY_MAP_COPY,
  write = TD_QUERY_MAP_WRITE
};

struct QueryShareOptions {
  std::int64_t capacity = 0;
  bool keep = false;  // the name outlives its writers
  bool large_pages = false;
};

struct QuerySaveOptions {
  std::int64_t capacity = 0;
  bool overwrite = false;
};

class Query : public Handle<Query, td_query, td_query_retain, td_query_release> {
 public:
  explicit Query(Adopted raw) noexcept : Handle(raw) {}
  explicit Query(const KeyViews& in_keys, const QueryOptions& options = {})
      : Query(created(options, [&](const td_query_options& raw) {
          return detail::made<Query>(td_query_new, in_keys.data(), in_keys.size(), &raw);
        })) {}

  // A query over a map of the caller's, which need not be empty.
  static Query with_map(const KeyViews& in_keys, std::shared_ptr<IndexMap> map, const QueryOptions& options = {}) {
    return created(options, [&](const td_query_options& raw) {
      return detail::made<Query>(td_query_new_with_map, in_keys.data(), in_keys.size(), &raw,
                                 detail::MapFunctions::of(std::move(map)));
    });
  }

  // Looks up every row of `data` and writes the indices; on failure neither the map nor `data` has changed.
  void forward(Dict& data, bool extend = true, bool write_hash = true) {
    detail::call(td_query_forward, get(), data.get(), flags(extend, write_hash));
  }
  // The same; gives `data`, or the copy.
  Dict operator()(Dict& data, const QueryCallOptions& options = {}) {
    const detail::OptionalKey found(options.found_key);
    td_query_call_options raw = TD_QUERY_CALL_OPTIONS_INIT;
    raw.flags = flags(options.extend, options.write_hash);
    if (options.clone) raw.target = *options.clone ? TD_QUERY_TARGET_COPY : TD_QUERY_TARGET_DATA;
    raw.found_key = found.get();
    return detail::made<Dict>(td_query_call, get(), data.get(), &raw);
  }
  // A module that runs the query, and shares its map.
  Module as_module() { return detail::made<Module>(td_module_query, get()); }

  // For each row: whether it is in the map; its index, or -1; its hash. Nothing changes.
  Tensor contains(const Dict& data) const { return one(td_query_contains, data); }
  Tensor look_up(const Dict& data) const { return one(td_query_look_up, data); }
  Tensor hash(const Dict& data) const { return one(td_query_hash, data); }
  // Forgets rows; gives how many there were.
  std::int64_t erase(const Dict& data) { return detail::got<std::int64_t>(td_query_remove, get(), data.get()); }
  void clear() { detail::call(td_query_clear, get()); }
  std::int64_t size() const noexcept { return td_query_size(get()); }
  // What it was made with, without its keys and its hashes.
  QueryOptions options() const {
    td_query_options raw = TD_QUERY_OPTIONS_INIT;
    detail::call(td_query_get_options, get(), &raw);
    QueryOptions out;
    if (raw.hash_type.data) out.hash_type = detail::view(raw.hash_type);
    if (raw.hash_config.data) out.hash_config = detail::view(raw.hash_config);
    out.capacity = raw.capacity;
    out.miss = static_cast<Miss>(raw.miss);
    out.threads = raw.threads;
    out.clone = raw.clone, out.exact = raw.exact, out.canonical = raw.canonical;
    return out;
  }
  td_query_statistics stats() const {
    td_query_statistics out = TD_QUERY_STATISTICS_INIT;
    detail::call(td_query_stats, get(), &out);
    return out;
  }

  void select_out_keys(const KeyViews& keys) {
    detail::call(td_query_select_out_keys, get(), keys.data(), keys.size());
  }
  void reset_out_keys() { detail::call(td_query_reset_out_keys, get()); }
  Keys in_keys() const { return detail::made<Keys>(td_query_in_keys, get()); }
  Keys out_keys() const { return detail::made<Keys>(td_query_out_keys, get()); }

  // The map as a dict; `any_hash` takes hashes of other types for our own.
  Dict state() const { return detail::made<Dict>(td_query_state, get()); }
  void load_state(const Dict& state, bool any_hash = false) {
    const std::uint64_t flags = any_hash ? TD_QUERY_LOAD_ANY_HASH : 0;
    detail::call(td_query_load_state, get(), state.get(), flags);
  }

  // The map in shared memory, or in a file: one process writes to it, any number read it at the same time.
  void share_map(std::string_view name, const QueryShareOptions& options = {}) {
    td_query_share_options raw = TD_QUERY_SHARE_OPTIONS_INIT;
    raw.capacity = options.capacity;
    raw.keep = options.keep;
    raw.large_pages = options.large_pages;
    detail::call(td_query_share, get(), detail::str(name), &raw);
  }
  void save_map(std::string_view path, const QuerySaveOptions& options = {}) const {
    td_query_save_options raw = TD_QUERY_SAVE_OPTIONS_INIT;
    raw.capacity = options.capacity;
    raw.overwrite = options.overwrite;
    detail::call(td_query_save, get(), detail::str(path), &raw);
  }
  // Takes the map in shared memory called `name`, or in the file `name` if it begins with '/', in place of its own.
  void open_map(std::string_view name, QueryMode mode = QueryMode::read) {
    detail::call(td_query_attach, get(), detail::str(name), static_cast<td_query_map_mode>(mode));
  }
  static void unlink_map(std::string_view name) { detail::call(td_query_unlink, detail::str(name)); }

 private:
  template <class Make>
  static Query created(const QueryOptions& options, Make make) {
    const detail::OptionalKey index_key(options.index_key), hash_key(options.hash_key);
    const detail::Borrowed<Hash> hashes =
        options.hashes ? detail::Borrowed<Hash>(*options.hashes) : detail::Borrowed<Hash>();
    td_query_options raw = TD_QUERY_OPTIONS_INIT;
    raw.index_key = index_key.get();
    raw.hash_key = hash_key.get();
    raw.hash_type = detail::optional_str(options.hash_type);
    raw.hash_config = detail::optional_str(options.hash_config);
    raw.hash = options.hash ? options.hash->get() : nullptr;
    raw.hashes = hashes.size() ? hashes.data() : nullptr;
    raw.n_hashes = hashes.size();
    raw.aggregator = options.aggregator ? options.aggregator->get() : nullptr;
    raw.map_of = options.map_of ? options.map_of->get() : nullptr;
    raw.capacity = options.capacity;
    raw.miss = static_cast<td_query_miss>(options.miss);
    raw.threads = options.threads;
    raw.clone = options.clone;
    raw.exact = options.exact;
    raw.canonical = options.canonical;
    return make(raw);
  }
  static std::uint64_t flags(bool extend, bool write_hash) noexcept {
    std::uint64_t flags = 0;
    if (!extend) flags |= TD_QUERY_NO_EXTEND;
    if (!write_hash) flags |= TD_QUERY_NO_HASH;
    return flags;
  }
  template <class F>
  Tensor one(F function, const Dict& data) const {
    return detail::made<Tensor>(function, get(), data.get());
  }
};

}  // namespace tensordict

#endif
