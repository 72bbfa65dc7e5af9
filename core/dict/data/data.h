// Non-tensor entries: text, numbers, bytes or JSON in the batch dims. Each batch element has the number of its value in
// a pool, and those numbers are a tensor of the batch's shape: whatever an operation does to the batch dims of a leaf,
// it does to the numbers, and the values follow.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

namespace td {

// Bytes that Python pickled, of one value or of a list of `count` values. They are never run.
struct Pickle {
  std::string bytes;
  int64_t count = -1;
};

struct Value {
  // `json` is what the others cannot hold: a list, an object or an integer beyond 64 bits, as compact text. A `pickle`
  // is the value number `i` of that list, or the only one.
  enum class Kind { none, boolean, integer, real, text, bytes, json, pickle };
  Kind kind = Kind::none;
  int64_t i = 0;
  double f = 0;
  std::string text;
  std::shared_ptr<const Pickle> pickle;
  bool metadata = false;  // Python's MetaData; the same value as without, so that nothing but class names depends on it

  friend bool operator==(const Value& a, const Value& b) {
    bool same_number = a.f == b.f || (a.f != a.f && b.f != b.f);
    bool same_pickle = a.pickle == b.pickle || (a.pickle && b.pickle && a.pickle->bytes == b.pickle->bytes);
    return a.kind == b.kind && a.i == b.i && same_number && a.text == b.text && same_pickle;
  }
};

class Data;
using DataPtr = c10::intrusive_ptr<Data>;

class Data final : public c10::intrusive_ptr_target {
 public:
  using Pool = std::shared_ptr<const std::vector<Value>>;

  // One value for the whole batch: Python's NonTensorData.
  static DataPtr uniform(Value value, at::IntArrayRef batch);
  // A value for each batch element, row-major: Python's NonTensorStack. Throws Error(shape) for another number of
  // values.
  static DataPtr stack(std::vector<Value> values, at::IntArrayRef batch);
  // The same values under other numbers; `stacked` says what the result is called.
  DataPtr with(at::Tensor ids, bool stacked) const;

  // Without dims nothing is left of a stack but its value.
  bool stacked() const { return stacked_ && ids_.dim() > 0; }
  at::IntArrayRef batch() const { return ids_.sizes(); }
  const at::Tensor& ids() const { return ids_; }
  const std::vector<Value>& pool() const { return *pool_; }

  // The only value, of a uniform entry; throws Error(shape) for a stack of different ones or an empty batch.
  const Value& value() const;
  bool metadata() const { return !stacked() && !pool_->empty() && value().metadata; }
  // Returns the name of Python's class: NonTensorData, MetaData or NonTensorStack.
  const char* class_name() const;
  // One value that stands for the whole batch, or those of a stack, row-major. Throws Error(index).
  size_t size() const;
  const Value& at(size_t index) const;
  bool same_as(const Data& other) const;

  // The value of each batch element, row-major.
  std::vector<const Value*> values() const;

  Data(at::Tensor ids, Pool pool, bool stacked) : ids_(std::move(ids)), pool_(std::move(pool)), stacked_(stacked) {}

 private:
  at::Tensor ids_;
  Pool pool_;
  bool stacked_;
};

// The values of several entries in one pool, with the numbers of each shifted to it.
struct Merged {
  Data::Pool pool;
  std::vector<at::Tensor> ids;
};
Merged merge(const std::vector<DataPtr>& entries);

// The entries along a new dim, of which `merged` was made: a stack, or one MetaData where all are that one.
DataPtr stack_data(const std::vector<DataPtr>& entries, const Merged& merged, int64_t dim);

}  // namespace td
