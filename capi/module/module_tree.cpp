// What a tree of modules holds.
#include "capi/callback.h"
#include "capi/lists.h"
#include "core/nn/load.h"
#include "core/nn/module_repr.h"
#include "core/nn/swap.h"
#include "core/nn/tree.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

td::Path path_of(const td_key* key) {
  if (!key || key->n == 0) return {};
  td::Path path{td::PathView(KeyArg(key))};
  for (const td::Key& part : path.keys()) td::check_utf8(part.text(), "name");
  return path;
}

td::ListOptions list_options(const td_list_options* given) {
  td_list_options o = options(given);
  td::ListOptions core;
  core.prefix = path_of(o.prefix);
  core.recurse = o.shallow == 0;
  core.remove_duplicate = o.keep_duplicates == 0;
  return core;
}

td_status give_named_tensors(const td_module* self, td::Role role, const td_list_options* given, td_keys** out_keys,
                             td_tensor_list** out_tensors, td_error** err) noexcept {
  return guard(err, [&] {
    std::vector<td::Path> names;
    td::Tensors tensors;
    for (td::NamedTensor& t : td::named_tensors(ref(self), role, list_options(given))) {
      names.push_back(std::move(t.name));
      tensors.push_back(std::move(t.value));
    }
    give_named(out_keys, out_tensors, std::move(names), std::move(tensors));
  });
}

std::vector<td::NamedModule> reached(const td::Module& root, td_visit_order order, const td::ListOptions& how) {
  std::vector<td::NamedModule> out;
  switch (order) {
    case TD_VISIT_MODULES:
      return td::named_modules(root, how);
    case TD_VISIT_CHILDREN:
      out = td::named_children(root);
      for (td::NamedModule& m : out) m.name = td::joined_path(how.prefix, m.name);
      return out;
    case TD_VISIT_APPLY:
      for (td::ModulePtr& m : td::apply_order(root)) out.push_back({td::Path(), std::move(m)});
      return out;
    default:
      throw td::Error(td::Code::argument, "no such order of a visit: " + std::to_string(order));
  }
}

td::optional<at::ScalarType> wanted_type(td_dtype dtype) {
  if (dtype == TD_DTYPE_NONE) return td::nullopt;
  return td::scalar_type(dtype);
}

at::Tensor tensor_or_none(td_tensor* value) {
  return value ? tensor(value) : at::Tensor();
}

td::Key name_of(td_str name) {
  std::string_view t = text(name, "name");
  td::check_utf8(t, "name");
  return td::Key(td::KeyView(t));
}

void register_tensor(td_module* self, td::Role role, td_str name, td_tensor* value, bool persistent) {
  ref(self).register_tensor(role, td::Path(std::vector<td::Key>{name_of(name)}), tensor_or_none(value), persistent);
}

td_status get_tensor(const td_module* self, td::Role role, const td_key* name, td_tensor** out_tensor,
                     td_error** err) noexcept {
  return guard(err, [&] {
    td::TensorPlace place = td::tensor_at(ref(self), role, path_of(name));
    if (!place.value().defined())
      throw td::Error(td::Code::key, "no module, parameter or buffer has this name").key(td::to_string(path_of(name)));
    give(out_tensor, at::Tensor(place.value()));
  });
}

td_status set_tensor(td_module* self, td::Role role, const td_key* name, td_tensor* value, td_error** err) noexcept {
  return guard(err, [&] {
    td::TensorPlace place = td::tensor_at(ref(self), role, path_of(name));
    place.module->set_tensor(place.index, tensor_or_none(value));
  });
}

}  // namespace

td_status td_module_parameters(const td_module* self, const td_list_options* options, td_keys** out_keys,
                               td_tensor_list** out_tensors, td_error** err) noexcept {
  return give_named_tensors(self, td::Role::parameter, options, out_keys, out_tensors, err);
}
td_status td_module_buffers(const td_module* self, const td_list_options* options, td_keys** out_keys,
                            td_tensor_list** out_tensors, td_error** err) noexcept {
  return give_named_tensors(self, td::Role::buffer, options, out_keys, out_tensors, err);
}

td_status td_module_visit(td_module* self, td_visit_order order, const td_list_options* options,
                          td_module_visitor visit, void* userdata, td_error** err) noexcept {
  return guard(err, [&] {
    if (!visit) throw_null("visit");
    for (const td::NamedModule& m : reached(ref(self), order, list_options(options))) {
      std::vector<td_str> parts;
      for (const td::Key& k : m.name.keys()) parts.push_back(view(k.text()));
      td_key key = {parts.data(), parts.size()};
      call_back(visit, userdata, "a visitor", &key, reinterpret_cast<td_module*>(m.module.get()));
    }
  });
}

