/* ==== Index =========================================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_INDEX_H
#define TENSORDICT_DICT_INDEX_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef int32_t td_index_kind;
enum {
  TD_INDEX_KIND_INT = 0,      /* start */
  TD_INDEX_KIND_SLICE = 1,    /* start:stop:step; step >= 1; negative start and stop count from the end */
  TD_INDEX_KIND_NONE = 2,     /* a new dim of size 1 */
  TD_INDEX_KIND_ELLIPSIS = 3, /* full slices of all remaining dims; at most one per index */
  TD_INDEX_KIND_TENSOR = 4,   /* signed integers, or a bool mask over as many dims as it has; without dims, a new dim of
                                 size 1 if it is true and 0 if not */
  TD_INDEX_KIND_INTS = 5      /* as a tensor of these integers */
};

/* One component of an index. */
typedef struct td_index {
  td_index_kind kind;
  int32_t reserved; /* 0 */
  int64_t start, stop, step;
  TD_NULLABLE const td_tensor *tensor; /* on another device than the CPU: copied to the CPU, too, to be checked */
  const int64_t *ints;
  size_t n;
} td_index;
#define TD_END INT64_MAX /* the stop of a slice that goes to the end */

/* Indexes the batch dims of every entry. Integers, slices and NONE give views, tensors give copies; the result is
 * unlocked.   Like td[index].
 * Errors: INDEX if the index is out of range or has more dims than the batch; DTYPE for a tensor with another dtype.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_index(const td_dict *self, const td_index *indices, size_t n, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Returns a window: a dict that shows the rows of `self` that the index selects, without a copy. It keeps `self` alive
 * and always has the keys of `self`. Each get indexes the tensor in `self` again; a dict below is a window too. Writes
 * into entries go to `self`, even if reading makes a copy because of a tensor in the index, a lazy stack or a file. A
 * window is always locked: add, replace and delete entries in `self`. Operations that make a dict from a window make an
 * ordinary dict.   Like td._get_sub_tensordict(index).
 * Errors: as td_dict_index.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_window(td_dict *self, const td_index *indices, size_t n, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Writes the entries of `value` into the rows that the index selects; entries that `value` lacks do not change. The
 * batch size of `value` must be the selected one or its last dims, or its tensors must have shapes that fit. A lazy
 * stack repeats a value without batch dims. A new entry is zero outside the selected rows; new non-tensor data has no
 * value there. All checks come before the first write, and a `value` that shares memory with `self` is read before it.
 * Each member of a lazy stack gets its part of `value`, so members may differ.   Like td[index] = value.
 * Errors: INDEX; SHAPE; KEY if an entry and its new value are of different kinds; LOCKED for new entries in a locked
 * dict (existing values may be written) and for read-only memory; TORCH for leaves that require grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_at(td_dict *self, const td_index *indices, size_t n, const td_dict *value,
                                td_error **err) TD_NOEXCEPT;

/* Writes one number into the selected rows of every tensor.   Like td[index] = 0.
 * Errors: as td_dict_set_at; ARGUMENT if a dtype cannot hold the number.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_at_value(td_dict *self, const td_index *indices, size_t n, const td_value *value,
                                      td_error **err) TD_NOEXCEPT;

/* Copies `value` into the selected part of the tensor under `key`, with broadcasting. The index may extend into the
 * feature dims.   Like TensorDict.set_at_.
 * Errors: KEY; INDEX; SHAPE; LOCKED if that memory is read-only; TORCH if the tensor is a leaf that requires grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_copy_into_at(td_dict *self, const td_key *key, const td_index *indices, size_t n,
                                      const td_tensor *value, td_error **err) TD_NOEXCEPT;

/* Returns the selected part of the tensor under `key`: a view, or a copy if there are tensors in the index. The index
 * may extend into the feature dims.   Like TensorDict.get_at.
 * Errors: KEY; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_at(const td_dict *self, const td_key *key, const td_index *indices, size_t n,
                                td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the selected part of a tensor: a view, or a copy if there are tensors or integer lists in the index.   Like
 * tensor[index].   Errors: INDEX; DTYPE for a tensor with another dtype.   [any-thread] [may-alias]  Since 0.2 */
TD_API td_status td_tensor_index(const td_tensor *self, const td_index *indices, size_t n, td_tensor **out,
                                 td_error **err) TD_NOEXCEPT;

/* Copies `value` into the selected part of a tensor, with broadcasting and a dtype cast.   Like tensor[index] = value.
 * Errors: INDEX; SHAPE; LOCKED if the memory is read-only; TORCH if the tensor is a leaf that requires grad.
 * [exclusive]  Since 0.2 */
TD_API td_status td_tensor_set_at(td_tensor *self, const td_index *indices, size_t n, const td_tensor *value,
                                  td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_INDEX_H */
