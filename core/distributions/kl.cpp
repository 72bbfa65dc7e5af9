// Kullback-Leibler divergences: plugin types know theirs, what is built from distributions asks its parts.
#include "core/distributions/independent.h"
#include "core/distributions/plugin_distribution.h"
#include "core/distributions/transformed.h"
#include "core/error.h"

namespace td {

at::Tensor kl_divergence(const Distribution& p, const Distribution& q) {
  at::Tensor result;
  if (auto* a = dynamic_cast<const PluginDistribution*>(&p)) {
    if (auto* b = dynamic_cast<const PluginDistribution*>(&q)) result = a->kl_to(*b);
  } else if (auto* i = dynamic_cast<const Independent*>(&p)) {
    auto* j = dynamic_cast<const Independent*>(&q);
    if (j && i->ndims() == j->ndims()) result = sum_rightmost(kl_divergence(i->base(), j->base()), i->ndims());
  } else if (auto* t = dynamic_cast<const Transformed*>(&p)) {
    auto* u = dynamic_cast<const Transformed*>(&q);
    if (u && t->same_transforms(*u) && p.event_shape() == q.event_shape()) result = kl_divergence(t->base(), u->base());
  }
  if (!result.defined())
    throw Error(Code::unsupported,
                "No KL(p || q) is implemented for p type " + p.class_name() + " and q type " + q.class_name());
  return result;
}

}  // namespace td
