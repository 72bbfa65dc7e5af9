// Other tensors in the slots of a module, for a while: Python's to_module. Then the module's own come back, also when
// swaps of one module end in another order than the opposite of that in which they began.
#pragma once

#include <utility>
#include <vector>

#include "core/dict/change/scope.h"
#include "core/nn/module.h"

namespace td {

class Swap {
 public:
  // Only the slots that `given` names. A module that stands at two places takes what is given at the first. Throws
  // Error(key) for a name that the module does not have; nothing is swapped then.
  Swap(Module& root, const Node& given, bool keep_kind = false);
  Swap(const Swap&) = delete;
  ~Swap();

  void write_back(Node& given) const;  // the tensors that the module has now
  void restore() noexcept;
  void give_up() noexcept;   // what was swapped in stays
  NodePtr previous() const;  // what was swapped out, as a dict

 private:
  struct Change {
    ModulePtr module;
    size_t index;
    at::Tensor own, put;
    Path name;
  };
  // Returns the tensor that the swap put in: it is in the slot, or kept by the next swap of that slot.
  at::Tensor now(const Change& c) const;
  Change* next(const Change& c) const;

  std::vector<Change> changes_;
};

// The same as a scope, whose end writes what the module then has into `given`.
class ModuleScope final : public Scope {
 public:
  ModuleScope(ModulePtr root, NodePtr given, bool keep_kind);
  ~ModuleScope() override;
  void end() override;
  void cancel() override;
  const Swap& swap() const { return swap_; }

 private:
  void check_open() const;

  ModulePtr root_;
  NodePtr given_;
  Swap swap_;
  bool ended_ = false;
};

}  // namespace td
