// A module is a pure function of its state and its inputs. It owns its parameters and buffers, but takes the tensors to
// compute with as an argument, so functional calls, ensembles and vmap swap nothing and have nothing to restore.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/intrusive_ptr.h>

#include "core/dict/key.h"
#include "core/dict/node.h"

namespace td {

class Module;
using ModulePtr = c10::intrusive_ptr<Module>;
using Tensors = std::vector<at::Tensor>;
using TensorsView = at::ArrayRef<at::Tensor>;

// Parameters are trained, buffers are carried along.
enum class Role { parameter, buffer };

// The tensors of a module and everything below it, in the order of Module::slots: its own, or others of the same meaning.
using State = TensorsView;

class Module : public c10::intrusive_ptr_target {
 public:
  struct Slot {
    Path name;  // from this module down
    Role role;
  };

  virtual Tensors call(State state, TensorsView inputs, size_t n_outputs) const = 0;
  virtual void forward(State state, Node& data) const;  // throws Error(argument): only a KeyedModule reads a dict

  // The module's own tensors. Structure and tensors stay as they were made; only their values change.
  State state() const { return state_; }
  const std::vector<Slot>& slots() const { return slots_; }

  // The state with the entries of `given`, each put through `as`, in place of the module's own. Throws Error(key) for an
  // entry that the module does not have.
  using Adapter = c10::function_ref<at::Tensor(const at::Tensor&)>;
  Tensors state_with(const Node& given, Adapter as) const;
  Tensors state_with(const Node& given) const;

  bool training() const { return training_; }
  void train(bool training);  // here and in all children

 protected:
  // Throw Error(argument) if the name is taken, or leads through another tensor or child.
  void add_tensor(Role role, const Path& name, at::Tensor tensor);
  void add_child(const Path& name, ModulePtr child);

  size_t child_count() const { return children_.size(); }
  const Module& child(size_t i) const { return *children_[i].module; }
  State child_state(State state, size_t i) const {
    return state.slice(children_[i].offset, children_[i].module->slots_.size());
  }

 private:
  struct Child {
    Path name;
    ModulePtr module;
    size_t offset;  // of its tensors in the state
  };
  void check_name(const Path& name) const;

  std::vector<Slot> slots_;
  Tensors state_;
  std::vector<Child> children_;
  bool training_ = true;
};

// True if `path` starts with `prefix`, or is it.
bool starts_with(PathView path, PathView prefix);
inline bool same(PathView a, PathView b) {
  return a.size() == b.size() && starts_with(a, b);
}

}  // namespace td
