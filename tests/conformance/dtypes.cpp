#include "dtypes.h"

#include <stdexcept>

namespace conformance {
namespace {

struct Named {
  td_dtype dtype;
  const char *name;
};
const Named kNames[] = {
    {TD_DTYPE_BOOL, "bool"},           {TD_DTYPE_UINT8, "uint8"},
    {TD_DTYPE_INT8, "int8"},           {TD_DTYPE_INT16, "int16"},
    {TD_DTYPE_INT32, "int32"},         {TD_DTYPE_INT64, "int64"},
    {TD_DTYPE_UINT16, "uint16"},       {TD_DTYPE_UINT32, "uint32"},
    {TD_DTYPE_UINT64, "uint64"},       {TD_DTYPE_FLOAT16, "float16"},
    {TD_DTYPE_BFLOAT16, "bfloat16"},   {TD_DTYPE_FLOAT32, "float32"},
    {TD_DTYPE_FLOAT64, "float64"},     {TD_DTYPE_COMPLEX32, "complex32"},
    {TD_DTYPE_COMPLEX64, "complex64"}, {TD_DTYPE_COMPLEX128, "complex128"},
};

}  // namespace

td_dtype dtype_of(const std::string &name) {
  for (const Named &n : kNames)
    if (name == n.name) return n.dtype;
  throw std::runtime_error("no such dtype: " + name);
}

const char *dtype_name(td_dtype dtype) {
  for (const Named &n : kNames)
    if (dtype == n.dtype) return n.name;
  return "none";
}

}  // namespace conformance
