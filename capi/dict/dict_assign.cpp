// Reading and writing at an index.
#include "capi/indices.h"
#include "capi/value.h"
#include "core/dict/change/assign.h"
#include "core/dict/change/entry_at.h"

using namespace td::capi;

td_status td_dict_set_at(td_dict* self, const td_index* at, size_t n, const td_dict* value, td_error** err) noexcept {
  return guard(err, [&] { td::assign(ref(self), indices(at, n), ref(value)); });
}

td_status td_dict_set_at_value(td_dict* self, const td_index* at, size_t n, const td_value* value,
                               td_error** err) noexcept {
  return guard(err, [&] { td::assign(ref(self), indices(at, n), number(value, "value")); });
}

td_status td_dict_copy_into_at(td_dict* self, const td_key* key, const td_index* at, size_t n, const td_tensor* value,
                               td_error** err) noexcept {
  return guard(err, [&] { td::assign_at(ref(self), KeyArg(key), indices(at, n), tensor(value)); });
}

td_status td_dict_get_at(const td_dict* self, const td_key* key, const td_index* at, size_t n, td_tensor** out_tensor,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::get_at(ref(self), KeyArg(key), indices(at, n))); });
}

td_status td_tensor_index(const td_tensor* self, const td_index* components, size_t n, td_tensor** out_tensor,
                          td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::get_at(tensor(self), indices(components, n))); });
}

td_status td_tensor_set_at(td_tensor* self, const td_index* components, size_t n, const td_tensor* value,
                           td_error** err) noexcept {
  return guard(err, [&] { td::assign_at(tensor(self), indices(components, n), tensor(value)); });
}
