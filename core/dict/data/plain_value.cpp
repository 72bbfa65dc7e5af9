#include "core/dict/data/plain_value.h"

#include "core/tensor/factory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

template <class T>
at::Tensor one_dim(at::ArrayRef<T> values, at::ScalarType type) {
  return copy_of(values.data(), type, {static_cast<int64_t>(values.size())});
}

}  // namespace

Entry entry_of(int64_t i) {
  return Entry(at::scalar_tensor(i, at::TensorOptions(at::kLong)));
}

Entry entry_of(double f) {
  return Entry(at::scalar_tensor(f, at::TensorOptions(at::kFloat)));
}

Entry entry_of(bool b) {
  return Entry(at::scalar_tensor(b, at::TensorOptions(at::kBool)));
}

Entry entry_of(at::IntArrayRef ints) {
  return Entry(one_dim(ints, at::kLong));
}

Entry entry_of(at::ArrayRef<double> reals) {
  return Entry(one_dim(reals, at::kDouble).to(at::kFloat));
}

// A byte other than 0 and 1 is true.
Entry entry_of(at::ArrayRef<uint8_t> booleans) {
  return Entry(one_dim(booleans, at::kByte).to(at::kBool));
}

Entry entry_of(std::string text) {
  check_utf8(text, "text");
  Value v;
  v.kind = Value::Kind::text;
  v.text = std::move(text);
  return Entry(Data::uniform(std::move(v), {}));
}

}  // namespace td
