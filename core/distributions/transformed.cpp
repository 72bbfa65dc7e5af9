#include "core/distributions/transformed.h"

#include <algorithm>

#include <c10/core/GradMode.h>

#include "core/distributions/independent.h"
#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

Transformed::Transformed(DistributionPtr base, std::vector<TransformPtr> transforms)
    : base_(std::move(base)), transforms_(std::move(transforms)), all_(compose(transforms_)) {
  Dims shape(base_->batch_shape().begin(), base_->batch_shape().end());
  shape.append(base_->event_shape().begin(), base_->event_shape().end());
  size_t base_event = base_->event_shape().size(), in = all_->domain().event_dims, out = all_->codomain().event_dims;
  if (shape.size() < in)
    throw Error(Code::shape, "base_distribution needs to have shape with size at least " + std::to_string(in) +
                                 ", but got " + size_text(shape) + ".");
  Dims forward = all_->forward_shape(shape), expanded = all_->inverse_shape(forward);
  if (at::IntArrayRef(expanded) != at::IntArrayRef(shape))
    base_ = base_->expand(at::IntArrayRef(expanded).slice(0, expanded.size() - base_event));
  if (in > base_event) base_ = c10::make_intrusive<Independent>(base_, static_cast<int64_t>(in - base_event));
  // As wide as the last transform couples elements, or as the base did before the transforms changed its dims.
  size_t event_dims = std::max<int64_t>(out, static_cast<int64_t>(base_event + out) - static_cast<int64_t>(in));
  size_t cut = forward.size() - std::min<size_t>(event_dims, forward.size());
  adopt_shapes(at::IntArrayRef(forward).slice(0, cut), at::IntArrayRef(forward).slice(cut));
  adopt_validation(base_->validates());
}

bool Transformed::same_transforms(const Transformed& other) const {
  return all_->same_as(*other.all_);
}

Constraint Transformed::support() const {
  if (transforms_.empty()) return base_->support();
  Constraint c = transforms_.back()->codomain();
  c.event_dims = std::max(c.event_dims, event_shape().size());
  return c;
}

at::Tensor Transformed::within_support(const at::Tensor& value) const {
  if (transforms_.empty()) return base_->within_support(value);
  Constraint c = support();
  at::Tensor each = c.kind == TD_CONSTRAINT_OWN ? (value >= -1).logical_and(value <= 1) : satisfying(c, value);
  for (size_t i = 0; c.kind == TD_CONSTRAINT_OWN && i < event_shape().size(); ++i) each = each.all(-1);
  return each;
}

at::Tensor Transformed::sample(at::IntArrayRef shape, Generator* generator) const {
  at::AutoGradMode no_grad(false);
  return all_->forward(base_->sample(shape, generator));
}

at::Tensor Transformed::rsample(at::IntArrayRef shape, Generator* generator) const {
  return all_->forward(base_->rsample(shape, generator));
}

at::Tensor Transformed::log_density(const at::Tensor& value) const {
  at::Tensor y = value, sum;
  size_t event_dims = event_shape().size();
  for (auto t = transforms_.rbegin(); t != transforms_.rend(); ++t) {
    at::Tensor x = (*t)->inverse(y);
    event_dims += (*t)->domain().event_dims;
    event_dims -= (*t)->codomain().event_dims;
    at::Tensor slope = sum_rightmost((*t)->log_abs_det_jacobian(x, y), event_dims - (*t)->domain().event_dims);
    sum = sum.defined() ? sum - slope : -slope;
    y = x;
  }
  at::Tensor base = sum_rightmost(base_->value(ValueOf::log_prob, y), event_dims - base_->event_shape().size());
  return sum.defined() ? sum + base : base;
}

at::Tensor Transformed::monotonized(const at::Tensor& value) const {
  at::Tensor sign = all_->sign();
  return sign.defined() ? sign * (value - 0.5) + 0.5 : value;
}

at::Tensor Transformed::value(ValueOf what, const at::Tensor& v) const {
  switch (what) {
    case ValueOf::log_prob:
      if (validates()) check_value(v);
      return log_density(v);
    case ValueOf::cdf:
      return monotonized(base_->value(what, all_->inverse(v)));
    default:
      return all_->forward(base_->value(what, monotonized(v)));
  }
}

at::Tensor Transformed::stat(Stat which) const {
  not_offered(stat_name(which));
}

DistributionPtr Transformed::expand(at::IntArrayRef batch) const {
  Dims shape(batch.begin(), batch.end());
  shape.append(event_shape().begin(), event_shape().end());
  Dims base_shape = all_->inverse_shape(shape);
  size_t base_event = base_->event_shape().size();
  return c10::make_intrusive<Transformed>(
      base_->expand(at::IntArrayRef(base_shape).slice(0, base_shape.size() - base_event)), transforms_);
}

}  // namespace td
