#include "core/nn/ensemble.h"

#include <c10/core/GradMode.h>

#include "core/dict/update.h"
#include "core/error.h"
#include "core/nn/load.h"
#include "core/nn/vmap.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

const KeyedModule& with_keys(const ModulePtr& m) {
  if (!m->keyed()) throw Error(Code::argument, "the module of an ensemble needs keys");
  return *m->keyed();
}

}  // namespace

Ensemble::Ensemble(ModulePtr module, int64_t copies, bool expand_input, Generator* generator)
    : KeyedModule(with_keys(module).in_keys(), with_keys(module).out_keys()),
      copies_(copies),
      expand_input_(expand_input) {
  constexpr int64_t most = int64_t{1} << 24;  // more would run until memory ends
  if (copies < 1 || copies > most)
    throw Error(Code::argument,
                "an ensemble needs 1 to " + std::to_string(most) + " copies, got " + std::to_string(copies));
  add_child("module", module);
  LayoutPtr layout = module->layout();
  std::vector<Tensors> drawn = draw(generator);
  at::AutoGradMode no_grad(false);
  for (size_t i = 0; i < layout->slots.size(); ++i) {
    std::vector<Key> name{"params_td"};
    name.insert(name.end(), layout->slots[i].name.keys().begin(), layout->slots[i].name.keys().end());
    at::Tensor stacked;
    if (layout->tensors[i].defined()) stacked = at::stack(drawn[i]).requires_grad_(layout->tensors[i].requires_grad());
    add_tensor(layout->slots[i].role, Path(std::move(name)), stacked);
  }
}

void Ensemble::check_child(const Key& name, const Module* child) const {
  if (name.text() == "module" && !child) throw Error(Code::argument, "an ensemble needs its module").key("module");
}

// By drawing into the module itself, whose own numbers come back.
std::vector<Tensors> Ensemble::draw(Generator* generator) const {
  at::AutoGradMode no_grad(false);
  Module& module = *children()[0].module;
  LayoutPtr layout = module.layout();
  Tensors saved;
  for (const at::Tensor& t : layout->tensors) saved.push_back(t.defined() ? t.detach().clone() : t);
  auto restore = [&] {
    for (size_t i = 0; i < saved.size(); ++i)
      if (saved[i].defined()) layout->tensors[i].detach().copy_(saved[i]);
  };
  std::vector<Tensors> out(saved.size());
  try {
    for (int64_t copy = 0; copy < copies_; ++copy) {
      td::reset_parameters(module, generator);
      for (size_t i = 0; i < saved.size(); ++i)
        if (saved[i].defined()) out[i].push_back(layout->tensors[i].detach().clone());
    }
  } catch (...) {
    restore();
    throw;
  }
  restore();
  return out;
}

bool Ensemble::reset_parameters(Generator* generator) {
  std::vector<Tensors> drawn = draw(generator);
  at::AutoGradMode no_grad(false);
  for (size_t i = 0; i < drawn.size(); ++i)
    if (!drawn[i].empty()) tensors()[i].value.detach().copy_(at::stack(drawn[i]));
  return !drawn.empty();
}

NodePtr Ensemble::do_run(State state, const NodePtr& data, const Run& how) const {
  if (skips(*data, how)) return data;
  State inner = state.child(0);
  if (tensors().size() != inner.tensors().size())
    throw Error(Code::unsupported, "the module of the ensemble has got other members since the ensemble was made");
  VmapOptions options;
  if (!expand_input_) options.data_dim = 0;
  TensorsView stacked = state.tensors().slice(0, inner.tensors().size());
  NodePtr result = vmap_state(state.module(0), inner.layout(), stacked, copies_, *data, options);
  if (!how.out) return result;
  UpdateOptions outputs;
  outputs.keys = out_keys();
  update(*how.out, *result, outputs);
  return how.out;
}

}  // namespace td
