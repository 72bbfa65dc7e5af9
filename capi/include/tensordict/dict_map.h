/* ==== Functions over leaves =========================================================================================
 * Calls a callback once for each tensor.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_MAP_H
#define TENSORDICT_DICT_MAP_H

#include "dict_data.h"
#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A callback for tensors. `fn` gets the full key of a leaf and `n` tensors, all borrowed: the leaf of `self`, then the
 * leaf of each of the others. It stores a new reference in `*out`, or leaves it NULL to drop the entry.
 * `destroy(userdata)` runs once, before td_dict_map returns. */
typedef struct td_map_function {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                  td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_map_function;
#define TD_MAP_FUNCTION_INIT \
  { sizeof(td_map_function), NULL, NULL, NULL }

/* A callback for non-tensor entries. `lists` has the data of `self`, then of each of the others. It stores a new
 * reference to data or to a tensor in one of the two outputs, or leaves both NULL to drop the entry. */
typedef struct td_map_data_function {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_key *key, td_data_list *const *lists, size_t n, td_data_list **out_data,
                  td_tensor **out_tensor, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_map_data_function;
#define TD_MAP_DATA_FUNCTION_INIT \
  { sizeof(td_map_data_function), NULL, NULL, NULL }

/* Makes data that such a callback can return: one value for the whole batch if `shape` is NULL, else one value for each
 * element of a batch of that shape, row-major.
 * Errors: ARGUMENT as td_dict_set_data; SHAPE for a negative or overflowing size.   [any-thread]  Since 0.1 */
TD_API td_status td_data_list_new(TD_LEN(shape) const td_data *values, TD_NULLABLE const int64_t *shape, size_t ndim,
                                  td_data_list **out, td_error **err) TD_NOEXCEPT;

/* How to treat nodes that become empty. */
typedef int32_t td_emptied;
enum {
  TD_EMPTIED_DROP = 0,     /* removed, unless they were empty before */
  TD_EMPTIED_DROP_ALL = 1, /* removed */
  TD_EMPTIED_KEEP = 2
};

typedef struct td_map_options {
  size_t struct_size;
  const int64_t *batch_size; /* of every node of the result, which then has no names; NULL: unchanged */
  size_t ndim;
  td_emptied emptied;
  td_bool in_place;                 /* results are copied into the leaves; a NULL result keeps the leaf */
  td_bool missing_as_null;          /* `fn` gets NULL for leaves that another dict lacks, instead of TD_ERR_KEY */
  uint8_t reserved[2];              /* 0 */
  const td_map_data_function *data; /* for non-tensor entries, called after all tensors; NULL: they stay */
} td_map_options;
#define TD_MAP_OPTIONS_INIT \
  { sizeof(td_map_options), NULL, 0, TD_EMPTIED_DROP, 0, 0, TD_RESERVED, NULL }

/* Calls the function for each tensor of `self`, in the order of td_dict_keys, and makes an unlocked dict of the
 * results. Leaves that only the others have are ignored. Non-tensor entries stay, unless the options have a function
 * for them too, like Python's is_leaf. `options` may be NULL. With `in_place`, leaves are written after the last call,
 * also in a locked dict; `*out` shares them, and `out` may be NULL; data can only be replaced by data (else ARGUMENT).
 * For propagate_lock= and out=, use td_dict_lock_ and td_dict_become on the result.   Like TensorDict.named_apply,
 * apply_.
 * Errors: CALLBACK with the key if `fn` fails or throws; KEY; SHAPE if a result lacks the batch dims of its node, or
 * with `in_place` has another shape than the leaf; LOCKED if a leaf to write is in read-only memory; ARGUMENT.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_map(const td_dict *self, const td_map_function *function, const td_dict *const *others,
                             size_t n_others, TD_NULLABLE const td_map_options *options, TD_NULLABLE td_dict **out,
                             td_error **err) TD_NOEXCEPT;

/* Merges dicts like td_dict_merge, but calls the function to compute each tensor that all `dicts` have; NULL keeps the
 * tensor of the first.   Like merge_tensordicts(callback_exist).
 * Errors: as td_dict_merge; CALLBACK with the key if `fn` fails or throws; SHAPE if a result lacks the batch dims.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_merge_with(const td_dict *const *dicts, size_t n, const td_map_function *function,
                                    td_dict **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_MAP_H */
