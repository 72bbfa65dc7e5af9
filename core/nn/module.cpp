#include "core/nn/module.h"

#include <algorithm>

#include "core/dict/copy.h"
#include "core/error.h"

namespace td {

bool starts_with(PathView path, PathView prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

void Module::forward(State, Node&) const {
  throw Error(Code::argument, "the module has no keys").hint("give it some with td_module_tensordict");
}

Tensors Module::state_with(const Node& given) const {
  return state_with(given, [](const at::Tensor& t) { return t; });
}

Tensors Module::state_with(const Node& given, Adapter as) const {
  Tensors state = state_;
  size_t used = 0;
  for (size_t i = 0; i < slots_.size(); ++i) {
    Entry e = given.get(slots_[i].name);
    if (!e.is_tensor()) continue;
    state[i] = as(e.tensor());
    ++used;
  }
  std::vector<Path> paths = leaf_paths(given);
  if (paths.size() == used) return state;
  for (const Path& path : paths) {
    bool known = std::any_of(slots_.begin(), slots_.end(), [&](const Slot& s) { return same(s.name, path); });
    if (!known) throw Error(Code::key, "the module has no such parameter or buffer").key(to_string(path));
  }
  throw Error(Code::internal, "a state has more leaves than it has keys");
}

void Module::train(bool training) {
  training_ = training;
  for (Child& c : children_) c.module->train(training);
}

void Module::check_name(const Path& name) const {
  if (name.size() == 0) throw Error(Code::argument, "a parameter needs a name");
  for (const Key& k : name.keys()) {
    if (k.text().empty()) throw Error(Code::argument, "the name of a parameter has an empty part").key(to_string(name));
    check_utf8(k.text(), "the name of a parameter");
  }
  auto clash = [&](PathView other) { return starts_with(name, other) || starts_with(other, name); };
  bool taken = std::any_of(slots_.begin(), slots_.end(), [&](const Slot& s) { return clash(s.name); }) ||
               std::any_of(children_.begin(), children_.end(), [&](const Child& c) { return clash(c.name); });
  if (taken) throw Error(Code::argument, "the name is taken, or is part of another").key(to_string(name));
}

void Module::add_tensor(Role role, const Path& name, at::Tensor tensor) {
  check_name(name);
  slots_.push_back({name, role});
  state_.push_back(std::move(tensor));
}

void Module::add_child(const Path& name, ModulePtr child) {
  check_name(name);
  size_t offset = state_.size();
  for (const Slot& s : child->slots_) {
    std::vector<Key> keys = name.keys();
    keys.insert(keys.end(), s.name.keys().begin(), s.name.keys().end());
    slots_.push_back({Path(std::move(keys)), s.role});
  }
  state_.insert(state_.end(), child->state_.begin(), child->state_.end());
  children_.push_back({name, std::move(child), offset});
}

}  // namespace td
