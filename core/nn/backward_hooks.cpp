#include "core/nn/backward_hooks.h"

#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/dict/change/edit.h"
#include "core/dict/copy.h"
#include "core/error.h"
#include "core/nn/vmap_level.h"

namespace td {

namespace {

constexpr const char* call_key = "call";

BackwardCall::Ptr call_of(torch::autograd::AutogradContext* ctx) {
  return c10::static_intrusive_pointer_cast<BackwardCall>(ctx->saved_data[call_key].toCapsule());
}

// The identity, with a way back that leads through the hooks.
template <Tensors (BackwardCall::*back)(Tensors)>
struct Passage : torch::autograd::Function<Passage<back>> {
  static Tensors forward(torch::autograd::AutogradContext* ctx, const BackwardCall::Ptr& call, at::TensorList tensors) {
    ctx->saved_data[call_key] = c10::IValue::make_capsule(call);
    ctx->set_materialize_grads(false);
    return tensors.vec();
  }
  static Tensors backward(torch::autograd::AutogradContext* ctx, Tensors grads) {
    Tensors out = ((*call_of(ctx)).*back)(std::move(grads));
    out.insert(out.begin(), at::Tensor());  // of the argument `call`
    return out;
  }
};

template <class P>
void pass(const BackwardCall::Ptr& call, Tensors& tensors, const std::vector<size_t>& indices) {
  if (indices.empty()) return;
  Tensors some;
  for (size_t i : indices) some.push_back(tensors[i]);
  some = P::apply(call, at::TensorList(some));
  for (size_t i = 0; i < indices.size(); ++i) tensors[indices[i]] = std::move(some[i]);
}

Tensors tensors_of(const std::vector<Entry*>& entries) {
  Tensors out;
  for (const Entry* e : entries) out.push_back(e->is_tensor() ? e->tensor() : at::Tensor());
  return out;
}

void put_back(const std::vector<Entry*>& entries, Tensors& tensors) {
  for (size_t i = 0; i < entries.size(); ++i)
    if (tensors[i].defined()) *entries[i] = Entry(std::move(tensors[i]));
}

}  // namespace

uint64_t add_backward_hook(const Module& module, Hooks::Hook hook, bool prepend) {
  if (!module.has_gradients())
    throw Error(Code::unsupported,
                "the module cannot have backward hooks: its tensors are not known, or have no gradients")
        .where(module.type_name())
        .hint("register the hooks on the modules that it calls");
  return module.hooks().add(std::move(hook), prepend);
}

BackwardCall::Side::Side(const Tensors& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const at::Tensor& t = tensors[i];
    if (!t.defined()) {
      all.push_back({false, {}, {}});
      continue;
    }
    all.push_back({true, Dims(t.sizes().begin(), t.sizes().end()), t.options()});
    if (t.requires_grad()) indices.push_back(i);
  }
}

Tensors BackwardCall::Side::zeros(const Tensors& grads) const {
  Tensors out = grads;
  for (size_t i = 0; i < out.size(); ++i)
    if (!out[i].defined() && all[i].defined) out[i] = at::zeros(all[i].sizes, all[i].options);
  return out;
}

BackwardCall::Ptr BackwardCall::begin(const Module& module) {
  if (!module.hooks().any() || !at::GradMode::is_enabled()) return {};
  auto call = c10::make_intrusive<BackwardCall>();
  call->before_ = module.hooks().of(HookKind::backward_pre);
  call->after_ = module.hooks().of(HookKind::backward);
  if (call->before_.empty() && call->after_.empty()) return {};
  if (under_vmap())
    throw Error(Code::unsupported,
                "a module with backward hooks cannot run under vmap, where members have no separate gradients")
        .where(module.type_name())
        .hint("remove the hooks, or run the module with no_grad");
  call->module_ = ModulePtr::unsafe_reclaim_from_nonowning(const_cast<Module*>(&module));
  return call;
}

void BackwardCall::enter(Tensors& inputs) {
  inputs_ = Side(inputs);
  pass<Passage<&BackwardCall::at_inputs>>(Ptr::unsafe_reclaim_from_nonowning(this), inputs, inputs_.indices);
}

void BackwardCall::leave(Tensors& outputs) {
  outputs_ = Side(outputs);
  pass<Passage<&BackwardCall::at_outputs>>(Ptr::unsafe_reclaim_from_nonowning(this), outputs, outputs_.indices);
}

void BackwardCall::enter(const std::vector<Entry*>& inputs) {
  Tensors tensors = tensors_of(inputs);
  enter(tensors);
  put_back(inputs, tensors);
}

void BackwardCall::leave(const std::vector<Entry*>& outputs) {
  Tensors tensors = tensors_of(outputs);
  leave(tensors);
  put_back(outputs, tensors);
}

void BackwardCall::run(const Hooks::List& hooks, BackwardHookCall& call) const {
  for (const auto& hook : hooks) hook->backward(call);
}

