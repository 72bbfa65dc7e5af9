// A module is a pure function of its state and its inputs. It owns its parameters and buffers, but takes the tensors to
// compute with as an argument, so functional calls, ensembles and vmap swap nothing and have nothing to restore.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/intrusive_ptr.h>

#include "core/dict/key.h"
#include "core/dict/node.h"
#include "core/error.h"
#include "core/tensor/tensors.h"

namespace td {

class Generator;
class KeyedModule;
class Module;
struct Hooks;
using ModulePtr = c10::intrusive_ptr<Module>;

// Parameters are trained, buffers are carried along.
enum class Role { parameter, buffer };

// Lists what a module and everything below it holds: its own tensors in the order in which they were registered,
// then those of its children. A tensor may be undefined: a slot that holds none.
struct Layout {
  struct Slot {
    Path name;  // from this module down
    Role role;
    bool persistent;  // part of a state dict
  };
  struct Child {
    Key name;
    ModulePtr module;
    std::shared_ptr<const Layout> layout;
    size_t offset;  // of its tensors
  };
  std::vector<Slot> slots;
  Tensors tensors;
  std::vector<Child> children;  // those that hold a module
  bool repeats = false;         // a module stands at two places
  uint64_t epoch;
};
using LayoutPtr = std::shared_ptr<const Layout>;

// The tensors that a module computes with: its own, or others of the same meaning. Lives no longer than the layout.
class State {
 public:
  State(const Layout& layout, TensorsView tensors) : layout_(&layout), tensors_(tensors) {}
  explicit State(const Layout& layout) : State(layout, layout.tensors) {}

  const Layout& layout() const { return *layout_; }
  TensorsView tensors() const { return tensors_; }
  size_t child_count() const { return layout_->children.size(); }
  const Module& module(size_t i) const { return *layout_->children[i].module; }
  State child(size_t i) const {
    const Layout::Child& c = layout_->children[i];
    return {*c.layout, tensors_.slice(c.offset, c.layout->slots.size())};
  }

 private:
  const Layout* layout_;
  TensorsView tensors_;
};

// The arguments that a module that reads keys passes to the one inside; an empty entry is a key that the dict lacks.
struct Inputs {
  std::vector<Entry> positional;
  std::vector<std::pair<std::string, Entry>> named;
};

// The options of a module's run on a dict. Members of a sequence get them without `out`.
struct Run {
  NodePtr out{};                // receives the outputs in place of the data; null: as the module was made
  bool skip_existing = false;   // a module whose outputs are all there does not run
  bool requires_sample = true;  // else a probabilistic module scores the samples that the data has
};

class Module : public c10::intrusive_ptr_target {
 public:
  Module();
  ~Module() override;

  // With the hooks around them. `run` throws Error(argument): only a KeyedModule reads a dict.
  Tensors call(State state, TensorsView inputs, size_t n_outputs) const;
  std::vector<Entry> values(State state, const Inputs& inputs, size_t n_outputs) const;
  // As call, into room that is there: for modules of tensors whose calls no hook sees. Allocates nothing if the module
  // itself does not.
  bool takes_plain_tensors() const;
  void call_into(State state, TensorsView inputs, at::Tensor* outputs, size_t n_outputs) const {
    do_call_into(state, inputs, outputs, n_outputs);
  }
  NodePtr run(State state, const NodePtr& data, const Run& how) const;

  virtual std::string type_name() const = 0;  // as repr shows it
  virtual std::string extra_repr() const { return {}; }
  virtual const KeyedModule* keyed() const { return nullptr; }
  virtual bool has_gradients() const { return true; }  // else it takes no backward hooks
  // Draws its own tensors anew, and gives what copies the numbers into them; none if the type has no such thing. Throws
  // what copying would.
  virtual std::function<void()> draw_parameters(Generator*) { return {}; }
  // The same, with all below, into views of the tensors of `params`, which are returned as leaves that require grad.
  // Throws Error(shape) if it has batch dims, Error(key) for an unknown key.
  virtual NodePtr draw_into(const Node& params, Generator* generator);

  // ---- What it holds. Changes need the module, and all that contain it, for themselves.
  struct Held {
    Path name;
    Role role;
    bool persistent;
    at::Tensor value;  // may be undefined
  };
  struct Child {
    Key name;
    ModulePtr module;  // may be null
  };
  const std::vector<Held>& tensors() const { return tensors_; }
  const std::vector<Child>& children() const { return children_; }

  // Throw Error(argument) for a name that is empty or has a dot, Error(exists) if it is taken or leads through another,
  // Error(dtype) for a parameter of integers. A parameter requires grad, in the same memory.
  void register_tensor(Role role, const Path& name, at::Tensor tensor, bool persistent = true);
  void register_child(const Key& name, ModulePtr child);
  void set_tensor(size_t index, at::Tensor value);
  void set_child(size_t index, ModulePtr child);  // throws Error(argument) for a module that contains this one
  void erase_child(size_t index);

  LayoutPtr layout() const;

  bool training() const { return training_; }
  void set_training(bool training) { training_ = training; }  // here only
  void train(bool training);                                  // here and in all children

  Hooks& hooks() const { return *hooks_; }
  bool contains(const Module* other) const;  // itself, or anywhere below

 protected:
  virtual Tensors do_call(State state, TensorsView inputs, size_t n_outputs) const = 0;
  virtual void do_call_into(State state, TensorsView inputs, at::Tensor* outputs, size_t n_outputs) const;
  virtual std::vector<Entry> do_values(State state, const Inputs& inputs, size_t n_outputs) const;
  virtual bool takes_values() const { return false; }  // do_values is its own
  virtual NodePtr do_run(State state, const NodePtr& data, const Run& how) const;
  // Throws Error(unsupported) for a child that this module cannot do without, or with.
  virtual void check_child(const Key& name, const Module* child) const;

  void add_tensor(Role role, const Path& name, at::Tensor tensor);  // a name may have several parts
  void add_child(const Key& name, ModulePtr child);

 private:
  bool is_free(const Path& name) const;
  void check_free(const Path& name, Code code) const;
  void changed();
  LayoutPtr known_layout() const;
  void take_in(const Key& name, Module& child);  // throws Error(argument) for a module that it cannot contain
  void sink(size_t level);

  std::vector<Held> tensors_;
  std::vector<Child> children_;
  bool training_ = true;
  size_t level_ = 0;  // modules that it was put below, at most
  std::unique_ptr<Hooks> hooks_;
  // Not std::atomic_load: its locks are the C++ library's, which a fork may leave taken.
  mutable std::mutex layout_mutex_;
  mutable LayoutPtr layout_;
};

// The state with the entries of `given`, each put through `as`, in place of the module's own. A module that stands at
// two places is given what the first of them is, as in to_module. Throws Error(key) for an entry that the module does
// not have.
using Adapter = c10::function_ref<at::Tensor(const at::Tensor&)>;
Tensors state_with(const Layout& layout, const Node& given, Adapter as);
Tensors state_with(const Layout& layout, const Node& given);

// True if `path` starts with `prefix`, or is it.
bool starts_with(PathView path, PathView prefix);
inline bool same(PathView a, PathView b) {
  return a.size() == b.size() && starts_with(a, b);
}

}  // namespace td
