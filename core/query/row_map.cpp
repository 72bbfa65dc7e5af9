#include "core/query/row_map.h"

#include "core/dict/shape/squeeze.h"
#include "core/error.h"

namespace td {

namespace {

bool single(const Node& node) {
  return node.batch_dims() == 0;
}

// With one batch dim.
NodePtr as_rows(const Node& node) {
  return single(node) ? unsqueeze(node, 0) : itself(node);
}

}  // namespace

void RowMap::set(const Node& given_keys, const Node& given_rows) {
  NodePtr keys = as_rows(given_keys), rows = as_rows(given_rows);
  if (keys->batch_size() != rows->batch_size())
    throw Error(Code::shape, "batch mismatch: keys of batch size " + to_string(keys->batch_size()) +
                                 " and rows of batch size " + to_string(rows->batch_size()));
  at::Tensor index = query_->extend(*keys);
  try {
    store_->set(index, *rows);
  } catch (...) {
    query_->undo();
    throw;
  }
  query_->keep();
}

NodePtr RowMap::get(const Node& given) const {
  NodePtr keys = as_rows(given);
  NodePtr rows = store_->get(query_->look_up(*keys));
  return single(given) ? squeeze(*rows, {0}) : rows;
}

at::Tensor RowMap::contains(const Node& given) const {
  at::Tensor there = store_->contains(query_->look_up(*as_rows(given)));
  return single(given) ? there.squeeze(0) : there;
}

void RowMap::clear() {
  query_->clear();
  store_->clear();
}

}  // namespace td
