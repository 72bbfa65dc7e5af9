// Functions that see, and may replace, the gradients that come to the outputs of a module and leave at its inputs.
#pragma once

#include <memory>
#include <mutex>

#include <ATen/core/ivalue.h>

#include "core/nn/hooks.h"
#include "core/nn/keyed_module.h"

namespace td {

// Throws Error(unsupported) for a module whose results have no gradients.
uint64_t add_backward_hook(const Module& module, Hooks::Hook hook, bool prepend);

// The hooks of one call of a module: two places in the graph, before its inputs and behind its outputs, as torch has
// them.
class BackwardCall final : public torch::CustomClassHolder {
 public:
  using Ptr = c10::intrusive_ptr<BackwardCall>;

  // Null if the module has no such hooks, or no gradients are recorded. Throws Error(unsupported) inside of a vmap.
  static Ptr begin(const Module& module);

  // Put tensors of the same values in the places of those that require grad; undefined ones stand for what is no
  // tensor.
  void enter(Tensors& inputs);
  void leave(Tensors& outputs);
  // The same for entries that are tensors.
  void enter(const std::vector<Entry*>& inputs);
  void leave(const std::vector<Entry*>& outputs);

  bool entered() const { return !inputs_.indices.empty(); }

  // Run the hooks of the two places. Both take and return the gradients of the tensors that require grad.
  Tensors at_inputs(Tensors grads);
  Tensors at_outputs(Tensors grads);

 private:
  // The tensors of one side.
  struct Side {
    explicit Side(const Tensors& tensors);
    Side() = default;
    Tensors zeros(const Tensors& grads) const;  // in place of those that are missing

    struct Meta {
      bool defined;
      Dims sizes;
      at::TensorOptions options;
    };
    std::vector<Meta> all;
    std::vector<size_t> indices;  // of those that require grad
  };
  void run(const Hooks::List& hooks, BackwardHookCall& call) const;
  static void check(const Side& side, const Tensors& grads, const char* what);

  ModulePtr module_;
  Hooks::List before_, after_;
  Side inputs_, outputs_;
  std::mutex mutex_;  // two threads may go back through one graph
  bool there_ = false;
  Tensors grad_outputs_;
};

// A module run on a dict: inputs pass in a copy of the data, and what the module writes there is written to the data.
NodePtr run_between_hooks(const KeyedModule& module, const BackwardCall::Ptr& call, const NodePtr& data,
                          c10::function_ref<NodePtr(const NodePtr&)> run);
void leave(const KeyedModule& module, const BackwardCall::Ptr& call, Node& result);

}  // namespace td
