// The dtypes that not every LibTorch has which this tree builds with; the rest of what differs is in torch_compat.h.
#pragma once

#include "core/torch_compat.h"

namespace td::torch_dtypes {

inline constexpr at::ScalarType absent = at::ScalarType::Undefined;

#if TD_TORCH_HAS_WIDE_UINT
inline constexpr at::ScalarType uint16 = at::ScalarType::UInt16, uint32 = at::ScalarType::UInt32,
                                uint64 = at::ScalarType::UInt64;
#else
inline constexpr at::ScalarType uint16 = absent, uint32 = absent, uint64 = absent;
#endif

// Floats of 8 and 4 bits came one after the other.
#if TD_TORCH >= 201
inline constexpr at::ScalarType e4m3fn = at::ScalarType::Float8_e4m3fn, e5m2 = at::ScalarType::Float8_e5m2;
#else
inline constexpr at::ScalarType e4m3fn = absent, e5m2 = absent;
#endif
#if TD_TORCH >= 202
inline constexpr at::ScalarType e4m3fnuz = at::ScalarType::Float8_e4m3fnuz, e5m2fnuz = at::ScalarType::Float8_e5m2fnuz;
#else
inline constexpr at::ScalarType e4m3fnuz = absent, e5m2fnuz = absent;
#endif
#if TD_TORCH >= 207
inline constexpr at::ScalarType e8m0fnu = at::ScalarType::Float8_e8m0fnu;
#else
inline constexpr at::ScalarType e8m0fnu = absent;
#endif
#if TD_TORCH >= 208
inline constexpr at::ScalarType e2m1fn_x2 = at::ScalarType::Float4_e2m1fn_x2;
#else
inline constexpr at::ScalarType e2m1fn_x2 = absent;
#endif

}  // namespace td::torch_dtypes
