// Dicts after the example of another, and dicts that take over what another is.
#include "capi/convert.h"
#include "core/dict/become.h"
#include "core/dict/factory.h"
#include "core/dict/plain.h"
#include "core/tensor/dtype.h"

using namespace td::capi;

namespace {

td::optional<at::ScalarType> type_or_same(td_dtype dtype) {
  if (dtype == TD_DTYPE_NONE) return td::nullopt;
  return td::scalar_type(dtype);
}

}  // namespace

td_status td_dict_new_empty(const td_dict* self, const int64_t* sizes, size_t ndim, td_dtype dtype, td_dict** out_dict,
                            td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::new_empty(ref(self), dims(sizes, ndim), type_or_same(dtype))); });
}

td_status td_dict_new_full(const td_dict* self, const int64_t* sizes, size_t ndim, double value, td_dtype dtype,
                           td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::new_full(ref(self), dims(sizes, ndim), value, type_or_same(dtype))); });
}

td_status td_dict_to_tensordict(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::plain_copy(ref(self))); });
}

td_status td_dict_become(td_dict* self, const td_dict* other, td_error** err) noexcept {
  return guard(err, [&] { td::become(ref(self), ref(other)); });
}
