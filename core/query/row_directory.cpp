// The rows of a store in a memmap directory: {"rows": the dict of all rows, "present": bool [capacity]}.
#include <algorithm>
#include <filesystem>

#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/query/row_store.h"
#include "core/storage/memmap/memmap_live.h"
#include "core/storage/storage.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

void RowStore::open_directory() {
  std::error_code ec;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path_, ec))) return;
  storage::OpenOptions options;
  options.mode = storage::Mode::read_write;
  options.format = storage::Format::memmap;
  take(storage::open(path_, options));
}

void RowStore::take(const NodePtr& directory) {
  Entry rows = directory->get(Path{"rows"}), present = directory->get(Path{"present"});
  if (!rows.is_node() || !present.is_tensor() || present.tensor().scalar_type() != at::kBool)
    throw Error(Code::corrupt, "the directory does not hold a row store").where(path_);
  NodePtr data = rows.take_node();
  at::Tensor marks = present.tensor();
  if (data->batch_dims() != 1 || data->batch_size() != marks.sizes() || marks.size(0) != capacity_)
    throw Error(Code::shape, "the directory holds a store of " + to_string(data->batch_size()) + " rows, not of [" +
                                 std::to_string(capacity_) + "]")
        .where(path_);
  const bool* there = marks.data_ptr<bool>();
  present_.assign(there, there + capacity_);
  size_ = std::count(present_.begin(), present_.end(), true);
  data_ = std::move(data);
  marks_ = std::move(marks);
}

// Only the shapes count: the rows that are given stand for all others.
void RowStore::make_directory(const Node& like) {
  Leaves all;
  for (const at::Tensor& t : leaves(like)) {
    Dims sizes(t.sizes().begin(), t.sizes().end());
    sizes[0] = 1;
    at::Tensor one = at::empty(sizes, at::TensorOptions(t.scalar_type()));
    sizes[0] = capacity_;
    checked_numel(sizes, one.itemsize());
    all.push_back(one.expand(sizes));
  }
  NodePtr model = TensorDict::make({capacity_});
  model->set(Path{"rows"}, rebuild(like, all, {capacity_}));
  model->set(Path{"present"}, at::zeros({1}, at::kBool).expand({capacity_}));
  take(storage::memmap_like(*model, path_, {}));
}

}  // namespace td
