// Dicts of parameters.
#include "capi/lists.h"
#include "core/dict/params/params.h"

using namespace td::capi;

namespace {

void give_both(td_keys** keys, td_tensor_list** tensors, td::NamedTensors named) {
  give_named(keys, tensors, std::move(named.paths), std::move(named.tensors));
}

}  // namespace

td_status td_dict_params(td_dict* self, const td_params_options* given, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    td_params_options o = options(given);
    out(out_dict);
    give(out_dict, td::Params::make(share(self), {o.no_convert == 0, o.lock != 0}));
  });
}

td_status td_dict_parameters(const td_dict* self, td_keys** out_keys, td_tensor_list** out_tensors,
                             td_error** err) noexcept {
  return guard(err, [&] { give_both(out_keys, out_tensors, td::parameters(ref(self))); });
}

td_status td_dict_buffers(const td_dict* self, td_keys** out_keys, td_tensor_list** out_tensors,
                          td_error** err) noexcept {
  return guard(err, [&] { give_both(out_keys, out_tensors, td::buffers(ref(self))); });
}
