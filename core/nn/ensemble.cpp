#include "core/nn/ensemble.h"

#include <typeinfo>

#include <c10/core/GradMode.h>

#include "core/dict/change/update.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/shape/split.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/nn/load.h"
#include "core/nn/vmap.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"
#include "core/text/compact_repr.h"
#include "core/text/repr.h"

namespace td {

namespace {

const KeyedModule& with_keys(const ModulePtr& m) {
  if (!m->keyed()) throw Error(Code::argument, "the module of an ensemble must have keys");
  return *m->keyed();
}

// The state of the copies, stacked: what TensorDictParams is as a member of a module.
class Copies final : public Module {
 public:
  Copies(const Layout& template_layout, const std::vector<Tensors>& drawn, int64_t copies) : copies_(copies) {
    at::AutoGradMode no_grad(false);
    for (size_t i = 0; i < drawn.size(); ++i) {
      const at::Tensor& one = template_layout.tensors[i];
      const Layout::Slot& slot = template_layout.slots[i];
      add_tensor(slot.role, slot.name, one.defined() ? at::stack(drawn[i]).requires_grad_(one.requires_grad()) : one);
    }
  }

  std::string type_name() const override { return "TensorDictParams"; }
  std::string extra_repr() const override {
    NodePtr all = TensorDict::make({copies_});
    for (const Held& t : tensors())
      if (t.value.defined()) all->set(t.name, t.value);
    return "params=" + compact_repr(*all, {});
  }

 protected:
  Tensors do_call(State, TensorsView, size_t) const override {
    throw Error(Code::unsupported, "a module that only holds the parameters of an ensemble cannot be called");
  }

 private:
  int64_t copies_;
};

// The copies stand for what the module held when they were made.
void check_unchanged(const Layout& inner, const Module& copies) {
  const auto& held = copies.tensors();
  bool alike = held.size() == inner.slots.size();
  for (size_t i = 0; alike && i < held.size(); ++i) alike = same(held[i].name, inner.slots[i].name);
  if (!alike)
    throw Error(Code::unsupported, "the members of the ensemble's module changed after the ensemble was made")
        .hint("make another ensemble of the module");
}

// What is drawn is copied into `own` whole: sizes that differ would be broadcast.
void check_fits(const at::Tensor& own, const at::Tensor& drawn, const Path& name) {
  if (own.defined() && own.sizes() == drawn.sizes()) return check_writable(own, to_string(name));
  throw Error(Code::shape, "the copies have " + (own.defined() ? "shape " + to_string(own.sizes()) : "no tensor") +
                               ", but the module of the ensemble makes shape " + to_string(drawn.sizes()))
      .key(to_string(name))
      .hint("make another ensemble of the module");
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
  add_child("params_td", c10::make_intrusive<Copies>(*module->layout(), draw(generator), copies));
}

void Ensemble::check_child(const Key& name, const Module* child) const {
  if (name.text() == "module" && !child) throw Error(Code::argument, "an ensemble needs its module").key("module");
  if (name.text() == "params_td" && (!child || typeid(*child) != typeid(Copies)))
    throw Error(Code::argument, "an ensemble needs the parameters of its copies").key("params_td");
}

// By drawing into the module itself, whose own numbers come back.
std::vector<Tensors> Ensemble::draw(Generator* generator) const {
  at::AutoGradMode no_grad(false);
  Module& module = *children()[0].module;
  LayoutPtr layout = module.layout();
  for (size_t i = 0; i < layout->tensors.size(); ++i)
    if (layout->tensors[i].defined()) check_writable(layout->tensors[i], to_string(layout->slots[i].name));
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

std::function<void()> Ensemble::draw_parameters(Generator* generator) {
  const Module& copies = *children()[1].module;
  check_unchanged(*children()[0].module->layout(), copies);
  std::vector<Tensors> drawn = draw(generator);
  at::AutoGradMode no_grad(false);
  Tensors fresh(drawn.size());
  for (size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].empty()) continue;
    fresh[i] = at::stack(drawn[i]);
    check_fits(copies.tensors()[i].value, fresh[i], copies.tensors()[i].name);
  }
  if (drawn.empty()) return {};
  return [&copies, fresh = std::move(fresh)] {
    for (size_t i = 0; i < fresh.size(); ++i)
      if (fresh[i].defined()) copies.tensors()[i].value.detach().copy_(fresh[i]);
  };
}

NodePtr Ensemble::draw_into(const Node& params, Generator* generator) {
  if (params.batch_dims() == 0) return children()[0].module->draw_into(params, generator);
  Nodes copies;
  for (const NodePtr& copy : unbind(params, 0)) copies.push_back(draw_into(*copy, generator));
  return lazy_stack(copies, 0);
}

NodePtr Ensemble::do_run(State state, const NodePtr& data, const Run& how) const {
  if (skips(*data, how)) return data;
  State inner = state.child(0);
  check_unchanged(inner.layout(), state.module(1));
  TensorsView stacked = state.child(1).tensors();
  VmapOptions options;
  if (!expand_input_) options.data_dim = 0;
  NodePtr result = vmap_state(state.module(0), inner.layout(), stacked, copies_, *data, options);
  if (selected()) prune(*result);
  if (!how.out) return result;
  UpdateOptions outputs;
  outputs.keys = out_keys();
  update(*how.out, *result, outputs);
  return how.out;
}

}  // namespace td
