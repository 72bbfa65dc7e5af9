// State dicts of modules, and hooks.
#include "capi/callback.h"
#include "core/nn/backward_hooks.h"
#include "core/nn/load.h"

using namespace td::capi;

namespace {

Ptr<td_keys> keys_of_names(const std::vector<std::string>& names) {
  std::vector<td::Path> paths;
  for (const std::string& n : names) paths.emplace_back(std::vector<td::Key>{td::Key(n)});
  return keys_of(std::move(paths));
}

// The calls whose hooks run on this thread, the innermost first: a setter changes only what it finds here.
template <class Shown, class Changes>
struct Running : Changes {
  explicit Running(Shown& s) : shown(s), outer(innermost) { innermost = this; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { innermost = outer; }

  static Running& of(const Shown* call) {
    for (Running* r = innermost; r; r = r->outer)
      if (&r->shown == call) return *r;
    throw td::Error(td::Code::argument, "the call does not belong to a hook that is running on this thread");
  }

  Shown& shown;
  Running* outer;
  static thread_local Running* innermost;
};
template <class Shown, class Changes>
thread_local Running<Shown, Changes>* Running<Shown, Changes>::innermost = nullptr;

// What hooks replace takes effect when they have returned: undefined means as before.
struct ForwardChanges {
  td::NodePtr data, result;
  td::Tensors inputs, outputs;
};
struct BackwardChanges {
  bool pre = false;
  std::vector<td::optional<at::Tensor>> grad_inputs, grad_outputs;
};
using ForwardRun = Running<td_hook_call, ForwardChanges>;
using BackwardRun = Running<td_backward_call, BackwardChanges>;

template <class T>
T& element(std::vector<T>& all, int64_t index, const char* what) {
  return all[position(index, all.size(), what)];
}

void replace_tensors(td::Tensors& mine, const td::Tensors& changes) {
  for (size_t i = 0; i < mine.size(); ++i)
    if (changes[i].defined()) mine[i] = changes[i];
}

void replace_gradients(td::Tensors& mine, const std::vector<td::optional<at::Tensor>>& changes) {
  for (size_t i = 0; i < mine.size(); ++i)
    if (changes[i]) mine[i] = *changes[i];
}

std::vector<td_tensor*> borrowed(const td::Tensors& tensors) {
  std::vector<td_tensor*> out;
  for (const at::Tensor& t : tensors)
    out.push_back(t.defined() ? reinterpret_cast<td_tensor*>(t.unsafeGetTensorImpl()) : nullptr);
  return out;
}

const td_module* handle(const td::Module* m) {
  return reinterpret_cast<const td_module*>(m);
}

void run_forward_hook(const Owned<td_forward_hook>& hook, td::HookCall& call) {
  std::vector<td_tensor*> inputs = borrowed(call.inputs), outputs = borrowed(call.outputs);
  td_hook_call shown = {sizeof shown,
                        reinterpret_cast<td_dict*>(call.data.get()),
                        reinterpret_cast<td_dict*>(call.result.get()),
                        inputs.data(),
                        inputs.size(),
                        outputs.data(),
                        outputs.size()};
  ForwardRun run(shown);
  run.inputs.resize(inputs.size()), run.outputs.resize(outputs.size());
  hook("a hook", handle(call.module), &shown);
  if (run.data) call.data = run.data;
  if (run.result) call.result = run.result;
  replace_tensors(call.inputs, run.inputs);
  replace_tensors(call.outputs, run.outputs);
}

void run_backward_hook(const Owned<td_backward_hook>& hook, td::BackwardHookCall& call, bool pre) {
  std::vector<td_tensor*> inputs = borrowed(call.grad_inputs), outputs = borrowed(call.grad_outputs);
  td_backward_call shown = {sizeof shown, inputs.data(), inputs.size(), outputs.data(), outputs.size()};
  BackwardRun run(shown);
  run.pre = pre;
  run.grad_inputs.resize(inputs.size()), run.grad_outputs.resize(outputs.size());
  hook("a backward hook", handle(call.module), &shown);
  replace_gradients(call.grad_inputs, run.grad_inputs);
  replace_gradients(call.grad_outputs, run.grad_outputs);
}

td_status add_backward(td_module* self, const td_backward_hook* hook, td::HookKind kind, uint64_t flags,
                       uint64_t* out_id, td_error** err) noexcept {
  Owned<td_backward_hook> owned(hook, "hook");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    bool pre = kind == td::HookKind::backward_pre;
    if (flags & ~static_cast<uint64_t>(TD_HOOK_PREPEND)) throw td::Error(td::Code::argument, "unknown flags of a hook");
    td::Hooks::Hook made{
        0, kind, false, {}, {}, [shared, pre](td::BackwardHookCall& call) { run_backward_hook(*shared, call, pre); }};
    uint64_t id = td::add_backward_hook(ref(self), std::move(made), (flags & TD_HOOK_PREPEND) != 0);
    if (out_id) *out_id = id;
  });
}

