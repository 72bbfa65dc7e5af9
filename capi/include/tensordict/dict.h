/* ==== Dicts =========================================================================================================
 * A td_dict is a batched, nested, ordered map from keys to tensors, dicts and non-tensor data. The leading dims of
 * every entry equal the batch size (except for td_dict_set_unbatched); this is checked only when the entry is set.
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

/* Options of td_dict_new. */
typedef struct td_dict_options {
  size_t struct_size;
  td_str device; /* every tensor that is set is moved there; NULL data: tensors stay where they are */
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

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_dict_retain(const td_dict *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dict_release(const td_dict *self) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` and returns the number of batch dims; 0 for NULL. A size is -1 if the members
 * of a lazy stack differ in it.   Like TensorDict.batch_size.   [any-thread]  Since 0.1 */
TD_API size_t td_dict_batch_size(const td_dict *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Changes the batch size; allowed on a locked dict. A node with a shorter batch size gets the new one.   Like
 * TensorDict.batch_size.   Errors: SHAPE naming the first entry that does not fit.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_batch_size(td_dict *self, const int64_t *batch_size, size_t ndim,
                                        td_error **err) TD_NOEXCEPT;

/* Returns the device that entries are moved to, as "cpu" or "cuda:0"; NULL data if there is none. The text is static.
 * Like TensorDict.device.   [any-thread]  Since 0.1 */
TD_API td_str td_dict_device(const td_dict *self) TD_NOEXCEPT;

/* Removes the device, or sets the device that all tensors are on (none if they differ or there are no tensors), here
 * and in every dict below. Nothing is moved. Allowed on a locked dict.   Like TensorDict.clear_device_, auto_device_.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_clear_device_(td_dict *self, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_auto_device_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns the size of the first batch dim, or 0 without batch dims.   Like len(td).   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_dict_len(const td_dict *self) TD_NOEXCEPT;

/* Returns the number of entries at the root.   Like len(td.keys()).   [any-thread]  Since 0.1 */
TD_API size_t td_dict_count(const td_dict *self) TD_NOEXCEPT;

/* Returns the size of all tensors in bytes, including nested ones.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_nbytes(const td_dict *self) TD_NOEXCEPT;

/* Returns how many levels of nodes are above the deepest tensor; 0 without nodes and for NULL.   Like TensorDict.depth.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_dict_depth(const td_dict *self) TD_NOEXCEPT;

/* Returns the dtype that all tensors have; TD_DTYPE_NONE if they differ, without tensors and for NULL.   Like
 * TensorDict.dtype.   [any-thread]  Since 0.1 */
TD_API td_dtype td_dict_dtype(const td_dict *self) TD_NOEXCEPT;

/* Returns 1 if all tensors have a floating-point dtype, also if there are no tensors, and for NULL.   Like
 * TensorDict.is_floating_point.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_floating_point(const td_dict *self) TD_NOEXCEPT;

/* Returns the number of elements of all tensors, or the bytes of all tensors and their collected gradients. Without
 * `count_duplicates`, a tensor under several keys counts once.   Like TensorDict.param_count, bytes.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_dict_param_count(const td_dict *self, td_bool count_duplicates) TD_NOEXCEPT;
TD_API int64_t td_dict_param_bytes(const td_dict *self, td_bool count_duplicates) TD_NOEXCEPT;

/* Sets `value` under `key` and replaces an existing entry; missing nodes are made with this dict's batch size. The
 * tensor itself is stored, not a copy, so later in-place writes show in the dict.   Like TensorDict.set.
 * Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
 * tensor; DEVICE if the dict has a device and the move fails; ARGUMENT for more than 250 levels, including those above
 * this dict.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set(td_dict *self, const td_key *key, TD_KEEPS const td_tensor *value,
                             td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_set_path(td_dict *self, const td_path *path, TD_KEEPS const td_tensor *value,
                                  td_error **err) TD_NOEXCEPT;

/* Sets a tensor of any shape under `key` that belongs to the whole batch: a table, a mask, parameters. Operations that
 * change the batch dims (an index, a shape, a split, a reduction) return the same tensor; stack and cat keep the tensor
 * of the first dict, and warn if another dict has other memory. Every other operation (operators, clones, casts)
 * applies to it as to any tensor; an entry that is unbatched in the first dict is unbatched in the result.
 * td_dict_set_at writes all of it, from a value of its shape, and does not change it if the value is a number or lacks
 * the key. vmap shares it between the members. Safetensors keep it. td_save warns and writes an ordinary tensor into
 * HDF5 files and, if it has the batch dims, into `.tdz` archives. Masks, operands of the batch's shape, packing,
 * queries, stores, segments, channels, memmap directories, consolidation and dicts in HDF5 files refuse it with
 * UNSUPPORTED.   Like TensorDict.set of an UnbatchedTensor.
 * Errors: those of td_dict_set, without SHAPE.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_unbatched(td_dict *self, const td_key *key, TD_KEEPS const td_tensor *value,
                                       td_error **err) TD_NOEXCEPT;

/* Returns 1 if the tensor under `key` is unbatched.   Like isinstance(td.get(key), UnbatchedTensor).
 * Errors: KEY if there is no tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_is_unbatched(const td_dict *self, const td_key *key, td_bool *out, td_error **err) TD_NOEXCEPT;

/* Sets a dict under `key`. The dict itself is stored if its batch size begins with this dict's batch size and the
 * device agrees. Otherwise a shallow copy with this dict's batch size is stored, and `value` does not change.   Like
 * TensorDict.set.
 * Errors: as td_dict_set; ARGUMENT if `value` would contain itself, or has different names for its dims.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_dict(td_dict *self, const td_key *key, TD_KEEPS td_dict *value,
                                  td_error **err) TD_NOEXCEPT;

/* Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.   Like TensorDict.set_.
 * Errors: KEY if there is no tensor; SHAPE; LOCKED if its memory is read-only; TORCH for a leaf that requires grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_copy_into(td_dict *self, const td_key *key, const td_tensor *value,
                                   td_error **err) TD_NOEXCEPT;

/* Returns a new reference to the tensor under `key`.   Like td[key]. A missing key is always an error; td_dict_lookup
 * does not make one. There is no set_get_defaults_to_none, because a process-wide switch would affect other code in the
 * process. Entries of a dict in a file may be read in this call: see td_open.
 * Errors: KEY if there is no entry, the entry is a dict, or the path runs through a tensor; CORRUPT or IO for an entry
 * that is read in this call.   [any-thread] [may-block] [may-alias]  Since 0.1 */
TD_API td_status td_dict_get(const td_dict *self, const td_key *key, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_get_path(const td_dict *self, const td_path *path, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;

/* Returns the tensors under `n` paths: all of them, or none if the call fails.   Errors: KEY.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_get_many(const td_dict *self, const td_path *const *paths, size_t n,
                                  TD_LEN(n) td_tensor **outs, td_error **err) TD_NOEXCEPT;

/* Returns a new reference to the dict under `key`; changes of it show in `self`.   Like td[key].   Errors: KEY if there
 * is no entry or it is a tensor.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_get_dict(const td_dict *self, const td_key *key, td_dict **out, td_error **err) TD_NOEXCEPT;

/* The kind of an entry. */
typedef int32_t td_entry_kind;
enum { TD_ENTRY_NONE = 0, TD_ENTRY_TENSOR = 1, TD_ENTRY_DICT = 2, TD_ENTRY_DATA = 3 };

/* An entry: `kind` says which of the three is set; the others are NULL. */
typedef struct td_entry {
  td_entry_kind kind;
  int32_t reserved; /* 0 */
  td_tensor *tensor;
  td_dict *dict;
  td_data_list *data;
} td_entry;

/* Looks up an entry of any kind: `*out` receives its kind and a new reference, which td_entry_clear releases. If there
 * is no entry, or the path runs through a tensor, the kind is TD_ENTRY_NONE; this is neither an error nor slow.   Like
 * td.get(key, None).   Errors: ARGUMENT if a part is not UTF-8; SHAPE if the members of a lazy stack do not stack;
 * CORRUPT or IO for an entry of a file that is read in this call.   [any-thread] [may-block] [may-alias]  Since 0.2 */
TD_API td_status td_dict_lookup(const td_dict *self, const td_key *key, td_entry *out, td_error **err) TD_NOEXCEPT;

/* Releases what the entry holds and sets its kind to TD_ENTRY_NONE; NULL is allowed. Do not call it on entries that
 * td_entries_view shows.   [exclusive]  Since 0.2 */
TD_API void td_entry_clear(td_entry *self) TD_NOEXCEPT;

/* Returns the kind of the entry under `key`: TD_ENTRY_NONE if there is no entry, or the path runs through a tensor.
 * Like `key in td`, with the kind.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_entry_kind(const td_dict *self, const td_key *key, td_entry_kind *out,
                                    td_error **err) TD_NOEXCEPT;

/* Returns the tensor under `key`; first sets `value` there if there is no entry.   Like TensorDict.setdefault.
 * Errors: KEY if the entry is not a tensor; those of td_dict_set.   [exclusive] [may-alias]  Since 0.1 */
TD_API td_status td_dict_set_default(td_dict *self, const td_key *key, TD_KEEPS const td_tensor *value, td_tensor **out,
                                     td_error **err) TD_NOEXCEPT;

/* Removes the entry; nodes that become empty stay.   Like del td[key].
 * Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_remove(td_dict *self, const td_key *key, td_error **err) TD_NOEXCEPT;

/* Which keys td_dict_keys lists. */
typedef uint64_t td_keys_flags;
enum {
  TD_KEYS_NESTED = 1 << 0,         /* list the entries of nodes too; a node comes before its entries */
  TD_KEYS_LEAVES = 1 << 1,         /* tensors only */
  TD_KEYS_SORTED = 1 << 2,         /* sorted by the parts joined with dots, as bytes; else in insertion order */
  TD_KEYS_CHILDREN_FIRST = 1 << 3, /* the entries of a node come before the node, as in td.keys(True) */
  TD_KEYS_DATA = 1 << 4,           /* with TD_KEYS_LEAVES: non-tensor entries too */
  TD_KEYS_DATA_ONLY = 1 << 5       /* non-tensor entries only, as td.non_tensor_items() lists them */
};

/* Returns a snapshot of the keys.   Like td.keys(include_nested, leaves_only, sort).
 * Errors: ARGUMENT for unknown flags.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_keys(const td_dict *self, td_keys_flags flags, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Returns a snapshot of the keys with their entries: those that td_dict_keys lists with the same flags.   Like
 * td.items(include_nested, leaves_only, sort).
 * Errors: ARGUMENT for unknown flags; SHAPE if the members of a lazy stack do not stack.   [any-thread]  Since 0.2 */
TD_API td_status td_dict_entries(const td_dict *self, uint64_t flags, td_entries **out, td_error **err) TD_NOEXCEPT;

/* Returns all keys and all entries as arrays of `*out_size`, which live as long as `self`, and so do the objects in
 * them: retain what you keep. `out_keys_view` and `out_entries_view` may be NULL.   [any-thread] [may-alias]
 * Since 0.2 */
TD_API td_status td_entries_view(const td_entries *self, TD_NULLABLE const td_key **out_keys_view,
                                 TD_NULLABLE const td_entry **out_entries_view, size_t *out_size,
                                 td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.2 */
TD_API void td_entries_retain(const td_entries *self) TD_NOEXCEPT;
TD_API void td_entries_release(const td_entries *self) TD_NOEXCEPT;

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

/* Returns a copy with new nodes that shares the tensors.   Like td.copy().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_copy(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a deep copy. Tensors are cloned with their autograd history.   Like td.clone().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_clone(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a deep, unlocked copy in which all nodes are plain dicts.   Like td.to_tensordict().
 * Errors: SHAPE if members of a lazy stack differ.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_to_tensordict(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_H */
