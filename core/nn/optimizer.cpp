#include "core/nn/optimizer.h"

#include <algorithm>
#include <cmath>

#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include "core/dict/copy.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

std::vector<at::Tensor> trainable(const Node& params) {
  std::vector<Path> keys = leaf_paths(params);
  std::vector<at::Tensor> found;
  for (const Path& key : keys) {
    at::Tensor t = params.tensor(key);
    if (!t.requires_grad()) continue;
    if (!t.is_leaf())
      throw Error(Code::argument, "cannot train a tensor that is computed from others")
          .key(to_string(key))
          .hint("detach it first");
    check_writable(t, to_string(key));
    // A tied parameter stands under several keys, and must not be changed twice a step.
    if (std::none_of(found.begin(), found.end(), [&](const at::Tensor& f) { return f.is_same(t); })) found.push_back(t);
  }
  if (found.empty()) throw Error(Code::argument, "no tensor in the dict requires grad");
  return found;
}

// Written so that NaN is out of range too.
void check(bool in_range, const char* option, double value) {
  if (!in_range || !std::isfinite(value))
    throw Error(Code::argument, std::string(option) + " = " + std::to_string(value) + " is out of range");
}

torch::optim::SGDOptions torch_options(const SgdOptions& o) {
  check(o.lr >= 0, "lr", o.lr);
  check(o.momentum >= 0, "momentum", o.momentum);
  check(true, "dampening", o.dampening);
  check(o.weight_decay >= 0, "weight_decay", o.weight_decay);
  if (o.nesterov && (o.momentum <= 0 || o.dampening != 0))
    throw Error(Code::argument, "nesterov needs a momentum and no dampening");
  return torch::optim::SGDOptions(o.lr)
      .momentum(o.momentum)
      .dampening(o.dampening)
      .weight_decay(o.weight_decay)
      .nesterov(o.nesterov);
}

torch::optim::AdamOptions torch_options(const AdamOptions& o) {
  check(o.lr >= 0, "lr", o.lr);
  check(o.beta1 >= 0 && o.beta1 < 1, "beta1", o.beta1);
  check(o.beta2 >= 0 && o.beta2 < 1, "beta2", o.beta2);
  check(o.eps >= 0, "eps", o.eps);
  check(o.weight_decay >= 0, "weight_decay", o.weight_decay);
  return torch::optim::AdamOptions(o.lr)
      .betas({o.beta1, o.beta2})
      .eps(o.eps)
      .weight_decay(o.weight_decay)
      .amsgrad(o.amsgrad);
}

}  // namespace

Optimizer::Optimizer(const Node& params, const SgdOptions& options)
    : params_(trainable(params)), impl_(std::make_unique<torch::optim::SGD>(params_, torch_options(options))) {}

Optimizer::Optimizer(const Node& params, const AdamOptions& options)
    : params_(trainable(params)), impl_(std::make_unique<torch::optim::Adam>(params_, torch_options(options))) {}

Optimizer::~Optimizer() = default;

// By hand: LibTorch 1.13 leaves zeros, later versions nothing.
void Optimizer::zero_grad() {
  for (at::Tensor& p : params_) p.mutable_grad() = at::Tensor();
}

void Optimizer::step() {
  impl_->step();
}

}  // namespace td
