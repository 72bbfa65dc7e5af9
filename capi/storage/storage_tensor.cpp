// Tensors in files of their own.
#include "capi/convert.h"
#include "capi/storage/storage_options.h"
#include "capi/value.h"
#include "core/storage/memmap/tensor_file.h"
#include "core/tensor/dtype.h"

using namespace td;
using namespace td::capi;

namespace {

at::ScalarType type_or_float(td_dtype dtype) {
  return dtype == TD_DTYPE_NONE ? at::kFloat : scalar_type(dtype);
}

}  // namespace

td_status td_tensor_memmap_zeros(td_str path, const int64_t* sizes, size_t ndim, td_dtype dtype,
                                 const td_save_options* given, td_tensor** result, td_error** err) noexcept {
  return td_tensor_memmap_full(path, sizes, ndim, TD_VALUE(td_value_int(0)), dtype, given, result, err);
}

td_status td_tensor_memmap_full(td_str path, const int64_t* sizes, size_t ndim, const td_value* value, td_dtype dtype,
                                const td_save_options* given, td_tensor** result, td_error** err) noexcept {
  ProgressCallback progress(given);
  return guard(err, [&] {
    out(result);
    give(result, storage::full_file(text(path, "path"), dims(sizes, ndim), number(value, "value"), type_or_float(dtype),
                                    save_options(given, progress)));
  });
}

td_status td_tensor_memmap_from(const td_tensor* self, td_str path, const td_save_options* given, td_tensor** result,
                                td_error** err) noexcept {
  ProgressCallback progress(given);
  return guard(err, [&] {
    out(result);
    give(result, storage::save_tensor(tensor(self), text(path, "path"), save_options(given, progress)));
  });
}

td_status td_tensor_memmap_open(td_str path, const int64_t* sizes, size_t ndim, td_dtype dtype, td_open_mode mode,
                                td_tensor** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give(result, storage::open_tensor(text(path, "path"), scalar_type(dtype), dims(sizes, ndim), open_mode(mode)));
  });
}

td_status td_tensor_saved_path(const td_tensor* self, td_string** result, td_error** err) noexcept {
  return guard(err, [&] { give_text(result, storage::file_of(tensor(self))); });
}