td_status add_forward(td_module* self, const td_forward_hook* hook, td::HookKind kind, uint64_t flags, uint64_t* out_id,
                      td_error** err) noexcept {
  Owned<td_forward_hook> owned(hook, "hook");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    if (flags & ~static_cast<uint64_t>(TD_HOOK_PREPEND | TD_HOOK_ALWAYS_CALL))
      throw td::Error(td::Code::argument, "unknown flags of a hook");
    td::Hooks::Hook made{
        0,  kind, (flags & TD_HOOK_ALWAYS_CALL) != 0, [shared](td::HookCall& call) { run_forward_hook(*shared, call); },
        {}, {}};
    uint64_t id = ref(self).hooks().add(std::move(made), (flags & TD_HOOK_PREPEND) != 0);
    if (out_id) *out_id = id;
  });
}

td::HookKind state_kind(td_state_hook_kind kind) {
  switch (kind) {
    case TD_STATE_HOOK_STATE_DICT_PRE:
      return td::HookKind::state_dict_pre;
    case TD_STATE_HOOK_STATE_DICT:
      return td::HookKind::state_dict;
    case TD_STATE_HOOK_LOAD_STATE_DICT_PRE:
      return td::HookKind::load_state_dict_pre;
    case TD_STATE_HOOK_LOAD_STATE_DICT:
      return td::HookKind::load_state_dict;
    default:
      throw td::Error(td::Code::argument, "no such hook: " + std::to_string(kind));
  }
}

}  // namespace

td_status td_module_state_dict(const td_module* self, td_str prefix, td_bool keep_vars, td_dict** out_dict,
                               td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    std::string before(given(prefix) ? text(prefix, "prefix") : "");
    td::check_utf8(before, "prefix");
    give(out_dict, td::flat_state(ref(self), before, keep_vars != 0));
  });
}

td_status td_module_load_state_dict(td_module* self, const td_dict* state, const td_load_options* given_options,
                                    td_keys** out_missing, td_keys** out_unexpected, td_error** err) noexcept {
  return guard(err, [&] {
    td_load_options o = options(given_options);
    td::LoadResult result = td::load_state(ref(self), ref(state), {o.lenient == 0, o.assign != 0});
    Ptr<td_keys> missing = keys_of_names(result.missing), unexpected = keys_of_names(result.unexpected);
    if (out_missing) *out_missing = own<td_keys>(std::move(missing));
    if (out_unexpected) *out_unexpected = own<td_keys>(std::move(unexpected));
  });
}

td_status td_module_add_forward_pre_hook(td_module* self, const td_forward_hook* hook, uint64_t flags, uint64_t* out_id,
                                         td_error** err) noexcept {
  return add_forward(self, hook, td::HookKind::forward_pre, flags, out_id, err);
}
td_status td_module_add_forward_hook(td_module* self, const td_forward_hook* hook, uint64_t flags, uint64_t* out_id,
                                     td_error** err) noexcept {
  return add_forward(self, hook, td::HookKind::forward, flags, out_id, err);
}