td_status td_module_get_parameter(const td_module* self, const td_key* name, td_tensor** out_tensor,
                                  td_error** err) noexcept {
  return get_tensor(self, td::Role::parameter, name, out_tensor, err);
}
td_status td_module_get_buffer(const td_module* self, const td_key* name, td_tensor** out_tensor,
                               td_error** err) noexcept {
  return get_tensor(self, td::Role::buffer, name, out_tensor, err);
}
td_status td_module_get_submodule(const td_module* self, const td_key* name, td_module** out_module,
                                  td_error** err) noexcept {
  return guard(err, [&] { give(out_module, td::module_at(ref(self), path_of(name))); });
}

td_status td_module_set_parameter(td_module* self, const td_key* name, td_tensor* value, td_error** err) noexcept {
  return set_tensor(self, td::Role::parameter, name, value, err);
}
td_status td_module_set_buffer(td_module* self, const td_key* name, td_tensor* value, td_error** err) noexcept {
  return set_tensor(self, td::Role::buffer, name, value, err);
}
td_status td_module_set_submodule(td_module* self, const td_key* name, td_module* module, td_error** err) noexcept {
  return guard(err, [&] { td::set_submodule(ref(self), path_of(name), share(module)); });
}

td_status td_module_register_parameter(td_module* self, td_str name, td_tensor* value, td_error** err) noexcept {
  return guard(err, [&] { register_tensor(self, td::Role::parameter, name, value, true); });
}
td_status td_module_register_buffer(td_module* self, td_str name, td_tensor* value, td_bool persistent,
                                    td_error** err) noexcept {
  return guard(err, [&] { register_tensor(self, td::Role::buffer, name, value, persistent != 0); });
}
td_status td_module_register_module(td_module* self, td_str name, td_module* module, td_error** err) noexcept {
  return guard(err, [&] { ref(self).register_child(name_of(name), module ? share(module) : td::ModulePtr()); });
}

td_bool td_module_is_training(const td_module* self) noexcept {
  if (!self) return 0;
  return guard_value<td_bool>(0, [&] { return static_cast<td_bool>(ref(self).training()); });
}
td_bool td_module_has_keys(const td_module* self) noexcept {
  return guard_value<td_bool>(0, [&] { return static_cast<td_bool>(ref(self).keyed() != nullptr); });
}

td_status td_module_repr(const td_module* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, td::module_repr(ref(self))); });
}

td_status td_module_requires_grad_(td_module* self, td_bool requires_grad, td_error** err) noexcept {
  return guard(err, [&] { td::set_requires_grad(ref(self), requires_grad != 0); });
}
td_status td_module_zero_grad(td_module* self, td_bool set_to_none, td_error** err) noexcept {
  return guard(err, [&] { td::zero_grad(ref(self), set_to_none != 0); });
}

td_status td_module_to(td_module* self, td_dtype dtype, td_str device, td_error** err) noexcept {
  return guard(err, [&] {
    td::optional<c10::Device> target;
    if (given(device)) target = td::parse_device(std::string(text(device, "device")));
    td::cast_module(ref(self), wanted_type(dtype), target, false);
  });
}
td_status td_module_to_type(td_module* self, td_dtype dtype, td_error** err) noexcept {
  return guard(err, [&] { td::cast_module(ref(self), td::scalar_type(dtype), td::nullopt, true); });
}

td_status td_module_to_empty(td_module* self, td_str device, td_error** err) noexcept {
  return guard(err, [&] { td::empty_module(ref(self), td::parse_device(std::string(text(device, "device")))); });
}

td_status td_module_share_memory(td_module* self, td_error** err) noexcept {
  return guard(err, [&] { td::share_memory(ref(self)); });
}

td_status td_module_reset_parameters(td_module* self, const td_dict* params, td_generator* generator,
                                     td_dict** out_dict, size_t* n_reset, td_error** err) noexcept {
  return guard(err, [&] {
    td::Generator* drawn_from = generator ? &ref(generator) : nullptr;
    size_t n = 0;
    if (params) {
      out(out_dict);
      give(out_dict, ref(self).draw_into(ref(params), drawn_from));
    } else {
      n = td::reset_parameters(ref(self), drawn_from);
    }
    if (n_reset) *n_reset = n;
  });
}

td_status td_module_swap(td_module* self, td_dict* params, td_bool preserve_module_state, td_scope** out_scope,
                         td_error** err) noexcept {
  return guard(err, [&] {
    out(out_scope);
    td::ScopePtr scope = c10::make_intrusive<td::ModuleScope>(share(self), share(params), preserve_module_state != 0);
    give(out_scope, std::move(scope));
  });
}
