#include "tensors.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "dtypes.h"

namespace conformance {
namespace {

constexpr int64_t kMostElements = 1 << 20;  // programs are small; a larger literal is a mistake

int64_t count(const std::vector<int64_t> &shape) {
  int64_t n = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > kMostElements) throw std::runtime_error("a literal's size is out of range");
    n *= size;
    if (n > kMostElements) throw std::runtime_error("a literal is too large");
  }
  return n;
}

// Where literals are: "cuda:0", for example, if TD_REPLAY_DEVICE says so.
td_str device() {
  static const char *const name = std::getenv("TD_REPLAY_DEVICE");
  return name ? TD_STR(name) : TD_NO_STR;
}

// As torch.tensor(numbers).to(dtype): whole numbers through int64, others through float64.
template <class T>
Tensor converted(const std::vector<T> &numbers, td_dtype held, const std::vector<int64_t> &shape, td_dtype dtype) {
  static const T nothing{};
  Tensor raw = own(made<td_tensor>(td_tensor_copy_from, numbers.empty() ? &nothing : numbers.data(), held, shape.data(),
                                   shape.size()));
  return own(made<td_tensor>(td_tensor_to, raw.get(), dtype, device()));
}

bool whole(const json::value &v) {
  return v.is_int64() || v.is_bool();
}

}  // namespace

json::value number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

double number_of(const json::value &v) {
  if (v.is_string()) {
    if (v.get_string() == "inf") return std::numeric_limits<double>::infinity();
    if (v.get_string() == "-inf") return -std::numeric_limits<double>::infinity();
    if (v.get_string() == "nan") return std::numeric_limits<double>::quiet_NaN();
    throw std::runtime_error("not a number");
  }
  return v.to_number<double>();
}

Tensor literal(const json::object &spec) {
  const std::vector<int64_t> shape = json::value_to<std::vector<int64_t>>(spec.at("shape"));
  const json::value *given = spec.if_contains("dtype");
  const td_dtype dtype = given ? dtype_of(json::value_to<std::string>(*given)) : TD_DTYPE_FLOAT32;
  const int64_t n = count(shape);

  std::vector<json::value> values;
  if (const json::value *data = spec.if_contains("data"))
    values.assign(data->as_array().begin(), data->as_array().end());
  else if (const json::value *full = spec.if_contains("full"))
    values.assign(n, *full);
  else
    for (int64_t i = 0, first = spec.at("arange").to_number<int64_t>(); i < n; ++i)
      values.push_back(dtype == TD_DTYPE_BOOL ? ((first + i) % 2 + 2) % 2 : first + i);
  if (static_cast<int64_t>(values.size()) != n) throw std::runtime_error("a literal's data does not fill its shape");

  bool all_whole = true;
  for (const json::value &v : values) all_whole = all_whole && whole(v);
  if (all_whole) {
    std::vector<int64_t> numbers;
    for (const json::value &v : values) numbers.push_back(v.is_bool() ? v.get_bool() : v.get_int64());
    return converted(numbers, TD_DTYPE_INT64, shape, dtype);
  }
  std::vector<double> numbers;
  for (const json::value &v : values) numbers.push_back(number_of(v));
  return converted(numbers, TD_DTYPE_FLOAT64, shape, dtype);
}

std::vector<int64_t> shape_of(const td_tensor *t) {
  std::vector<int64_t> shape(td_tensor_ndim(t));
  td_tensor_shape(t, shape.data(), shape.size());
  return shape;
}

json::array elements(const td_tensor *t) {
  const td_dtype dtype = td_tensor_dtype(t);
  const bool complex = dtype == TD_DTYPE_COMPLEX32 || dtype == TD_DTYPE_COMPLEX64 || dtype == TD_DTYPE_COMPLEX128;
  const bool real =
      dtype == TD_DTYPE_FLOAT16 || dtype == TD_DTYPE_BFLOAT16 || dtype == TD_DTYPE_FLOAT32 || dtype == TD_DTYPE_FLOAT64;
  const td_dtype wide = complex ? TD_DTYPE_COMPLEX128 : real ? TD_DTYPE_FLOAT64 : TD_DTYPE_INT64;
  Tensor plain = own(made<td_tensor>(td_tensor_detach, t));
  Tensor cast = own(made<td_tensor>(td_tensor_to, plain.get(), wide, TD_STR("cpu")));
  Tensor rows = own(made<td_tensor>(td_tensor_contiguous, cast.get()));
  const void *data = made<const void>(td_tensor_data, rows.get());
  json::array out;
  const int64_t n = td_tensor_numel(rows.get());
  out.reserve(n);
  for (int64_t i = 0; i < n; ++i) {
    if (complex)
      out.push_back(json::array{number(static_cast<const double *>(data)[2 * i]),
                                number(static_cast<const double *>(data)[2 * i + 1])});
    else if (real)
      out.push_back(number(static_cast<const double *>(data)[i]));
    else if (dtype == TD_DTYPE_BOOL)
      out.push_back(static_cast<const int64_t *>(data)[i] != 0);
    else
      out.push_back(static_cast<const int64_t *>(data)[i]);
  }
  return out;
}

std::pair<const char *, const char *> extent(const td_tensor *t) {
  if (std::string_view(td_tensor_device(t).data) != "cpu") return {nullptr, nullptr};  // its address is not told
  const char *start = static_cast<const char *>(made<const void>(td_tensor_data, t));
  if (td_tensor_numel(t) == 0) return {start, start};
  const std::vector<int64_t> shape = shape_of(t);
  std::vector<int64_t> strides(shape.size());
  td_tensor_strides(t, strides.data(), strides.size());
  int64_t last = 0;
  for (size_t i = 0; i < shape.size(); ++i) last += (shape[i] - 1) * strides[i];
  return {start, start + (last + 1) * td_tensor_itemsize(t)};
}

}  // namespace conformance
