// The part of a dataset that an index selects: a box with steps, which is all that is read or written, and the index
// within that box.
#pragma once

#include <vector>

#include "core/dict/shape/indices.h"
#include "core/storage/hdf5/library.h"

namespace td::storage::hdf5 {

class Part {
 public:
  // `part` is normalized to the first of `dims`. Throws Error(index) for rows that are not there.
  Part(const IndexList& part, at::IntArrayRef dims);

  const Dims& sizes() const { return count_; }
  const IndexList& within() const { return within_; }

  // Moves the box between a dataset and row-major memory of its sizes; inside a Section.
  void read(hid_t dataset, hid_t type, void* memory, const std::string& file) const;
  void write(hid_t dataset, hid_t type, const void* memory, const std::string& file) const;

 private:
  void take_rows(const at::Tensor& rows, int64_t size, size_t dim);
  void take_mask(const at::Tensor& mask, size_t dim);
  // Scattered rows are several selections, one for each run of neighbours.
  template <class F>
  void each_selection(hid_t dataset, const std::string& file, F&& fn) const;

  Dims start_, step_, count_;
  IndexList within_;
  std::vector<int64_t> rows_;  // along rows_dim_, in place of start and step there
  size_t rows_dim_ = 0;
};

}  // namespace td::storage::hdf5
