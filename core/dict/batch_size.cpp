#include "core/dict/batch_size.h"

#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

void refuse_dims(size_t dims) {
  throw Error(Code::shape, "a batch size cannot have more than 64 dims, got " + std::to_string(dims));
}

void refuse_size(at::IntArrayRef batch) {
  if (batch.size() > max_dims) refuse_dims(batch.size());
  checked_numel(batch, 1);
}

void batch_mismatch(PathView path, at::IntArrayRef batch, at::IntArrayRef got) {
  throw Error(Code::shape,
              "batch mismatch: batch size " + to_string(batch) + ", but the entry has shape " + to_string(got))
      .key(to_string(path))
      .hint("the leading dims of an entry must equal the batch size");
}

}  // namespace td
