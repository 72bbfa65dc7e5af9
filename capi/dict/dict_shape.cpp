// Shapes of the batch dims: views, pieces, repeats.
#include "capi/lists.h"
#include "core/dict/shape/auto_batch_size.h"
#include "core/dict/shape/expand_as.h"
#include "core/dict/shape/permute.h"
#include "core/dict/shape/repeat.h"
#include "core/dict/shape/shape.h"
#include "core/dict/shape/split.h"
#include "core/dict/shape/squeeze.h"

using namespace td::capi;

namespace {

at::IntArrayRef numbers(const int64_t* data, size_t n, const char* what) {
  if (n > 0 && !data) throw_null(what);
  return {data, n};
}

}  // namespace

int64_t td_dict_numel(const td_dict* self) noexcept {
  return guard_value<int64_t>(0, [&] { return td::numel(ref(self)); });
}

td_status td_dict_view(const td_dict* self, const int64_t* sizes, size_t ndim, td_dict** out_dict,
                       td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::view(ref(self), dims(sizes, ndim))); });
}

td_status td_dict_reshape(const td_dict* self, const int64_t* sizes, size_t ndim, td_dict** out_dict,
                          td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::reshape(ref(self), dims(sizes, ndim))); });
}

td_status td_dict_flatten(const td_dict* self, int64_t start, int64_t end, td_dict** out_dict,
                          td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::flatten(ref(self), start, end)); });
}

td_status td_dict_unflatten(const td_dict* self, int64_t dim, const int64_t* sizes, size_t ndim, td_dict** out_dict,
                            td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::unflatten(ref(self), dim, dims(sizes, ndim))); });
}

td_status td_dict_squeeze(const td_dict* self, const int64_t* which, size_t n, td_dict** out_dict,
                          td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::squeeze(ref(self), dims(which, n))); });
}

td_status td_dict_unsqueeze(const td_dict* self, int64_t dim, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::unsqueeze(ref(self), dim)); });
}

td_status td_dict_expand(const td_dict* self, const int64_t* sizes, size_t ndim, td_dict** out_dict,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::expand(ref(self), dims(sizes, ndim))); });
}

td_status td_dict_expand_as(const td_dict* self, const td_dict* other, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::expand_as(ref(self), ref(other))); });
}

td_status td_dict_permute(const td_dict* self, const int64_t* order, size_t n, td_dict** out_dict,
                          td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::permute(ref(self), dims(order, n))); });
}

td_status td_dict_transpose(const td_dict* self, int64_t dim0, int64_t dim1, td_dict** out_dict,
                            td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::transpose(ref(self), dim0, dim1)); });
}

td_status td_dict_movedim(const td_dict* self, const int64_t* source, const int64_t* destination, size_t n,
                          td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::movedim(ref(self), dims(source, n), dims(destination, n))); });
}

td_status td_dict_narrow(const td_dict* self, int64_t dim, int64_t start, int64_t length, td_dict** out_dict,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::narrow(ref(self), dim, start, length)); });
}

td_status td_dict_split(const td_dict* self, int64_t size, int64_t dim, td_dict_list** out_list,
                        td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::split(ref(self), size, dim)); });
}

td_status td_dict_split_sizes(const td_dict* self, const int64_t* sizes, size_t n, int64_t dim, td_dict_list** out_list,
                              td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::split_sizes(ref(self), numbers(sizes, n, "sizes"), dim)); });
}

td_status td_dict_chunk(const td_dict* self, int64_t chunks, int64_t dim, td_dict_list** out_list,
                        td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::chunk(ref(self), chunks, dim)); });
}

td_status td_dict_tensor_split(const td_dict* self, int64_t sections, int64_t dim, td_dict_list** out_list,
                               td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::tensor_split(ref(self), sections, dim)); });
}

td_status td_dict_tensor_split_at(const td_dict* self, const int64_t* indices, size_t n, int64_t dim,
                                  td_dict_list** out_list, td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::tensor_split_at(ref(self), numbers(indices, n, "indices"), dim)); });
}

td_status td_dict_unbind(const td_dict* self, int64_t dim, td_dict_list** out_list, td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::unbind(ref(self), dim)); });
}

size_t td_dict_list_size(const td_dict_list* self) noexcept {
  if (!self) return 0;
  return guard_value<size_t>(0, [&] { return ref(self).dicts.size(); });
}

td_status td_dict_list_get(const td_dict_list* self, int64_t index, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    const auto& dicts = ref(self).dicts;
    give(out_dict, dicts[position(index, dicts.size(), "dict")]);
  });
}

td_status td_dict_list_view(const td_dict_list* self, td_dict* const** out_view, size_t* out_size,
                            td_error** err) noexcept {
  return guard_look(err, [&] { give_view(ref(self).dicts, out_view, out_size); });
}

void td_dict_list_retain(const td_dict_list* self) noexcept {
  retain(self);
}
void td_dict_list_release(const td_dict_list* self) noexcept {
  release(self);
}

td_status td_dict_repeat(const td_dict* self, const int64_t* repeats, size_t n, td_dict** out_dict,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::repeat(ref(self), dims(repeats, n))); });
}

td_status td_dict_tile(const td_dict* self, const int64_t* repeats, size_t n, td_dict** out_dict,
                       td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::tile(ref(self), dims(repeats, n))); });
}

td_status td_dict_repeat_interleave(const td_dict* self, const int64_t* repeats, size_t n, int64_t dim,
                                    td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::repeat_interleave(ref(self), numbers(repeats, n, "repeats"), dim)); });
}

td_status td_dict_flip(const td_dict* self, const int64_t* which, size_t n, td_dict** out_dict,
                       td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::flip(ref(self), dims(which, n))); });
}

td_status td_dict_roll(const td_dict* self, const int64_t* shifts, size_t n_shifts, const int64_t* which, size_t n_dims,
                       td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::roll(ref(self), dims(shifts, n_shifts), dims(which, n_dims))); });
}

td_status td_dict_rot90(const td_dict* self, int64_t times, int64_t dim0, int64_t dim1, td_dict** out_dict,
                        td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::rot90(ref(self), times, dim0, dim1)); });
}

td_status td_dict_contiguous(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::contiguous(ref(self))); });
}

td_bool td_dict_is_contiguous(const td_dict* self) noexcept {
  return guard_value<td_bool>(0, [&] { return static_cast<td_bool>(td::is_contiguous(ref(self))); });
}

td_status td_dict_auto_batch_size_(td_dict* self, int64_t limit, td_error** err) noexcept {
  return guard(err, [&] { td::auto_batch_size(ref(self), limit); });
}
