// Indices of one tensor: what they mean for its sizes, and reading and writing under them.
#pragma once

#include <vector>

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include "core/dict/names.h"
#include "core/tensor/dims.h"

namespace td {

struct Index {
  enum class Kind { integer, slice, none, ellipsis, tensor };
  Kind kind;
  int64_t start = 0, stop = 0, step = 1;
  at::Tensor tensor;

  int64_t length() const { return (stop - start + step - 1) / step; }  // of a normalized slice
};
using IndexList = c10::SmallVector<Index, 2>;  // most have one or two parts

// Writes the ellipsis out, and every start and stop as a position inside `dims`, which `what` names in errors.
IndexList normalized(IndexList indices, at::IntArrayRef dims, const char* what = "batch size");

// Full slices in place of the ellipsis, for those who do not know the sizes yet.
IndexList without_ellipsis(IndexList indices, at::IntArrayRef batch);

// Of a normalized index: the part that needs no copy; whether a tensor remains; and those tensors, each at the dim it
// has in that view.
enum class By { hand, operators };  // by hand only where that is allowed
at::Tensor take_view(const at::Tensor& t, const IndexList& indices, By by = By::hand);
bool has_tensors(const IndexList& indices);
c10::List<optional<at::Tensor>> advanced(const IndexList& indices);

// The rows of such a view, which may be on another device than the tensors of `list`, and how to write them.
at::Tensor picked(const at::Tensor& view, const c10::List<optional<at::Tensor>>& list);
void put_picked(const at::Tensor& view, const c10::List<optional<at::Tensor>>& list, const at::Tensor& value);

// The names that dims called `names` have under such an index, of a result with so many dims.
Names indexed_names(const Names& names, const IndexList& indices, int64_t result_dims);

// The sizes that `dims` have under a normalized index; throws Error(index) for rows that are not there.
Dims indexed_sizes(at::IntArrayRef dims, const IndexList& indices);

// Throws Error(index) for a row below -size or not below size.
void check_rows(const int64_t* rows, int64_t count, int64_t size);

// Each leaf's rows `rows`, its first `dims` dims taken as one, by memcpy. False, and nothing is done, where an operator
// has to decide.
bool gather_rows(std::vector<at::Tensor>& leaves, const at::Tensor& rows, size_t dims);

}  // namespace td
