// Changes of many entries at once, and dicts made in one call.
#include "capi/convert.h"
#include "capi/entry_value.h"
#include "capi/value.h"
#include "core/dict/change/fill.h"
#include "core/dict/change/merge.h"
#include "core/dict/change/rename.h"
#include "core/dict/change/update.h"
#include "core/dict/copy.h"
#include "core/dict/data/plain_value.h"
#include "core/dict/lazy/lazy.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

template <class T>
at::ArrayRef<T> values(const T* data, size_t n) {
  if (n > 0 && !data) throw_null("an array in a value");
  return {data, n};
}

td::Entry item_value(const td_value& v) {
  switch (v.kind) {
    case TD_VALUE_TENSOR:
      return td::Entry(tensor(v.as.tensor));
    case TD_VALUE_DICT:
      return td::Entry(share(const_cast<td_dict*>(v.as.dict)));
    case TD_VALUE_INT:
      return td::entry_of(v.as.i);
    case TD_VALUE_DOUBLE:
      return td::entry_of(v.as.f);
    case TD_VALUE_BOOL:
      return td::entry_of(v.as.i != 0);
    case TD_VALUE_INTS:
      return td::entry_of(values(v.as.ints, v.size));
    case TD_VALUE_DOUBLES:
      return td::entry_of(values(v.as.doubles, v.size));
    case TD_VALUE_BOOLS:
      return td::entry_of(values(v.as.bools, v.size));
    case TD_VALUE_UINT:
    case TD_VALUE_COMPLEX:
    case TD_VALUE_DATA:
      return entry_of(v);
    case TD_VALUE_STR:
      return td::entry_of(std::string(text(v.as.str, "a string value")));
    default:
      throw td::Error(td::Code::argument, "a value of kind " + kind_name(v.kind) + " is not an entry")
          .hint("use a tensor, a dict, numbers, text or data");
  }
}

}  // namespace

td_status td_dict_set_many(td_dict* self, const td_path* const* paths, td_tensor* const* values, size_t n,
                           td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && (!paths || !values)) throw_null("paths or values");
    std::vector<td::PathView> keys;
    std::vector<at::Tensor> tensors;
    for (size_t i = 0; i < n; ++i) {
      keys.push_back(ref(paths[i]).path);
      tensors.push_back(tensor(values[i]));
    }
    td::set_many(ref(self), keys, tensors);
  });
}

td_status td_dict_leaves(const td_dict* self, td_keys** out_keys, td_tensor_list** out_tensors,
                         td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& keys = out(out_keys);
    out(out_tensors);
    td::NodePtr all = td::dense(ref(self));
    auto list = c10::make_intrusive<TensorList>(td::leaves(*all));
    keys = own_keys(td::leaf_paths(*all));
    give(out_tensors, std::move(list));
  });
}

td_status td_dict_from_items(const int64_t* batch_size, size_t ndim, const td_item* items, size_t n,
                             const td_dict_options* given_options, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !items) throw_null("items");
    out(out_dict);
    td_dict_options o = options(given_options);
    td::optional<c10::Device> device;
    if (given(o.device)) device = td::parse_device(std::string(text(o.device, "device")));
    td::checked_numel(dims(batch_size, ndim), 1);
    std::vector<td::Item> entries;
    for (size_t i = 0; i < n; ++i) entries.emplace_back(KeyArg(items[i].key), item_value(items[i].value));
    give(out_dict, td::build(dims(batch_size, ndim), device, entries));
  });
}

td_status td_dict_from_keys(const td_key* keys, size_t n, const td_tensor* value, td_dict** out_dict,
                            td_error** err) noexcept {
  return guard(err, [&] {
    const at::Tensor& shared = tensor(value);
    std::vector<td::Item> entries;
    for (td::Path& path : paths(keys, n, "keys")) entries.emplace_back(std::move(path), shared);
    give(out_dict, td::build({}, td::nullopt, entries));
  });
}

td_status td_dict_merge(const td_dict* const* dicts, size_t n, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !dicts) throw_null("dicts");
    std::vector<const td::Node*> nodes;
    for (size_t i = 0; i < n; ++i) nodes.push_back(&ref(dicts[i]));
    give(out_dict, td::merge(nodes));
  });
}

td_status td_dict_update(td_dict* self, const td_dict* src, const td_dict_update_options* given_options,
                         td_error** err) noexcept {
  return guard(err, [&] {
    td_dict_update_options o = options(given_options);
    td::UpdateOptions how;
    how.inplace = o.inplace != 0;
    how.clone = o.clone != 0;
    how.batch_size = o.update_batch_size != 0;
    if (o.keys) how.keys = paths(o.keys, o.n_keys, "keys");
    td::update(ref(self), ref(src), how);
  });
}

td_status td_dict_update_(td_dict* self, const td_dict* src, td_error** err) noexcept {
  return guard(err, [&] { td::update_values(ref(self), ref(src)); });
}

td_status td_dict_fill_(td_dict* self, const td_key* key, const td_value* value, td_error** err) noexcept {
  return guard(err, [&] { td::fill(ref(self), KeyArg(key), number(value, "value")); });
}

td_status td_dict_zero_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::fill(ref(self), td::Path(), 0); });
}

td_status td_dict_pop(td_dict* self, const td_key* key, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_tensor);
    give(out_tensor, td::pop(ref(self), KeyArg(key)));
  });
}

td_status td_dict_pop_dict(td_dict* self, const td_key* key, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    give(out_dict, td::pop_node(ref(self), KeyArg(key)));
  });
}

td_status td_dict_clear(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::clear(ref(self)); });
}

td_status td_dict_create_nested(td_dict* self, const td_key* key, td_error** err) noexcept {
  return guard(err, [&] { td::create_nested(ref(self), KeyArg(key)); });
}
