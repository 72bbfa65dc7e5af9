#include "core/tensor/dtype.h"

#include <array>
#include <iterator>

#include "core/error.h"
#include "core/torch_dtypes.h"

namespace td {

namespace {

struct DtypeRow {
  int32_t code;
  std::string_view name;
  at::ScalarType type;
  int64_t size;
  const char* since;  // the first LibTorch that has it, where that is not the oldest one
};

using torch_dtypes::absent;

constexpr DtypeRow dtypes[] = {
    {1, "bool", at::kBool, 1, ""},
    {2, "uint8", at::kByte, 1, ""},
    {3, "int8", at::kChar, 1, ""},
    {4, "int16", at::kShort, 2, ""},
    {5, "int32", at::kInt, 4, ""},
    {6, "int64", at::kLong, 8, ""},
    {7, "uint16", torch_dtypes::uint16, 2, "2.3"},
    {8, "uint32", torch_dtypes::uint32, 4, "2.3"},
    {9, "uint64", torch_dtypes::uint64, 8, "2.3"},
    {10, "float16", at::kHalf, 2, ""},
    {11, "bfloat16", at::kBFloat16, 2, ""},
    {12, "float32", at::kFloat, 4, ""},
    {13, "float64", at::kDouble, 8, ""},
    {14, "complex32", at::kComplexHalf, 4, ""},
    {15, "complex64", at::kComplexFloat, 8, ""},
    {16, "complex128", at::kComplexDouble, 16, ""},
    {17, "float8_e4m3fn", torch_dtypes::e4m3fn, 1, "2.1"},
    {18, "float8_e5m2", torch_dtypes::e5m2, 1, "2.1"},
    {19, "float8_e4m3fnuz", torch_dtypes::e4m3fnuz, 1, "2.2"},
    {20, "float8_e5m2fnuz", torch_dtypes::e5m2fnuz, 1, "2.2"},
    {21, "float8_e8m0fnu", torch_dtypes::e8m0fnu, 1, "2.7"},
    {22, "float4_e2m1fn_x2", torch_dtypes::e2m1fn_x2, 1, "2.8"},
};

constexpr size_t count = std::size(dtypes);

constexpr bool codes_are_places() {
  for (size_t i = 0; i < count; ++i)
    if (dtypes[i].code != static_cast<int32_t>(i) + 1) return false;
  return true;
}
static_assert(codes_are_places(), "rows are found by their code");

const DtypeRow* find_row(int32_t code) {
  return code > 0 && static_cast<size_t>(code) <= count ? &dtypes[code - 1] : nullptr;
}

// The place of each LibTorch type in `dtypes`, plus one.
constexpr auto make_places() {
  std::array<int8_t, 128> places{};
  for (size_t i = 0; i < count; ++i)
    if (dtypes[i].type != absent) places[static_cast<size_t>(dtypes[i].type)] = static_cast<int8_t>(i + 1);
  return places;
}
constexpr auto places = make_places();

const DtypeRow* find_row(at::ScalarType type) {
  const auto i = static_cast<size_t>(type);
  return i < places.size() ? find_row(static_cast<int32_t>(places[i])) : nullptr;
}

const DtypeRow& row_of(int32_t code) {
  if (const DtypeRow* row = find_row(code)) return *row;
  throw Error(Code::dtype, "unknown dtype code " + std::to_string(code)).hint_naming("use the {dtype} constants");
}

}  // namespace

int32_t dtype_code(at::ScalarType type) {
  const DtypeRow* row = find_row(type);
  return row ? row->code : 0;
}

bool has_dtype(int32_t code) {
  return row_of(code).type != absent;
}

at::ScalarType scalar_type(int32_t code) {
  const DtypeRow& row = row_of(code);
  if (row.type == absent)
    throw Error(Code::dtype, "dtype " + std::string(row.name) + " is not in this LibTorch")
        .hint(std::string("it needs LibTorch ") + row.since + " or later");
  return row.type;
}

std::string_view dtype_name(at::ScalarType type) {
  const DtypeRow* row = find_row(type);
  return row ? row->name : std::string_view();
}

std::string_view dtype_name(int32_t code) {
  const DtypeRow* row = find_row(code);
  return row ? row->name : std::string_view();
}

int64_t dtype_size(int32_t code) {
  const DtypeRow* row = find_row(code);
  return row ? row->size : 0;
}

int32_t dtype_code_named(std::string_view name) {
  constexpr std::string_view prefix = "torch.";
  std::string_view bare = name.substr(0, prefix.size()) == prefix ? name.substr(prefix.size()) : name;
  for (int32_t code : {12, 6, 1, 13})  // float32, int64, bool, float64: the usual ones
    if (find_row(code)->name == bare) return code;
  for (const DtypeRow& r : dtypes)
    if (r.name == bare) return r.code;
  throw Error(Code::dtype, "unknown dtype '" + std::string(name) + "'");
}

at::ScalarType scalar_type_named(std::string_view name) {
  return scalar_type(dtype_code_named(name));
}

}  // namespace td
