// One of several components of the same family, chosen by a categorical: torch.distributions.MixtureSameFamily.
#pragma once

#include "core/distributions/distribution.h"
#include "core/distributions/plugin_distribution.h"

namespace td {

class Mixture final : public Distribution {
 public:
  // The last batch dim of `components` is the choice. Throws Error(argument) unless `mixture` is a td.categorical, and
  // Error(shape) if they do not fit.
  Mixture(c10::intrusive_ptr<PluginDistribution> mixture, DistributionPtr components);

  std::string class_name() const override { return "MixtureSameFamily"; }
  std::string repr() const override;
  bool has_rsample() const override { return false; }
  Constraint support() const override;
  at::Tensor within_support(const at::Tensor& value) const override;
  Point point() const override { return Point::mean; }
  at::Tensor sample(at::IntArrayRef shape, Generator* generator) const override;
  at::Tensor rsample(at::IntArrayRef shape, Generator* generator) const override;
  at::Tensor value(ValueOf what, const at::Tensor& value) const override;
  at::Tensor stat(Stat which) const override;
  bool has(Stat which) const override;
  DistributionPtr expand(at::IntArrayRef batch) const override;

 private:
  int64_t choice_dim() const { return -1 - static_cast<int64_t>(event_shape().size()); }
  at::Tensor weights() const;         // of the choices, [batch..., K]
  at::Tensor padded_weights() const;  // [batch..., K, 1...]

  c10::intrusive_ptr<PluginDistribution> mixture_;
  DistributionPtr components_;
};

}  // namespace td
