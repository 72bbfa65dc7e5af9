// What an optimizer has collected, as a dict, and the gradients it works on.
#include <cmath>

#include <c10/core/GradMode.h>

#include "core/dict/copy.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/nn/optimizer.h"
#include "core/nn/optimizer_access.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

Key number_key(size_t i) {
  return Key(std::to_string(i));
}

std::unique_ptr<torch::optim::OptimizerParamState> fresh_state(torch::optim::OptimizerOptions& options) {
  if (dynamic_cast<torch::optim::AdamOptions*>(&options)) return std::make_unique<torch::optim::AdamParamState>();
  if (dynamic_cast<torch::optim::AdamWOptions*>(&options)) return std::make_unique<torch::optim::AdamWParamState>();
  if (dynamic_cast<torch::optim::RMSpropOptions*>(&options)) return std::make_unique<torch::optim::RMSpropParamState>();
  return std::make_unique<torch::optim::SGDParamState>();
}

// One parameter's part of a saved state, checked against it.
std::unique_ptr<torch::optim::OptimizerParamState> read_state(const Node& saved, const Path& at,
                                                              const at::Tensor& param,
                                                              torch::optim::OptimizerOptions& options) {
  auto made = fresh_state(options);
  ParamState slots = param_state(*made);
  size_t used = 0;
  for (auto& [name, tensor] : slots.tensors) {
    Entry e = saved.find(KeyView(name));
    if (!e) continue;
    if (!e.is_tensor() || e.tensor().sizes() != param.sizes())
      throw Error(Code::shape, "the state of a parameter of shape " + to_string(param.sizes()) + " has another shape")
          .key(to_string(at + Key(name)));
    *tensor = e.tensor().detach().clone();
    ++used;
  }
  if (slots.step) {
    at::Tensor step = saved.tensor(Path{"step"});
    if (step.numel() != 1) throw Error(Code::shape, "a step count must be one number").key(to_string(at + Key("step")));
    *slots.step = step.item<int64_t>();
    ++used;
  }
  if (used != saved.count())
    throw Error(Code::key, "the state has entries that this optimizer does not know").key(to_string(at));
  return made;
}

}  // namespace

NodePtr Optimizer::state() const {
  NodePtr root = TensorDict::make({}), params = TensorDict::make({}), groups = TensorDict::make({});
  for (size_t i = 0; i < params_.size(); ++i) {
    auto& all = impl_->state();
    auto found = all.find(state_key(all, params_[i]));
    if (found == all.end()) continue;
    NodePtr one = TensorDict::make({});
    ParamState s = param_state(*found->second);
    if (s.step) one->put("step", Entry(at::scalar_tensor(*s.step, at::kLong)));
    for (auto& [name, tensor] : s.tensors)
      if (tensor->defined()) one->put(name, Entry(tensor->detach().clone()));
    params->put(number_key(i), Entry(one));
  }
  for (size_t g = 0; g < impl_->param_groups().size(); ++g) {
    NodePtr one = TensorDict::make({});
    for (const NamedOption& o : named_options(impl_->param_groups()[g].options()))
      one->put(o.name, Entry(at::scalar_tensor(*o.value, at::kDouble)));
    for (const NamedFlag& f : named_flags(impl_->param_groups()[g].options()))
      one->put(f.name, Entry(at::scalar_tensor(*f.value, at::kBool)));
    groups->put(number_key(g), Entry(one));
  }
  root->put("state", Entry(params));
  root->put("param_groups", Entry(groups));
  return root;
}

void Optimizer::load_state(const Node& saved) {
  NodePtr params = saved.node(Path{"state"}), groups = saved.node(Path{"param_groups"});
  if (groups->count() != this->groups())
    throw Error(Code::argument, "the state has " + std::to_string(groups->count()) + " groups, but the optimizer has " +
                                    std::to_string(this->groups()));
  std::vector<std::pair<size_t, std::unique_ptr<torch::optim::OptimizerParamState>>> read;
  auto& first = impl_->param_groups()[0].options();
  params->visit([&](const Key& k, const Entry& e) {
    size_t i = 0;
    while (i < params_.size() && std::to_string(i) != k.text()) ++i;
    Path at = Path{"state"} + k;
    if (i == params_.size() || !e.is_node())
      throw Error(Code::key, "the optimizer has no such parameter").key(to_string(at));
    read.emplace_back(i, read_state(*e.node(), at, params_[i], first));
  });
  std::vector<std::pair<double*, double>> values;
  std::vector<std::pair<bool*, bool>> flags;
  auto saved_option = [&](size_t g, const char* name) {
    Path at = Path{std::to_string(g).c_str()} + Key(name);
    at::Tensor value = groups->tensor(at);
    if (value.numel() != 1)
      throw Error(Code::shape, "an option must be one number").key("param_groups." + to_string(at));
    return value;
  };
  for (size_t g = 0; g < this->groups(); ++g) {
    auto& options = impl_->param_groups()[g].options();
    for (const NamedOption& o : named_options(options))
      values.emplace_back(o.value, saved_option(g, o.name).item<double>());
    for (const NamedFlag& f : named_flags(options))
      flags.emplace_back(f.value, saved_option(g, f.name).item<double>() != 0);
  }

  auto& all = impl_->state();
  all.clear();
  for (auto& [i, state] : read) all[state_key(all, params_[i])] = std::move(state);
  for (auto& [slot, value] : values) *slot = value;
  for (auto& [slot, value] : flags) *slot = value;
}

// ---- Gradients ------------------------------------------------------------------------------------------------------

namespace {

std::vector<at::Tensor> gradients(const Node& params) {
  std::vector<at::Tensor> out;
  for (const at::Tensor& t : leaves(params))
    if (t.is_leaf() && t.grad().defined()) out.push_back(t.grad());
  return out;
}

}  // namespace

double clip_grad_norm(const Node& params, double max_norm, double norm_type, bool finite) {
  if (!(max_norm >= 0) || std::isnan(norm_type))
    throw Error(Code::argument, "max_norm must be at least 0, and norm_type a number");
  at::AutoGradMode no_grad(false);
  std::vector<at::Tensor> grads = gradients(params), norms;
  for (const at::Tensor& g : grads) norms.push_back(g.detach().norm(norm_type).to(at::kDouble));
  if (norms.empty()) return 0;
  double total = std::isinf(norm_type) && norm_type > 0 ? at::stack(norms).max().item<double>()
                                                        : at::stack(norms).norm(norm_type).item<double>();
  if (finite && !std::isfinite(total))
    throw Error(Code::argument, "the norm of the gradients is not finite, so they were not clipped");
  double factor = max_norm / (total + 1e-6);
  if (factor < 1)
    for (at::Tensor& g : grads) g.detach().mul_(factor);
  return total;
}

void clip_grad_value(const Node& params, double value) {
  if (!(value >= 0)) throw Error(Code::argument, "the value to clip at must be at least 0");
  at::AutoGradMode no_grad(false);
  for (at::Tensor& g : gradients(params)) g.detach().clamp_(-value, value);
}

}  // namespace td
