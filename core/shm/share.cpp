#include "core/shm/share.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "core/error.h"
#include "core/shm/shared_memory.h"
#include "core/tensor/memory.h"
#include "core/torch_compat.h"

namespace td::shm {

namespace {

constexpr int64_t alignment = 64;  // as LibTorch's own memory

struct Sharing {
  struct Move {
    c10::Storage storage;
    int64_t offset;
    at::DataPtr there{};
  };
  SharedRanges shared{};
  std::unordered_set<const c10::StorageImpl*> seen{};
  std::vector<Move> moves{};
  int64_t bytes = 0;

  void add(const at::Tensor& t, const Path& name) {
    if (t.is_cuda()) return;  // other processes reach it already
    if (!t.has_storage() || t.layout() != at::kStrided || !t.device().is_cpu())
      throw Error(Code::unsupported, "only a dense tensor of the CPU can move into shared memory").key(to_string(name));
    const c10::Storage& storage = t.storage();
    if (shared.hold(storage_data(storage)) || !seen.insert(storage.unsafeGetStorageImpl()).second) return;
    moves.push_back({storage, bytes});
    bytes += (static_cast<int64_t>(storage.nbytes()) + alignment - 1) / alignment * alignment;
  }
};

}  // namespace

void share(const std::vector<std::pair<Path, at::Tensor>>& tensors) {
  Sharing plan;
  for (const auto& [name, t] : tensors) plan.add(t, name);
  if (plan.moves.empty()) return;
  storage::MappingPtr memory = shared_bytes(std::max(plan.bytes, alignment));
  for (Sharing::Move& m : plan.moves) {
    auto size = static_cast<int64_t>(m.storage.nbytes());
    // A storage without bytes may start where the memory ends.
    char* place = memory->data() + std::min(m.offset, memory->size() - 1);
    if (size > 0) std::memcpy(place, storage_data(m.storage), static_cast<size_t>(size));
    m.there = from_stored(place, stored_mark(m.storage), {size}, memory).storage().set_data_ptr(at::DataPtr());
  }
  for (Sharing::Move& m : plan.moves) {  // nothing here throws
    m.storage.set_data_ptr_noswap(std::move(m.there));
    m.storage.unsafeGetStorageImpl()->set_resizable(false);  // growing would leave the shared memory unseen
  }
}

}  // namespace td::shm
