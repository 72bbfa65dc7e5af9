#include "core/query/row_map.h"

#include "capi/convert.h"
#include "capi/guard.h"
#include "core/system/file.h"
#include "core/tensor/generator.h"

using namespace td::capi;

td_status td_store_new(const td_store_options* given_options, td_store** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_store_options o = options(given_options);
    std::string path;
    if (given(o.path)) path = td::storage::checked_path(text(o.path, "path"));
    give(result, c10::make_intrusive<td::RowStore>(o.capacity, o.preallocate != 0, std::move(path)));
  });
}

td_status td_store_set(td_store* self, const td_tensor* index, const td_dict* rows, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(tensor(index), ref(rows)); });
}

td_status td_store_get(const td_store* self, const td_tensor* index, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).get(tensor(index))); });
}

td_status td_store_contains(const td_store* self, const td_tensor* index, td_tensor** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).contains(tensor(index))); });
}

td_status td_store_sample(const td_store* self, int64_t batch_size, const td_sample_options* given_options,
                          td_generator* generator, td_dict** out_rows, td_tensor** out_index, td_error** err) noexcept {
  return guard(err, [&] {
    const td_sample_options o = options(given_options);
    at::Tensor index = ref(self).sample(batch_size, o.without_replacement != 0, generator ? &ref(generator) : nullptr);
    if (out_rows) give(out_rows, ref(self).get(index));
    if (out_index) give(out_index, std::move(index));
  });
}

td_status td_store_clear(td_store* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).clear(); });
}

td_status td_store_get_options(const td_store* self, td_store_options* result, td_error** err) noexcept {
  return guard(err, [&] {
    const td::RowStore& store = ref(self);
    td_store_options o = TD_STORE_OPTIONS_INIT;
    o.capacity = store.capacity();
    o.preallocate = store.preallocates();
    if (!store.path().empty()) o.path = view(store.path());
    report(result, o);
  });
}

int64_t td_store_size(const td_store* self) noexcept {
  if (!self) return int64_t{0};
  return guard_value(int64_t{0}, [&] { return ref(self).size(); });
}

void td_store_retain(const td_store* self) noexcept {
  retain(self);
}
void td_store_release(const td_store* self) noexcept {
  release(self);
}

td_status td_row_map_new(td_query* query, td_store* store, td_row_map** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, c10::make_intrusive<td::RowMap>(share(query), share(store))); });
}

td_status td_row_map_set(td_row_map* self, const td_dict* keys, const td_dict* rows, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(ref(keys), ref(rows)); });
}

td_status td_row_map_get(const td_row_map* self, const td_dict* keys, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).get(ref(keys))); });
}

td_status td_row_map_contains(const td_row_map* self, const td_dict* keys, td_tensor** result,
                              td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).contains(ref(keys))); });
}

td_status td_row_map_clear(td_row_map* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).clear(); });
}

int64_t td_row_map_size(const td_row_map* self) noexcept {
  if (!self) return int64_t{0};
  return guard_value(int64_t{0}, [&] { return ref(self).size(); });
}

void td_row_map_retain(const td_row_map* self) noexcept {
  retain(self);
}
void td_row_map_release(const td_row_map* self) noexcept {
  release(self);
}
