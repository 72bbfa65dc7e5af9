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

// Takes what a hook has put in the place of a reference that it borrowed.
void take_dict(td::NodePtr& mine, td_dict* now) {
  if (reinterpret_cast<td_dict*>(mine.get()) == now) return;
  if (!now) throw td::Error(td::Code::callback, "a hook left a dict NULL");
  mine = share(now);
  release(now);
}

void take_tensors(td::Tensors& mine, const std::vector<td_tensor*>& now) {
  for (size_t i = 0; i < mine.size(); ++i) {
    if (reinterpret_cast<td_tensor*>(mine[i].unsafeGetTensorImpl()) == now[i] || (!mine[i].defined() && !now[i]))
      continue;
    if (!now[i]) throw td::Error(td::Code::callback, "a hook left a tensor NULL");
    mine[i] = adopt(now[i]);
  }
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
  td_hook_call c = {reinterpret_cast<td_dict*>(call.data.get()),
                    reinterpret_cast<td_dict*>(call.result.get()),
                    inputs.data(),
                    inputs.size(),
                    outputs.data(),
                    outputs.size()};
  hook("a hook", handle(call.module), &c);
  if (call.data) take_dict(call.data, c.data);
  if (call.result) take_dict(call.result, c.result);
  take_tensors(call.inputs, inputs);
  take_tensors(call.outputs, outputs);
}

// What a hook has put in the place of gradients that it borrowed, of which there may be none.
void take_gradients(td::Tensors& mine, const std::vector<td_tensor*>& now) {
  for (size_t i = 0; i < mine.size(); ++i) {
    td_tensor* old = mine[i].defined() ? reinterpret_cast<td_tensor*>(mine[i].unsafeGetTensorImpl()) : nullptr;
    if (old != now[i]) mine[i] = now[i] ? adopt(now[i]) : at::Tensor();
  }
}

void run_backward_hook(const Owned<td_backward_hook>& hook, td::BackwardHookCall& call, bool pre) {
  std::vector<td_tensor*> inputs = borrowed(call.grad_inputs), outputs = borrowed(call.grad_outputs);
  td_backward_call c = {inputs.data(), inputs.size(), outputs.data(), outputs.size()};
  hook("a backward hook", handle(call.module), &c);
  td::Tensors grad_outputs = call.grad_outputs;
  take_gradients(call.grad_inputs, inputs);
  take_gradients(call.grad_outputs, outputs);
  for (size_t i = 0; !pre && i < outputs.size(); ++i)
    if (!grad_outputs[i].is_same(call.grad_outputs[i]))
      throw td::Error(td::Code::callback, "a backward hook replaced the gradient of an output")
          .hint("a pre-hook may do that");
}

td_status add_backward(td_module* self, td_backward_hook hook, td::HookKind kind, uint64_t flags, uint64_t* out_id,
                       td_error** err) noexcept {
  Owned<td_backward_hook> owned(hook);
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

td_status add_forward(td_module* self, td_forward_hook hook, td::HookKind kind, uint64_t flags, uint64_t* out_id,
                      td_error** err) noexcept {
  Owned<td_forward_hook> owned(hook);
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
    case TD_HOOK_STATE_DICT_PRE:
      return td::HookKind::state_dict_pre;
    case TD_HOOK_STATE_DICT:
      return td::HookKind::state_dict;
    case TD_HOOK_LOAD_STATE_DICT_PRE:
      return td::HookKind::load_state_dict_pre;
    case TD_HOOK_LOAD_STATE_DICT:
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

td_status td_module_add_forward_pre_hook(td_module* self, td_forward_hook hook, uint64_t flags, uint64_t* out_id,
                                         td_error** err) noexcept {
  return add_forward(self, hook, td::HookKind::forward_pre, flags, out_id, err);
}
td_status td_module_add_forward_hook(td_module* self, td_forward_hook hook, uint64_t flags, uint64_t* out_id,
                                     td_error** err) noexcept {
  return add_forward(self, hook, td::HookKind::forward, flags, out_id, err);
}

td_status td_module_add_state_hook(td_module* self, td_state_hook_kind kind, td_state_hook hook, uint64_t flags,
                                   uint64_t* out_id, td_error** err) noexcept {
  Owned<td_state_hook> owned(hook);
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

td_status td_module_add_backward_pre_hook(td_module* self, td_backward_hook hook, uint64_t flags, uint64_t* out_id,
                                          td_error** err) noexcept {
  return add_backward(self, hook, td::HookKind::backward_pre, flags, out_id, err);
}
td_status td_module_add_backward_hook(td_module* self, td_backward_hook hook, uint64_t flags, uint64_t* out_id,
                                      td_error** err) noexcept {
  return add_backward(self, hook, td::HookKind::backward, flags, out_id, err);
}

td_status td_module_remove_hook(td_module* self, uint64_t id, td_error** err) noexcept {
  return guard(err, [&] {
    if (!ref(self).hooks().remove(id)) throw td::Error(td::Code::not_found, "the module has no such hook");
  });
}
