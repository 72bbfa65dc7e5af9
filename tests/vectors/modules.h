// What the files of kinds share: modules with keys, and what they hold.
#pragma once

#include "vectors.h"

namespace vectors {

// {"in": [...], "out": [...]}: output i is input i (of the n there are) plus n, as in the examples of the original.
Own<td_module> keyed(const Object &spec);
// A list of those and of {"seq": [...]}.
Own<td_module> sequence(const json::value &spec, const td_sequential_options *options = nullptr);

KeyList in_keys(const td_module *m);
KeyList out_keys(const td_module *m);

Own<td_dict> dict_of(const KeyList &keys);  // 0, 1, ... under the keys
KeyList leaf_keys(const td_dict *d);
// [[key, values], ...]: all leaves of `d`, in any order.
void check_leaf_values(const td_dict *d, const json::array &expected, double tolerance);
std::vector<td_module *> handles_of(const std::vector<Own<td_module>> &modules);
void check_shape(const td_tensor *t, const json::value &expected, const std::string &what);

// "dtype" of the vector, or float64.
inline td_dtype dtype_of(const Object &v) {
  return v.contains("dtype") && v.at("dtype").as_string() == "float32" ? TD_DTYPE_FLOAT32 : TD_DTYPE_FLOAT64;
}

}  // namespace vectors