void BackwardCall::check(const Side& side, const Tensors& grads, const char* what) {
  for (size_t i = 0; i < grads.size(); ++i) {
    if (!grads[i].defined()) continue;
    const Side::Meta& m = side.all[i];
    bool fits = m.defined && grads[i].sizes() == at::IntArrayRef(m.sizes) &&
                grads[i].scalar_type() == m.options.dtype().toScalarType() && grads[i].device() == m.options.device();
    if (!fits)
      throw Error(Code::callback, std::string("a backward hook gave ") + what + ' ' + std::to_string(i) +
                                      " a gradient of shape " + to_string(grads[i].sizes()) + ", " +
                                      c10::toString(grads[i].scalar_type()))
          .hint(m.defined ? "it is of shape " + to_string(at::IntArrayRef(m.sizes)) + ", " +
                                c10::toString(m.options.dtype().toScalarType())
                          : "there is no tensor there");
  }
}

Tensors BackwardCall::at_outputs(Tensors given) {
  BackwardHookCall call{module_.get(), {}, Tensors(outputs_.all.size())};
  for (size_t i = 0; i < given.size(); ++i) call.grad_outputs[outputs_.indices[i]] = std::move(given[i]);
  for (const auto& hook : before_) {
    hook->backward(call);
    check(outputs_, call.grad_outputs, "output");
  }
  Tensors grads = outputs_.zeros(call.grad_outputs);
  if (entered()) {
    std::lock_guard<std::mutex> hold(mutex_);
    grad_outputs_ = call.grad_outputs;
    there_ = true;
  } else {  // no gradient leaves at the inputs: this is all that there is to see
    call.grad_inputs.resize(inputs_.all.size());
    run(after_, call);
    for (const at::Tensor& t : call.grad_inputs)
      if (t.defined())
        throw Error(Code::callback, "a backward hook returned a gradient for an input, but no input requires grad");
  }
  Tensors out;
  for (size_t i : outputs_.indices) out.push_back(grads[i]);
  return out;
}

// A gradient that came another way than through the outputs is not the module's.
Tensors BackwardCall::at_inputs(Tensors given) {
  BackwardHookCall call{module_.get(), Tensors(inputs_.all.size()), {}};
  for (size_t i = 0; i < given.size(); ++i) call.grad_inputs[inputs_.indices[i]] = std::move(given[i]);
  call.grad_inputs = inputs_.zeros(call.grad_inputs);
  bool there = false;
  {
    std::lock_guard<std::mutex> hold(mutex_);
    there = std::exchange(there_, false);
    call.grad_outputs = std::exchange(grad_outputs_, {});
  }
  if (there)
    for (const auto& hook : after_) {
      hook->backward(call);
      check(inputs_, call.grad_inputs, "input");
    }
  Tensors out;
  for (size_t i : inputs_.indices) out.push_back(call.grad_inputs[i]);
  return out;
}

// ---- Modules that read keys -----------------------------------------------------------------------------------------

namespace {

std::vector<Entry> entries_at(const Node& data, const Keys& keys) {
  std::vector<Entry> out;
  for (const Path& k : keys) out.push_back(is_dropped(k) ? Entry() : data.get(k));
  return out;
}

std::vector<Entry*> pointers(std::vector<Entry>& entries) {
  std::vector<Entry*> out;
  for (Entry& e : entries) out.push_back(&e);
  return out;
}

bool same_entry(const Entry& a, const Entry& b) {
  return a.is_tensor() && b.is_tensor() && a.tensor().is_same(b.tensor());
}

}  // namespace

NodePtr run_between_hooks(const KeyedModule& module, const BackwardCall::Ptr& call, const NodePtr& data,
                          c10::function_ref<NodePtr(const NodePtr&)> run) {
  std::vector<Entry> inputs = entries_at(*data, module.in_keys()), before = inputs;
  call->enter(pointers(inputs));
  if (!call->entered()) return run(data);
  NodePtr view = shallow_copy(*data);
  Edit entered;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].is_tensor() && !same_entry(inputs[i], before[i])) entered.set(*view, module.in_keys()[i], inputs[i]);
  entered.keep();
  const Keys keys = module.out_keys_source();  // a module may not change them meanwhile, but its hooks might
  const std::vector<Entry> there = entries_at(*view, keys);

  auto write_back = [&](bool all) {
    std::vector<Entry> now = entries_at(*view, keys);
    Edit edit;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (now[i] && !same_entry(now[i], there[i]))
        edit.set(*data, keys[i], now[i]);
      else if (all && !now[i] && there[i])
        edit.erase(*data, keys[i]);
    }
    edit.keep();
  };
  NodePtr result;
  try {
    result = run(view);
  } catch (...) {
    write_back(false);
    throw;
  }
  write_back(result == view);
  return result == view ? data : result;
}

void leave(const KeyedModule& module, const BackwardCall::Ptr& call, Node& result) {
  const Keys keys = module.out_keys();
  std::vector<Entry> outputs = entries_at(result, keys), before = outputs;
  call->leave(pointers(outputs));
  Edit edit;
  for (size_t i = 0; i < keys.size(); ++i)
    if (!same_entry(outputs[i], before[i]) && outputs[i].is_tensor()) edit.set(result, keys[i], outputs[i]);
  edit.keep();
}

}  // namespace td
