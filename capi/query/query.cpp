#include "core/nn/query_module.h"

#include <cstring>

#include "capi/callback.h"

using namespace td::capi;

namespace {

td::HasherPtr hasher(td_hash* handle) {
  return handle ? share(handle) : td::HasherPtr();
}

td::Miss miss(td_query_miss which) {
  if (which < TD_QUERY_MISS_SIZE || which > TD_QUERY_MISS_ERROR)
    throw td::Error(td::Code::argument, "an unknown answer to rows that are not in the map: " + std::to_string(which));
  return static_cast<td::Miss>(which);
}

td::IndicesPtr custom_map(Owned<td_index_map>&& owned) {
  owned.check();
  auto map = std::make_shared<const Owned<td_index_map>>(std::move(owned));
  const td_index_map& all = *map->operator->();
  if (!all.look_up || !all.insert || !all.size) throw_null("look_up, insert or size of a map");
  td::CustomMap::Functions made;
  made.look_up = [map](const int64_t* hashes, size_t n, int64_t* indices) {
    map->call(&td_index_map::look_up, "`look_up` of a map", hashes, n, indices);
  };
  made.insert = [map](const int64_t* hashes, size_t n, int64_t* indices) {
    map->call(&td_index_map::insert, "`insert` of a map", hashes, n, indices);
  };
  made.numbers = [map] {
    std::pair<int64_t, int64_t> both(-1, -1);
    map->call(&td_index_map::size, "`size` of a map", &both.first, &both.second);
    return both;
  };
  if (all.erase)
    made.erase = [map](const int64_t* hashes, size_t n) {
      map->call(&td_index_map::erase, "`erase` of a map", hashes, n);
    };
  if (all.clear) made.clear = [map] { map->call(&td_index_map::clear, "`clear` of a map"); };
  if (all.state)
    made.write = [map](td::Node& state) {
      map->call(&td_index_map::state, "`state` of a map", reinterpret_cast<td_dict*>(&state));
    };
  if (all.load)
    made.read = [map](const td::Node& state) {
      map->call(&td_index_map::load, "`load` of a map", reinterpret_cast<const td_dict*>(&state));
    };
  return c10::make_intrusive<td::CustomMap>(std::move(made));
}

// 0 is the default, one thread; the core's 0 is LibTorch's number.
int threads(int32_t given) {
  if (given < -1)
    throw td::Error(td::Code::argument, "the number of threads is " + std::to_string(given))
        .hint("give 0 or more, or -1 for LibTorch's number of threads");
  return given == -1 ? 0 : given == 0 ? 1 : given;
}

td::Query::Options query_options(const td_query_options* given_options) {
  td_query_options o = options(given_options);
  td::Query::Options made;
  if (o.index_key) made.index_key = paths(o.index_key, 1, "index_key").front();
  if (o.hash_key) made.hash_key = paths(o.hash_key, 1, "hash_key").front();
  if (given(o.hash_type)) made.hash_type = text(o.hash_type, "hash_type");
  if (given(o.hash_config)) made.hash_config = text(o.hash_config, "hash_config");
  made.hash = hasher(o.hash);
  if (o.n_hashes > 0 && !o.hashes) throw_null("the array of hashes");
  for (size_t i = 0; i < o.n_hashes; ++i) made.hashes.push_back(share(o.hashes[i]));
  made.aggregator = hasher(o.aggregator);
  if (o.map_of) made.map = ref(const_cast<td_query*>(o.map_of)).shared_map();
  made.capacity = o.capacity, made.miss = miss(o.miss), made.threads = threads(o.threads);
  made.clone = o.clone, made.exact = o.exact, made.canonical = o.canonical;
  return made;
}

td::FileMap::Options file_options(int64_t capacity, bool keep, bool large_pages, bool overwrite) {
  if (capacity < 0) throw td::Error(td::Code::argument, "the capacity is negative");
  return {capacity, keep, large_pages, overwrite};
}

void check_flags(uint64_t flags) {
  if (flags & ~uint64_t{TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH})
    throw td::Error(td::Code::argument, "unknown query flags");
}

}  // namespace

td_status td_query_new(const td_key* in_keys, size_t n, const td_query_options* given_options, td_query** result,
                       td_error** err) noexcept {
  return guard(err, [&] {
    give(result, c10::make_intrusive<td::Query>(paths(in_keys, n, "in_keys"), query_options(given_options)));
  });
}

td_status td_query_new_with_map(const td_key* in_keys, size_t n, const td_query_options* given_options,
                                const td_index_map* map, td_query** result, td_error** err) noexcept {
  Owned<td_index_map> owned(map, "map");
  return guard(err, [&] {
    td::Query::Options made = query_options(given_options);
    if (made.map) throw td::Error(td::Code::argument, "a custom map and the map of another query were both given");
    made.map = custom_map(std::move(owned));
    give(result, c10::make_intrusive<td::Query>(paths(in_keys, n, "in_keys"), std::move(made)));
  });
}

td_status td_query_forward(td_query* self, td_dict* data, uint64_t flags, td_error** err) noexcept {
  return guard(err, [&] {
    check_flags(flags);
    td::Query::Call call;
    call.extend = !(flags & TD_QUERY_NO_EXTEND);
    call.write_hash = !(flags & TD_QUERY_NO_HASH);
    call.clone = false;
    ref(self).forward(share(data), call);
  });
}

