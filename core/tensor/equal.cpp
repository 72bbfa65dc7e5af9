#include "core/tensor/equal.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/error.h"
#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"
#include "core/tensor/ops.h"
#include "core/torch_dtypes.h"

namespace td {

namespace {

std::string named(at::ScalarType type) {
  std::string_view name = dtype_name(type);
  return name.empty() ? c10::toString(type) : std::string(name);
}

bool is_any_of(at::ScalarType type, std::initializer_list<at::ScalarType> types) {
  return type != torch_dtypes::absent && std::find(types.begin(), types.end(), type) != types.end();
}

// Types for which this LibTorch has few operators, as others of the same values; exact, so as the same bytes, where it
// has none of these either.
at::Tensor comparable(const at::Tensor& t) {
  at::Tensor dense = (t.layout() == at::kStrided ? t : t.to_dense()).detach().cpu().resolve_conj().resolve_neg();
  switch (dense.scalar_type()) {
    case at::kHalf:
    case at::kBFloat16:
      return dense.to(at::kFloat);
    case at::kComplexHalf:
      return dense.to(at::kComplexFloat);
#if TD_TORCH_HAS_WIDE_UINT
    case at::ScalarType::UInt16:
    case at::ScalarType::UInt32:
      return dense.to(at::kLong);
    case at::ScalarType::UInt64:
      return dense.contiguous().view(at::kLong);
#endif
    default:
      break;
  }
  if (is_any_of(dense.scalar_type(), {torch_dtypes::e4m3fn, torch_dtypes::e5m2, torch_dtypes::e4m3fnuz,
                                      torch_dtypes::e5m2fnuz, torch_dtypes::e8m0fnu}))
    return dense.to(at::kFloat);
  return is_any_of(dense.scalar_type(), {torch_dtypes::e2m1fn_x2}) ? dense.contiguous().view(at::kByte) : dense;
}

at::Tensor same(const at::Tensor& a, const at::Tensor& b, const Tolerance& tolerance) {
  if (a.scalar_type() == at::kBool ||
      (!a.is_floating_point() && !a.is_complex() && tolerance.relative == 0 && tolerance.absolute == 0))
    return a.eq(b);
  return a.isclose(b, tolerance.relative, tolerance.absolute, tolerance.equal_nan);
}

// The element with that row-major number, as "[1, 0]".
std::string place(int64_t number, at::IntArrayRef sizes) {
  Dims at(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; number /= sizes[d]) at[d] = number % sizes[d];
  return to_string(at);
}

std::string text(const at::Tensor& element) {
  c10::Scalar s = element.item();
  if (s.isBoolean()) return s.toBool() ? "true" : "false";
  if (!s.isFloatingPoint() && !s.isComplex()) return std::to_string(s.toLong());
  char buffer[64];
  auto shown = [&](double x) {
    std::snprintf(buffer, sizeof buffer, "%.9g", x);
    return std::string(buffer);
  };
  if (!s.isComplex()) return shown(s.toDouble());
  return shown(s.toComplexDouble().real()) + " + " + shown(s.toComplexDouble().imag()) + "i";
}

}  // namespace

optional<std::string> difference(const at::Tensor& a, const at::Tensor& b, const Tolerance& tolerance) {
  if (!(tolerance.relative >= 0) || !(tolerance.absolute >= 0))
    throw Error(Code::argument, "a tolerance is negative or not a number");
  if (a.scalar_type() != b.scalar_type())
    return "dtype " + named(a.scalar_type()) + " and dtype " + named(b.scalar_type());
  if (a.sizes() != b.sizes()) return "shape " + to_string(a.sizes()) + " and shape " + to_string(b.sizes());
  if (a.is_same(b) && (tolerance.equal_nan || (!a.is_floating_point() && !a.is_complex()))) return nullopt;
  at::AutoGradMode no_grad(false);
  const at::Tensor x = comparable(a), y = comparable(b);
  const at::Tensor unequal = same(x, y, tolerance).logical_not().reshape({-1});
  const int64_t n = unequal.numel() ? unequal.sum().item<int64_t>() : 0;
  if (n == 0) return nullopt;
  const int64_t first = unequal.to(at::kByte).argmax().item<int64_t>();
  return std::to_string(n) + " of " + std::to_string(unequal.numel()) + " elements differ, the first at " +
         place(first, a.sizes()) + ": " + text(x.reshape({-1})[first]) + " and " + text(y.reshape({-1})[first]);
}

}  // namespace td
