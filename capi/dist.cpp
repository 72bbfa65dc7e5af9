#include "capi/convert.h"
#include "capi/guard.h"
#include "core/nn/distribution.h"

using namespace td::capi;

namespace {

td::Distribution::Stat stat(td_dist_stat which) {
  using Stat = td::Distribution::Stat;
  switch (which) {
    case TD_DIST_MEAN:
      return Stat::mean;
    case TD_DIST_MODE:
      return Stat::mode;
    case TD_DIST_VARIANCE:
      return Stat::variance;
    case TD_DIST_ENTROPY:
      return Stat::entropy;
    default:
      throw td::Error(td::Code::argument, "no such statistic: " + std::to_string(which));
  }
}

td::Generator* optional_ref(td_generator* generator) {
  return generator ? &ref(generator) : nullptr;
}

}  // namespace

td_status td_dist_create(td_str type, const td_dict* params, td_str config, td_dist** out_dist,
                         td_error** err) noexcept {
  return guard(err, [&] {
    give(out_dist, c10::make_intrusive<td::Distribution>(text(type, "type"), ref(params), text(config, "config")));
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

td_status td_dist_get(const td_dist* self, td_dist_stat which, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).stat(stat(which))); });
}

void td_dist_retain(const td_dist* self) noexcept {
  retain(self);
}
void td_dist_release(const td_dist* self) noexcept {
  release(self);
}
