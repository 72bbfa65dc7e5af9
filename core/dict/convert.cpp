#include "core/dict/convert.h"

#include "core/dict/copy.h"
#include "core/dict/lock.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

NodePtr to(NodePtr node, optional<at::ScalarType> type, optional<c10::Device> device) {
  if (device && device->is_cuda() && !device->has_index()) device = c10::Device(device->type(), 0);
  bool moves = device && node->device() != device;
  if (!type && !moves) return node;
  if (NodePtr made = node->around([&](const NodePtr& inside) { return to(inside, type, device); })) return made;
  NodePtr made = node;
  if (type) {
    Leaves all = leaves(*node);
    std::vector<Path> paths = leaf_paths(*node);
    for (size_t i = 0; i < all.size(); ++i) {
      try {
        all[i] = all[i].to(*type);
      } catch (const c10::Error&) {
        throw current_error().key(to_string(paths[i]));
      }
    }
    made = rebuild(*node, all, node->batch_size(), node->names());
  }
  if (moves) made = moved(*made, *device);
  if (node->locked()) Lock::acquire(*made);
  return made;
}

NodePtr pin_memory(const Node& node) {
  if (!at::hasCUDA()) throw Error(Code::unsupported, "pinned memory needs CUDA");
  Leaves all = leaves(node);
  std::vector<Path> paths = leaf_paths(node);
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].device().is_cpu())
      throw Error(Code::device, "only tensors on the CPU can be pinned").key(to_string(paths[i]));
  for (at::Tensor& t : all) t = t.pin_memory();
  NodePtr made = rebuild(node, all, node.batch_size(), node.names());
  if (node.locked()) Lock::acquire(*made);
  return made;
}

}  // namespace td
