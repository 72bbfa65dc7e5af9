// The repr of a lazy stack, made without stacking, which different shapes would refuse.
#pragma once

#include <string>
#include <vector>

#include "core/dict/lazy/lazy_stack.h"

namespace td {

// The keys of a node; of a lazy stack those that all members have, sorted by name, as its text has them.
std::vector<Key> own_keys(const Node& node);
// Those of a member of a stack that are not among the keys of the stack.
std::vector<Key> unshared_keys(const Node& member, const std::vector<Key>& common);

// The entry under a key that is there, without reading tensors from files unless their values are shown.
Entry shown(const Node& node, const Key& key, bool values);

// Runs `read`; where an entry of a file cannot be read, what the repr says instead of it: "unreadable: it holds
// references".
std::string unreadable(const Node& node, c10::function_ref<void()> read);

struct LazyLeaf {
  std::vector<at::Tensor> tensors;  // of all members, also of stacks among them; none for nodes and data
  Dims shape;                       // with -1 where they differ
  at::ScalarType type = at::kFloat;
  bool unbatched = false;
  std::string kinds;  // "NonTensorData, Tensor" where members hold different ones
};
LazyLeaf lazy_leaf(const Node& stack, const Key& key);

}  // namespace td
