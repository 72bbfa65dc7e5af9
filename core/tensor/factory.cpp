#include "core/tensor/factory.h"

#include <cstring>

#include "core/error.h"
#include "core/tensor/dims.h"
#include "core/tensor/generator.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"
#include "core/tensor/scalar.h"

namespace td {

namespace {

at::TensorOptions checked_options(at::IntArrayRef sizes, at::ScalarType type, const std::string& device) {
  checked_numel(sizes, c10::elementSize(type));
  return at::TensorOptions(type).device(parse_device(device));
}

}  // namespace

at::Tensor empty(at::IntArrayRef sizes, at::ScalarType type, const std::string& device) {
  return at::empty(sizes, checked_options(sizes, type, device));
}

at::Tensor full(at::IntArrayRef sizes, const c10::Scalar& value, at::ScalarType type, const std::string& device) {
  at::TensorOptions options = checked_options(sizes, type, device);
  return is_zero(value) ? at::zeros(sizes, options) : at::full(sizes, value, options);
}

at::Tensor randn(at::IntArrayRef sizes, at::ScalarType type, const std::string& device, Generator* generator) {
  at::TensorOptions options = checked_options(sizes, type, device);
  if (!c10::isFloatingType(type) && !c10::isComplexType(type))
    throw Error(Code::dtype, "random normal numbers need a floating or complex dtype");
  return generator ? at::randn(sizes, optional<at::Generator>(generator->get()), options) : at::randn(sizes, options);
}

at::Tensor copy_of(const void* source, at::ScalarType type, at::IntArrayRef sizes) {
  int64_t n = checked_numel(sizes, c10::elementSize(type));
  if (n > 0 && !source) throw Error(Code::argument, "data is NULL for shape " + to_string(sizes));
  at::Tensor t = at::empty(sizes, at::TensorOptions(type));
  if (n > 0) std::memcpy(const_cast<void*>(data(t)), source, static_cast<size_t>(n) * c10::elementSize(type));
  return t;
}

void call_release(void (*fn)(void*), void* owner) noexcept {
  try {
    fn(owner);
  } catch (...) {  // a destructor may be running: the memory is the caller's to account for
  }
}

}  // namespace td
