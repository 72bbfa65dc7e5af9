// Autograd, devices, dtypes and state of dicts.
#include "capi/convert.h"
#include "core/dict/convert.h"
#include "core/dict/params/state_dict.h"
#include "core/math/autograd.h"
#include "core/math/backward.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

td::BackwardOptions backward_options(const td_backward_options* given) {
  td_backward_options o = options(given);
  td::BackwardOptions core;
  core.retain_graph = o.retain_graph;
  core.create_graph = o.create_graph;
  core.allow_unused = o.allow_unused;
  return core;
}

const td::Node* ref_or_none(const td_dict* dict) {
  return dict ? &ref(dict) : nullptr;
}

}  // namespace

td_bool td_dict_requires_grad(const td_dict* self) noexcept {
  return guard_value<td_bool>(0, [&] { return td::requires_grad(ref(self)); });
}

td_status td_dict_requires_grad_(td_dict* self, td_bool requires_grad, td_error** err) noexcept {
  return guard(err, [&] { td::set_requires_grad(ref(self), requires_grad); });
}

td_status td_dict_detach(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::detach(ref(self))); });
}

td_status td_dict_detach_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::detach_(ref(self)); });
}

td_status td_dict_grad(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    td::NodePtr grads = td::grad(ref(self));
    out(out_dict) = nullptr;
    if (grads) give(out_dict, std::move(grads));
  });
}

td_status td_dict_zero_grad(td_dict* self, td_bool set_to_none, td_error** err) noexcept {
  return guard(err, [&] { td::zero_grad(ref(self), set_to_none); });
}

td_status td_dict_backward(const td_dict* self, const td_dict* gradient, const td_dict* inputs,
                           const td_backward_options* options, td_error** err) noexcept {
  return guard(err,
               [&] { td::backward(ref(self), ref_or_none(gradient), ref_or_none(inputs), backward_options(options)); });
}

td_status td_dict_autograd_grad(const td_dict* self, const td_dict* inputs, const td_dict* gradient,
                                const td_backward_options* options, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    give(out_dict, td::autograd_grad(ref(self), ref(inputs), ref_or_none(gradient), backward_options(options)));
  });
}

td_status td_dict_to(const td_dict* self, td_dtype dtype, td_str device, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    td::optional<at::ScalarType> type;
    if (dtype != TD_DTYPE_NONE) type = td::scalar_type(dtype);
    td::optional<c10::Device> to;
    if (given(device)) to = td::parse_device(std::string(text(device, "device")));
    give(out_dict, td::to(share(const_cast<td_dict*>(self)), type, to));
  });
}

td_status td_dict_pin_memory(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::pin_memory(ref(self))); });
}

td_status td_dict_state_dict(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::state_dict(ref(self))); });
}

td_status td_dict_load_state_dict(td_dict* self, const td_dict* state, const td_load_state_options* options,
                                  td_error** err) noexcept {
  return guard(err, [&] {
    td_load_state_options o = td::capi::options(options);
    td::LoadOptions how;
    how.strict = o.lenient == 0;
    how.assign = o.assign;
    td::load_state_dict(ref(self), ref(state), how);
  });
}
