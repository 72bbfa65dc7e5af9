// Scopes: begin, the dict inside, and the way back.
#include "core/dict/change/scope.h"
#include "capi/convert.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

// Both or none: the caller gets the dict inside and the scope.
td_status begin(td_dict* self, td_dict** out_dict, td_scope** out_scope, td_error** err,
                c10::function_ref<td::ScopePtr(const td::NodePtr&)> make) {
  return guard(err, [&] {
    out(out_dict);
    out(out_scope);
    td::ScopePtr scope = make(share(self));
    give(out_dict, td::NodePtr(scope->inner()));
    give(out_scope, std::move(scope));
  });
}

std::string joint(td_str separator) {
  std::string text(given(separator) ? td::capi::text(separator, "separator") : ".");
  td::check_utf8(text, "separator");
  return text;
}

}  // namespace

td_status td_scope_unlock(td_dict* self, td_scope** out_scope, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_scope);
    give(out_scope, td::scope_unlock(share(self)));
  });
}

td_status td_scope_flatten_keys(td_dict* self, td_str separator, td_dict** out_dict, td_scope** out_scope,
                                td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_flatten_keys(n, joint(separator)); });
}

td_status td_scope_unflatten_keys(td_dict* self, td_str separator, td_dict** out_dict, td_scope** out_scope,
                                  td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_unflatten_keys(n, joint(separator)); });
}

td_status td_scope_view(td_dict* self, const int64_t* sizes, size_t ndim, td_dict** out_dict, td_scope** out_scope,
                        td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_view(n, dims(sizes, ndim)); });
}

td_status td_scope_flatten(td_dict* self, int64_t start, int64_t end, td_dict** out_dict, td_scope** out_scope,
                           td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err, [&](const td::NodePtr& n) { return td::scope_flatten(n, start, end); });
}

td_status td_scope_unflatten(td_dict* self, int64_t dim, const int64_t* sizes, size_t ndim, td_dict** out_dict,
                             td_scope** out_scope, td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_unflatten(n, dim, dims(sizes, ndim)); });
}

td_status td_scope_squeeze(td_dict* self, const int64_t* given_dims, size_t n_dims, td_dict** out_dict,
                           td_scope** out_scope, td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_squeeze(n, dims(given_dims, n_dims)); });
}

td_status td_scope_unsqueeze(td_dict* self, int64_t dim, td_dict** out_dict, td_scope** out_scope,
                             td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err, [&](const td::NodePtr& n) { return td::scope_unsqueeze(n, dim); });
}

td_status td_scope_permute(td_dict* self, const int64_t* order, size_t n_dims, td_dict** out_dict, td_scope** out_scope,
                           td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_permute(n, dims(order, n_dims)); });
}

td_status td_scope_transpose(td_dict* self, int64_t dim0, int64_t dim1, td_dict** out_dict, td_scope** out_scope,
                             td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_transpose(n, dim0, dim1); });
}

td_status td_scope_movedim(td_dict* self, const int64_t* source, const int64_t* destination, size_t n_dims,
                           td_dict** out_dict, td_scope** out_scope, td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err, [&](const td::NodePtr& n) {
    return td::scope_movedim(n, dims(source, n_dims), dims(destination, n_dims));
  });
}

td_status td_scope_flip(td_dict* self, const int64_t* given_dims, size_t n_dims, td_dict** out_dict,
                        td_scope** out_scope, td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err,
               [&](const td::NodePtr& n) { return td::scope_flip(n, dims(given_dims, n_dims)); });
}

td_status td_scope_roll(td_dict* self, const int64_t* shifts, size_t n_shifts, const int64_t* given_dims, size_t n_dims,
                        td_dict** out_dict, td_scope** out_scope, td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err, [&](const td::NodePtr& n) {
    return td::scope_roll(n, dims(shifts, n_shifts), dims(given_dims, n_dims));
  });
}

td_status td_scope_to(td_dict* self, td_dtype dtype, td_str device, td_dict** out_dict, td_scope** out_scope,
                      td_error** err) noexcept {
  return begin(self, out_dict, out_scope, err, [&](const td::NodePtr& n) {
    td::optional<at::ScalarType> type;
    td::optional<c10::Device> target;
    if (dtype != TD_DTYPE_NONE) type = td::scalar_type(dtype);
    if (given(device)) target = td::parse_device(std::string(text(device, "device")));
    return td::scope_to(n, type, target);
  });
}

td_status td_scope_end(td_scope* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).end(); });
}

td_status td_scope_cancel(td_scope* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).cancel(); });
}

void td_scope_retain(const td_scope* self) noexcept {
  retain(self);
}
void td_scope_release(const td_scope* self) noexcept {
  release(self);
}