td_status td_query_call(td_query* self, td_dict* data, const td_query_call_options* given_options, td_dict** result,
                        td_error** err) noexcept {
  return guard(err, [&] {
    td_query_call_options o = options(given_options);
    check_flags(o.flags);
    if (o.target < TD_QUERY_TARGET_DEFAULT || o.target > TD_QUERY_TARGET_COPY)
      throw td::Error(td::Code::argument, "unknown target " + std::to_string(o.target));
    td::Query::Call call;
    call.extend = !(o.flags & TD_QUERY_NO_EXTEND);
    call.write_hash = !(o.flags & TD_QUERY_NO_HASH);
    if (o.target != TD_QUERY_TARGET_DEFAULT) call.clone = o.target == TD_QUERY_TARGET_COPY;
    if (o.found_key) call.found_key = paths(o.found_key, 1, "found_key").front();
    out(result);
    give(result, ref(self).forward(share(data), call));
  });
}

td_status td_module_query(td_query* query, td_module** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, td::ModulePtr(c10::make_intrusive<td::QueryModule>(share(query)))); });
}

td_status td_query_contains(const td_query* self, const td_dict* data, td_tensor** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).contains(ref(data))); });
}

td_status td_query_look_up(const td_query* self, const td_dict* data, td_tensor** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).look_up(ref(data))); });
}

td_status td_query_hash(const td_query* self, const td_dict* data, td_tensor** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).hash(ref(data))); });
}

td_status td_query_remove(td_query* self, const td_dict* data, int64_t* result, td_error** err) noexcept {
  return guard(err, [&] {
    int64_t erased = ref(self).erase(ref(data));
    if (result) *result = erased;
  });
}

td_status td_query_clear(td_query* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).clear(); });
}

td_status td_query_select_out_keys(td_query* self, const td_key* keys, size_t n, td_error** err) noexcept {
  return guard(err, [&] { ref(self).select_out_keys(paths(keys, n, "keys")); });
}

td_status td_query_reset_out_keys(td_query* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).reset_out_keys(); });
}

td_status td_query_in_keys(const td_query* self, td_keys** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(result);
    slot = own_keys(ref(self).in_keys());
  });
}

td_status td_query_out_keys(const td_query* self, td_keys** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(result);
    slot = own_keys(ref(self).out_keys());
  });
}

td_status td_query_state(const td_query* self, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).state()); });
}

td_status td_query_load_state(td_query* self, const td_dict* state, uint64_t flags, td_error** err) noexcept {
  return guard(err, [&] {
    if (flags & ~uint64_t{TD_QUERY_LOAD_ANY_HASH}) throw td::Error(td::Code::argument, "unknown flags for loading");
    ref(self).load_state(ref(state), flags & TD_QUERY_LOAD_ANY_HASH);
  });
}

td_status td_query_share(td_query* self, td_str name, const td_query_share_options* given_options,
                         td_error** err) noexcept {
  return guard(err, [&] {
    td_query_share_options o = options(given_options);
    ref(self).share(text(name, "name"), file_options(o.capacity, o.keep, o.large_pages, false));
  });
}

td_status td_query_save(const td_query* self, td_str path, const td_query_save_options* given_options,
                        td_error** err) noexcept {
  return guard(err, [&] {
    td_query_save_options o = options(given_options);
    ref(self).save(td::storage::checked_path(text(path, "path")), file_options(o.capacity, true, false, o.overwrite));
  });
}

td_status td_query_attach(td_query* self, td_str name, td_query_map_mode mode, td_error** err) noexcept {
  return guard(err, [&] {
    if (mode < TD_QUERY_MAP_READ || mode > TD_QUERY_MAP_WRITE)
      throw td::Error(td::Code::argument, "an unknown mode of opening a map: " + std::to_string(mode));
    ref(self).open(text(name, "name"), static_cast<td::Query::Opened>(mode));
  });
}

td_status td_query_unlink(td_str name, td_error** err) noexcept {
  return guard(err, [&] { td::FileMap::unlink(text(name, "name")); });
}

td_status td_query_stats(const td_query* self, td_query_statistics* result, td_error** err) noexcept {
  return guard(err, [&] {
    const td::Indices& map = ref(self).map();
    td_query_statistics all = {sizeof all, map.size(), map.next(), map.collisions(), map.evictions(), map.nbytes()};
    report(result, all);
  });
}

td_status td_query_get_options(const td_query* self, td_query_options* result, td_error** err) noexcept {
  return guard(err, [&] {
    const td::Query::Options& has = ref(self).options();
    td_query_options o = TD_QUERY_OPTIONS_INIT;
    const bool by_type = !has.hash && has.hashes.empty();
    if (by_type) o.hash_type = view(has.hash_type);
    if (by_type && !has.hash_config.empty()) o.hash_config = view(has.hash_config);
    o.capacity = has.capacity;
    o.miss = static_cast<td_query_miss>(has.miss);
    o.threads = has.threads == 0 ? -1 : has.threads;
    o.clone = has.clone, o.exact = has.exact, o.canonical = has.canonical;
    report(result, o);
  });
}

int64_t td_query_size(const td_query* self) noexcept {
  return guard_value(int64_t{0}, [&] { return ref(self).map().size(); });
}

void td_query_retain(const td_query* self) noexcept {
  retain(self);
}
void td_query_release(const td_query* self) noexcept {
  release(self);
}
