#include "core/tensor/fast.h"

#include <algorithm>

#include "core/tensor/dims.h"
#include "core/tensor/ops.h"
#include "core/tensor/view_meta.h"

namespace td::fast {

namespace {

size_t padded_bytes(at::IntArrayRef sizes, at::ScalarType type, size_t alignment) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  size_t bytes = static_cast<size_t>(n) * c10::elementSize(type);
  return (bytes + alignment - 1) / alignment * alignment;
}

bool differentiable(const at::Tensor& t) {
  return c10::isFloatingType(t.scalar_type()) || c10::isComplexType(t.scalar_type());
}

}  // namespace

std::atomic<int> current_level{static_cast<int>(Level::arena)};
std::atomic<uint64_t> dense_cpu_keys{0};  // not a guard, in which a fork may find another thread

void set_level(Level level) {
  current_level.store(static_cast<int>(level), std::memory_order_relaxed);
}

uint64_t find_dense_cpu_keys() {
  const uint64_t found = at::empty({0}, at::TensorOptions(at::kCPU)).key_set().raw_repr();
  dense_cpu_keys.store(found, std::memory_order_relaxed);
  return found;
}

bool views(const at::Tensor& t) {
  return level() >= Level::views && plain(t) && !t.requires_grad() && (!differentiable(t) || can_link_view(t));
}

at::Tensor view(const at::Tensor& base, at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset) {
  at::Tensor t = at::detail::make_tensor<at::TensorImpl>(at::TensorImpl::VIEW, c10::Storage(base.storage()),
                                                         base.key_set(), base.dtype());
  at::TensorImpl* impl = t.unsafeGetTensorImpl();
  impl->set_storage_offset(offset);
  impl->set_sizes_and_strides(sizes, strides);
  if (base.is_inference()) return t;
  impl->set_version_counter(base.unsafeGetTensorImpl()->version_counter());
  if (differentiable(base)) link_view(base, t);
  return t;
}

void Arena::plan(at::IntArrayRef sizes, at::ScalarType type) {
  planned_ += padded_bytes(sizes, type, alignment);
}

at::Tensor Arena::take(at::IntArrayRef sizes, at::ScalarType type) {
  size_t bytes = padded_bytes(sizes, type, alignment);
  if (bytes > chunk_limit / 2) {
    planned_ -= std::min(planned_, bytes);
    return at::empty(sizes, at::TensorOptions(type));
  }
  if (!chunk_.defined() || used_ + bytes > chunk_size_) {
    chunk_size_ = std::max(bytes, std::min(planned_, chunk_limit));
    chunk_ = at::empty({static_cast<int64_t>(chunk_size_)}, at::TensorOptions(at::kByte));
    used_ = 0;
  }
  Dims strides(sizes.size());
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<int64_t>(sizes[i], 1);
  }
  at::Tensor t = at::detail::make_tensor<at::TensorImpl>(c10::Storage(chunk_.storage()), chunk_.key_set(),
                                                         c10::scalarTypeToTypeMeta(type));
  t.unsafeGetTensorImpl()->set_storage_offset(static_cast<int64_t>(used_ / c10::elementSize(type)));
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  used_ += bytes;
  planned_ -= std::min(planned_, bytes);
  return t;
}

}  // namespace td::fast
