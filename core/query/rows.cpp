#include "core/query/rows.h"

#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/torch_compat.h"

namespace td {

namespace {

// Types whose bytes are their value, and for which torchrl gives a hash to agree with.
bool hashable(at::ScalarType type) {
  switch (type) {
    case at::kBool:
    case at::kByte:
    case at::kChar:
    case at::kShort:
    case at::kInt:
    case at::kLong:
    case at::kHalf:
    case at::kBFloat16:
    case at::kFloat:
    case at::kDouble:
    case at::kComplexFloat:
    case at::kComplexDouble:
#if TD_TORCH_HAS_WIDE_UINT
    case at::kUInt16:
    case at::kUInt32:
    case at::kUInt64:
#endif
      return true;
    default:
      return false;
  }
}

// Whether each row lies in one piece; rows themselves may be apart, or the same memory again (expand).
bool rows_in_one_piece(const at::Tensor& t) {
  int64_t expected = 1;
  for (int64_t d = t.dim() - 1; d > 0; --d) {
    if (t.size(d) != 1 && t.stride(d) != expected) return false;
    expected *= t.size(d);
  }
  return true;
}

}  // namespace

Rows::Rows(const at::Tensor& t, const std::string& key) : memory_(t) {
  if (t.dim() == 0) throw Error(Code::shape, "a tensor without dims has no rows").key(key).hint("add a leading dim");
  if (!hashable(t.scalar_type()))
    throw Error(Code::dtype, std::string("rows of ") + c10::toString(t.scalar_type()) + " cannot be hashed").key(key);
  if (memory_.requires_grad()) memory_ = memory_.detach();
  if (t.scalar_type() == at::kBFloat16) memory_ = memory_.to(at::kHalf);
  if (memory_.is_conj()) memory_ = memory_.resolve_conj();
  if (memory_.is_neg()) memory_ = memory_.resolve_neg();
  if (!memory_.is_cpu()) memory_ = memory_.cpu();
  if (memory_.layout() == at::kStrided && !rows_in_one_piece(memory_)) memory_ = memory_.contiguous();
  data_ = static_cast<const uint8_t*>(td::data(memory_));
  size_ = static_cast<size_t>(memory_.size(0));
  row_bytes_ = memory_.itemsize();
  for (int64_t d = 1; d < memory_.dim(); ++d) row_bytes_ *= static_cast<size_t>(memory_.size(d));
  stride_ = size_ > 1 ? static_cast<size_t>(memory_.stride(0)) * memory_.itemsize() : row_bytes_;
}

}  // namespace td
