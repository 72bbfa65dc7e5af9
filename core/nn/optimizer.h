// LibTorch's optimizers over the leaves of dicts. The optimizer*.cpp alone know torch::optim.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include "core/dict/node.h"

namespace torch::optim {
class Optimizer;
}  // namespace torch::optim

namespace td {

struct SgdOptions {
  double lr, momentum, dampening, weight_decay;
  bool nesterov;
};

struct AdamOptions {
  double lr, beta1, beta2, eps, weight_decay;
  bool amsgrad;
  bool decoupled = false;  // AdamW: the decay does not go through the moments
};

struct RmspropOptions {
  double lr, alpha, eps, weight_decay, momentum;
  bool centered;
};

class Optimizer final : public c10::intrusive_ptr_target {
 public:
  // Over every leaf that requires grad. Throw Error(argument) if there is none, if one is computed from others, or if
  // an option is out of range; Error(locked) for a leaf in read-only memory.
  Optimizer(const Node& params, const SgdOptions& options);
  Optimizer(const Node& params, const AdamOptions& options);
  Optimizer(const Node& params, const RmspropOptions& options);
  ~Optimizer() override;

  void zero_grad();
  void step();

  // Another group of parameters, with the options of the first until they are set. Throws also Error(exists) for a
  // tensor that has a group.
  void add_group(const Node& params);
  size_t groups() const;
  const char* type_name() const;  // "Adam", as in torch.optim
  // An option of a group by the name that torch.optim gives it, betas as "beta1" and "beta2". Throw Error(index),
  // Error(key), Error(argument).
  double option(size_t group, const std::string& name) const;
  void set_option(size_t group, const std::string& name, double value);

  // Returns the state so far: for each parameter, by its number, step counts and moments. Loading it into an
  // optimizer of the same kind over parameters of the same shapes resumes there. Throws Error(key), Error(shape).
  NodePtr state() const;
  void load_state(const Node& state);

 private:
  friend class Schedule;
  double& option_ref(size_t group, const std::string& name) const;
  bool* flag(size_t group, const std::string& name) const;  // null: no such one
  double& momentum_ref(size_t group) const;                 // or beta1
  double& initial_lr(size_t group);  // what schedules begin with: the learning rate when the first one asks

  std::vector<at::Tensor> params_;  // of all groups, one after another
  std::unique_ptr<torch::optim::Optimizer> impl_;
  std::vector<std::optional<double>> initial_lrs_;
};

// Scales all gradients so that their joint norm is at most `max_norm`; returns what it was. Throws Error(argument) for
// one that is not finite, if `finite` asks for that, and for a negative max_norm.
double clip_grad_norm(const Node& params, double max_norm, double norm_type, bool finite);
void clip_grad_value(const Node& params, double value);

}  // namespace td
