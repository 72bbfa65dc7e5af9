#include <ATen/core/ivalue.h>

#include "capi/convert.h"
#include "capi/distributions/dist.h"
#include "capi/guard.h"
#include "core/distributions/independent.h"
#include "core/distributions/mixture.h"
#include "core/distributions/parse_transforms.h"
#include "core/distributions/plugin_distribution.h"
#include "core/distributions/transformed.h"

using namespace td::capi;

namespace {

td::Generator* optional_ref(td_generator* generator) {
  return generator ? &ref(generator) : nullptr;
}

td::DistributionPtr shared(const td_dist* dist) {
  return share(const_cast<td_dist*>(dist));
}

}  // namespace

namespace td::capi {

Distribution::Stat dist_stat(td_dist_stat which) {
  if (which < TD_DIST_STAT_MEAN || which > TD_DIST_STAT_PERPLEXITY)
    throw Error(Code::argument, "no such statistic: " + std::to_string(which));
  return static_cast<Distribution::Stat>(which);
}

}  // namespace td::capi

td_status td_dist_new(td_str type, const td_dict* params, td_str config, td_dist** out_dist, td_error** err) noexcept {
  return guard(err, [&] {
    give(out_dist, td::DistributionPtr(c10::make_intrusive<td::PluginDistribution>(text(type, "type"), ref(params),
                                                                                   text(config, "config"))));
  });
}

td_status td_dist_sample(const td_dist* self, const int64_t* shape, size_t ndim, td_generator* generator,
                         td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).sample(dims(shape, ndim), optional_ref(generator))); });
}

td_status td_dist_rsample(const td_dist* self, const int64_t* shape, size_t ndim, td_generator* generator,
                          td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).rsample(dims(shape, ndim), optional_ref(generator))); });
}

td_status td_dist_log_prob(const td_dist* self, const td_tensor* value, td_tensor** out_tensor,
                           td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).log_prob(tensor(value))); });
}

td_status td_dist_cdf(const td_dist* self, const td_tensor* value, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).value(td::ValueOf::cdf, tensor(value))); });
}

td_status td_dist_icdf(const td_dist* self, const td_tensor* value, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).value(td::ValueOf::icdf, tensor(value))); });
}

td_status td_dist_get(const td_dist* self, td_dist_stat which, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).stat(dist_stat(which))); });
}

td_status td_dist_enumerate_support(const td_dist* self, td_bool expand, td_tensor** out_tensor,
                                    td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).enumerate_support(expand != 0)); });
}

td_status td_dist_expand(const td_dist* self, const int64_t* batch, size_t ndim, td_dist** out_dist,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_dist, ref(self).expand(dims(batch, ndim))); });
}

size_t td_dist_batch_shape(const td_dist* self, int64_t* out, size_t capacity) noexcept {
  return guard_value(size_t{0}, [&] { return fill(ref(self).batch_shape(), out, capacity); });
}

size_t td_dist_event_shape(const td_dist* self, int64_t* out, size_t capacity) noexcept {
  return guard_value(size_t{0}, [&] { return fill(ref(self).event_shape(), out, capacity); });
}

td_bool td_dist_has_rsample(const td_dist* self) noexcept {
  return guard_value(td_bool{0}, [&] { return td_bool{ref(self).has_rsample()}; });
}

td_bool td_dist_has_enumerate_support(const td_dist* self) noexcept {
  return guard_value(td_bool{0}, [&] { return td_bool{ref(self).has_enumerate_support()}; });
}

td_status td_dist_repr(const td_dist* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, ref(self).repr()); });
}

void td_dist_set_default_validate_args(td_bool validate) noexcept {
  td::set_validate_by_default(validate != 0);
}
td_bool td_dist_default_validate_args(void) noexcept {
  return td::validate_by_default();
}

td_status td_dist_independent(const td_dist* base, int64_t ndims, td_dist** out_dist, td_error** err) noexcept {
  return guard(err,
               [&] { give(out_dist, td::DistributionPtr(c10::make_intrusive<td::Independent>(shared(base), ndims))); });
}

td_status td_dist_transformed(const td_dist* base, td_str transforms, const td_dict* params, td_dist** out_dist,
                              td_error** err) noexcept {
  return guard(err, [&] {
    auto list = td::parse_transforms(text(transforms, "transforms"), params ? &ref(params) : nullptr);
    give(out_dist, td::DistributionPtr(c10::make_intrusive<td::Transformed>(shared(base), std::move(list))));
  });
}

td_status td_dist_mixture(const td_dist* mixture, const td_dist* components, td_dist** out_dist,
                          td_error** err) noexcept {
  return guard(err, [&] {
    auto made = c10::make_intrusive<td::Mixture>(td::as_plugin(shared(mixture)), shared(components));
    give(out_dist, td::DistributionPtr(std::move(made)));
  });
}

td_status td_dist_kl_divergence(const td_dist* p, const td_dist* q, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::kl_divergence(ref(p), ref(q))); });
}

void td_dist_retain(const td_dist* self) noexcept {
  retain(self);
}
void td_dist_release(const td_dist* self) noexcept {
  release(self);
}
