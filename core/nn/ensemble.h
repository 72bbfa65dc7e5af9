// Copies of a module with parameters of their own, run in one vectorised call: Python's EnsembleModule.
#pragma once

#include "core/nn/keyed_module.h"

namespace td {

class Ensemble final : public KeyedModule {
 public:
  // Each copy starts from parameters drawn anew; `module` itself stays as it is. `expand_input`: every copy gets all of
  // the data; else they get its parts along batch dim 0. Throws Error(argument) for no copies or a module without keys.
  Ensemble(ModulePtr module, int64_t copies, bool expand_input, Generator* generator);
  std::string type_name() const override { return "EnsembleModule"; }
  std::function<void()> draw_parameters(Generator* generator) override;
  // `params` are those of the module inside, with a batch dim for each level of copies.
  NodePtr draw_into(const Node& params, Generator* generator) override;

 protected:
  NodePtr do_run(State state, const NodePtr& data, const Run& how) const override;
  void check_child(const Key& name, const Module* child) const override;

 private:
  std::vector<Tensors> draw(Generator* generator) const;  // for each tensor of the module, those of the copies
  int64_t copies_;
  bool expand_input_;
};

}  // namespace td
