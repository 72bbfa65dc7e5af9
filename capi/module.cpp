#include <utility>

#include "capi/convert.h"
#include "capi/guard.h"
#include "core/nn/function_module.h"
#include "core/nn/plugin_module.h"
#include "core/nn/sequential.h"
#include "core/nn/state.h"
#include "core/nn/tensordict_module.h"
#include "core/nn/vmap.h"
#include "core/tensor/factory.h"

using namespace td::capi;

namespace {

td::TensorsView tensors(td_tensor* const* handles, size_t n, const char* what) {
  if (n > 0 && !handles) throw_null(what);
  for (size_t i = 0; i < n; ++i)
    if (!handles[i]) throw_null("a tensor");
  return {reinterpret_cast<const at::Tensor*>(handles), n};
}

std::vector<td::ModulePtr> modules(td_module* const* handles, size_t n) {
  if (n > 0 && !handles) throw_null("the array of modules");
  std::vector<td::ModulePtr> out;
  for (size_t i = 0; i < n; ++i) out.push_back(share(handles[i]));
  return out;
}

// The caller's function, and the only owner of its userdata.
class Callback {
 public:
  explicit Callback(td_module_function function) : function_(function) {}
  Callback(Callback&& other) noexcept : function_(std::exchange(other.function_, {})) {}
  Callback& operator=(Callback&&) = delete;
  ~Callback() {
    if (function_.destroy) td::call_release(function_.destroy, function_.userdata);
  }

  bool given() const { return function_.fn != nullptr; }

  td::Tensors operator()(td::TensorsView inputs, size_t n_outputs) const {
    std::vector<td_tensor*> results(n_outputs, nullptr);
    td_error* err = nullptr;
    td_status status = call(inputs, results, &err);
    if (status != TD_OK) throw_foreign(td::Code::callback, status, err, "a module function");
    td_error_release(err);
    td::Tensors outputs;
    for (td_tensor* r : results) outputs.push_back(adopt(r));
    for (const at::Tensor& t : outputs)
      if (!t.defined()) throw td::Error(td::Code::callback, "a module function succeeded but left an output NULL");
    return outputs;
  }

 private:
  td_status call(td::TensorsView inputs, std::vector<td_tensor*>& results, td_error** err) const {
    auto* handles = reinterpret_cast<td_tensor* const*>(inputs.data());
    try {
      return function_.fn(function_.userdata, handles, inputs.size(), results.data(), results.size(), err);
    } catch (...) {
      td_error_release(*err);
      throw td::Error(td::Code::callback, "an exception left a module function: " + td::current_error().message());
    }
  }

  td_module_function function_;
};

td::Randomness randomness(td_randomness r) {
  switch (r) {
    case TD_RANDOMNESS_ERROR:
      return td::Randomness::error;
    case TD_RANDOMNESS_DIFFERENT:
      return td::Randomness::different;
    case TD_RANDOMNESS_SAME:
      return td::Randomness::same;
    default:
      throw td::Error(td::Code::argument, "no such randomness: " + std::to_string(r));
  }
}

td::VmapOptions vmap_options(const td_vmap_options* given) {
  td_vmap_options o = options(given, td_vmap_options TD_VMAP_OPTIONS_INIT);
  td::VmapOptions core;
  core.randomness = randomness(o.randomness);
  if (o.data_dim != TD_VMAP_SHARED) core.data_dim = o.data_dim;
  return core;
}

}  // namespace

td_status td_module_create(td_str type, td_str config, td_generator* generator, td_module** out_module,
                           td_error** err) noexcept {
  return guard(err, [&] {
    td::Generator* drawn_from = generator ? &ref(generator) : nullptr;
    give(out_module, c10::make_intrusive<td::PluginModule>(text(type, "type"), text(config, "config"), drawn_from));
  });
}

td_status td_module_from_function(td_module_function function, td_module** out_module, td_error** err) noexcept {
  Callback callback(function);
  return guard(err, [&] {
    if (!callback.given()) throw_null("fn");
    auto shared = std::make_shared<Callback>(std::move(callback));
    auto made = c10::make_intrusive<td::FunctionModule>(
        [shared](td::TensorsView inputs, size_t n_outputs) { return (*shared)(inputs, n_outputs); });
    give(out_module, std::move(made));
  });
}

td_status td_module_tensordict(td_module* inner, const td_key* in_keys, size_t n_in, const td_key* out_keys,
                               size_t n_out, td_module** out_module, td_error** err) noexcept {
  return guard(err, [&] {
    auto made = c10::make_intrusive<td::TensorDictModule>(share(inner), paths(in_keys, n_in, "in_keys"),
                                                          paths(out_keys, n_out, "out_keys"));
    give(out_module, std::move(made));
  });
}

td_status td_module_sequential(td_module* const* members, size_t n, td_module** out_module, td_error** err) noexcept {
  return guard(err, [&] { give(out_module, c10::make_intrusive<td::Sequential>(modules(members, n))); });
}

void td_module_retain(const td_module* self) noexcept {
  retain(self);
}
void td_module_release(const td_module* self) noexcept {
  release(self);
}

td_status td_module_train(td_module* self, td_bool training, td_error** err) noexcept {
  return guard(err, [&] { ref(self).train(training != 0); });
}

td_status td_module_forward(const td_module* self, td_dict* data, td_error** err) noexcept {
  return guard(err, [&] { ref(self).forward(ref(self).state(), ref(data)); });
}

td_status td_module_forward_with(const td_module* self, const td_dict* state, td_dict* data, td_error** err) noexcept {
  return guard(err, [&] { ref(self).forward(ref(self).state_with(ref(state)), ref(data)); });
}

td_status td_module_call(const td_module* self, td_tensor* const* inputs, size_t n_inputs, td_tensor** outputs,
                         size_t n_outputs, td_error** err) noexcept {
  return guard(err, [&] {
    if (n_outputs > 0) out(outputs, "outputs");
    td::Tensors results = ref(self).call(ref(self).state(), tensors(inputs, n_inputs, "inputs"), n_outputs);
    for (size_t i = 0; i < n_outputs; ++i) outputs[i] = own(std::move(results[i]));
  });
}

td_status td_dict_from_module(const td_module* module, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::state_dict(ref(module))); });
}

td_status td_dict_from_modules(td_module* const* members, size_t n, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::stacked_state(modules(members, n))); });
}

td_status td_module_vmap(const td_module* self, const td_dict* states, const td_dict* data,
                         const td_vmap_options* options, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::vmap(ref(self), ref(states), ref(data), vmap_options(options))); });
}
