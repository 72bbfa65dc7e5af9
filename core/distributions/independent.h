// Some batch dims of a distribution taken as event dims: torch.distributions.Independent.
#pragma once

#include "core/distributions/distribution.h"

namespace td {

class Independent final : public Distribution {
 public:
  // Throws Error(argument) if `base` has fewer batch dims than `ndims`.
  Independent(DistributionPtr base, int64_t ndims);

  const Distribution& base() const { return *base_; }
  size_t ndims() const { return ndims_; }

  std::string class_name() const override { return "Independent"; }
  std::string repr() const override;
  bool has_rsample() const override { return base_->has_rsample(); }
  bool has_enumerate_support() const override { return ndims_ == 0 && base_->has_enumerate_support(); }
  Constraint support() const override;
  at::Tensor within_support(const at::Tensor& value) const override;
  Point point() const override { return base_->point(); }
  at::Tensor sample(at::IntArrayRef shape, Generator* g) const override { return base_->sample(shape, g); }
  at::Tensor rsample(at::IntArrayRef shape, Generator* g) const override { return base_->rsample(shape, g); }
  at::Tensor value(ValueOf what, const at::Tensor& value) const override;
  at::Tensor stat(Stat which) const override;
  bool has(Stat which) const override;
  at::Tensor enumerate_support(bool expand) const override;
  DistributionPtr expand(at::IntArrayRef batch) const override;

 private:
  DistributionPtr base_;
  size_t ndims_;
};

}  // namespace td
