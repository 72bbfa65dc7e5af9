#include "core/tensor/stored.h"

#include <memory>

#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"

namespace td {

int32_t stored_dtype(const at::Tensor& t) {
  if (t.scalar_type() != at::kByte || !t.has_storage() || t.layout() != at::kStrided) return 0;
  const int32_t stored = stored_mark(t.storage());
  const int64_t size = stored == 0 ? 0 : dtype_size(stored);
  if (size <= 1) return stored;
  // A view is of whole elements if its last dim is the bytes of one, and every step leads to the start of another.
  const int64_t last = t.dim() - 1;
  if (last < 0 || t.size(last) != size || t.stride(last) != 1 || t.storage_offset() % size != 0) return 0;
  for (int64_t d = 0; d < last; ++d)
    if (t.stride(d) % size != 0) return 0;
  return stored;
}

at::Tensor as_stored(const at::Tensor& bytes, int32_t stored) {
  auto owner = std::make_shared<const at::Tensor>(bytes);
  return from_stored(bytes.data_ptr(), stored, bytes.sizes(), std::move(owner));
}

at::Tensor clone_tensor(const at::Tensor& t) {
  const int32_t stored = stored_dtype(t);
  if (stored == 0) return t.clone();
  return as_stored(t.clone(at::MemoryFormat::Contiguous), stored);
}

}  // namespace td
