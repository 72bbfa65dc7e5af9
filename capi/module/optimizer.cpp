#include "core/nn/optimizer.h"

#include "capi/convert.h"
#include "capi/guard.h"

using namespace td::capi;

namespace {

// 0 is the default, and TD_ZERO is 0.
double number(double given, double otherwise = 0) {
  return given == TD_ZERO ? 0 : or_default(given, otherwise);
}

td::SgdOptions core_options(const td_sgd_options* given) {
  td_sgd_options o = options(given);
  return {number(o.lr, 1e-3), number(o.momentum), number(o.dampening), number(o.weight_decay), o.nesterov != 0};
}

template <class O>
td::AdamOptions adam(const O& o, double weight_decay, bool decoupled) {
  return {number(o.lr, 1e-3),
          number(o.beta1, 0.9),
          number(o.beta2, 0.999),
          number(o.eps, 1e-8),
          weight_decay,
          o.amsgrad != 0,
          decoupled};
}

td::AdamOptions core_options(const td_adam_options* given) {
  td_adam_options o = options(given);
  return adam(o, number(o.weight_decay), false);
}

td::AdamOptions core_options(const td_adamw_options* given) {
  td_adamw_options o = options(given);
  return adam(o, number(o.weight_decay, 1e-2), true);
}

td::RmspropOptions core_options(const td_rmsprop_options* given) {
  td_rmsprop_options o = options(given);
  return {number(o.lr, 1e-2),     number(o.alpha, 0.99), number(o.eps, 1e-8),
          number(o.weight_decay), number(o.momentum),    o.centered != 0};
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

td_status td_optimizer_adamw(const td_dict* params, const td_adamw_options* options, td_optimizer** out,
                             td_error** err) noexcept {
  return make(params, options, out, err);
}

td_status td_optimizer_rmsprop(const td_dict* params, const td_rmsprop_options* options, td_optimizer** out,
                               td_error** err) noexcept {
  return make(params, options, out, err);
}

td_status td_optimizer_add_group(td_optimizer* self, const td_dict* params, td_error** err) noexcept {
  return guard(err, [&] { ref(self).add_group(ref(params)); });
}

td_str td_optimizer_type_name(const td_optimizer* self) noexcept {
  return guard_value(view({}), [&] { return view(ref(self).type_name()); });
}

size_t td_optimizer_group_count(const td_optimizer* self) noexcept {
  return guard_value(size_t{0}, [&] { return ref(self).groups(); });
}

td_status td_optimizer_get(const td_optimizer* self, int64_t group, td_str name, double* out_value,
                           td_error** err) noexcept {
  return guard(err, [&] {
    out(out_value) = ref(self).option(position(group, ref(self).groups(), "group"), std::string(text(name, "name")));
  });
}
td_status td_optimizer_set(td_optimizer* self, int64_t group, td_str name, double value, td_error** err) noexcept {
  return guard(err, [&] {
    ref(self).set_option(position(group, ref(self).groups(), "group"), std::string(text(name, "name")), value);
  });
}

td_status td_optimizer_state(const td_optimizer* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, ref(self).state()); });
}
td_status td_optimizer_load_state(td_optimizer* self, const td_dict* state, td_error** err) noexcept {
  return guard(err, [&] { ref(self).load_state(ref(state)); });
}

td_status td_dict_clip_grad_norm_(td_dict* params, double max_norm, double norm_type, td_bool error_if_nonfinite,
                                  double* out_norm, td_error** err) noexcept {
  return guard(err, [&] {
    double total = td::clip_grad_norm(ref(params), max_norm, norm_type, error_if_nonfinite != 0);
    if (out_norm) *out_norm = total;
  });
}
td_status td_dict_clip_grad_value_(td_dict* params, double value, td_error** err) noexcept {
  return guard(err, [&] { td::clip_grad_value(ref(params), value); });
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
