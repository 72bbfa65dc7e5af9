#include "core/nn/optimizer.h"

#include "capi/convert.h"
#include "capi/guard.h"

using namespace td::capi;

namespace {

td::SgdOptions core_options(const td_sgd_options* given) {
  td_sgd_options o = options(given, td_sgd_options TD_SGD_OPTIONS_INIT);
  return {o.lr, o.momentum, o.dampening, o.weight_decay, o.nesterov != 0};
}

td::AdamOptions core_options(const td_adam_options* given) {
  td_adam_options o = options(given, td_adam_options TD_ADAM_OPTIONS_INIT);
  return {o.lr, o.beta1, o.beta2, o.eps, o.weight_decay, o.amsgrad != 0};
}

template <class Options>
td_status make(const td_dict* params, const Options* given, td_optimizer** out_optimizer, td_error** err) noexcept {
  return guard(err, [&] { give(out_optimizer, c10::make_intrusive<td::Optimizer>(ref(params), core_options(given))); });
}

}  // namespace

td_status td_optimizer_sgd(const td_dict* params, const td_sgd_options* options, td_optimizer** out,
                           td_error** err) noexcept {
  return make(params, options, out, err);
}

td_status td_optimizer_adam(const td_dict* params, const td_adam_options* options, td_optimizer** out,
                            td_error** err) noexcept {
  return make(params, options, out, err);
}

td_status td_optimizer_zero_grad(td_optimizer* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).zero_grad(); });
}

td_status td_optimizer_step(td_optimizer* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).step(); });
}

void td_optimizer_retain(const td_optimizer* self) noexcept {
  retain(self);
}
void td_optimizer_release(const td_optimizer* self) noexcept {
  release(self);
}
