// Functions that run before and after a module, and around its state dicts.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/dict/node.h"
#include "core/tensor/tensors.h"

namespace td {

class Module;

// The arguments of a forward hook, which it may replace. On dicts `data` and, after the module, `result` are set; on
// tensors `inputs` and `outputs`.
struct HookCall {
  const Module* module;
  Tensors inputs, outputs;
  NodePtr data, result;
};

// The arguments of a backward hook; a missing gradient is undefined. A hook before the module's own way
// back may replace those of the outputs, one after it those of the inputs.
struct BackwardHookCall {
  const Module* module;
  Tensors grad_inputs, grad_outputs;
};

struct StateHookCall {
  const Module* module;
  std::string prefix;  // "actor.0."
  NodePtr state;       // flat, with dotted names: what is being made or loaded
  std::vector<std::string>* missing = nullptr;
  std::vector<std::string>* unexpected = nullptr;
};

// Functions that save and restore the state of a module that is not in tensors; either may be missing.
struct ExtraState {
  std::function<Entry(const Module&)> get;
  std::function<void(const Module&, const Entry&)> set;
};
using ExtraStatePtr = std::shared_ptr<const ExtraState>;

enum class HookKind {
  forward_pre,
  forward,
  state_dict_pre,
  state_dict,
  load_state_dict_pre,
  load_state_dict,
  backward_pre,
  backward
};

// Hooks may be removed while they run, by themselves too: the caller runs a copy of the list.
struct Hooks {
  struct Hook {
    uint64_t id;
    HookKind kind;
    bool always;  // runs after a failure too
    std::function<void(HookCall&)> forward;
    std::function<void(StateHookCall&)> state;
    std::function<void(BackwardHookCall&)> backward;
  };
  using List = std::vector<std::shared_ptr<const Hook>>;

  uint64_t add(Hook hook, bool prepend);  // returns an id that is unique in the process
  bool remove(uint64_t id);
  List of(HookKind kind) const;
  bool any() const { return any_.load(std::memory_order_relaxed); }

  void set_extra_state(ExtraStatePtr extra);  // null: none
  ExtraStatePtr extra_state() const;

 private:
  mutable std::mutex mutex_;
  std::atomic<bool> any_{false};
  List hooks_;
  ExtraStatePtr extra_;
};

}  // namespace td
