// Modules: functions of their state and their inputs. Types come from plugins, or are lambdas.
//
//     Module net = Module::create("td.mlp", R"({"in_features": 64, "hidden": [32], "out_features": 10})");
//     Module policy = Module::sequential({Module::tensordict(net, {"image"}, {"logits"}),
//                                         Module::tensordict([](const Tensor& x) { return x.op("argmax", -1); },
//                                                            {"logits"}, {"digit"})});
//     policy(td);                                             // reads "image", writes "logits" and "digit"
#ifndef TENSORDICT_MODULE_HPP
#define TENSORDICT_MODULE_HPP

#include "module/hooks.hpp"
#include "module/keys.hpp"
#include "module/options.hpp"
#include "module/probabilistic.hpp"

namespace tensordict {

// May be called from several threads at once; what changes it needs it for itself.
class Module : public Handle<Module, td_module, td_module_retain, td_module_release>,
               public ModuleState<Module>,
               public ModuleHooks<Module>,
               public ModuleKeys<Module>,
               public ModuleProbabilistic<Module> {
 public:
  explicit Module(Adopted raw) noexcept : Handle(raw) {}

  // Of a plugin type; `config` is a JSON object. Parameters are drawn from `generator`.
  static Module create(std::string_view type, std::string_view config = {}, WithGenerator generator = {}) {
    return detail::made<Module>(td_module_new, detail::str(type), detail::optional_str(config), generator.get());
  }
  // A function of tensors: one `const Tensor&` for each input, or a std::vector of them. It gives a tensor, a std::pair, a
  // std::tuple or a std::vector of tensors.
  template <class F>
  static Module function(F function) {
    return detail::made<Module>(td_module_from_function,
                                detail::callback<td_module_function>(std::move(function), detail::call_tensors<F>));
  }
  // A function of anything that a dict can hold: `const std::vector<Entry>&`, and NamedEntries if it takes some by name. It
  // gives an Output or a std::vector of them: see outputs().
  template <class F>
  static Module values(F function) {
    return detail::made<Module>(td_module_from_values,
                                detail::callback<td_values_function>(std::move(function), detail::call_values<F>));
  }
  // A function of a dict: it changes it, or gives another one.
  template <class F>
  static Module wrap(F function, const KeyViews& in_keys, const KeyViews& out_keys, bool inplace = false) {
    return detail::made<Module>(td_module_wrap,
                                detail::callback<td_dict_function>(std::move(function), detail::call_dict<F>),
                                detail::raw(inplace), in_keys.data(), in_keys.size(), out_keys.data(), out_keys.size());
  }

  // The tensors of a dict as members of a module, which cannot be called: for ensembles and optimizers.
  static Module from_params(const Dict& params) { return detail::made<Module>(td_module_from_params, params.get()); }

  // Gives a module, or a function of tensors, keys: it reads the in-keys in order and writes its results to the out-keys.
  static Module tensordict(const Module& inner, const KeyViews& in_keys, const KeyViews& out_keys) {
    ModuleOptions options;
    options.strict = true;
    return tensordict(inner, in_keys, out_keys, options);
  }
  static Module tensordict(const Module& inner, const KeyViews& in_keys, const KeyViews& out_keys,
                           const ModuleOptions& options) {
    detail::check_names(options.argument_names.size(), in_keys.size());
    const Texts names(options.argument_names);
    td_tensordict_options raw = TD_TENSORDICT_OPTIONS_INIT;
    raw.inplace = static_cast<td_inplace>(options.inplace);
    raw.strict = options.strict;
    raw.argument_names = names.data_or_null();
    return detail::made<Module>(td_module_tensordict, inner.get(), in_keys.data(), in_keys.size(), out_keys.data(),
                                out_keys.size(), &raw);
  }
  template <class F, class = std::enable_if_t<!std::is_base_of_v<Module, F>>>
  static Module tensordict(F lambda, const KeyViews& in_keys, const KeyViews& out_keys) {
    return tensordict(function(std::move(lambda)), in_keys, out_keys);
  }

  // Of modules that have keys, one after another.
  static Module sequential(detail::Borrowed<Module> modules) {
    return detail::made<Module>(td_module_sequential, modules.data(), modules.size(), nullptr);
  }
  static Module sequential(detail::Borrowed<Module> modules, const SequenceOptions& options) {
    detail::check_names(options.names.size(), modules.size());
    const detail::RawSequence raw(options);
    return detail::made<Module>(td_module_sequential, modules.data(), modules.size(), raw.get());
  }
  // Of modules of tensors, one after another; and only held, for others to call.
  static Module chain(detail::Borrowed<Module> modules, const Texts& names = {}) {
    detail::check_names(names.size(), modules.size());
    return detail::made<Module>(td_module_chain, modules.data(), modules.size(), names.data_or_null());
  }
  static Module list(detail::Borrowed<Module> modules, const Texts& names = {}) {
    detail::check_names(names.size(), modules.size());
    return detail::made<Module>(td_module_list, modules.data(), modules.size(), names.data_or_null());
  }
  // Copies with parameters of their own, as one module.
  static Module ensemble(const Module& module, std::int64_t copies, bool expand_input = true,
                         WithGenerator generator = {}) {
    return detail::made<Module>(td_module_ensemble, module.get(), copies, detail::raw(expand_input), generator.get());
  }

  // Runs a module that has keys: on `data` in place; with other parameters; giving the dict with the outputs.
  void forward(Dict& data) const { detail::call(td_module_forward, get(), data.get()); }
  void forward_with(const Dict& state, Dict& data) const {
    detail::call(td_module_forward_with_state, get(), state.get(), data.get());
  }
  Dict run(Dict& data, const RunOptions& options = {}) const {
    td_run_options raw = TD_RUN_OPTIONS_INIT;
    raw.tensordict_out = options.tensordict_out ? options.tensordict_out->get() : nullptr;
    raw.interaction = static_cast<td_interaction>(options.interaction);
    raw.skip_existing = options.skip_existing;
    raw.no_grad = options.no_grad;
    return detail::made<Dict>(td_module_run, get(), data.get(), &raw);
  }
  Dict operator()(Dict& data) const { return run(data); }

  // Runs a module on tensors; it gives `n` of them.
  std::vector<Tensor> call(Tensors inputs, std::size_t n = 1) const {
    detail::NewHandles<Tensor> out(n);
    detail::call(td_module_call, get(), inputs.data(), inputs.size(), out.data(), n);
    return out.take();
  }
  Tensor operator()(const Tensor& input) const { return std::move(call({input}).at(0)); }
  // The same with the tensors of `states` in place of the module's own.
  std::vector<Tensor> functional_call(Dicts states, Tensors inputs, std::size_t n = 1,
                                      const FunctionalOptions& options = {}) const {
    td_functional_options raw = TD_FUNCTIONAL_OPTIONS_INIT;
    raw.untie_weights = !options.tie_weights;
    raw.strict = options.strict;
    detail::NewHandles<Tensor> out(n);
    detail::call(td_module_functional_call, get(), states.data(), states.size(), &raw, inputs.data(), inputs.size(),
                 out.data(), n);
    return out.take();
  }
  // Calls a module that has keys with values instead of a dict, by position or by the name of the key; gives those of the
  // out-keys.
  std::vector<Result> dispatch(std::initializer_list<Value> values, std::initializer_list<Named> named = {},
                               std::string_view separator = {}) const {
    Arguments arguments;
    for (const Value& value : values) arguments.add(value);
    for (const Named& value : named) arguments.add(value);
    return dispatch(arguments, separator);
  }
  std::vector<Result> dispatch(const Arguments& arguments, std::string_view separator = {}) const {
    detail::Outputs out(out_keys().size());
    std::size_t n = 0;
    detail::call(td_module_dispatch, get(), arguments.data(), arguments.size(), arguments.named_data(),
                 arguments.named_size(), detail::optional_str(separator), out.data(), out.size(), &n);
    return detail::results_of(out, n);
  }

  // Once for each of the states (batch size [N]), vectorised; the result has the batch size [N, batch...].
  Dict vmap(const Dict& states, const Dict& data, const VmapOptions& options = {}) const {
    td_vmap_options raw = TD_VMAP_OPTIONS_INIT;
    raw.randomness = static_cast<td_randomness>(options.randomness);
    raw.map_data = options.data_dim != vmap_shared;
    if (raw.map_data) raw.data_dim = options.data_dim;
    return detail::made<Dict>(td_module_vmap, get(), states.get(), data.get(), &raw);
  }
};

using Modules = detail::Borrowed<Module>;

inline Dict Dict::from_module(const Module& module) {
  return detail::made<Dict>(td_dict_from_module, module.get());
}

// The states of several modules, stacked along a new batch dim 0: new leaves.
inline Dict from_modules(Modules modules) {
  return detail::made<Dict>(td_dict_from_modules, modules.data(), modules.size(), nullptr);
}
inline Dict from_modules(Modules modules, const FromModulesOptions& options) {
  td_from_modules_options raw = TD_FROM_MODULES_OPTIONS_INIT;
  raw.as_module = options.as_module;
  raw.no_lock = !options.lock;
  raw.use_state_dict = options.use_state_dict;
  raw.lazy_stack = options.lazy_stack;
  raw.expand_identical = options.expand_identical;
  return detail::made<Dict>(td_dict_from_modules, modules.data(), modules.size(), &raw);
}

// Parameters and buffers of modules that are alike, stacked, as two flat dicts with dotted names.
inline std::pair<Dict, Dict> stack_module_state(Modules modules) {
  td_dict *params = nullptr, *buffers = nullptr;
  detail::call(td_module_stack_state, modules.data(), modules.size(), &params, &buffers);
  Dict owned = Dict::adopt(params);
  return {std::move(owned), Dict::adopt(buffers)};
}

}  // namespace tensordict

#endif
