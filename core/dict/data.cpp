#include "core/dict/data.h"

#include <charconv>
#include <cmath>

#include "core/dict/node.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

at::TensorOptions numbers() {
  return at::TensorOptions(at::kLong);
}

// Python's repr of a float: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16 on.
std::string float_text(double f) {
  if (f != f) return "nan";
  if (std::isinf(f)) return f > 0 ? "inf" : "-inf";
  double size = std::abs(f);
  bool plain = f == 0 || (size >= 1e-4 && size < 1e16);
  char buffer[64];
  auto end =
      std::to_chars(buffer, buffer + sizeof buffer, f, plain ? std::chars_format::fixed : std::chars_format::scientific)
          .ptr;
  std::string s(buffer, end);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

}  // namespace

DataPtr Data::uniform(Value value, at::IntArrayRef batch) {
  auto pool = std::make_shared<const std::vector<Value>>(1, std::move(value));
  return c10::make_intrusive<Data>(at::zeros({1}, numbers()).expand(batch), std::move(pool), false);
}

DataPtr Data::stack(std::vector<Value> values, at::IntArrayRef batch) {
  int64_t n = checked_numel(batch, 1);
  if (n != static_cast<int64_t>(values.size()))
    throw Error(Code::shape, std::to_string(values.size()) + " values for batch size " + to_string(batch))
        .hint("give one value for each batch element, in row-major order");
  auto pool = std::make_shared<const std::vector<Value>>(std::move(values));
  return c10::make_intrusive<Data>(at::arange(n, numbers()).view(batch), std::move(pool), true);
}

DataPtr Data::with(at::Tensor ids, bool stacked) const {
  return c10::make_intrusive<Data>(std::move(ids), pool_, stacked);
}

const Value& Data::value() const {
  std::vector<const Value*> all = values();
  if (all.empty()) {
    if (!stacked_ && !pool_->empty()) return pool_->front();
    throw Error(Code::shape, "the entry has no value: its batch is empty");
  }
  for (const Value* v : all)
    if (!(*v == *all.front()))
      throw Error(Code::shape, "the entry has different values for its batch elements").hint("read them one by one");
  return *all.front();
}

std::vector<const Value*> Data::values() const {
  at::Tensor flat = ids_.contiguous();
  const auto* id = static_cast<const int64_t*>(data(flat));
  std::vector<const Value*> out;
  out.reserve(static_cast<size_t>(flat.numel()));
  for (int64_t i = 0; i < flat.numel(); ++i) out.push_back(&(*pool_)[static_cast<size_t>(id[i])]);
  return out;
}

std::string str(const Value& v, bool quoted) {
  switch (v.kind) {
    case Value::Kind::none:
      return "None";
    case Value::Kind::boolean:
      return v.i ? "True" : "False";
    case Value::Kind::integer:
      return std::to_string(v.i);
    case Value::Kind::real:
      return float_text(v.f);
    default:
      return quoted ? "'" + v.text + "'" : v.text;
  }
}

Merged merge(const std::vector<DataPtr>& entries) {
  auto pool = std::make_shared<std::vector<Value>>();
  Merged out;
  for (const DataPtr& d : entries) {
    out.ids.push_back(d->ids().add(c10::Scalar(static_cast<int64_t>(pool->size()))));
    pool->insert(pool->end(), d->pool().begin(), d->pool().end());
  }
  out.pool = std::move(pool);
  return out;
}

}  // namespace td
