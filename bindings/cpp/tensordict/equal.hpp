// Equality of dicts and of tensors, within a tolerance.
//
//     if (auto difference = difference_of(td, expected, {1e-5})) fail(*difference);
#ifndef TENSORDICT_EQUAL_HPP
#define TENSORDICT_EQUAL_HPP

#include "dict.hpp"

namespace tensordict {

// Numbers are equal if |a - b| <= absolute + relative * |b|.
struct Tolerance {
  double relative = 0, absolute = 0;
  bool equal_nan = false;
};

namespace detail {

template <class F, class T>
std::optional<std::string> difference_of(F function, const T& a, const T& b, const Tolerance& tolerance) {
  td_equal_options options = TD_EQUAL_OPTIONS_INIT;
  options.relative = tolerance.relative;
  options.absolute = tolerance.absolute;
  options.equal_nan = tolerance.equal_nan;
  td_bool equal = 0;
  td_string* text = nullptr;
  call(function, a.get(), b.get(), static_cast<const td_equal_options*>(&options), &equal, &text);
  if (equal) return std::nullopt;
  return take_text(text);
}

}  // namespace detail

// What differs, and where; nothing if they are equal: in shape, dtype and elements.
inline std::optional<std::string> difference_of(const Tensor& a, const Tensor& b, const Tolerance& tolerance = {}) {
  return detail::difference_of(td_tensor_equal, a, b, tolerance);
}
// In batch size, keys in any order, tensors and data.
inline std::optional<std::string> difference_of(const Dict& a, const Dict& b, const Tolerance& tolerance = {}) {
  return detail::difference_of(td_dict_equal, a, b, tolerance);
}

template <class T>
bool equal(const T& a, const T& b, const Tolerance& tolerance = {}) {
  return !difference_of(a, b, tolerance);
}

}  // namespace tensordict

#endif
