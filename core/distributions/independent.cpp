#include "core/distributions/independent.h"

#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

Independent::Independent(DistributionPtr base, int64_t ndims)
    : base_(std::move(base)), ndims_(static_cast<size_t>(ndims)) {
  at::IntArrayRef batch = base_->batch_shape();
  if (ndims < 0) throw Error(Code::argument, "the number of reinterpreted batch dims is negative");
  if (ndims_ > batch.size())
    throw Error(Code::argument, "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual " +
                                    std::to_string(ndims) + " vs " + std::to_string(batch.size()));
  at::IntArrayRef more = batch.slice(batch.size() - ndims_);
  Dims event(more.begin(), more.end());
  event.append(base_->event_shape().begin(), base_->event_shape().end());
  adopt_shapes(batch.slice(0, batch.size() - ndims_), event);
  adopt_validation(base_->validates());
}

std::string Independent::repr() const {
  return "Independent(" + base_->repr() + ", " + std::to_string(ndims_) + ")";
}

Constraint Independent::support() const {
  Constraint c = base_->support();
  if (c.kind == TD_CONSTRAINT_OWN && ndims_ > 0)
    c.own_text = "IndependentConstraint(" + c.own_text + ", " + std::to_string(ndims_) + ")";
  c.event_dims += ndims_;
  return c;
}

at::Tensor Independent::within_support(const at::Tensor& value) const {
  at::Tensor each = base_->within_support(value);
  for (size_t i = 0; i < ndims_; ++i) each = each.all(-1);
  return each;
}

at::Tensor Independent::value(ValueOf what, const at::Tensor& value) const {
  if (what != ValueOf::log_prob) not_offered(what == ValueOf::cdf ? "cdf" : "icdf");
  return sum_rightmost(base_->value(what, value), ndims_);
}

bool Independent::has(Stat which) const {
  return which != Stat::median && which != Stat::deterministic && base_->has(which);
}

at::Tensor Independent::stat(Stat which) const {
  switch (which) {
    case Stat::mean:
    case Stat::mode:
    case Stat::variance:
      return base_->stat(which);
    case Stat::stddev:
      return base_->stat(Stat::variance).sqrt();
    case Stat::entropy:
      return sum_rightmost(base_->stat(which), ndims_);
    case Stat::perplexity:
      return stat(Stat::entropy).exp();
    default:
      not_offered(stat_name(which));
  }
}

at::Tensor Independent::enumerate_support(bool expand) const {
  if (ndims_ > 0)
    throw Error(Code::unsupported, "Enumeration over cartesian product is not implemented").where("Independent");
  return base_->enumerate_support(expand);
}

DistributionPtr Independent::expand(at::IntArrayRef batch) const {
  at::IntArrayRef own = base_->batch_shape().slice(base_->batch_shape().size() - ndims_);
  Dims all(batch.begin(), batch.end());
  all.append(own.begin(), own.end());
  return c10::make_intrusive<Independent>(base_->expand(all), static_cast<int64_t>(ndims_));
}

}  // namespace td
