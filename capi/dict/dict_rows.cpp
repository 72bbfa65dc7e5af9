// Rows and elements by position, by mask and by value.
#include "capi/lists.h"
#include "capi/value.h"
#include "core/dict/change/where.h"
#include "core/dict/shape/gather.h"
#include "core/dict/shape/group.h"
#include "core/dict/shape/unique.h"

using namespace td::capi;

td_status td_dict_gather(const td_dict* self, int64_t dim, const td_tensor* index, td_dict** out_dict,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::gather(ref(self), dim, tensor(index))); });
}

td_status td_dict_masked_select(const td_dict* self, const td_tensor* mask, td_dict** out_dict,
                                td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::masked_select(ref(self), tensor(mask))); });
}

td_status td_dict_where(const td_dict* self, const td_tensor* condition, const td_dict* other, const td_value* pad,
                        td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    td::optional<c10::Scalar> fill;
    if (pad) fill = number(pad, "pad");
    give(out_dict, td::where(tensor(condition), ref(self), ref(other), fill));
  });
}

td_status td_dict_masked_fill(const td_dict* self, const td_tensor* mask, const td_value* value, td_dict** out_dict,
                              td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::masked_fill(ref(self), tensor(mask), number(value, "value"))); });
}

td_status td_dict_masked_fill_(td_dict* self, const td_tensor* mask, const td_value* value, td_error** err) noexcept {
  return guard(err, [&] { td::masked_fill_(ref(self), tensor(mask), number(value, "value")); });
}

td_status td_dict_isin(const td_dict* self, const td_dict* reference, const td_key* key, int64_t dim,
                       td_tensor** out_mask, td_error** err) noexcept {
  return guard(err, [&] { give(out_mask, td::isin(ref(self), ref(reference), KeyArg(key), dim)); });
}

td_status td_dict_remove_duplicates(const td_dict* self, const td_key* key, int64_t dim, td_dict** out_dict,
                                    td_tensor** out_inverse, td_error** err) noexcept {
  return guard(err, [&] {
    td::Unique unique = td::remove_duplicates(ref(self), KeyArg(key), dim);
    give(out_dict, std::move(unique.dict));
    if (out_inverse) give(out_inverse, std::move(unique.inverse));
  });
}

td_status td_dict_group_by(const td_dict* self, const td_key* key, td_tensor** out_values, td_data_list** out_data,
                           td_dict_list** out_groups, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_groups);
    td::Groups groups = td::group_by(ref(self), KeyArg(key));
    give_list(out_groups, std::move(groups.nodes));
    if (out_values) *out_values = own(std::move(groups.values));
    if (out_data) *out_data = groups.data ? own<td_data_list>(std::move(groups.data)) : nullptr;
  });
}

td_status td_tensor_expand_right(const td_tensor* self, const int64_t* sizes, size_t ndim, td_tensor** out_tensor,
                                 td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::expand_right(tensor(self), dims(sizes, ndim))); });
}

td_status td_tensor_expand_as_right(const td_tensor* self, const td_tensor* other, td_tensor** out_tensor,
                                    td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::expand_right(tensor(self), tensor(other).sizes())); });
}
