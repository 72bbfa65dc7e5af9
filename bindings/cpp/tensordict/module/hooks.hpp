// A part of Module: functions of the caller's around a call, and around saving and loading the state.
//
//     std::uint64_t id = net.add_forward_hook([](const Module&, HookCall& call) { call.set_output(0, call.output(0) * 2); });
//     net.remove_hook(id);
#ifndef TENSORDICT_MODULE_HOOKS_HPP
#define TENSORDICT_MODULE_HOOKS_HPP

#include "state.hpp"

namespace tensordict {

// What a forward hook sees. Of a module that runs on a dict `data` is there, and after it `result`; of one that runs on
// tensors the inputs, and after it the outputs.
class HookCall {
 public:
  explicit HookCall(td_hook_call& raw) noexcept : raw_(raw) {}

  std::optional<Dict> data() const { return dict_of(raw_.data); }
  std::optional<Dict> result() const { return dict_of(raw_.result); }
  std::size_t n_inputs() const noexcept { return raw_.n_inputs; }
  std::size_t n_outputs() const noexcept { return raw_.n_outputs; }
  Tensor input(std::size_t i) const { return Tensor::borrow(at(raw_.inputs, raw_.n_inputs, i)); }
  Tensor output(std::size_t i) const { return Tensor::borrow(at(raw_.outputs, raw_.n_outputs, i)); }

  // Replace what the module gets or gives when the hook has returned; the last one counts.
  void set_data(const Dict& dict) { detail::call(td_hook_call_set_data, &raw_, dict.get()); }
  void set_result(const Dict& dict) { detail::call(td_hook_call_set_result, &raw_, dict.get()); }
  void set_input(std::size_t i, const Tensor& tensor) {
    detail::call(td_hook_call_set_input, &raw_, static_cast<std::int64_t>(i), tensor.get());
  }
  void set_output(std::size_t i, const Tensor& tensor) {
    detail::call(td_hook_call_set_output, &raw_, static_cast<std::int64_t>(i), tensor.get());
  }

 private:
  static std::optional<Dict> dict_of(td_dict* raw) {
    if (!raw) return std::nullopt;
    return Dict::borrow(raw);
  }
  static td_tensor* at(td_tensor* const* tensors, std::size_t n, std::size_t i) {
    if (i >= n) throw IndexError("the call has " + std::to_string(n) + " tensors there");
    return tensors[i];
  }

  td_hook_call& raw_;
};

// What a backward hook sees: gradients, of which there may be none. A pre-hook may replace those of the outputs, a hook
// those of the inputs.
class BackwardCall {
 public:
  explicit BackwardCall(td_backward_call& raw) noexcept : raw_(raw) {}

  std::size_t n_inputs() const noexcept { return raw_.n_inputs; }  // 0 in a pre-hook
  std::size_t n_outputs() const noexcept { return raw_.n_outputs; }
  std::optional<Tensor> grad_input(std::size_t i) const { return at(raw_.grad_inputs, raw_.n_inputs, i); }
  std::optional<Tensor> grad_output(std::size_t i) const { return at(raw_.grad_outputs, raw_.n_outputs, i); }

  // Replace a gradient when the hook has returned; nothing stands for none. The last one counts.
  void set_grad_input(std::size_t i, const std::optional<Tensor>& grad) {
    detail::call(td_backward_call_set_grad_input, &raw_, static_cast<std::int64_t>(i), grad ? grad->get() : nullptr);
  }
  void set_grad_output(std::size_t i, const std::optional<Tensor>& grad) {
    detail::call(td_backward_call_set_grad_output, &raw_, static_cast<std::int64_t>(i), grad ? grad->get() : nullptr);
  }

 private:
  static std::optional<Tensor> at(td_tensor* const* tensors, std::size_t n, std::size_t i) {
    if (i >= n) throw IndexError("the call has " + std::to_string(n) + " gradients there");
    if (!tensors[i]) return std::nullopt;
    return Tensor::borrow(tensors[i]);
  }

  td_backward_call& raw_;
};

struct HookOptions {
  bool prepend = false;      // before the hooks there are
  bool always_call = false;  // of a hook after the module: when the module has failed, too
};

enum class StateHookKind : td_state_hook_kind {
  state_dict_pre = TD_STATE_HOOK_STATE_DICT_PRE,
  state_dict = TD_STATE_HOOK_STATE_DICT,
  load_state_dict_pre = TD_STATE_HOOK_LOAD_STATE_DICT_PRE,
  load_state_dict = TD_STATE_HOOK_LOAD_STATE_DICT,
};

namespace detail {

template <class D, class F>
td_status run_hook(void* userdata, const td_module* module, td_hook_call* raw, td_error** err) noexcept {
  return guard(err, [&] {
    HookCall call(*raw);
    const D borrowed = D::borrow(module);
    (*static_cast<F*>(userdata))(borrowed, call);
  });
}

template <class D, class F>
td_status run_backward_hook(void* userdata, const td_module* module, td_backward_call* raw, td_error** err) noexcept {
  return guard(err, [&] {
    BackwardCall call(*raw);
    const D borrowed = D::borrow(module);
    (*static_cast<F*>(userdata))(borrowed, call);
  });
}

template <class D, class F>
td_status run_state_hook(void* userdata, const td_module* module, td_dict* state, td_str prefix,
                         td_error** err) noexcept {
  return guard(err, [&] {
    const D borrowed = D::borrow(module);
    Dict dict = Dict::borrow(state);
    (*static_cast<F*>(userdata))(borrowed, dict, view(prefix));
  });
}

// The two functions of an extra state.
template <class D>
struct ExtraState {
  std::function<void(const D&, Dict&)> get;
  std::function<void(const D&, const Dict&)> set;

