// Memory that a process shares with its forks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/system/mapping.h"

namespace td::shm {

// The ranges of this process that are mapped shared, with forks or with processes that map the same file.
class SharedRanges {
 public:
  SharedRanges();
  bool hold(const void* p) const;

 private:
  std::vector<std::pair<uintptr_t, uintptr_t>> ranges_;  // ascending
};

// True for memory that is mapped shared, and for a GPU's.
bool is_shared(const at::Tensor& t);

// Zeros that forks share; really there, so that no write can fault. Throws Error(nospace).
storage::MappingPtr shared_bytes(int64_t size);

}  // namespace td::shm
