// Lists of dicts and of tensors across the border.
#pragma once

#include <vector>

#include "capi/convert.h"

namespace td::capi {

inline void give_list(td_dict_list** pointer, td::Nodes nodes) {
  auto list = c10::make_intrusive<DictList>();
  list->dicts = std::move(nodes);
  give(pointer, std::move(list));
}

inline void give_list(td_tensor_list** pointer, std::vector<at::Tensor> tensors) {
  give(pointer, c10::make_intrusive<TensorList>(std::move(tensors)));
}

// Both or neither.
inline void give_named(td_keys** out_keys, td_tensor_list** out_tensors, std::vector<td::Path> names,
                       std::vector<at::Tensor> tensors) {
  td_keys*& keys = out(out_keys, "out_keys");
  td_tensor_list*& values = out(out_tensors, "out_tensors");
  auto list = c10::make_intrusive<TensorList>(std::move(tensors));
  keys = own_keys(std::move(names));
  values = own<td_tensor_list>(std::move(list));
}

// New references to `n` dicts.
inline td::Nodes shared_nodes(td_dict* const* dicts, size_t n) {
  if (n > 0 && !dicts) throw_null("dicts");
  td::Nodes out;
  for (size_t i = 0; i < n; ++i) out.push_back(share(dicts[i]));
  return out;
}

inline std::vector<at::Tensor> tensor_values(td_tensor* const* values, size_t n) {
  if (n > 0 && !values) throw_null("values");
  std::vector<at::Tensor> out;
  for (size_t i = 0; i < n; ++i) out.push_back(tensor(values[i]));
  return out;
}

}  // namespace td::capi
