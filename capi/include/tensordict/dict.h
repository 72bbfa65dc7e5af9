/* ==== Dicts =========================================================================================================
 * A td_dict is a batched, nested, ordered map from keys to tensors, dicts and non-tensor data. Every entry's leading
 * dims equal the batch size; that is checked when it is set, and only then.
 *
 *     td_dict *td;
 *     td_dict_new(TD_SHAPE(32), NULL, &td, &err);
 *     td_dict_set(td, TD_KEY("next", "obs"), obs, &err);      // makes the node "next"
 *     td_dict_get(td, TD_KEY("next", "obs"), &same, &err);    // same tensor, new reference
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_H
#define TENSORDICT_DICT_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Choices at creation. */
typedef struct td_dict_options {
  size_t struct_size;
  td_str device; /* every tensor set later is moved there; NULL data: no constraint */
} td_dict_options;
#define TD_DICT_OPTIONS_INIT   \
  {                            \
    sizeof(td_dict_options), { \
      NULL, 0                  \
    }                          \
  }

/* Makes an empty dict; `options` may be NULL.   Like TensorDict({}, batch_size).
 * Errors: SHAPE for a negative size; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_new(const int64_t *batch_size, size_t ndim, TD_NULLABLE const td_dict_options *options,
                             td_dict **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dict_retain(const td_dict *self) TD_NOEXCEPT;
TD_API void td_dict_release(const td_dict *self) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` and returns the number of batch dims; 0 for NULL. -1 is a size in which the
 * members of a lazy stack differ.   Like TensorDict.batch_size.   [any-thread]  Since 0.1 */
