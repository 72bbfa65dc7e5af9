#include "core/distributions/mixture.h"

#include <algorithm>
#include <limits>

#include <c10/core/GradMode.h>

#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

namespace {

// The normalised logits of a td.categorical.
at::Tensor log_weights_of(const PluginDistribution& categorical) {
  at::Tensor logits = categorical.param("logits");
  if (logits.defined()) return logits - logits.logsumexp(-1, true);
  at::Tensor probs = categorical.param("probs");
  probs = probs / probs.sum(-1, true);
  double eps = probs.scalar_type() == at::kDouble ? std::numeric_limits<double>::epsilon()
                                                  : double{std::numeric_limits<float>::epsilon()};
  return probs.clamp(eps, 1 - eps).log();
}

}  // namespace

Mixture::Mixture(c10::intrusive_ptr<PluginDistribution> mixture, DistributionPtr components)
    : mixture_(std::move(mixture)), components_(std::move(components)) {
  if (!mixture_ || !mixture_->is("td.categorical"))
    throw Error(Code::argument, " The Mixture distribution needs to be an instance of torch.distributions.Categorical")
        .hint("make the mixture distribution with the type td.categorical");
  at::IntArrayRef batch = components_->batch_shape();
  if (batch.empty())
    throw Error(Code::shape, "the component distribution has no batch dim to choose from").where(class_name());
  at::IntArrayRef rest = batch.slice(0, batch.size() - 1), chosen = mixture_->batch_shape();
  for (size_t i = 1; i <= std::min(rest.size(), chosen.size()); ++i) {
    int64_t a = chosen[chosen.size() - i], b = rest[rest.size() - i];
    if (a != 1 && b != 1 && a != b)
      throw Error(Code::shape, "`mixture_distribution.batch_shape` (" + size_text(chosen) +
                                   ") is not compatible with `component_distribution.batch_shape`(" + size_text(rest) +
                                   ")");
  }
  int64_t km = weights().size(-1), kc = batch.back();
  if (km != kc)
    throw Error(Code::shape, "`mixture_distribution component` (" + std::to_string(km) +
                                 ") does not equal `component_distribution.batch_shape[-1]` (" + std::to_string(kc) +
                                 ")");
  adopt_shapes(rest, components_->event_shape());
  adopt_validation(components_->validates());
}

std::string Mixture::repr() const {
  return "MixtureSameFamily(" + mixture_->repr() + ", " + components_->repr() + ")";
}

at::Tensor Mixture::weights() const {
  at::Tensor logits = mixture_->param("logits");
  if (logits.defined()) return logits.softmax(-1);
  at::Tensor probs = mixture_->param("probs");
  return probs / probs.sum(-1, true);
}

at::Tensor Mixture::padded_weights() const {
  at::Tensor w = weights();
  for (size_t i = 0; i < event_shape().size(); ++i) w = w.unsqueeze(-1);
  return w;
}

Constraint Mixture::support() const {
  Constraint c = components_->support();
  return {TD_CONSTRAINT_OWN, c.event_dims, "MixtureSameFamilyConstraint(" + c.text() + ")"};
}

at::Tensor Mixture::within_support(const at::Tensor& value) const {
  return components_->within_support(value.unsqueeze(choice_dim())).all(-1);
}

at::Tensor Mixture::sample(at::IntArrayRef shape, Generator* generator) const {
  at::AutoGradMode no_grad(false);
  at::Tensor choice = mixture_->sample(shape, generator), all = components_->sample(shape, generator);
  int64_t dim = all.dim() - 1 - static_cast<int64_t>(event_shape().size());
  std::vector<int64_t> sizes = all.sizes().vec();
  sizes[static_cast<size_t>(dim)] = 1;
  at::Tensor index = choice.unsqueeze(-1);
  for (size_t i = 0; i < event_shape().size(); ++i) index = index.unsqueeze(-1);
  return all.gather(dim, index.expand(sizes)).squeeze(dim);
}

at::Tensor Mixture::rsample(at::IntArrayRef, Generator*) const {
  not_offered("rsample");
}

at::Tensor Mixture::value(ValueOf what, const at::Tensor& v) const {
  if (what == ValueOf::icdf) not_offered("icdf");
  if (what == ValueOf::cdf) return (components_->value(what, v.unsqueeze(choice_dim())) * weights()).sum(-1);
  if (validates()) check_value(v);
  at::Tensor each = components_->value(what, v.unsqueeze(choice_dim()));
  return (each + log_weights_of(*mixture_).log_softmax(-1)).logsumexp(-1);
}

bool Mixture::has(Stat which) const {
  return (which == Stat::mean && components_->has(Stat::mean)) ||
         ((which == Stat::variance || which == Stat::stddev) && components_->has(Stat::variance));
}

at::Tensor Mixture::stat(Stat which) const {
  if (!has(which)) not_offered(stat_name(which));
  at::Tensor means = components_->stat(Stat::mean), w = padded_weights();
  int64_t dim = choice_dim();
  at::Tensor mean = (w * means).sum(dim);
  if (which == Stat::mean) return mean;
  at::Tensor within = (w * components_->stat(Stat::variance)).sum(dim);
  at::Tensor between = (w * (means - mean.unsqueeze(dim)).pow(2)).sum(dim);
  return which == Stat::stddev ? (within + between).sqrt() : within + between;
}

DistributionPtr Mixture::expand(at::IntArrayRef batch) const {
  Dims all(batch.begin(), batch.end());
  all.push_back(components_->batch_shape().back());
  return c10::make_intrusive<Mixture>(as_plugin(mixture_->expand(batch)), components_->expand(all));
}

}  // namespace td
