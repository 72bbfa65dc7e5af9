// The bytes of a tensor that an index selects, as ranges of the string that holds all of them.
#pragma once

#include <string>
#include <vector>

#include "core/dict/shape/indices.h"
#include "core/storage/leaf.h"

namespace td::storage::redis {

class Rows {
 public:
  // `part` is normalized to the first of the sizes. Throws Error(index) for rows that are not there.
  Rows(const IndexList& part, const LeafType& type);

  // Rows that follow each other in the result and in the tensor, in bytes.
  struct Run {
    int64_t offset, bytes;
  };
  const std::vector<Run>& runs() const { return runs_; }
  const Dims& sizes() const { return sizes_; }  // of the result
  int64_t bytes() const { return bytes_; }      // of the result

 private:
  std::vector<Run> runs_;
  Dims sizes_;
  int64_t bytes_ = 0;
};

}  // namespace td::storage::redis
