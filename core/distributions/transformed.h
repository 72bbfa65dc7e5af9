// A distribution behind transforms: torch.distributions.TransformedDistribution.
#pragma once

#include "core/distributions/distribution.h"
#include "core/distributions/transform.h"

namespace td {

class Transformed final : public Distribution {
 public:
  // Expands and reinterprets `base` as the transforms need. Throws Error(shape) if it has too few dims.
  Transformed(DistributionPtr base, std::vector<TransformPtr> transforms);

  const Distribution& base() const { return *base_; }
  bool same_transforms(const Transformed& other) const;

  std::string class_name() const override { return "TransformedDistribution"; }
  std::string repr() const override { return "TransformedDistribution()"; }
  bool has_rsample() const override { return base_->has_rsample(); }
  Constraint support() const override;
  at::Tensor within_support(const at::Tensor& value) const override;
  Point point() const override { return Point::mean; }
  at::Tensor sample(at::IntArrayRef shape, Generator* generator) const override;
  at::Tensor rsample(at::IntArrayRef shape, Generator* generator) const override;
  at::Tensor value(ValueOf what, const at::Tensor& value) const override;
  at::Tensor stat(Stat which) const override;
  bool has(Stat) const override { return false; }
  DistributionPtr expand(at::IntArrayRef batch) const override;

 private:
  at::Tensor log_density(const at::Tensor& value) const;
  at::Tensor monotonized(const at::Tensor& value) const;

  DistributionPtr base_;
  std::vector<TransformPtr> transforms_;
  TransformPtr all_;
};

}  // namespace td
