#include "core/query/row_store.h"

#include <algorithm>
#include <unordered_map>

#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

at::Tensor checked_index(const at::Tensor& index) {
  if (index.dim() != 1)
    throw Error(Code::shape, "indices must have one dim, but these have shape " + to_string(index.sizes()));
  if (index.scalar_type() != at::kLong)
    throw Error(Code::dtype, std::string("indices must be int64, but these are ") + c10::toString(index.scalar_type()));
  return index.detach().cpu().contiguous();
}

const int64_t* rows_of_index(const at::Tensor& index) {
  return index.data_ptr<int64_t>();
}

Dims with_rows(at::IntArrayRef shape, int64_t rows) {
  Dims dims(shape.begin(), shape.end());
  dims[0] = rows;
  return dims;
}

void check_tensors_only(const Node& node) {
  node.visit([](const Key& key, const Entry& e) {
    if (e.is_data())
      throw Error(Code::unsupported, "a store can hold tensors only").key(to_string(Path(std::vector<Key>{key})));
    if (e.is_unbatched()) refuse_unbatched_entry(Path(std::vector<Key>{key}), "it has no rows to store");
    if (e.is_node()) check_tensors_only(*e.node());
  });
}

// The positions whose index does not come again.
at::Tensor last_of_each(const at::Tensor& index) {
  std::unordered_map<int64_t, int64_t> last;
  for (int64_t i = 0; i < index.size(0); ++i) last[rows_of_index(index)[i]] = i;
  if (static_cast<int64_t>(last.size()) == index.size(0)) return {};
  std::vector<int64_t> kept;
  for (const auto& entry : last) kept.push_back(entry.second);
  std::sort(kept.begin(), kept.end());
  at::Tensor t = at::empty({static_cast<int64_t>(kept.size())}, at::kLong);
  std::copy(kept.begin(), kept.end(), t.data_ptr<int64_t>());
  return t;
}

}  // namespace

RowStore::RowStore(int64_t capacity, bool preallocate, std::string path)
    : capacity_(capacity), preallocate_(preallocate), path_(std::move(path)) {
  if (capacity < 0) throw Error(Code::argument, "the capacity is negative");
  if ((preallocate || !path_.empty()) && capacity == 0)
    throw Error(Code::argument, "space can be allocated in advance only if the store has a capacity");
  if (!path_.empty()) open_directory();
}

void RowStore::check(const at::Tensor& given, const Node& rows) const {
  at::Tensor index = checked_index(given);
  if (rows.batch_dims() != 1 || rows.batch_size()[0] != index.size(0))
    throw Error(Code::shape, "batch mismatch: " + std::to_string(index.size(0)) +
                                 " indices were given for rows of batch size " + to_string(rows.batch_size()));
  for (int64_t i = 0; i < index.size(0); ++i) {
    int64_t at = rows_of_index(index)[i];
    if (at < 0)
      throw Error(Code::index, "the index " + std::to_string(at) + " of row " + std::to_string(i) + " is negative");
    if (at == INT64_MAX)
      throw Error(Code::index, "the index " + std::to_string(at) + " of row " + std::to_string(i) + " is too large");
    if (capacity_ > 0 && at >= capacity_)
      throw Error(Code::nospace, "the store has " + std::to_string(capacity_) + " rows, but row " + std::to_string(i) +
                                     " has index " + std::to_string(at))
          .hint("make a larger store, or give the query a capacity, so that new rows replace old ones");
  }
  check_tensors_only(rows);
  if (data_) check_like(rows);
}

