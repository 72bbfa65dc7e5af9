// Functions of the caller's over the leaves of dicts.
#include <utility>

#include "capi/callback.h"
#include "core/dict/change/merge.h"
#include "core/dict/map.h"

using namespace td::capi;

namespace {

using MapFunction = Owned<td_map_function>;
using MapDataFunction = Owned<td_map_data_function>;

// A path as callbacks see it.
struct KeyShown {
  explicit KeyShown(const td::Path& path) {
    for (const td::Key& k : path.keys()) parts.push_back(view(k.text()));
    key = {parts.data(), parts.size()};
  }
  c10::SmallVector<td_str, 4> parts;
  td_key key;
};

at::Tensor call_leaf(const MapFunction& function, const td::Path& path, const td::Leaves& leaves) {
  KeyShown name(path);
  c10::SmallVector<td_tensor*, 4> handles;
  for (const at::Tensor& t : leaves)
    handles.push_back(reinterpret_cast<td_tensor*>(t.defined() ? t.unsafeGetTensorImpl() : nullptr));
  td_tensor* result = nullptr;
  try {
    function("a map function", &name.key, handles.data(), handles.size(), &result);
  } catch (...) {
    adopt(result);
    throw;
  }
  return adopt(result);
}

td::Entry call_data(const MapDataFunction& function, const td::Path& path, const std::vector<td::DataPtr>& data) {
  KeyShown name(path);
  c10::SmallVector<td_data_list*, 4> lists;
  for (const td::DataPtr& d : data) lists.push_back(reinterpret_cast<td_data_list*>(d.get()));
  td_data_list* made = nullptr;
  td_tensor* tensor = nullptr;
  try {
    function("a map function", &name.key, lists.data(), lists.size(), &made, &tensor);
  } catch (...) {
    td_data_list_release(made);
    adopt(tensor);
    throw;
  }
  td::DataPtr list = made ? share(made) : td::DataPtr();
  td_data_list_release(made);
  at::Tensor leaf = adopt(tensor);
  if (list && leaf.defined())
    throw td::Error(td::Code::callback, "a map function set both a tensor and non-tensor data")
        .hint("set only one of the outputs");
  return list ? td::Entry(std::move(list)) : leaf.defined() ? td::Entry(std::move(leaf)) : td::Entry();
}

// NULL for options that are not understood: `map_options` says what is wrong with them.
const td_map_data_function* data_of(const td_map_options* given) noexcept {
  return guard_value<const td_map_data_function*>(nullptr, [&] { return options(given).data; });
}

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

td_status td_dict_map(const td_dict* self, const td_map_function* given, const td_dict* const* others, size_t n_others,
                      const td_map_options* options, td_dict** out_dict, td_error** err) noexcept {
  MapFunction function(given, "function");
  td::optional<MapDataFunction> on_data;
  if (const td_map_data_function* data = data_of(options)) on_data.emplace(data, "data");
  return guard(err, [&] {
    function.check();
    if (!function->fn) throw_null("fn");
    if (n_others > 0 && !others) throw_null("others");
    td::MapOptions how = map_options(options);
    if (on_data) {
      on_data->check();
      if (!(*on_data)->fn) throw_null("fn of the data");
      how.on_data = [&](const td::Path& path, const std::vector<td::DataPtr>& data) {
        return call_data(*on_data, path, data);
      };
    }
    if (!how.in_place) out(out_dict);
    std::vector<const td::Node*> nodes;
    for (size_t i = 0; i < n_others; ++i) nodes.push_back(&ref(others[i]));
    auto on_leaf = [&](const td::Path& path, const td::Leaves& leaves) { return call_leaf(function, path, leaves); };
    td::NodePtr made = td::map(ref(self), nodes, on_leaf, how);
    if (out_dict) give(out_dict, std::move(made));
  });
}

td_status td_dict_merge_with(const td_dict* const* dicts, size_t n, const td_map_function* given, td_dict** out_dict,
                             td_error** err) noexcept {
  MapFunction function(given, "function");
  return guard(err, [&] {
    function.check();
    if (!function->fn) throw_null("fn");
    if (n > 0 && !dicts) throw_null("dicts");
    out(out_dict);
    std::vector<const td::Node*> nodes;
    for (size_t i = 0; i < n; ++i) nodes.push_back(&ref(dicts[i]));
    auto on_leaf = [&](const td::Path& path, const td::Leaves& leaves) { return call_leaf(function, path, leaves); };
    give(out_dict, td::merge(nodes, on_leaf));
  });
}
