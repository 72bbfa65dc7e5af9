// Functions of the caller's over the leaves of dicts.
#include <utility>

#include "capi/convert.h"
#include "core/dict/map.h"
#include "core/dict/merge.h"
#include "core/tensor/factory.h"

using namespace td::capi;

namespace {

// The caller's function, and the only owner of its userdata.
class Callback {
 public:
  explicit Callback(td_map_function function) : function_(function) {}
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback() {
    if (function_.destroy) td::call_release(function_.destroy, function_.userdata);
  }

  bool given() const { return function_.fn != nullptr; }

  at::Tensor operator()(const td::Path& path, const td::Leaves& leaves) const {
    c10::SmallVector<td_str, 4> parts;
    for (const td::Key& k : path.keys()) parts.push_back(view(k.text()));
    td_key key = {parts.data(), parts.size()};
    c10::SmallVector<td_tensor*, 4> handles;
    for (const at::Tensor& t : leaves)
      handles.push_back(reinterpret_cast<td_tensor*>(t.defined() ? t.unsafeGetTensorImpl() : nullptr));
    td_tensor* result = nullptr;
    td_error* error = nullptr;
    td_status status = call(key, handles.data(), handles.size(), &result, &error);
    at::Tensor owned = adopt(result);
    if (status != TD_OK) throw_foreign(td::Code::callback, status, error, "a map function");
    td_error_release(error);
    return owned;
  }

 private:
  td_status call(const td_key& key, td_tensor* const* tensors, size_t n, td_tensor** result, td_error** error) const {
    try {
      return function_.fn(function_.userdata, &key, tensors, n, result, error);
    } catch (...) {
      td_error_release(*error);
      adopt(*result);
      throw_escaped("a map function");
    }
  }

  td_map_function function_;
};

// The same for non-tensor entries; `fn` may be missing.
class DataCallback {
 public:
  explicit DataCallback(const td_map_options* given) {
    if (given && given->struct_size >= sizeof(td_map_options) && given->struct_size <= 65536 && given->data)
      function_ = *given->data;
  }
  DataCallback(const DataCallback&) = delete;
  DataCallback& operator=(const DataCallback&) = delete;
  ~DataCallback() {
    if (function_.destroy) td::call_release(function_.destroy, function_.userdata);
  }

  td::Entry operator()(const td::Path& path, const std::vector<td::DataPtr>& data) const {
    c10::SmallVector<td_str, 4> parts;
    for (const td::Key& k : path.keys()) parts.push_back(view(k.text()));
    td_key key = {parts.data(), parts.size()};
    c10::SmallVector<td_data_list*, 4> lists;
    for (const td::DataPtr& d : data) lists.push_back(reinterpret_cast<td_data_list*>(d.get()));
    td_data_list* made = nullptr;
    td_tensor* tensor = nullptr;
    td_error* error = nullptr;
    td_status status;
    try {
      status = function_.fn(function_.userdata, &key, lists.data(), lists.size(), &made, &tensor, &error);
    } catch (...) {
      td_error_release(error);
      td_data_list_release(made);
      adopt(tensor);
      throw_escaped("a map function");
    }
    td::DataPtr list = made ? share(made) : td::DataPtr();
    td_data_list_release(made);
    at::Tensor leaf = adopt(tensor);
    if (status != TD_OK) throw_foreign(td::Code::callback, status, error, "a map function");
    td_error_release(error);
    if (list && leaf.defined())
      throw td::Error(td::Code::callback, "a map function gave data and a tensor").hint("set one of the outputs");
    return list ? td::Entry(std::move(list)) : leaf.defined() ? td::Entry(std::move(leaf)) : td::Entry();
  }

 private:
  td_map_data_function function_ = {nullptr, nullptr, nullptr};
};

td::Emptied emptied(td_emptied e) {
  switch (e) {
    case TD_EMPTIED_DROP:
      return td::Emptied::drop;
    case TD_EMPTIED_DROP_ALL:
      return td::Emptied::drop_all;
    case TD_EMPTIED_KEEP:
      return td::Emptied::keep;
    default:
      throw td::Error(td::Code::argument, "no such td_emptied: " + std::to_string(e));
  }
}

td::MapOptions map_options(const td_map_options* given) {
  td_map_options o = options(given);
  td::MapOptions core;
  core.in_place = o.in_place;
  core.missing_as_none = o.missing_as_null;
  core.emptied = emptied(o.emptied);
  at::IntArrayRef batch = dims(o.batch_size, o.ndim);
  for (int64_t d : batch)
    if (d < 0) throw td::Error(td::Code::shape, "negative size in batch size " + td::to_string(batch));
  if (o.batch_size) core.batch = td::Dims(batch.begin(), batch.end());
  return core;
}

}  // namespace

td_status td_dict_map(const td_dict* self, td_map_function function, const td_dict* const* others, size_t n_others,
                      const td_map_options* options, td_dict** out_dict, td_error** err) noexcept {
  Callback callback(function);
  DataCallback on_data(options);
  return guard(err, [&] {
    if (!callback.given()) throw_null("fn");
    if (n_others > 0 && !others) throw_null("others");
    td::MapOptions how = map_options(options);
    if (options && options->struct_size >= sizeof(td_map_options) && options->data) {
      if (!options->data->fn) throw_null("fn of the data");
      how.on_data = std::cref(on_data);
    }
    if (!how.in_place) out(out_dict);
    std::vector<const td::Node*> nodes;
    for (size_t i = 0; i < n_others; ++i) nodes.push_back(&ref(others[i]));
    td::NodePtr made = td::map(ref(self), nodes, std::cref(callback), how);
    if (out_dict) give(out_dict, std::move(made));
  });
}

td_status td_dict_merge_with(const td_dict* const* dicts, size_t n, td_map_function function, td_dict** out_dict,
                             td_error** err) noexcept {
  Callback callback(function);
  return guard(err, [&] {
    if (!callback.given()) throw_null("fn");
    if (n > 0 && !dicts) throw_null("dicts");
    out(out_dict);
    std::vector<const td::Node*> nodes;
    for (size_t i = 0; i < n; ++i) nodes.push_back(&ref(dicts[i]));
    give(out_dict, td::merge(nodes, std::cref(callback)));
  });
}