void RowStore::check_like(const Node& rows) const {
  std::vector<Path> there = leaf_paths(*data_);
  size_t given = leaf_paths(rows).size();
  Leaves stored = leaves(*data_);
  for (size_t i = 0; i < there.size(); ++i) {
    at::Tensor t = rows.tensor(there[i]);
    if (t.scalar_type() != stored[i].scalar_type())
      throw Error(Code::dtype, std::string("the store has ") + c10::toString(stored[i].scalar_type()) +
                                   ", but the row has " + c10::toString(t.scalar_type()))
          .key(to_string(there[i]));
    if (t.sizes().slice(1) != stored[i].sizes().slice(1))
      throw Error(Code::shape, "the store has rows of shape " + to_string(stored[i].sizes().slice(1)) +
                                   ", but the new rows have " + to_string(t.sizes().slice(1)))
          .key(to_string(there[i]));
  }
  if (given != there.size())
    throw Error(Code::key, "the rows have " + std::to_string(given) + " entries, but the store has " +
                               std::to_string(there.size()));
}

void RowStore::reserve(int64_t rows, const Node& like) {
  int64_t there = data_ ? data_->batch_size()[0] : 0;
  if (rows <= there && data_) return;
  if (!path_.empty()) return make_directory(like);
  int64_t room = preallocate_ ? capacity_ : std::max(rows, there + there / 2 + 8);
  if (capacity_ > 0) room = std::min(room, capacity_);
  const Node& model = data_ ? *data_ : like;
  Leaves made;
  for (const at::Tensor& t : leaves(model)) {
    checked_numel(with_rows(t.sizes(), room), t.itemsize());
    at::Tensor bigger = at::empty(with_rows(t.sizes(), room), t.options().requires_grad(false));
    if (data_ && there > 0) bigger.narrow(0, 0, there).copy_(t);
    made.push_back(bigger);
  }
  present_.resize(static_cast<size_t>(room));
  data_ = rebuild(model, made, {room});
}

void RowStore::set(const at::Tensor& given, const Node& rows) {
  check(given, rows);
  at::Tensor index = checked_index(given);
  if (index.size(0) == 0) return;
  int64_t top = *std::max_element(rows_of_index(index), rows_of_index(index) + index.size(0));
  reserve(top + 1, rows);
  at::Tensor kept = last_of_each(index);
  at::Tensor target = kept.defined() ? index.index_select(0, kept) : index;
  Leaves stored = leaves(*data_);
  std::vector<Path> paths = leaf_paths(*data_);
  for (size_t i = 0; i < stored.size(); ++i) {
    at::Tensor t = rows.tensor(paths[i]).detach();
    stored[i].index_copy_(0, target.to(stored[i].device()),
                          kept.defined() ? t.index_select(0, kept.to(t.device())) : t);
  }
  for (int64_t i = 0; i < target.size(0); ++i) {
    auto at = static_cast<size_t>(rows_of_index(target)[i]);
    size_ += present_[at] ? 0 : 1;
    present_[at] = true;
    if (marks_.defined()) marks_.data_ptr<bool>()[at] = true;
  }
}

NodePtr RowStore::get(const at::Tensor& given) const {
  at::Tensor index = checked_index(given);
  for (int64_t i = 0; i < index.size(0); ++i)
    if (!present(rows_of_index(index)[i]))
      throw Error(Code::index, "nothing is stored for row " + std::to_string(i) + " (index " +
                                   std::to_string(rows_of_index(index)[i]) + ")");
  if (!data_) throw Error(Code::index, "nothing has been stored yet");
  Leaves chosen;
  for (const at::Tensor& t : leaves(*data_)) chosen.push_back(t.index_select(0, index.to(t.device())));
  return rebuild(*data_, chosen, {index.size(0)});
}

at::Tensor RowStore::contains(const at::Tensor& given) const {
  at::Tensor index = checked_index(given), there = at::empty({index.size(0)}, at::kBool);
  for (int64_t i = 0; i < index.size(0); ++i) there.data_ptr<bool>()[i] = present(rows_of_index(index)[i]);
  return there;
}

void RowStore::clear() {
  size_ = 0;
  if (marks_.defined()) {
    marks_.fill_(false);
    present_.assign(present_.size(), false);
    return;
  }
  data_.reset();
  present_.clear();
}

}  // namespace td