  static td_status call_get(void* self, const td_module* module, td_dict* state, td_error** err) noexcept {
    return guard(err, [&] {
      const D borrowed = D::borrow(module);
      Dict dict = Dict::borrow(state);
      static_cast<ExtraState*>(self)->get(borrowed, dict);
    });
  }
  static td_status call_set(void* self, const td_module* module, const td_dict* state, td_error** err) noexcept {
    return guard(err, [&] {
      const D borrowed = D::borrow(module);
      const Dict dict = Dict::borrow(state);
      static_cast<ExtraState*>(self)->set(borrowed, dict);
    });
  }
};

}  // namespace detail

template <class D>
class ModuleHooks : public detail::ModulePart<D, ModuleHooks<D>> {
  using Part = detail::ModulePart<D, ModuleHooks<D>>;
  using Part::done, Part::self;

 public:
  // `function(const Module& module, HookCall& call)`, before and after the module runs. Gives a number for remove_hook.
  template <class F>
  std::uint64_t add_forward_pre_hook(F function, const HookOptions& options = {}) {
    return add(td_module_add_forward_pre_hook, std::move(function), options);
  }
  template <class F>
  std::uint64_t add_forward_hook(F function, const HookOptions& options = {}) {
    return add(td_module_add_forward_hook, std::move(function), options);
  }
  // `function(const Module& module, Dict& state, std::string_view prefix)`.
  template <class F>
  std::uint64_t add_state_hook(StateHookKind kind, F function, const HookOptions& options = {}) {
    const auto hook = detail::callback<td_state_hook>(std::move(function), detail::run_state_hook<D, F>);
    return detail::got<std::uint64_t>(td_module_add_state_hook, self(), static_cast<td_state_hook_kind>(kind), hook,
                                      flags(options));
  }
  // `function(const Module& module, BackwardCall& call)`, when gradients go back through the module: at its outputs, and
  // when those of its inputs are there. Of the options `prepend` only.
  template <class F>
  std::uint64_t add_backward_pre_hook(F function, const HookOptions& options = {}) {
    return add_backward(td_module_add_backward_pre_hook, std::move(function), options);
  }
  template <class F>
  std::uint64_t add_backward_hook(F function, const HookOptions& options = {}) {
    return add_backward(td_module_add_backward_hook, std::move(function), options);
  }
  D& remove_hook(std::uint64_t id) { return done(td_module_remove_hook, id); }

  // What this module has beside its tensors: `get` puts it under "_extra_state", `set` finds it there. Either may be empty.
  D& set_extra_state(std::function<void(const D&, Dict&)> get, std::function<void(const D&, const Dict&)> set) {
    using Extra = detail::ExtraState<D>;
    const bool with_get = static_cast<bool>(get), with_set = static_cast<bool>(set);
    const td_extra_state raw{sizeof raw, with_get ? Extra::call_get : nullptr, with_set ? Extra::call_set : nullptr,
                             detail::keep(Extra{std::move(get), std::move(set)}), detail::destroy<Extra>};
    return done(td_module_set_extra_state, &raw);
  }

 private:
  static std::uint64_t flags(const HookOptions& options) noexcept {
    std::uint64_t flags = 0;
    if (options.prepend) flags |= TD_HOOK_PREPEND;
    if (options.always_call) flags |= TD_HOOK_ALWAYS_CALL;
    return flags;
  }
  template <class Add, class F>
  std::uint64_t add(Add function, F hook, const HookOptions& options) {
    const auto raw = detail::callback<td_forward_hook>(std::move(hook), detail::run_hook<D, F>);
    return detail::got<std::uint64_t>(function, self(), raw, flags(options));
  }
  template <class Add, class F>
  std::uint64_t add_backward(Add function, F hook, const HookOptions& options) {
    const auto raw = detail::callback<td_backward_hook>(std::move(hook), detail::run_backward_hook<D, F>);
    return detail::got<std::uint64_t>(function, self(), raw, flags(options));
  }
};

}  // namespace tensordict

#endif
