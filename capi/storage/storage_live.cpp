// Dicts that live in a memmap directory.
#include "capi/convert.h"
#include "capi/storage/storage_options.h"
#include "core/dict/measure.h"
#include "core/storage/memmap/append.h"
#include "core/storage/memmap/memmap_live.h"
#include "core/tensor/dtype.h"

using namespace td;
using namespace td::capi;

td_status td_dict_memmap_like(const td_dict* self, td_str path, const td_save_options* given, td_dict** result,
                              td_error** err) noexcept {
  ProgressCallback progress(given);
  return guard(err, [&] {
    out(result);
    give(result, storage::memmap_like(ref(self), std::string(text(path, "path")), save_options(given, progress)));
  });
}

td_status td_dict_make_memmap(td_dict* self, const td_key* key, const int64_t* shape, size_t ndim, td_dtype dtype,
                              td_tensor** result, td_error** err) noexcept {
  return guard(err, [&] {
    at::Tensor made = storage::make_memmap(ref(self), KeyArg(key), dims(shape, ndim), scalar_type(dtype));
    if (result) give(result, std::move(made));
  });
}

td_status td_dict_make_memmap_from(td_dict* self, const td_key* key, const td_tensor* value, td_tensor** result,
                                   td_error** err) noexcept {
  return guard(err, [&] {
    at::Tensor made = storage::make_memmap(ref(self), KeyArg(key), tensor(value));
    if (result) give(result, std::move(made));
  });
}

td_status td_append_memmap(td_str path, const td_dict* rows, td_bool sync, td_error** err) noexcept {
  return guard(err, [&] { storage::append_rows(text(path, "path"), ref(rows), sync != 0); });
}

td_status td_dict_memmap_refresh_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { storage::refresh_memmap(ref(self)); });
}

td_bool td_dict_is_memmap(const td_dict* self) noexcept {
  return self && td::lives_in_files(ref(self));
}

td_status td_dict_saved_path(const td_dict* self, td_string** result, td_error** err) noexcept {
  return guard(err, [&] {
    const auto& home = ref(self).home();
    give_text(result, home ? home->directory : std::string());
  });
}

td_status td_dict_python_class(const td_dict* self, td_string** result, td_error** err) noexcept {
  return guard(err, [&] {
    const auto& python = ref(self).python_class();
    give_text(result, python ? python->name : std::string());
  });
}

td_status td_dict_python_fields(const td_dict* self, td_string** result, td_error** err) noexcept {
  return guard(err, [&] {
    const auto& python = ref(self).python_class();
    bool fields = python && python->name != td::nested_tensor;
    give(result, "{" + (fields ? python->fields : std::string()) + "}");
  });
}
