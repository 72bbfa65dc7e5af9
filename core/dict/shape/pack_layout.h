// The place of each tensor of a dict in the one tensor that all were packed into.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/dict/node.h"

namespace td {

// Immutable. Columns lie one after another along `dim`; nodes are made anew from what is kept of them.
class PackLayout final : public c10::intrusive_ptr_target {
 public:
  struct Column {
    Path path;
    Dims shape;          // of the features of one batch element
    int64_t offset = 0;  // of its first element along the packed dim
    int64_t width = 1;   // their number
  };
  struct Nested {
    Path path;
    Dims batch;  // further batch dims than those of the root
    std::shared_ptr<const PythonClass> python_class;
  };
  struct Root {
    optional<c10::Device> device;
    std::shared_ptr<const PythonClass> python_class;
  };

  // Offsets and widths are worked out. A node comes before what it holds. Throws Error(shape), Error(exists) for a key
  // that comes twice, Error(key) if one runs through another.
  PackLayout(std::vector<Column> columns, std::vector<Nested> nested, int64_t dim, Root root);

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Nested>& nested() const { return nested_; }
  int64_t dim() const { return dim_; }  // negative: counted from the last dim of the packed tensor
  int64_t numel() const { return numel_; }
  const Root& root() const { return root_; }

  bool same_as(const PackLayout& other) const;
  std::string repr() const;  // as Python prints it

  // The dict whose tensors are views of `flat`, which may have any batch dims. Throws Error(index), Error(shape).
  NodePtr unpack(const at::Tensor& flat) const;

 private:
  std::vector<Column> columns_;
  std::vector<Nested> nested_;
  int64_t dim_;
  int64_t numel_ = 0;
  Root root_;
};
using PackLayoutPtr = c10::intrusive_ptr<PackLayout>;

// The same from what a caller says. Throws Error(exists) for a key that comes twice, Error(key) if one runs through
// another.
PackLayoutPtr checked_layout(std::vector<PackLayout::Column> columns, std::vector<PackLayout::Nested> nested,
                             int64_t dim, PackLayout::Root root);

// The position of the packed dim of a tensor of so many dims; throws Error(index).
size_t packed_dim(int64_t dim, size_t rank);

}  // namespace td
