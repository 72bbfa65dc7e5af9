// Operations on the batch dims that copy nothing, as values: each says what it makes of a batch size, of names, of a
// leaf and of a lazy stack. apply() does what is the same for all of them.
#pragma once

#include "core/dict/copy.h"
#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/node.h"
#include "core/dict/shape/geometry.h"

namespace td {

class BatchOp {
 public:
  virtual ~BatchOp() = default;
  virtual Dims batch(at::IntArrayRef batch) const = 0;
  virtual Names names(const Names& names) const = 0;  // never asked without any
  virtual at::Tensor leaf(const at::Tensor& t) const = 0;
  virtual NodePtr stack(const LazyStack& stack) const = 0;
  virtual Stacked stacked() const { return Stacked::as_before; }
  virtual bool rows() const { return false; }  // as an index: not locked, but mapped, where what it came from is
};

NodePtr apply(const Node& node, const BatchOp& op);
NodePtr apply_to_dense(const Node& node, const BatchOp& op);  // for those who know that there are no lazy stacks

}  // namespace td
