// The rows of one call, key by key.
#pragma once

#include <c10/util/SmallVector.h>

#include "core/query/query.h"

namespace td {

struct Query::Batch {
  // Reads the keys and checks that they have the same number of rows.
  Batch(const Query& query, const Node& data);

  // Everything that tells a row from another: for each key the number of its bytes, and the bytes.
  std::string key_of(size_t row) const;

  int64_t n = 0;
  c10::SmallVector<Rows, 4> columns;        // nothing in them if their hash takes no bytes and the map is not exact
  c10::SmallVector<at::Tensor, 4> tensors;  // as they are hashed
};

}  // namespace td
