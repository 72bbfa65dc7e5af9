#include "core/nn/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/dict/copy.h"
#include "core/error.h"
#include "core/nn/optimizer_access.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

bool contains_tensor(const std::vector<at::Tensor>& tensors, const at::Tensor& t) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const at::Tensor& other) { return other.is_same(t); });
}

std::vector<at::Tensor> trainable(const Node& params) {
  std::vector<Path> keys = leaf_paths(params);
  Leaves all = leaves(params);  // of a lazy stack those of its members, which are what can be trained
  std::vector<at::Tensor> found;
  for (size_t i = 0; i < all.size(); ++i) {
    const Path& key = keys[i];
    const at::Tensor& t = all[i];
    if (!t.requires_grad()) continue;
    if (!t.is_leaf())
      throw Error(Code::argument, "cannot optimize a tensor that is computed from others")
          .key(to_string(key))
          .hint("detach it first");
    check_writable(t, to_string(key));
    // A tied parameter stands under several keys, and must not be changed twice a step.
    if (!contains_tensor(found, t)) found.push_back(t);
  }
  if (found.empty()) throw Error(Code::argument, "no tensor in the dict requires grad");
  return found;
}

// Written so that NaN is out of range too.
void check_option(bool in_range, const char* option, double value) {
  if (!in_range || !std::isfinite(value))
    throw Error(Code::argument, std::string(option) + " = " + std::to_string(value) + " is out of range");
}

bool in_range(const std::string& name, double value) {
  if (name == "dampening") return true;
  if (name == "beta1" || name == "beta2") return value >= 0 && value < 1;
  return value >= 0;
}

void check_options(torch::optim::OptimizerOptions& options) {
  for (const NamedOption& o : named_options(options)) check_option(in_range(o.name, *o.value), o.name, *o.value);
}

template <class O>
O checked(O options) {
  check_options(options);
  return options;
}

torch::optim::SGDOptions torch_options(const SgdOptions& o) {
  auto options = checked(torch::optim::SGDOptions(o.lr)
                             .momentum(o.momentum)
                             .dampening(o.dampening)
                             .weight_decay(o.weight_decay)
                             .nesterov(o.nesterov));
  if (o.nesterov && (o.momentum <= 0 || o.dampening != 0))
    throw Error(Code::argument, "nesterov requires a momentum above 0 and a dampening of 0");
  return options;
}

template <class T>
T torch_options(const AdamOptions& o) {
  return checked(T(o.lr).betas({o.beta1, o.beta2}).eps(o.eps).weight_decay(o.weight_decay).amsgrad(o.amsgrad));
}

torch::optim::RMSpropOptions torch_options(const RmspropOptions& o) {
  return checked(torch::optim::RMSpropOptions(o.lr)
                     .alpha(o.alpha)
                     .eps(o.eps)
                     .weight_decay(o.weight_decay)
                     .momentum(o.momentum)
                     .centered(o.centered));
}

std::unique_ptr<torch::optim::Optimizer> make_adam(const std::vector<at::Tensor>& params, const AdamOptions& o) {
  if (o.decoupled) return std::make_unique<torch::optim::AdamW>(params, torch_options<torch::optim::AdamWOptions>(o));
  return std::make_unique<torch::optim::Adam>(params, torch_options<torch::optim::AdamOptions>(o));
}

}  // namespace

Optimizer::Optimizer(const Node& params, const SgdOptions& options)
    : params_(trainable(params)), impl_(std::make_unique<torch::optim::SGD>(params_, torch_options(options))) {}

Optimizer::Optimizer(const Node& params, const AdamOptions& options)
    : params_(trainable(params)), impl_(make_adam(params_, options)) {}

Optimizer::Optimizer(const Node& params, const RmspropOptions& options)
    : params_(trainable(params)), impl_(std::make_unique<torch::optim::RMSprop>(params_, torch_options(options))) {}

Optimizer::~Optimizer() = default;

// By hand: LibTorch 1.13 leaves zeros, later versions nothing.
void Optimizer::zero_grad() {
  for (at::Tensor& p : params_) p.mutable_grad() = at::Tensor();
}

void Optimizer::step() {
  impl_->step();
}

// ---- Groups ---------------------------------------------------------------------------------------------------------

void Optimizer::add_group(const Node& params) {
  std::vector<at::Tensor> added = trainable(params);
  for (const at::Tensor& t : added)
    if (contains_tensor(params_, t)) throw Error(Code::exists, "a tensor of the dict is already in a group");
  impl_->add_param_group(torch::optim::OptimizerParamGroup(added, impl_->param_groups()[0].options().clone()));
  params_.insert(params_.end(), added.begin(), added.end());
}

size_t Optimizer::groups() const {
  return impl_->param_groups().size();
}

double& Optimizer::option_ref(size_t group, const std::string& name) const {
  if (group >= groups())
    throw Error(Code::index, "group " + std::to_string(group) + " is out of range for an optimizer with " +
                                 std::to_string(groups()));
  std::string known;
  for (const NamedOption& o : named_options(impl_->param_groups()[group].options())) {
    if (name == o.name) return *o.value;
    known += std::string(known.empty() ? "" : ", ") + o.name;
  }
  for (const NamedFlag& f : named_flags(impl_->param_groups()[group].options())) known += std::string(", ") + f.name;
  throw Error(Code::key, "the optimizer has no such option").key('"' + name + '"').hint("its options are " + known);
}

double& Optimizer::momentum_ref(size_t group) const {
  for (const NamedOption& o : named_options(impl_->param_groups()[group].options()))
    if (o.name == std::string("beta1")) return *o.value;
  return option_ref(group, "momentum");
}

double& Optimizer::initial_lr(size_t group) {
  if (initial_lrs_.size() <= group) initial_lrs_.resize(group + 1);
  auto& slot = initial_lrs_[group];
  if (!slot) slot = option(group, "lr");
  return *slot;
}

const char* Optimizer::type_name() const {
  auto* options = &impl_->param_groups()[0].options();
  if (dynamic_cast<torch::optim::AdamOptions*>(options)) return "Adam";
  if (dynamic_cast<torch::optim::AdamWOptions*>(options)) return "AdamW";
  return dynamic_cast<torch::optim::RMSpropOptions*>(options) ? "RMSprop" : "SGD";
}

bool* Optimizer::flag(size_t group, const std::string& name) const {
  if (group < groups())
    for (const NamedFlag& f : named_flags(impl_->param_groups()[group].options()))
      if (name == f.name) return f.value;
  return nullptr;
}

double Optimizer::option(size_t group, const std::string& name) const {
  if (const bool* set = flag(group, name)) return *set ? 1 : 0;
  return option_ref(group, name);
}

void Optimizer::set_option(size_t group, const std::string& name, double value) {
  if (bool* slot = flag(group, name)) {
    check_option(value == 0 || value == 1, name.c_str(), value);
    if (name == "nesterov" && value == 1 && (option_ref(group, "momentum") <= 0 || option_ref(group, "dampening") != 0))
      throw Error(Code::argument, "nesterov requires a momentum above 0 and a dampening of 0");
    *slot = value == 1;
    return;
  }
  double& slot = option_ref(group, name);
  check_option(in_range(name, value), name.c_str(), value);
  slot = value;
}

}  // namespace td
