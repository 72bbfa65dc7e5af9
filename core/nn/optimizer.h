// LibTorch's optimizers over the leaves of a dict. optimizer.cpp is the only file that knows torch::optim.
#pragma once

#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include "core/dict/node.h"

namespace torch::optim {
class Optimizer;
}

namespace td {

struct SgdOptions {
  double lr, momentum, dampening, weight_decay;
  bool nesterov;
};

struct AdamOptions {
  double lr, beta1, beta2, eps, weight_decay;
  bool amsgrad;
};

class Optimizer final : public c10::intrusive_ptr_target {
 public:
  // Over every leaf that requires grad. Throw Error(argument) if there is none, if one is computed from others, or if an
  // option is out of range; Error(locked) for a leaf in read-only memory.
  Optimizer(const Node& params, const SgdOptions& options);
  Optimizer(const Node& params, const AdamOptions& options);
  ~Optimizer() override;

  void zero_grad();
  void step();

 private:
  std::vector<at::Tensor> params_;
  std::unique_ptr<torch::optim::Optimizer> impl_;
};

}  // namespace td
