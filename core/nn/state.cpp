#include "core/nn/state.h"

#include <algorithm>
#include <set>

#include <c10/core/GradMode.h>

#include "core/dict/align.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lock.h"
#include "core/dict/params/params.h"
#include "core/dict/shape/flatten_keys.h"
#include "core/dict/shape/stack.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/nn/tree.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

using SlotNumbers = std::vector<size_t>;  // of slots

at::Tensor value_of(const Layout& layout, size_t slot, bool detached) {
  return detached ? layout.tensors[slot].detach() : layout.tensors[slot];
}

// A dict of the slots given, whose first `depth` parts lead to it. `order` gets their numbers as the leaves stand in it.
NodePtr state_of(const Layout& layout, const SlotNumbers& slots, size_t depth, bool detached, SlotNumbers& order) {
  auto node = c10::make_intrusive<TensorDict>(at::IntArrayRef(), nullopt);
  node->reserve(slots.size());
  auto here = [&](size_t i) { return layout.slots[i].name.size() == depth + 1; };
  auto part = [&](size_t i) -> const Key& { return layout.slots[i].name.keys()[depth]; };
  for (Role role : {Role::parameter, Role::buffer})
    for (size_t i : slots)
      if (here(i) && layout.slots[i].role == role) {
        node->put(part(i), Entry(value_of(layout, i, detached)));
        order.push_back(i);
      }
  SlotNumbers below;
  below.reserve(slots.size());
  for (size_t i : slots) {
    const Key& name = part(i);
    if (here(i) || node->find_here(name)) continue;
    below.clear();
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(below),
                 [&](size_t j) { return part(j).view() == name.view(); });
    node->put_new(name, Entry(state_of(layout, below, depth + 1, detached, order)));
  }
  return node;
}

NodePtr state_of(const Layout& layout, bool detached, SlotNumbers& order) {
  SlotNumbers all;
  all.reserve(layout.slots.size());
  order.reserve(layout.slots.size());
  for (size_t i = 0; i < layout.slots.size(); ++i)
    if (layout.tensors[i].defined() && (layout.slots[i].persistent || !detached)) all.push_back(i);
  return state_of(layout, all, 0, detached, order);
}

// Whether the states of both have the same leaves in the same order.
bool same_state(const Layout& a, const Layout& b) {
  bool equal = a.slots.size() == b.slots.size();
  for (size_t i = 0; equal && i < a.slots.size(); ++i)
    equal = same(a.slots[i].name, b.slots[i].name) && a.slots[i].role == b.slots[i].role &&
            a.slots[i].persistent == b.slots[i].persistent && a.tensors[i].defined() == b.tensors[i].defined();
  return equal;
}

[[noreturn]] void differ(Code code, const Path& key, size_t module, const std::string& how) {
  throw Error(code, "module " + std::to_string(module) + ' ' + how).key(to_string(key));
}

// Throws, with what differs, if it does.
void check_same_entries(const std::vector<NodePtr>& states) {
  auto refuse = [](const Path& key, const std::string& how) {
    throw Error(Code::key, "All key sets must match: " + how)
        .key(to_string(key))
        .hint("stack modules of different structure as a lazy stack");
  };
  const std::vector<Path> expected = leaf_paths(*states[0]);
  for (size_t i = 1; i < states.size(); ++i) {
    std::string module = "module " + std::to_string(i);
    for (const Path& key : expected)
      if (!states[i]->get(key).is_tensor()) refuse(key, module + " does not have an entry that module 0 has");
    for (const Path& key : leaf_paths(*states[i]))
      if (!states[0]->get(key).is_tensor()) refuse(key, module + " has an entry that module 0 does not have");
  }
}

// The tensors that have one place in all states, place by place.
std::vector<Column<at::Tensor>> same_places(const std::vector<NodePtr>& states) {
  std::vector<const Node*> nodes;
  for (const NodePtr& s : states) nodes.push_back(s.get());
  try {
    return align(nodes, [](const std::vector<const Node*>&, const Path&) {}).tensors;
  } catch (const Error&) {
    check_same_entries(states);
    throw;
  }
}

// The same of modules, and the state of the first.
struct Places {
  NodePtr first;
  std::vector<Column<at::Tensor>> columns;
};

Places same_places(const std::vector<ModulePtr>& modules, bool detached) {
  std::vector<LayoutPtr> layouts;
  layouts.reserve(modules.size());
  for (const ModulePtr& m : modules) layouts.push_back(m->layout());
  Places out;
  if (!std::all_of(layouts.begin() + 1, layouts.end(),
                   [&](const LayoutPtr& l) { return same_state(*l, *layouts[0]); })) {
    std::vector<NodePtr> states;
    for (const ModulePtr& m : modules) states.push_back(module_state(*m, detached));
    out.columns = same_places(states);
    out.first = states[0];
    return out;
  }
  SlotNumbers order;
  out.first = state_of(*layouts[0], detached, order);
  out.columns.reserve(order.size());
  for (size_t i : order) {
    Column<at::Tensor> column{layouts[0]->slots[i].name, {}};
    column.entries.reserve(layouts.size());
    for (const LayoutPtr& l : layouts) column.entries.push_back(value_of(*l, i, detached));
    out.columns.push_back(std::move(column));
  }
  return out;
}

bool all_one_tensor(const Tensors& members) {
  return std::all_of(members.begin(), members.end(), [&](const at::Tensor& t) { return t.is_same(members[0]); });
}

// Other floating-point dtypes are promoted, as torch.stack does.
at::Tensor stack_members(const Tensors& members) {
  at::AutoGradMode no_grad(false);
  return stack_tensors(members, 0);
}

