#include "core/tensor/dtype.h"

#include "core/error.h"
#include "core/torch_compat.h"

namespace td {

namespace {

struct DtypeRow {
  int32_t code;
  std::string_view name;
  at::ScalarType type;
  int64_t size;
};

constexpr at::ScalarType absent = at::ScalarType::Undefined;

constexpr DtypeRow dtypes[] = {
    {1, "bool", at::kBool, 1},
    {2, "uint8", at::kByte, 1},
    {3, "int8", at::kChar, 1},
    {4, "int16", at::kShort, 2},
    {5, "int32", at::kInt, 4},
    {6, "int64", at::kLong, 8},
#if TD_TORCH_HAS_WIDE_UINT
    {7, "uint16", at::ScalarType::UInt16, 2},
    {8, "uint32", at::ScalarType::UInt32, 4},
    {9, "uint64", at::ScalarType::UInt64, 8},
#else
    {7, "uint16", absent, 2},
    {8, "uint32", absent, 4},
    {9, "uint64", absent, 8},
#endif
    {10, "float16", at::kHalf, 2},
    {11, "bfloat16", at::kBFloat16, 2},
    {12, "float32", at::kFloat, 4},
    {13, "float64", at::kDouble, 8},
    {14, "complex32", at::kComplexHalf, 4},
    {15, "complex64", at::kComplexFloat, 8},
    {16, "complex128", at::kComplexDouble, 16},
};

at::ScalarType present(const DtypeRow& row) {
  if (row.type == absent)
    throw Error(Code::dtype, "dtype " + std::string(row.name) + " is not in this LibTorch")
        .hint("it needs LibTorch 2.3 or later");
  return row.type;
}

}  // namespace

int32_t dtype_code(at::ScalarType type) {
  for (const DtypeRow& r : dtypes)
    if (r.type == type && type != absent) return r.code;
  return 0;
}

at::ScalarType scalar_type(int32_t code) {
  for (const DtypeRow& r : dtypes)
    if (r.code == code) return present(r);
  throw Error(Code::dtype, "unknown dtype code " + std::to_string(code)).hint_naming("use the {dtype} constants");
}

std::string_view dtype_name(at::ScalarType type) {
  for (const DtypeRow& r : dtypes)
    if (r.type == type && type != absent) return r.name;
  return {};
}

std::string_view dtype_name(int32_t code) {
  for (const DtypeRow& r : dtypes)
    if (r.code == code) return r.name;
  return {};
}

int64_t dtype_size(int32_t code) {
  for (const DtypeRow& r : dtypes)
    if (r.code == code) return r.size;
  return 0;
}

at::ScalarType scalar_type_named(std::string_view name) {
  constexpr std::string_view prefix = "torch.";
  std::string_view bare = name.substr(0, prefix.size()) == prefix ? name.substr(prefix.size()) : name;
  for (const DtypeRow& r : dtypes)
    if (r.name == bare) return present(r);
  throw Error(Code::dtype, "unknown dtype '" + std::string(name) + "'");
}

}  // namespace td
