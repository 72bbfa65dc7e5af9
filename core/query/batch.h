// The rows of one call, key by key.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/SmallVector.h>

#include "core/dict/node.h"
#include "core/query/rows.h"

namespace td {

struct QueryBatch {
  // Reads the keys and checks that they have the same number of rows. `canonical`: one zero and one NaN.
  QueryBatch(const Node& data, const std::vector<Path>& keys, const std::vector<std::string>& names, bool canonical,
             c10::function_ref<bool(size_t)> as_bytes);

  // Everything that tells a row from another: for each key the number of its bytes, and the bytes.
  std::string key_of(size_t row) const;

  int64_t n = 0;
  c10::SmallVector<Rows, 4> columns;        // nothing in those that are not wanted as bytes
  c10::SmallVector<at::Tensor, 4> tensors;  // as they are hashed
};

}  // namespace td
