// What a dict holds in numbers, and entries taken out, joined or left out.
#include "core/dict/change/rearrange.h"

#include "capi/convert.h"
#include "core/dict/measure.h"
#include "core/tensor/dtype.h"

using namespace td::capi;

int64_t td_dict_depth(const td_dict* self) noexcept {
  return guard_value<int64_t>(0, [&] { return td::nesting(ref(self)); });
}

td_dtype td_dict_dtype(const td_dict* self) noexcept {
  return guard_value<td_dtype>(TD_DTYPE_NONE, [&]() -> td_dtype {
    auto type = td::common_type(ref(self));
    return type ? td::dtype_code(*type) : TD_DTYPE_NONE;
  });
}

td_bool td_dict_is_floating_point(const td_dict* self) noexcept {
  return guard_value<td_bool>(1, [&] { return td_bool(td::is_floating_point(ref(self))); });
}

int64_t td_dict_param_count(const td_dict* self, td_bool count_duplicates) noexcept {
  return guard_value<int64_t>(0, [&] { return td::param_count(ref(self), count_duplicates != 0); });
}

int64_t td_dict_param_bytes(const td_dict* self, td_bool count_duplicates) noexcept {
  return guard_value<int64_t>(0, [&] { return td::param_bytes(ref(self), count_duplicates != 0); });
}

td_status td_dict_set_default(td_dict* self, const td_key* key, const td_tensor* value, td_tensor** out_tensor,
                              td_error** err) noexcept {
  return guard(err, [&] {
    out(out_tensor);
    give(out_tensor, td::setdefault(ref(self), KeyArg(key), tensor(value)));
  });
}

td_status td_dict_popitem(td_dict* self, td_string** out_key, td_tensor** out_tensor, td_dict** out_dict,
                          td_data_list** out_data, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_key), out(out_tensor), out(out_dict), out(out_data);
    auto [key, entry] = td::last_item(ref(self));
    auto name = c10::make_intrusive<String>(key.text());
    ref(self).erase(key.view());
    *out_key = own<td_string>(std::move(name));
    *out_tensor = entry.is_tensor() ? own(entry.tensor()) : nullptr;
    *out_dict = entry.is_node() ? own<td_dict>(entry.node()) : nullptr;
    *out_data = entry.is_data() ? own<td_data_list>(entry.data()) : nullptr;
  });
}

td_status td_dict_replace(const td_dict* self, const td_dict* src, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::replaced(ref(self), ref(src))); });
}

td_status td_dict_filter_non_tensor_data(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::without_data(ref(self))); });
}

td_status td_dict_separate(td_dict* self, const td_key* keys, size_t n, const td_separate_options* given_options,
                           td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    td_separate_options o = options(given_options);
    td::SeparateOptions how{o.lenient == 0, o.keep_empty != 0};
    if (o.fill) how.fill = tensor(o.fill);
    give(out_dict, td::separate(ref(self), paths(keys, n, "keys"), how));
  });
}

td_status td_dict_cat_tensors(td_dict* self, const td_key* keys, size_t n, const td_key* out_key, int64_t dim,
                              td_bool keep_entries, td_error** err) noexcept {
  return guard(err, [&] {
    td::join_entries(ref(self), paths(keys, n, "keys"), KeyArg(out_key), dim, false, keep_entries != 0);
  });
}

td_status td_dict_stack_tensors(td_dict* self, const td_key* keys, size_t n, const td_key* out_key, int64_t dim,
                                td_bool keep_entries, td_error** err) noexcept {
  return guard(
      err, [&] { td::join_entries(ref(self), paths(keys, n, "keys"), KeyArg(out_key), dim, true, keep_entries != 0); });
}

td_status td_dict_cat_leaves(const td_dict* self, int64_t dim, td_bool sorted, td_tensor** out_tensor,
                             td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::join_leaves(ref(self), dim, false, sorted != 0)); });
}

td_status td_dict_stack_leaves(const td_dict* self, int64_t dim, td_bool sorted, td_tensor** out_tensor,
                               td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::join_leaves(ref(self), dim, true, sorted != 0)); });
}
