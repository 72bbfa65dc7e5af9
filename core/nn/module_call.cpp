// Calls of a module, with its hooks around them.
#include "core/error.h"
#include "core/nn/backward_hooks.h"
#include "core/nn/hooks.h"
#include "core/nn/keyed_module.h"
#include "core/nn/module.h"

namespace td {

namespace {

void check_outputs(size_t got, size_t expected, const Module& module) {
  if (got != expected)
    throw Error(Code::argument,
                module.type_name() + " returned " + std::to_string(got) + " outputs, not " + std::to_string(expected));
}

void run_hooks(const Hooks::List& hooks, HookCall& call) {
  for (const auto& hook : hooks) hook->forward(call);
}

template <class Body>
void with_hooks(const Module& module, HookCall& call, Body body) {
  run_hooks(module.hooks().of(HookKind::forward_pre), call);
  Hooks::List after = module.hooks().of(HookKind::forward);
  try {
    body();
  } catch (...) {
    for (const auto& hook : after)
      if (hook->always) hook->forward(call);
    throw;
  }
  run_hooks(after, call);
}

}  // namespace

Tensors Module::call(State state, TensorsView inputs, size_t n_outputs) const {
  if (!hooks_->any()) return do_call(state, inputs, n_outputs);
  HookCall call{this, inputs.vec(), {}, {}, {}};
  BackwardCall::Ptr backward =
      keyed() ? BackwardCall::Ptr() : BackwardCall::begin(*this);  // one with keys runs on a dict in the end
  with_hooks(*this, call, [&] {
    if (backward) backward->enter(call.inputs);
    call.outputs = do_call(state, call.inputs, n_outputs);
  });
  check_outputs(call.outputs.size(), n_outputs, *this);
  if (backward) backward->leave(call.outputs);
  return std::move(call.outputs);
}

bool Module::takes_plain_tensors() const {
  return !takes_values() && !hooks_->any();
}

void Module::do_call_into(State state, TensorsView inputs, at::Tensor* outputs, size_t n_outputs) const {
  Tensors results = do_call(state, inputs, n_outputs);
  check_outputs(results.size(), n_outputs, *this);
  std::move(results.begin(), results.end(), outputs);
}

NodePtr Module::run(State state, const NodePtr& data, const Run& how) const {
  if (!hooks_->any()) return do_run(state, data, how);
  HookCall call{this, {}, {}, data, {}};
  BackwardCall::Ptr backward = keyed() ? BackwardCall::begin(*this) : BackwardCall::Ptr();
  with_hooks(*this, call, [&] {
    auto body = [&](const NodePtr& on) { return do_run(state, on, how); };
    call.result = backward ? run_between_hooks(*keyed(), backward, call.data, body) : body(call.data);
  });
  if (backward) leave(*keyed(), backward, *call.result);
  return std::move(call.result);
}

std::vector<Entry> Module::values(State state, const Inputs& inputs, size_t n_outputs) const {
  BackwardCall::Ptr backward = takes_values() ? BackwardCall::begin(*this) : BackwardCall::Ptr();
  if (!backward) return do_values(state, inputs, n_outputs);
  Inputs entered = inputs;
  std::vector<Entry*> places;
  for (Entry& e : entered.positional) places.push_back(&e);
  for (auto& named : entered.named) places.push_back(&named.second);
  backward->enter(places);
  std::vector<Entry> outputs = do_values(state, entered, n_outputs);
  places.clear();
  for (Entry& e : outputs) places.push_back(&e);
  backward->leave(places);
  return outputs;
}

// A module of tensors: what is missing is an undefined one.
std::vector<Entry> Module::do_values(State state, const Inputs& inputs, size_t n_outputs) const {
  if (!inputs.named.empty())
    throw Error(Code::argument, type_name() + " got an unexpected keyword argument '" + inputs.named[0].first + "'")
        .hint("only modules made from a function take arguments by name");
  Tensors tensors;
  for (const Entry& e : inputs.positional) {
    if (e.is_node() || e.is_data())
      throw Error(Code::argument, type_name() + " takes tensors, got " + (e.is_node() ? "a dict" : "non-tensor data"));
    tensors.push_back(e.is_tensor() ? e.tensor() : at::Tensor());
  }
  std::vector<Entry> outputs;
  for (at::Tensor& t : call(state, tensors, n_outputs)) outputs.emplace_back(std::move(t));
  return outputs;
}

NodePtr Module::do_run(State, const NodePtr&, const Run&) const {
  throw Error(Code::argument, "the module has no keys").hint_naming("wrap it with {module_tensordict}");
}

}  // namespace td
