// Making modules and running them.
#include "capi/callback.h"
#include "capi/entry_value.h"
#include "core/nn/function_module.h"
#include "core/nn/params_module.h"
#include "core/nn/plugin_module.h"
#include "core/nn/state.h"
#include "core/nn/vmap.h"

using namespace td::capi;

namespace {

using TensorFunction = Owned<td_module_function>;

td::Tensors call_function(const TensorFunction& function, td::TensorsView inputs, size_t n_outputs) {
  c10::SmallVector<td_tensor*, 8> results(n_outputs, nullptr), handles;
  handles.reserve(inputs.size());
  for (const at::Tensor& t : inputs)  // one that is missing is NULL
    handles.push_back(t.defined() ? reinterpret_cast<td_tensor*>(t.unsafeGetTensorImpl()) : nullptr);
  td::Tensors outputs;
  outputs.reserve(n_outputs);  // before the call: what it returns is taken over without an allocation
  function("a module function", handles.data(), handles.size(), results.data(), results.size());
  for (td_tensor* r : results) outputs.push_back(adopt(r));
  for (const at::Tensor& t : outputs)
    if (!t.defined()) throw td::Error(td::Code::callback, "a module function returned success but left an output NULL");
  return outputs;
}

td::VmapOptions vmap_options(const td_vmap_options* given) {
  td_vmap_options o = options(given);
  td::VmapOptions core;
  core.randomness = randomness(o.randomness);
  if (o.map_data)
    core.data_dim = o.data_dim;
  else if (o.data_dim != 0)
    throw td::Error(td::Code::argument, "a dim to map was given, but the data is not mapped").hint("set map_data");
  return core;
}

// Runs on the data itself; what another dict got would be lost.
void run_in_place(const td::Module& module, td::State state, const td::NodePtr& data) {
  if (module.run(state, data, {}) != data)
    throw td::Error(td::Code::argument, "the module returns its outputs in a new dict").hint("use td_module_run");
}

void give_tensors(td_tensor** outputs, td::Tensors results) {
  for (size_t i = 0; i < results.size(); ++i) outputs[i] = own(std::move(results[i]));
}

}  // namespace

td_status td_module_new(td_str type, td_str config, td_generator* generator, td_module** out_module,
                        td_error** err) noexcept {
  return guard(err, [&] {
    td::Generator* drawn_from = generator ? &ref(generator) : nullptr;
    give(out_module, c10::make_intrusive<td::PluginModule>(text(type, "type"), text(config, "config"), drawn_from));
  });
}

td_status td_module_from_function(const td_module_function* function, td_module** out_module, td_error** err) noexcept {
  TensorFunction owned(function, "function");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    out(out_module);
    auto made = c10::make_intrusive<td::FunctionModule>(
        [shared](td::TensorsView inputs, size_t n_outputs) { return call_function(*shared, inputs, n_outputs); });
    give(out_module, std::move(made));
  });
}

td_status td_module_from_params(const td_dict* params, td_module** out_module, td_error** err) noexcept {
  return guard(err, [&] { give(out_module, td::ModulePtr(c10::make_intrusive<td::ParamsModule>(ref(params)))); });
}

void td_module_retain(const td_module* self) noexcept {
  retain(self);
}
void td_module_release(const td_module* self) noexcept {
  release(self);
}

td_status td_module_type_name(const td_module* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, td::type_of(ref(self))); });
}

td_status td_module_config(const td_module* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, td::config_of(ref(self))); });
}

td_status td_module_train(td_module* self, td_bool training, td_error** err) noexcept {
  return guard(err, [&] { ref(self).train(training != 0); });
}

td_status td_module_forward(const td_module* self, td_dict* data, td_error** err) noexcept {
  return guard(err, [&] {
    td::LayoutPtr layout = ref(self).layout();
    run_in_place(ref(self), td::State(*layout), share(data));
  });
}

td_status td_module_forward_with_state(const td_module* self, const td_dict* state, td_dict* data,
                                       td_error** err) noexcept {
  return guard(err, [&] {
    td::LayoutPtr layout = ref(self).layout();
    td::Tensors tensors = td::state_with(*layout, ref(state));
    run_in_place(ref(self), {*layout, tensors}, share(data));
  });
}

td_status td_module_call(const td_module* self, td_tensor* const* inputs, size_t n_inputs, td_tensor** outputs,
                         size_t n_outputs, td_error** err) noexcept {
  return guard(err, [&] {
    if (n_outputs > 0) out(outputs, "outputs");
    td::LayoutPtr layout = ref(self).layout();
    give_tensors(outputs, ref(self).call(td::State(*layout), tensors_of(inputs, n_inputs, "inputs"), n_outputs));
  });
}

td_status td_module_functional_call(const td_module* self, const td_dict* const* states, size_t n_states,
                                    const td_functional_options* given, td_tensor* const* inputs, size_t n_inputs,
                                    td_tensor** outputs, size_t n_outputs, td_error** err) noexcept {
  return guard(err, [&] {
    td_functional_options o = options(given);
    if (n_outputs > 0) out(outputs, "outputs");
    if (n_states > 0 && !states) throw_null("the states");
    std::vector<const td::Node*> nodes;
    for (size_t i = 0; i < n_states; ++i) nodes.push_back(&ref(states[i]));
    td::LayoutPtr layout = ref(self).layout();
    td::Tensors state = td::functional_state(*layout, nodes, o.untie_weights == 0, o.strict != 0);
    give_tensors(outputs, ref(self).call({*layout, state}, tensors_of(inputs, n_inputs, "inputs"), n_outputs));
  });
}

td_status td_dict_from_module(const td_module* module, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::module_state(ref(module))); });
}

td_status td_dict_from_modules(td_module* const* members, size_t n, const td_from_modules_options* given,
                               td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    td_from_modules_options o = options(given);
    td::StackOptions core;
    core.detached = o.use_state_dict != 0;
    core.lazy = o.lazy_stack != 0;
    core.expand_identical = o.expand_identical != 0;
    core.as_params = o.as_module != 0;
    core.lock = o.no_lock == 0;
    give(out_dict, td::stacked_state(modules_of(members, n), core));
  });
}

td_status td_module_stack_state(td_module* const* members, size_t n, td_dict** out_params, td_dict** out_buffers,
                                td_error** err) noexcept {
  return guard(err, [&] {
    out(out_params);
    out(out_buffers);
    auto both = td::stack_module_state(modules_of(members, n));
    give(out_params, std::move(both.first));
    give(out_buffers, std::move(both.second));
  });
}

td_status td_module_vmap(const td_module* self, const td_dict* states, const td_dict* data,
                         const td_vmap_options* options, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::vmap(ref(self), ref(states), ref(data), vmap_options(options))); });
}