void check_shapes(const Tensors& members, const Path& key) {
  for (size_t i = 1; i < members.size(); ++i)
    if (members[i].sizes() != members[0].sizes())
      differ(Code::shape, key, i,
             "has shape " + to_string(members[i].sizes()) + ", but module 0 has " + to_string(members[0].sizes()));
}

}  // namespace

std::string dotted(const Path& path) {
  std::string text;
  for (const Key& k : path.keys()) text += (text.empty() ? "" : ".") + k.text();
  return text;
}

Path undotted(const Path& path) {
  return split_key(dotted(path), ".");
}

NodePtr module_state(const Module& module, bool detached) {
  SlotNumbers order;
  return state_of(*module.layout(), detached, order);
}

NodePtr stacked_state(const std::vector<ModulePtr>& modules, const StackOptions& options) {
  if (modules.empty()) throw Error(Code::argument, "there are no modules to stack");
  if (options.lazy && options.as_params)
    throw Error(Code::argument, "within a module's parameters, lazy stacks are not supported")
        .hint("set lazy_stack or as_module, not both");
  NodePtr result;
  if (options.lazy) {
    std::vector<NodePtr> states;
    for (const ModulePtr& m : modules) states.push_back(module_state(*m, options.detached));
    result = lazy_stack(states, 0);
  } else {
    Leaves stacked;
    auto n = static_cast<int64_t>(modules.size());
    const Places places = same_places(modules, options.detached);
    for (const auto& [key, members, unbatched] : places.columns) {
      check_shapes(members, key);
      if (options.expand_identical && all_one_tensor(members)) {
        std::vector<int64_t> sizes = members[0].sizes().vec();
        sizes.insert(sizes.begin(), n);
        stacked.push_back(members[0].expand(sizes));
      } else {
        bool trained = members[0].requires_grad() && !options.detached;
        stacked.push_back(stack_members(members).requires_grad_(trained));
      }
    }
    result = rebuild(*places.first, stacked, {n});
  }
  if (options.as_params) result = Params::make(result, {false, false});
  if (options.lock) Lock::acquire(*result);
  return result;
}

std::pair<NodePtr, NodePtr> stack_module_state(const std::vector<ModulePtr>& modules) {
  if (modules.empty()) throw Error(Code::argument, "stack_module_state: Expected at least one model, got 0.");
  for (const ModulePtr& m : modules) {
    if (m->training() != modules[0]->training())
      throw Error(Code::argument, "stack_module_state: Expected all models to have the same training/eval mode.");
    if (m->type_name() != modules[0]->type_name())
      throw Error(Code::argument, "stack_module_state: Expected all models to be of the same class: " +
                                      modules[0]->type_name() + " and " + m->type_name());
  }
  auto n = static_cast<int64_t>(modules.size());
  NodePtr both[] = {TensorDict::make({n}), TensorDict::make({n})};
  for (Role role : {Role::parameter, Role::buffer})
    for (const NamedTensor& first : named_tensors(*modules[0], role, {})) {
      Tensors members;
      for (size_t i = 0; i < modules.size(); ++i) {
        TensorPlace place = find_tensor(*modules[i], first.name);
        if (!place.module || !place.value().defined()) differ(Code::key, first.name, i, "lacks an entry of module 0");
        members.push_back(place.value());
        if (members[i].requires_grad() != members[0].requires_grad())
          throw Error(Code::argument,
                      "Expected " + dotted(first.name) + " from each model to have the same .requires_grad")
              .key(to_string(first.name));
      }
      check_shapes(members, first.name);
      at::Tensor stacked = stack_members(members).requires_grad_(members[0].requires_grad());
      both[role == Role::buffer]->put(Key(dotted(first.name)), Entry(stacked));
    }
  return {both[0], both[1]};
}

Tensors functional_state(const Layout& layout, const std::vector<const Node*>& given, bool tie, bool strict) {
  std::vector<std::pair<Path, at::Tensor>> all;
  for (const Node* node : given)
    for (const Path& key : leaf_paths(*node)) {
      Path name = undotted(key);
      if (std::any_of(all.begin(), all.end(), [&](const auto& a) { return same(a.first, name); }))
        throw Error(Code::argument, "the parameter is given twice").key(to_string(name));
      all.emplace_back(name, node->tensor(key));
    }
  Tensors state = layout.tensors;
  std::vector<bool> set(state.size());
  for (const auto& [name, value] : all) {
    auto slot = std::find_if(layout.slots.begin(), layout.slots.end(),
                             [&, &wanted = name](const Layout::Slot& s) { return same(s.name, wanted); });
    if (slot == layout.slots.end()) {
      if (strict) throw Error(Code::key, "the module has no such parameter or buffer").key(to_string(name));
      continue;
    }
    auto here = static_cast<size_t>(slot - layout.slots.begin());
    for (size_t i = 0; i < state.size(); ++i) {
      bool tied = tie && layout.tensors[i].defined() && layout.tensors[i].is_same(layout.tensors[here]);
      if (i != here && !tied) continue;
      if (set[i] && !state[i].is_same(value))
        throw Error(Code::argument, "two values are given for one tensor that has several names").key(to_string(name));
      state[i] = value;
      set[i] = true;
    }
  }
  for (size_t i = 0; strict && i < state.size(); ++i)
    if (layout.tensors[i].defined() && !set[i])
      throw Error(Code::key, "a parameter or buffer is missing in the state").key(to_string(layout.slots[i].name));
  return state;
}

}  // namespace td
