// Tensors from their JSON literals, and back to numbers.
#pragma once
#include <boost/json.hpp>
#include <vector>

#include "handles.h"

namespace conformance {

namespace json = boost::json;

// {"dtype", "shape", "data" | "arange" | "full"}; throws std::exception if it is none.
Tensor literal(const json::object &spec);

// A number as JSON: NaN and infinities are "nan", "inf" and "-inf".
json::value number(double x);
double number_of(const json::value &v);

std::vector<int64_t> shape_of(const td_tensor *t);

// All elements, row-major; complex ones as [real, imaginary].
json::array elements(const td_tensor *t);

// The first byte of the elements and the one after the last; equal for tensors without elements.
std::pair<const char *, const char *> extent(const td_tensor *t);

}  // namespace conformance