TD_API size_t td_dict_batch_size(const td_dict *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Changes the batch size; allowed on a locked dict. Nodes whose own batch size is shorter grow with it.
 * Like TensorDict.batch_size.   Errors: SHAPE naming the first entry that does not fit.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_batch_size(td_dict *self, const int64_t *batch_size, size_t ndim,
                                        td_error **err) TD_NOEXCEPT;

/* Returns the device that entries are moved to; `*out` is NULL if there is none.   Like TensorDict.device.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_device(const td_dict *self, TD_OUT_NULLABLE td_string **out, td_error **err) TD_NOEXCEPT;

/* Forgets the device, or takes the one that all tensors are on (none if they differ, or if there are none), here and in
 * every dict below; nothing is moved. Allowed on a locked dict.   Like TensorDict.clear_device_, auto_device_.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_clear_device(td_dict *self, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_auto_device(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns the first batch size, or 0 without batch dims.   Like len(td).   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_len(const td_dict *self) TD_NOEXCEPT;

/* Returns the number of entries at the root.   Like len(td.keys()).   [any-thread]  Since 0.1 */
TD_API size_t td_dict_count(const td_dict *self) TD_NOEXCEPT;

/* Returns the bytes of all tensors, nested ones too.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_nbytes(const td_dict *self) TD_NOEXCEPT;

/* Returns the levels of nodes above the deepest tensor; 0 without nodes and for NULL.   Like TensorDict.depth.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_dict_depth(const td_dict *self) TD_NOEXCEPT;

/* Returns the dtype that all tensors have; TD_DTYPE_NONE if they differ, without tensors and for NULL.   Like
 * TensorDict.dtype.   [any-thread]  Since 0.1 */
TD_API td_dtype td_dict_dtype(const td_dict *self) TD_NOEXCEPT;

/* Returns 1 if all tensors are floating; also without tensors, and for NULL.   Like TensorDict.is_floating_point.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_floating_point(const td_dict *self) TD_NOEXCEPT;

/* Elements of all tensors, and their bytes with those of collected gradients. Without `count_duplicates` a tensor that
 * is under several keys counts once.   Like TensorDict.param_count, bytes.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_param_count(const td_dict *self, td_bool count_duplicates) TD_NOEXCEPT;
TD_API int64_t td_dict_param_bytes(const td_dict *self, td_bool count_duplicates) TD_NOEXCEPT;

/* Puts `value` under `key`, replacing what is there; missing nodes are made with this dict's batch size. The tensor is
 * stored, not copied: later in-place writes show in the dict.   Like TensorDict.set.
 * Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
 * tensor; DEVICE if the dict has a device and the move fails; ARGUMENT for more than 250 levels, those above this dict
 * counted. [exclusive]  Since 0.1 */
TD_API td_status td_dict_set(td_dict *self, const td_key *key, TD_KEEPS const td_tensor *value,
                             td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_set_p(td_dict *self, const td_path *path, TD_KEEPS const td_tensor *value,
                               td_error **err) TD_NOEXCEPT;

/* Puts a dict under `key`. It is stored itself if its batch size begins with this dict's (and the device agrees); else
 * a shallow copy with this dict's batch size is stored and `value` is left as it is.   Like TensorDict.set.
 * Errors: as td_dict_set; ARGUMENT if `value` would contain itself, or has other names for its dims.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_dict(td_dict *self, const td_key *key, TD_KEEPS td_dict *value,
                                  td_error **err) TD_NOEXCEPT;

/* Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.   Like TensorDict.set_.
 * Errors: KEY if there is none; SHAPE; LOCKED if that memory is read-only; TORCH for a leaf that requires grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_copy_into(td_dict *self, const td_key *key, const td_tensor *value,
                                   td_error **err) TD_NOEXCEPT;

/* Returns the tensor under `key`, a new reference.   Like td[key]. A missing key is always an error (there is no
 * set_get_defaults_to_none: a process-wide switch would change what other code in the process means); td_dict_has asks.
 * Errors: KEY if it is missing, is a dict, or the path runs through a tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get(const td_dict *self, const td_key *key, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_get_p(const td_dict *self, const td_path *path, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the tensors under `n` paths in one call; all or none.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_many(const td_dict *self, const td_path *const *paths, size_t n,
                                  TD_LEN(n) td_tensor **outs, td_error **err) TD_NOEXCEPT;

/* Returns the dict under `key`, a new reference: changes show in `self`.   Like td[key].
 * Errors: KEY if it is missing or is a tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_dict(const td_dict *self, const td_key *key, td_dict **out, td_error **err) TD_NOEXCEPT;

/* What stands under a key. */
typedef int32_t td_entry_kind;
enum { TD_ENTRY_NONE = 0, TD_ENTRY_TENSOR = 1, TD_ENTRY_DICT = 2, TD_ENTRY_DATA = 3 };

/* What stands under `key`: TD_ENTRY_NONE if it is missing, also below a tensor.   Like `key in td`, with the kind.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_has(const td_dict *self, const td_key *key, td_entry_kind *out, td_error **err) TD_NOEXCEPT;

/* Returns the tensor under `key`, which is `value` from now on if there was no entry.   Like TensorDict.setdefault.
 * Errors: KEY if the entry is no tensor; and those of td_dict_set.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_setdefault(td_dict *self, const td_key *key, TD_KEEPS const td_tensor *value, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;

/* Removes the entry; nodes that it leaves empty stay.   Like del td[key].
 * Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_delete(td_dict *self, const td_key *key, td_error **err) TD_NOEXCEPT;

/* Which keys td_dict_keys lists. */
enum {
  TD_KEYS_NESTED = 1 << 0,         /* go into nodes; a node is listed before what it holds */
  TD_KEYS_LEAVES = 1 << 1,         /* tensors only */
  TD_KEYS_SORTED = 1 << 2,         /* by the parts joined with dots, as bytes; else in insertion order */
  TD_KEYS_CHILDREN_FIRST = 1 << 3, /* what a node holds is listed before the node, as td.keys(True) does */
  TD_KEYS_DATA = 1 << 4,           /* with TD_KEYS_LEAVES: non-tensor entries too */
  TD_KEYS_DATA_ONLY = 1 << 5       /* non-tensor entries, as td.non_tensor_items() lists them */
};

/* Returns a snapshot of the keys.   Like td.keys(include_nested, leaves_only, sort).
 * Errors: ARGUMENT for unknown flags.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_keys(const td_dict *self, uint64_t flags, td_keys **out, td_error **err) TD_NOEXCEPT;

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

/* Returns a copy: nodes are new, tensors are shared.   Like td.copy().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_copy(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a deep copy: tensors are cloned, with their autograd history.   Like td.clone().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_clone(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a deep copy of plain dicts, whatever kind the nodes are; unlocked.   Like td.to_tensordict().
 * Errors: SHAPE if members of a lazy stack differ.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_to_tensordict(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_H */
