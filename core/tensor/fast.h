// The three levels of speed, chosen by one predicate: views made by hand, arenas, and LibTorch's own operators, which
// are always right. A fast path must give the same results as the operator; tests/unit/tensor/fast_levels.c compares
// them.
#pragma once

#include <atomic>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include "core/torch_compat.h"

namespace td::fast {

enum class Level { none = 0, views = 1, arena = 2 };

extern std::atomic<int> current_level;
void set_level(Level level);
inline Level level() {
  return static_cast<Level>(current_level.load(std::memory_order_relaxed));
}

// A dense CPU tensor whose operations are not recorded, batched or deferred.
extern std::atomic<uint64_t> dense_cpu_keys;  // 0 until the first tensor was looked at
uint64_t find_dense_cpu_keys();
inline bool plain(const at::Tensor& t) {
  uint64_t dense_cpu = dense_cpu_keys.load(std::memory_order_relaxed);
  if (dense_cpu == 0) dense_cpu = find_dense_cpu_keys();
  if ((t.key_set().raw_repr() & ~dense_cpu) != 0) return false;
  return !(t.requires_grad() && c10::GradMode::is_enabled());
}
// Views of what requires grad belong to LibTorch also while nothing is recorded: they require grad themselves.
bool views(const at::Tensor& t);
inline bool arenas(const at::Tensor& t) {
  return level() >= Level::arena && plain(t);
}

// Whether their bytes may be copied one after the other: of one dtype, row-major, and arenas() for each.
inline bool copies(const std::vector<at::Tensor>& tensors) {
  for (const at::Tensor& t : tensors)
    if (!arenas(t) || !t.is_contiguous() || t.dtype() != tensors[0].dtype()) return false;
  return true;
}

// The first element of a plain tensor with elements, without the checks of td::data.
inline char* bytes(const at::Tensor& t) {
  return static_cast<char*>(storage_data(t.storage())) + t.storage_offset() * static_cast<int64_t>(t.element_size());
}

// A view of the storage of a plain tensor, for which views() holds: with the base's version counter and as a view of it
// in autograd's eyes, so that writes through it are noticed and recorded like those through LibTorch's views. `offset`
// counts elements from the start of the storage.
at::Tensor view(const at::Tensor& base, at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset);

// Tensors of one operation in few allocations: ask for the sizes first, then take the tensors in the same order.
// Chunks are capped, so that one surviving tensor cannot hold gigabytes.
class Arena {
 public:
  void plan(at::IntArrayRef sizes, at::ScalarType type);
  at::Tensor take(at::IntArrayRef sizes, at::ScalarType type);  // row-major, contents undefined

 private:
  static constexpr size_t alignment = 64, chunk_limit = size_t{8} << 20;
  size_t planned_ = 0, used_ = 0, chunk_size_ = 0;
  at::Tensor chunk_;
};

}  // namespace td::fast
