#include "core/nn/state.h"

#include <algorithm>

#include <c10/core/GradMode.h>

#include "core/dict/copy.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

using Indices = std::vector<size_t>;  // of slots

// Fills `node` with the slots given, whose first `depth` parts lead to it.
void fill(Node& node, const Module& module, const Indices& slots, size_t depth) {
  auto here = [&](size_t i) { return module.slots()[i].name.size() == depth + 1; };
  auto part = [&](size_t i) { return module.slots()[i].name.keys()[depth]; };
  for (Role role : {Role::parameter, Role::buffer})
    for (size_t i : slots)
      if (here(i) && module.slots()[i].role == role) node.put(part(i), Entry(module.state()[i]));
  for (size_t i : slots) {
    Key name = part(i);
    if (here(i) || node.find(name)) continue;
    Indices below;
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(below),
                 [&](size_t j) { return part(j).view() == name.view(); });
    NodePtr child = TensorDict::make({});
    fill(*child, module, below, depth + 1);
    node.put(name, Entry(child));
  }
}

[[noreturn]] void differ(Code code, const Path& key, size_t module, const std::string& how) {
  throw Error(code, "module " + std::to_string(module) + ' ' + how).key(to_string(key));
}

void check_same_entries(const std::vector<NodePtr>& states, const std::vector<Path>& expected) {
  for (size_t i = 1; i < states.size(); ++i) {
    for (const Path& key : expected)
      if (!states[i]->get(key).is_tensor()) differ(Code::key, key, i, "lacks an entry of module 0");
    for (const Path& key : leaf_paths(*states[i]))
      if (!states[0]->get(key).is_tensor()) differ(Code::key, key, i, "has an entry that module 0 lacks");
  }
}

}  // namespace

NodePtr state_dict(const Module& module) {
  Indices all(module.slots().size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  NodePtr root = TensorDict::make({});
  fill(*root, module, all, 0);
  return root;
}

NodePtr stacked_state(const std::vector<ModulePtr>& modules) {
  if (modules.empty()) throw Error(Code::argument, "no modules to stack");
  std::vector<NodePtr> states;
  for (const ModulePtr& m : modules) states.push_back(state_dict(*m));
  std::vector<Path> keys = leaf_paths(*states[0]);
  check_same_entries(states, keys);

  at::AutoGradMode no_grad(false);
  Leaves stacked;
  for (const Path& key : keys) {
    Tensors members;
    for (size_t i = 0; i < states.size(); ++i) {
      members.push_back(states[i]->tensor(key));
      if (members[i].sizes() != members[0].sizes())
        differ(Code::shape, key, i,
               "has shape " + to_string(members[i].sizes()) + ", module 0 has " + to_string(members[0].sizes()));
    }
    stacked.push_back(at::stack(members).requires_grad_(members[0].requires_grad()));
  }
  return rebuild(*states[0], stacked, {static_cast<int64_t>(modules.size())});
}

}  // namespace td
