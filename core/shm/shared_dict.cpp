#include "core/shm/shared_dict.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/lock.h"
#include "core/error.h"
#include "core/shm/share.h"
#include "core/shm/shared_memory.h"

namespace td {

namespace {

void mark(Node& node) {
  node.mark_shared();
  node.parts(Detail::kind, [](const Entry& e) {
    if (e.is_node()) mark(*e.node());
  });
}

}  // namespace

void share_memory(Node& node) {
  if (has_persistent(node))
    throw Error(Code::unsupported, "a dict in a file has no memory to share")
        .hint_naming("read it into memory with {dict_to_tensordict} first");
  std::vector<Path> paths = leaf_paths(node);
  Leaves all = leaves(node);
  std::vector<std::pair<Path, at::Tensor>> tensors;
  for (size_t i = 0; i < all.size(); ++i) tensors.emplace_back(paths[i], all[i]);
  const std::vector<LockWord*> acquired = Lock::acquire(node);
  try {
    shm::share(tensors);
  } catch (...) {
    Lock::open_again(acquired);
    throw;
  }
  mark(node);
}

bool in_shared_memory(const Node& node) {
  if (has_persistent(node)) return false;
  Leaves all = leaves(node);
  shm::SharedRanges ranges;
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](const at::Tensor& t) {
    return t.is_cuda() || (t.has_storage() && t.device().is_cpu() && ranges.hold(storage_data(t.storage())));
  });
}

}  // namespace td
