/* ==== Functions over leaves =========================================================================================
 * A function of the caller's, called once for each tensor.
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

/* `fn` gets the full key of a leaf and `n` tensors, all borrowed: that leaf of `self`, then of each of the others. It
 * puts a new reference in `*out`, or leaves it NULL to drop the entry. `destroy(userdata)` runs once, before
 * td_dict_map returns. */
typedef struct td_map_function {
  td_status (*fn)(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                  td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_map_function;

/* The same for non-tensor entries: `lists` are those of `self` and of each of the others. It puts a new reference to
 * data or to a tensor in one of the two outputs, or leaves both NULL to drop the entry. */
typedef struct td_map_data_function {
  td_status (*fn)(void *userdata, const td_key *key, td_data_list *const *lists, size_t n, td_data_list **out_data,
                  td_tensor **out_tensor, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_map_data_function;

/* Makes data for such a function to return: one value for a whole batch, then `shape` is NULL, or one for each element
 * of a batch of that shape, row-major.
 * Errors: ARGUMENT as td_dict_set_data; SHAPE for a negative or overflowing size.   [any-thread]  Since 0.1 */
TD_API td_status td_data_list_new(TD_LEN(shape) const td_data *values, TD_NULLABLE const int64_t *shape, size_t ndim,
                                  td_data_list **out, td_error **err) TD_NOEXCEPT;

/* What becomes of nodes in which nothing is left. */
typedef int32_t td_emptied;
enum {
  TD_EMPTIED_DROP = 0,     /* dropped, unless they were empty before */
  TD_EMPTIED_DROP_ALL = 1, /* dropped */
  TD_EMPTIED_KEEP = 2
};

typedef struct td_map_options {
  size_t struct_size;
  const int64_t *batch_size; /* of every node of the result, which then has no names; NULL: as before */
  size_t ndim;
  td_emptied emptied;
  td_bool in_place;                 /* results are copied into the leaves; NULL leaves one as it is */
  td_bool missing_as_null;          /* `fn` gets NULL for leaves that one of the others lacks, instead of TD_ERR_KEY */
  const td_map_data_function *data; /* for non-tensor entries, after all tensors; NULL: they stay */
} td_map_options;
#define TD_MAP_OPTIONS_INIT \
  { sizeof(td_map_options), NULL, 0, TD_EMPTIED_DROP, 0, 0, NULL }

/* Calls the function for each tensor of `self`, in the order of td_dict_keys, and makes a dict of the results,
 * unlocked. Leaves that only the others have are ignored; non-tensor entries stay, unless the options have a function
 * for them too, as Python's is_leaf. `options` may be NULL. In place, leaves are written after the last call, also of a
 * locked dict; `*out` shares them, and `out` may be NULL; data can become other data only (ARGUMENT). For
 * propagate_lock= and out=, td_dict_lock the result and td_dict_become it.   Like TensorDict.named_apply, apply_.
 * Errors: CALLBACK with the key if `fn` fails or throws; KEY; SHAPE if a result lacks the batch dims of its node, or in
 * place has another shape than the leaf; LOCKED if a leaf to write is in read-only memory; ARGUMENT.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_map(const td_dict *self, td_map_function function, const td_dict *const *others,
                             size_t n_others, TD_NULLABLE const td_map_options *options, TD_NULLABLE td_dict **out,
                             td_error **err) TD_NOEXCEPT;

/* As td_dict_merge, but a tensor that all `dicts` have is what the function makes of them; NULL keeps that of the
 * first. Like merge_tensordicts(callback_exist).
 * Errors: as td_dict_merge; CALLBACK with the key if `fn` fails or throws; SHAPE if a result lacks the batch dims.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_merge_with(const td_dict *const *dicts, size_t n, td_map_function function, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_MAP_H */
