#include "core/dict/device.h"

#include <algorithm>

#include "core/dict/copy.h"
#include "core/dict/entries.h"

namespace td {

namespace {

void say_device(Node& node, const optional<c10::Device>& device) {
  for (const NodePtr& n : whole_tree(node)) n->adopt_device(device);
}

}  // namespace

void clear_device(Node& node) {
  say_device(node, nullopt);
}

void auto_device(Node& node) {
  Leaves all = leaves(node);
  bool one = !all.empty() &&
             std::all_of(all.begin(), all.end(), [&](const at::Tensor& t) { return t.device() == all[0].device(); });
  say_device(node, one ? optional<c10::Device>(all[0].device()) : nullopt);
}

}  // namespace td
