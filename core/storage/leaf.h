// The description of a tensor that all formats share: its dtype, its sizes, and that its bytes are row-major.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "core/dict/node.h"
#include "core/tensor/memory.h"

namespace td::storage {

struct LeafType {
  at::ScalarType dtype;
  Dims sizes;
  int64_t bytes;  // of all elements; cannot overflow
  int32_t stored =
      0;  // the dtype in the file, if this LibTorch lacks it: then the tensor is its bytes, see from_stored
};

// The sizes in the file, which lack the dim of the bytes of an element.
at::IntArrayRef stored_sizes(const LeafType& type);

// A tensor of that type over memory.
at::Tensor leaf_tensor(const LeafType& type, void* data, std::shared_ptr<const void> owner,
                       Access access = Access::read_write);

// From unchecked metadata: throws Error(dtype) for an unknown dtype, else Error(corrupt).
LeafType parse_leaf_type(const boost::json::value& dtype, const boost::json::value& shape);

// The batch size of a dict: the number of its elements is bounded, also where it has no tensors. Throws Error(corrupt).
Dims parse_batch(const boost::json::value& batch);

// Of a tensor that is to be written; throws Error(unsupported) if it has no bytes that a format could hold.
LeafType leaf_type(const at::Tensor& t, PathView path);

// The elements row-major in this process's memory, detached and with conjugation resolved: `t` itself where that is so.
at::Tensor dense(const at::Tensor& t);

// Throws Error(corrupt) unless `sizes` begin with the batch size.
void check_batch(at::IntArrayRef sizes, at::IntArrayRef batch);

// "torch.float32"; of a leaf, the dtype in the file.
std::string python_dtype(at::ScalarType dtype);
std::string python_dtype(const LeafType& type);

}  // namespace td::storage
