#include "core/shm/shared_memory.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include "core/system/platform.h"
#include "core/torch_compat.h"

namespace td::shm {

// Only Linux has this list; elsewhere nothing is known to be shared.
SharedRanges::SharedRanges() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t from, to;
    char access[5];
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, access) == 3 && access[3] == 's')
      ranges_.emplace_back(from, to);
  }
}

bool SharedRanges::hold(const void* p) const {
  auto at = reinterpret_cast<uintptr_t>(p);
  auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), at, [](uintptr_t a, const auto& r) { return a < r.first; });
  return after != ranges_.begin() && at < std::prev(after)->second;
}

bool is_shared(const at::Tensor& t) {
  if (t.is_cuda()) return true;
  if (!t.has_storage() || !t.device().is_cpu()) return false;
  return SharedRanges().hold(storage_data(t.storage()));
}

storage::MappingPtr shared_bytes(int64_t size) {
  const std::string where = "shared memory";
  return std::make_shared<const storage::Mapping>(make_memory(size, where), size, storage::Mapping::Mode::write, where);
}

}  // namespace td::shm
