// Rows of dicts by index: a dict of one more batch dim, and which of its rows hold something.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <c10/util/intrusive_ptr.h>

#include "core/dict/copy.h"
#include "core/dict/node.h"

namespace td {

class Generator;

class RowStore final : public c10::intrusive_ptr_target {
 public:
  // At most `capacity` rows, 0 for no limit. Memory follows the rows, or is taken at the first write, which needs a
  // limit. With a path the rows are in a memmap directory: those that are there already, or a new one at the first
  // write. Throws Error(corrupt), Error(shape) for a directory that is no store of this capacity.
  RowStore(int64_t capacity, bool preallocate, std::string path = {});

  // Copies row i of `rows` to index[i]; of equal indices the last row stays. The first write decides about keys, dtypes
  // and shapes. Throws Error(index) for an index out of range, Error(nospace) past the capacity, Error(key),
  // Error(dtype), Error(shape) for rows unlike those before, Error(unsupported) for non-tensor entries; nothing has
  // changed then.
  void set(const at::Tensor& index, const Node& rows);

  // Throws what set would throw for rows at these indices.
  void check(const at::Tensor& index, const Node& rows) const;

  // A new dict of the rows; throws Error(index) naming the first that is not there.
  NodePtr get(const at::Tensor& index) const;
  at::Tensor contains(const at::Tensor& index) const;

  // The indices of `count` rows drawn uniformly, with replacement or all different; a null generator is LibTorch's.
  // Throws Error(argument) for more different rows than there are, Error(index) for an empty store.
  at::Tensor sample(int64_t count, bool distinct, Generator* generator) const;

  int64_t size() const { return size_; }  // rows that hold something
  int64_t capacity() const { return capacity_; }
  bool preallocates() const { return preallocate_; }
  const std::string& path() const { return path_; }
  void clear();

 private:
  void check_like(const Node& rows) const;
  void reserve(int64_t rows, const Node& like);
  void open_directory();
  void make_directory(const Node& like);
  void take(const NodePtr& directory);
  bool present(int64_t i) const {
    return i >= 0 && i < static_cast<int64_t>(present_.size()) && present_[static_cast<size_t>(i)];
  }

  int64_t capacity_, size_ = 0;
  bool preallocate_;
  std::string path_;
  NodePtr data_;      // batch size [allocated rows]; null before the first write
  at::Tensor marks_;  // present_ in the directory
  std::vector<bool> present_;
};

using RowStorePtr = c10::intrusive_ptr<RowStore>;

}  // namespace td
