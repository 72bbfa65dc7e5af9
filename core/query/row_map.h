// From rows to rows: a query says where the rows of a store are. torchrl's TensorDictMap.
#pragma once

#include "core/query/query.h"
#include "core/query/row_store.h"

namespace td {

class RowMap final : public c10::intrusive_ptr_target {
 public:
  RowMap(c10::intrusive_ptr<Query> query, RowStorePtr store) : query_(std::move(query)), store_(std::move(store)) {}

  // Stores the rows of `rows` under those of `keys`. Of equal keys the last row stays. A dict without batch dims is one
  // row. Neither map nor store has changed when it throws.
  void set(const Node& keys, const Node& rows);

  // Throws Error(index) naming the first key that is not there.
  NodePtr get(const Node& keys) const;
  at::Tensor contains(const Node& keys) const;

  int64_t size() const { return store_->size(); }
  void clear();

 private:
  c10::intrusive_ptr<Query> query_;
  RowStorePtr store_;
};

}  // namespace td
