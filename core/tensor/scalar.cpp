#include "core/tensor/scalar.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "core/error.h"
#include "core/torch_compat.h"

namespace td {

namespace {

bool is_wide([[maybe_unused]] const c10::Scalar& s) {
#if TD_TORCH_HAS_WIDE_UINT
  return s.type() == at::kUInt64;
#else
  return false;
#endif
}

bool is_zero(double f) {
  return f == 0 && !std::signbit(f);
}

}  // namespace

c10::Scalar unsigned_scalar(uint64_t u) {
  if (u <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return c10::Scalar(static_cast<int64_t>(u));
#if TD_TORCH_HAS_WIDE_UINT
  return c10::Scalar(u);
#else
  throw Error(Code::unsupported, std::to_string(u) + " is too large for this LibTorch")
      .hint("integers above 2^63 - 1 require LibTorch 2.3 or later");
#endif
}

uint64_t unsigned_number(const c10::Scalar& s) {
#if TD_TORCH_HAS_WIDE_UINT
  return s.toUInt64();
#else
  return static_cast<uint64_t>(s.toLong());
#endif
}

bool is_zero(const c10::Scalar& s) {
  if (s.isComplex()) return is_zero(s.toComplexDouble().real()) && is_zero(s.toComplexDouble().imag());
  if (s.isFloatingPoint()) return is_zero(s.toDouble());
  return !is_wide(s) && s.toLong() == 0;
}

std::string to_string(const c10::Scalar& s) {
  std::ostringstream out;
  if (s.isComplex()) {
    c10::complex<double> c = s.toComplexDouble();
    out << c.real() << (std::signbit(c.imag()) ? "-" : "+") << std::abs(c.imag()) << "j";
  } else if (s.isFloatingPoint()) {
    out << s.toDouble();
  } else if (s.isBoolean()) {
    out << (s.toBool() ? "True" : "False");
  } else if (is_wide(s)) {
    out << unsigned_number(s);
  } else {
    out << s.toLong();
  }
  return out.str();
}

}  // namespace td
