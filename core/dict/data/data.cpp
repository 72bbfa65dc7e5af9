#include "core/dict/data/data.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/tensor/dims.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

at::TensorOptions numbers() {
  return at::TensorOptions(at::kLong);
}

}  // namespace

DataPtr Data::uniform(Value value, at::IntArrayRef batch) {
  auto pool = std::make_shared<const std::vector<Value>>(1, std::move(value));
  return c10::make_intrusive<Data>(at::zeros({}, numbers()).expand(batch), std::move(pool), false);
}

DataPtr Data::stack(std::vector<Value> values, at::IntArrayRef batch) {
  int64_t n = checked_numel(batch, 1);
  if (n != static_cast<int64_t>(values.size()))
    throw Error(Code::shape, std::to_string(values.size()) + " values do not fill batch size " + to_string(batch))
        .hint("give one value for each batch element, in row-major order");
  auto pool = std::make_shared<const std::vector<Value>>(std::move(values));
  return c10::make_intrusive<Data>(at::arange(n, numbers()).view(batch), std::move(pool), true);
}

DataPtr Data::with(at::Tensor ids, bool stacked) const {
  return c10::make_intrusive<Data>(std::move(ids), pool_, stacked);
}

const Value& Data::value() const {
  if (ids_.numel() == 0) {
    if (stacked() || pool_->empty()) throw Error(Code::shape, "the entry has no value, because its batch is empty");
    return pool_->front();
  }
  const Value& first = (*pool_)[static_cast<size_t>(*static_cast<const int64_t*>(data(ids_)))];
  if (!stacked()) return first;
  // Expanded dims repeat what is in their first element.
  at::Tensor distinct = ids_;
  for (int64_t d = 0; d < distinct.dim(); ++d)
    if (distinct.stride(d) == 0) distinct = distinct.narrow(d, 0, 1);
  for (const Value* v : c10::make_intrusive<Data>(distinct, pool_, true)->values())
    if (!(*v == first))
      throw Error(Code::shape, "the entry has different values for its batch elements").hint("read them one by one");
  return first;
}

const char* Data::class_name() const {
  return stacked() ? "NonTensorStack" : metadata() ? "MetaData" : "NonTensorData";
}

size_t Data::size() const {
  return stacked() ? static_cast<size_t>(ids_.numel()) : 1;
}

const Value& Data::at(size_t index) const {
  if (index >= size())
    throw Error(Code::index,
                "value " + std::to_string(index) + " is out of range for " + std::to_string(size()) + " values");
  if (!stacked()) return value();
  int64_t offset = 0;
  auto rest = static_cast<int64_t>(index);
  for (int64_t dim = ids_.dim() - 1; dim >= 0; --dim) {
    offset += rest % ids_.size(dim) * ids_.stride(dim);
    rest /= ids_.size(dim);
  }
  return (*pool_)[static_cast<size_t>(static_cast<const int64_t*>(data(ids_))[offset])];
}

bool Data::same_as(const Data& other) const {
  if (stacked() != other.stacked() || batch() != other.batch()) return false;
  for (size_t i = 0; i < size(); ++i)
    if (!(at(i) == other.at(i))) return false;
  return true;
}

std::vector<const Value*> Data::values() const {
  at::Tensor flat = ids_.contiguous();
  const auto* id = static_cast<const int64_t*>(data(flat));
  std::vector<const Value*> out;
  out.reserve(static_cast<size_t>(flat.numel()));
  for (int64_t i = 0; i < flat.numel(); ++i) out.push_back(&(*pool_)[static_cast<size_t>(id[i])]);
  return out;
}

Merged merge(const std::vector<DataPtr>& entries) {
  auto pool = std::make_shared<std::vector<Value>>();
  Merged out;
  std::unordered_map<const std::vector<Value>*, int64_t> offsets;  // entries of one origin share their pool
  for (const DataPtr& d : entries) {
    auto [offset, first] = offsets.emplace(&d->pool(), static_cast<int64_t>(pool->size()));
    if (first) pool->insert(pool->end(), d->pool().begin(), d->pool().end());
    out.ids.push_back(d->ids().add(c10::Scalar(offset->second)));
  }
  out.pool = std::move(pool);
  return out;
}

DataPtr stack_data(const std::vector<DataPtr>& entries, const Merged& merged, int64_t dim) {
  at::Tensor ids = at::stack(merged.ids, dim);
  const bool same = std::all_of(entries.begin(), entries.end(),
                                [&](const DataPtr& d) { return d->metadata() && d->value() == entries[0]->value(); });
  if (same) return Data::uniform(entries[0]->value(), ids.sizes());
  return c10::make_intrusive<Data>(std::move(ids), merged.pool, true);
}

}  // namespace td
