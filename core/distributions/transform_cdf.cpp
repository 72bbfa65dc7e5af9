// The cumulative distribution function of a distribution as a transform.
#include "core/distributions/distribution.h"
#include "core/distributions/transform_kinds.h"

namespace td {

namespace {

class CumulativeDistribution final : public Transform {
 public:
  explicit CumulativeDistribution(DistributionPtr of) : of_(std::move(of)) {}
  std::string name() const override { return "CumulativeDistributionTransform()"; }
  at::Tensor forward(const at::Tensor& x) const override { return of_->value(ValueOf::cdf, x); }
  at::Tensor inverse(const at::Tensor& y) const override { return of_->value(ValueOf::icdf, y); }
  at::Tensor log_abs_det_jacobian(const at::Tensor& x, const at::Tensor&) const override { return of_->log_prob(x); }
  Constraint domain() const override { return of_->support(); }
  Constraint codomain() const override { return {TD_CONSTRAINT_UNIT_INTERVAL, 0, {}}; }
  bool same_as(const Transform& other) const override { return this == &other; }

 private:
  DistributionPtr of_;
};

}  // namespace

TransformPtr cumulative_transform(DistributionPtr of) {
  return std::make_shared<CumulativeDistribution>(std::move(of));
}

}  // namespace td
