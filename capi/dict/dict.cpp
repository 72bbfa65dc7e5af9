// Dicts: creation, metadata, access by key, copies, lock and repr.
#include "capi/convert.h"
#include "core/dict/copy.h"
#include "core/dict/device.h"
#include "core/dict/lock.h"
#include "core/dict/tensordict.h"
#include "core/dict/walk.h"
#include "core/shm/shared_dict.h"
#include "core/tensor/memory.h"
#include "core/tensor/unmap.h"

using namespace td::capi;

td_status td_dict_new(const int64_t* batch_size, size_t ndim, const td_dict_options* given_options, td_dict** out_dict,
                      td_error** err) noexcept {
  return guard(err, [&] {
    td_dict_options o = options(given_options);
    td::optional<c10::Device> device;
    if (given(o.device)) device = td::parse_device(std::string(text(o.device, "device")));
    at::IntArrayRef batch = dims(batch_size, ndim);
    td::checked_numel(batch, 1);
    give(out_dict, td::TensorDict::make(batch, device));
  });
}

void td_dict_retain(const td_dict* self) noexcept {
  retain(self);
}
void td_dict_release(const td_dict* self) noexcept {
  td::UnmapTogether leaves;
  release(self);
}

size_t td_dict_batch_size(const td_dict* self, int64_t* out_dims, size_t capacity) noexcept {
  return self ? fill(ref(self).batch_size(), out_dims, capacity) : 0;
}

td_status td_dict_set_batch_size(td_dict* self, const int64_t* batch_size, size_t ndim, td_error** err) noexcept {
  return guard(err, [&] {
    at::IntArrayRef batch = dims(batch_size, ndim);
    td::checked_numel(batch, 1);
    ref(self).set_batch_size(batch);
  });
}

td_str td_dict_device(const td_dict* self) noexcept {
  return guard_value(td_str{NULL, 0}, [&] { return self ? device_text(ref(self).device()) : td_str{NULL, 0}; });
}

td_status td_dict_clear_device_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::clear_device(ref(self)); });
}

td_status td_dict_auto_device_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::auto_device(ref(self)); });
}

int64_t td_dict_len(const td_dict* self) noexcept {
  return self && ref(self).batch_dims() ? ref(self).batch_size()[0] : 0;
}
size_t td_dict_count(const td_dict* self) noexcept {
  return guard_value<size_t>(0, [&] { return ref(self).count(); });
}

int64_t td_dict_nbytes(const td_dict* self) noexcept {
  return guard_value<int64_t>(0, [&] { return ref(self).nbytes(); });
}

td_status td_dict_set(td_dict* self, const td_key* key, const td_tensor* value, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(KeyArg(key), tensor(value)); });
}

td_status td_dict_set_path(td_dict* self, const td_path* path, const td_tensor* value, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(ref(path).path, tensor(value)); });
}

td_status td_dict_set_unbatched(td_dict* self, const td_key* key, const td_tensor* value, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(KeyArg(key), td::Entry::unbatched(tensor(value))); });
}

td_status td_dict_is_unbatched(const td_dict* self, const td_key* key, td_bool* out_unbatched,
                               td_error** err) noexcept {
  return guard_look(err, [&] {
    KeyArg path(key);
    td::Entry e = ref(self).look_at(path, td::Detail::kind);
    if (!e.is_tensor()) ref(self).tensor(path);  // throws what is wrong with it
    out(out_unbatched) = e.is_unbatched();
  });
}

td_status td_dict_set_dict(td_dict* self, const td_key* key, td_dict* value, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(KeyArg(key), share(value)); });
}

td_status td_dict_copy_into(td_dict* self, const td_key* key, const td_tensor* value, td_error** err) noexcept {
  return guard(err, [&] { ref(self).copy_into(KeyArg(key), tensor(value)); });
}

td_status td_dict_get(const td_dict* self, const td_key* key, td_tensor** out_tensor, td_error** err) noexcept {
  return guard_look(err, [&] { give(out_tensor, ref(self).tensor(KeyArg(key))); });
}

td_status td_dict_get_path(const td_dict* self, const td_path* path, td_tensor** out_tensor, td_error** err) noexcept {
  return guard_look(err, [&] { give(out_tensor, ref(self).tensor(ref(path).path)); });
}

td_status td_dict_get_many(const td_dict* self, const td_path* const* paths, size_t n, td_tensor** outs,
                           td_error** err) noexcept {
  return guard_look(err, [&] {
    const td::Node& node = ref(self);
    if (n > 0 && (!paths || !outs)) throw_null("paths or outs");
    std::vector<at::Tensor> found;
    for (size_t i = 0; i < n; ++i) found.push_back(node.tensor(ref(paths[i]).path));
    for (size_t i = 0; i < n; ++i) outs[i] = own(std::move(found[i]));
  });
}

td_status td_dict_get_dict(const td_dict* self, const td_key* key, td_dict** out_dict, td_error** err) noexcept {
  return guard_look(err, [&] { give(out_dict, ref(self).node(KeyArg(key))); });
}

td_status td_dict_entry_kind(const td_dict* self, const td_key* key, td_entry_kind* out_kind, td_error** err) noexcept {
  return guard_look(err, [&] {
    td::Entry e = ref(self).look_at(KeyArg(key), td::Detail::kind);
    out(out_kind) = e.is_tensor() ? TD_ENTRY_TENSOR
                    : e.is_node() ? TD_ENTRY_DICT
                    : e.is_data() ? TD_ENTRY_DATA
                                  : TD_ENTRY_NONE;
  });
}

td_status td_dict_remove(td_dict* self, const td_key* key, td_error** err) noexcept {
  return guard(err, [&] { ref(self).erase_path(KeyArg(key)); });
}

td_status td_dict_keys(const td_dict* self, uint64_t flags, td_keys** out_keys, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& keys = out(out_keys);
    keys = own_keys(td::keys(ref(self), key_choice(flags)));
  });
}

td_status td_dict_copy(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::shallow_copy(ref(self))); });
}

td_status td_dict_clone(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::deep_copy(ref(self))); });
}

td_status td_dict_lock_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::Lock::acquire(ref(self)); });
}

td_status td_dict_unlock_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::Lock::release(ref(self)); });
}

td_bool td_dict_is_locked(const td_dict* self) noexcept {
  return self && ref(self).locked();
}

td_status td_dict_share_memory_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::share_memory(ref(self)); });
}

td_bool td_dict_is_shared(const td_dict* self) noexcept {
  return guard_value<td_bool>(0, [&] { return td_bool(self && td::in_shared_memory(ref(self))); });
}
