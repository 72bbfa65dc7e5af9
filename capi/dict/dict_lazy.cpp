// Lazy stacks, and entries whose shape differs between members.
#include "capi/convert.h"
#include "capi/lists.h"
#include "capi/value.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lazy/lazy_get.h"
#include "core/dict/lazy/ragged.h"
#include "core/dict/params/params.h"
#include "core/dict/persistent/persistent.h"
#include "core/dict/shape/split.h"
#include "core/dict/window/window.h"

using namespace td::capi;

namespace {

const td::LazyStack& stack(const td_dict* dict) {
  if (const td::LazyStack* found = td::LazyStack::of(ref(dict))) return *found;
  throw td::Error(td::Code::unsupported, "the dict is not a lazy stack").hint("check it with td_dict_kind_of");
}

td::LazyStack& stack(td_dict* dict) {
  return const_cast<td::LazyStack&>(stack(static_cast<const td_dict*>(dict)));
}

td::Padding padding(const td_padding_options& o) {
  return {o.value ? number(o.value, "value") : c10::Scalar(0), o.left != 0};
}

}  // namespace

td_dict_kind td_dict_kind_of(const td_dict* self) noexcept {
  if (!self) return TD_DICT_KIND_TENSORDICT;
  const td::Node& node = ref(self);
  if (td::LazyStack::of(node)) return TD_DICT_KIND_LAZY_STACK;
  if (td::Persistent::of(node)) return TD_DICT_KIND_PERSISTENT;
  if (td::Window::of(node)) return TD_DICT_KIND_WINDOW;
  return td::Params::of(node) ? TD_DICT_KIND_PARAMS : TD_DICT_KIND_TENSORDICT;
}

td_status td_dict_lazy_stack(td_dict* const* dicts, size_t n, int64_t dim, td_dict** out_dict,
                             td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::lazy_stack(shared_nodes(dicts, n), dim)); });
}

td_status td_dict_lazy_new(const int64_t* element, size_t ndim, int64_t dim, td_dict** out_dict,
                           td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::lazy_empty(dims(element, ndim), dim)); });
}

td_status td_dict_maybe_dense_stack(td_dict* const* dicts, size_t n, int64_t dim, td_dict** out_dict,
                                    td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::maybe_dense_stack(shared_nodes(dicts, n), dim)); });
}

td_status td_dict_to_lazy_stack(const td_dict* self, int64_t dim, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::to_lazy_stack(ref(self), dim)); });
}

int64_t td_dict_stack_dim(const td_dict* self) noexcept {
  const td::LazyStack* found = self ? td::LazyStack::of(ref(self)) : nullptr;
  return found ? static_cast<int64_t>(found->stack_dim()) : -1;
}

td_status td_dict_members(const td_dict* self, td_dict_list** out_list, td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, stack(self).members()); });
}

td_status td_dict_insert(td_dict* self, int64_t index, td_dict* const* dicts, size_t n, td_error** err) noexcept {
  return guard(err, [&] {
    const size_t members = stack(self).members().size();
    // One place more than there are members; -1 is before the last, as in Python.
    const size_t at = position(index < 0 ? index - 1 : index, members + 1, "position");
    stack(self).insert(at, shared_nodes(dicts, n));
  });
}

td_status td_dict_append(td_dict* self, td_dict* dict, td_error** err) noexcept {
  return guard(err, [&] { stack(self).insert(stack(self).members().size(), shared_nodes(&dict, 1)); });
}

td_status td_dict_entry_shape(const td_dict* self, const td_key* key, int64_t* out_sizes, size_t capacity,
                              size_t* out_ndim, td_error** err) noexcept {
  return guard(err, [&] {
    if (capacity > 0 && !out_sizes) throw_null("out");
    out(out_ndim, "out_ndim");
    *out_ndim = fill(td::entry_shape(ref(self), KeyArg(key)), out_sizes, capacity);
  });
}

td_status td_dict_ragged_keys(const td_dict* self, td_keys** out_keys, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(out_keys);
    slot = own_keys(td::ragged_keys(ref(self)));
  });
}

td_status td_dict_exclusive_keys(const td_dict* self, int64_t index, td_keys** out_keys, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(out_keys);
    slot = own_keys(td::exclusive_keys(stack(self), position(index, stack(self).members().size(), "member")));
  });
}

td_status td_dict_get_list(const td_dict* self, const td_key* key, td_tensor_list** out_list, td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::get_list(ref(self), KeyArg(key))); });
}

td_status td_dict_set_list(td_dict* self, const td_key* key, td_tensor* const* values, size_t n,
                           td_error** err) noexcept {
  return guard(err, [&] { td::set_list(ref(self), KeyArg(key), tensor_values(values, n)); });
}

td_status td_dict_get_padded(const td_dict* self, const td_key* key, const td_padding_options* given,
                             td_tensor** out_tensor, td_tensor** out_mask, td_error** err) noexcept {
  return guard(err, [&] {
    td_padding_options o = options(given);
    td_tensor*& slot = out(out_tensor);
    td::Padded made = td::get_padded(ref(self), KeyArg(key), padding(o));
    slot = own(std::move(made.values));
    if (out_mask) *out_mask = own(std::move(made.mask));
  });
}

td_status td_dict_get_jagged(const td_dict* self, const td_key* key, td_tensor** out_values, td_tensor** out_offsets,
                             td_error** err) noexcept {
  return guard(err, [&] {
    td_tensor *&values = out(out_values, "out_values"), *&offsets = out(out_offsets, "out_offsets");
    td::Jagged made = td::get_jagged(ref(self), KeyArg(key));
    values = own(std::move(made.values));
    offsets = own(std::move(made.offsets));
  });
}

td_status td_dict_densify(const td_dict* self, const td_padding_options* given, td_dict** out_dict,
                          td_error** err) noexcept {
  return guard(err, [&] {
    td_padding_options o = options(given);
    td::Path mask_key = o.mask_key ? td::Path(KeyArg(o.mask_key)) : td::Path();
    give(out_dict, td::densify(ref(self), padding(o), o.mask_key ? &mask_key : nullptr));
  });
}
