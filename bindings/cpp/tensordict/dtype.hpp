// Element types, and which C++ type has which.
#ifndef TENSORDICT_DTYPE_HPP
#define TENSORDICT_DTYPE_HPP

#include <tensordict.h>

#include <complex>
#include <cstdint>
#include <string_view>

namespace tensordict {

enum class DType : td_dtype {
  none = TD_DTYPE_NONE,  // not given: an operation's default
  bool_ = TD_DTYPE_BOOL,
  uint8 = TD_DTYPE_UINT8,
  int8 = TD_DTYPE_INT8,
  int16 = TD_DTYPE_INT16,
  int32 = TD_DTYPE_INT32,
  int64 = TD_DTYPE_INT64,
  uint16 = TD_DTYPE_UINT16,  // uint16, uint32 and uint64 need LibTorch 2.3 or later
  uint32 = TD_DTYPE_UINT32,
  uint64 = TD_DTYPE_UINT64,
  float16 = TD_DTYPE_FLOAT16,
  bfloat16 = TD_DTYPE_BFLOAT16,
  float32 = TD_DTYPE_FLOAT32,
  float64 = TD_DTYPE_FLOAT64,
  complex32 = TD_DTYPE_COMPLEX32,
  complex64 = TD_DTYPE_COMPLEX64,
  complex128 = TD_DTYPE_COMPLEX128,
  float8_e4m3fn = TD_DTYPE_FLOAT8_E4M3FN,  // the floats of 8 and 4 bits need LibTorch 2.1 to 2.8 or later
  float8_e5m2 = TD_DTYPE_FLOAT8_E5M2,
  float8_e4m3fnuz = TD_DTYPE_FLOAT8_E4M3FNUZ,
  float8_e5m2fnuz = TD_DTYPE_FLOAT8_E5M2FNUZ,
  float8_e8m0fnu = TD_DTYPE_FLOAT8_E8M0FNU,
  float4_e2m1fn_x2 = TD_DTYPE_FLOAT4_E2M1FN_X2,
};

// "float32"; empty for none.
inline std::string_view name_of(DType dtype) noexcept {
  const td_str name = td_dtype_name(static_cast<td_dtype>(dtype));
  return name.data ? std::string_view(name.data, name.size) : std::string_view();
}
// Of one element, in bytes.
inline std::int64_t size_of(DType dtype) noexcept {
  return td_dtype_size(static_cast<td_dtype>(dtype));
}

// The bits of a number that C++ has no type for.
struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};
struct ComplexHalf {
  Half real, imag;
};

namespace detail {

template <class T>
struct DTypeOf;  // no element of a tensor

template <DType dtype>
struct Is {
  static constexpr DType value = dtype;
};
template <>
struct DTypeOf<bool> : Is<DType::bool_> {};
template <>
struct DTypeOf<std::uint8_t> : Is<DType::uint8> {};
template <>
struct DTypeOf<std::int8_t> : Is<DType::int8> {};
template <>
struct DTypeOf<std::int16_t> : Is<DType::int16> {};
template <>
struct DTypeOf<std::int32_t> : Is<DType::int32> {};
template <>
struct DTypeOf<std::int64_t> : Is<DType::int64> {};
template <>
struct DTypeOf<std::uint16_t> : Is<DType::uint16> {};
template <>
struct DTypeOf<std::uint32_t> : Is<DType::uint32> {};
template <>
struct DTypeOf<std::uint64_t> : Is<DType::uint64> {};
template <>
struct DTypeOf<Half> : Is<DType::float16> {};
template <>
struct DTypeOf<BFloat16> : Is<DType::bfloat16> {};
template <>
struct DTypeOf<float> : Is<DType::float32> {};
template <>
struct DTypeOf<double> : Is<DType::float64> {};
template <>
struct DTypeOf<ComplexHalf> : Is<DType::complex32> {};
template <>
struct DTypeOf<std::complex<float>> : Is<DType::complex64> {};
template <>
struct DTypeOf<std::complex<double>> : Is<DType::complex128> {};

inline td_dtype raw(DType dtype) noexcept {
  return static_cast<td_dtype>(dtype);
}

}  // namespace detail

// The element type that T has in a tensor.
template <class T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

static_assert(sizeof(bool) == 1 && sizeof(ComplexHalf) == 4, "elements lie in memory as LibTorch has them");

}  // namespace tensordict

#endif