td_status td_module_add_state_hook(td_module* self, td_state_hook_kind kind, const td_state_hook* hook, uint64_t flags,
                                   uint64_t* out_id, td_error** err) noexcept {
  Owned<td_state_hook> owned(hook, "hook");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    td::Hooks::Hook made{0,
                         state_kind(kind),
                         false,
                         {},
                         [shared](td::StateHookCall& call) {
                           (*shared)("a hook", handle(call.module), reinterpret_cast<td_dict*>(call.state.get()),
                                     view(call.prefix));
                         },
                         {}};
    if (flags & ~static_cast<uint64_t>(TD_HOOK_PREPEND)) throw td::Error(td::Code::argument, "unknown flags of a hook");
    uint64_t id = ref(self).hooks().add(std::move(made), (flags & TD_HOOK_PREPEND) != 0);
    if (out_id) *out_id = id;
  });
}

td_status td_module_add_backward_pre_hook(td_module* self, const td_backward_hook* hook, uint64_t flags,
                                          uint64_t* out_id, td_error** err) noexcept {
  return add_backward(self, hook, td::HookKind::backward_pre, flags, out_id, err);
}
td_status td_module_add_backward_hook(td_module* self, const td_backward_hook* hook, uint64_t flags, uint64_t* out_id,
                                      td_error** err) noexcept {
  return add_backward(self, hook, td::HookKind::backward, flags, out_id, err);
}

td_status td_module_remove_hook(td_module* self, uint64_t id, td_error** err) noexcept {
  return guard(err, [&] {
    if (!ref(self).hooks().remove(id)) throw td::Error(td::Code::not_found, "the module has no such hook");
  });
}

// ---- What hooks replace ---------------------------------------------------------------------------------------------

td_status td_hook_call_set_data(td_hook_call* self, td_dict* dict, td_error** err) noexcept {
  return guard_look(err, [&] {
    ForwardRun& run = ForwardRun::of(self);
    if (!run.shown.data) throw td::Error(td::Code::argument, "the module does not run on a dict");
    run.data = share(dict);
  });
}
td_status td_hook_call_set_result(td_hook_call* self, td_dict* dict, td_error** err) noexcept {
  return guard_look(err, [&] {
    ForwardRun& run = ForwardRun::of(self);
    if (!run.shown.result) throw td::Error(td::Code::argument, "the result of the call is not a dict");
    run.result = share(dict);
  });
}

td_status td_hook_call_set_input(td_hook_call* self, int64_t index, td_tensor* input, td_error** err) noexcept {
  return guard_look(err, [&] { element(ForwardRun::of(self).inputs, index, "input") = tensor(input); });
}
td_status td_hook_call_set_output(td_hook_call* self, int64_t index, td_tensor* output, td_error** err) noexcept {
  return guard_look(err, [&] { element(ForwardRun::of(self).outputs, index, "output") = tensor(output); });
}

td_status td_backward_call_set_grad_input(td_backward_call* self, int64_t index, td_tensor* grad,
                                          td_error** err) noexcept {
  return guard_look(err, [&] {
    element(BackwardRun::of(self).grad_inputs, index, "gradient of input") = grad ? tensor(grad) : at::Tensor();
  });
}
td_status td_backward_call_set_grad_output(td_backward_call* self, int64_t index, td_tensor* grad,
                                           td_error** err) noexcept {
  return guard_look(err, [&] {
    BackwardRun& run = BackwardRun::of(self);
    if (!run.pre)
      throw td::Error(td::Code::argument, "a backward hook cannot replace the gradient of an output")
          .hint("use a pre-hook");
    element(run.grad_outputs, index, "gradient of output") = grad ? tensor(grad) : at::Tensor();
  });
}
