/* ==== Dicts like another ============================================================================================
 * Makes dicts with the structure of another dict. For the same batch size, use operators, which td_dict_pointwise calls
 * for every tensor: "zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like". The in-place
 * operators "uniform_", "normal_" and "random_" take a generator:
 *
 *     td_value args[] = {td_value_dict(noise)};
 *     td_named_value kwargs[] = {{TD_STR("generator"), td_value_generator(g)}};
 *     td_dict_pointwise(normal, args, 1, kwargs, 1, NULL, NULL, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_LIKE_H
#define TENSORDICT_DICT_LIKE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Returns an unlocked dict with the keys, nodes and feature dims of `self` and another batch size, with undefined
 * contents or `value` in every tensor. TD_DTYPE_NONE keeps the dtypes. Names are aligned on the right. A single data
 * value is kept; other non-tensor entries have no values.   Like TensorDict.new_empty; new_zeros, new_ones, new_full.
 * Errors: SHAPE for a negative or overflowing size; DTYPE; ARGUMENT if a dtype cannot hold the value; OOM.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_new_empty(const td_dict *self, const int64_t *batch_size, size_t ndim, td_dtype dtype,
                                   td_dict **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_new_full(const td_dict *self, const int64_t *batch_size, size_t ndim, const td_value *value,
                                  td_dtype dtype, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef struct td_new_tensor_options {
  size_t struct_size;
  td_dtype dtype;        /* of every tensor; TD_DTYPE_NONE: the dtype of the tensor in `self` */
  td_bool requires_grad; /* 1: the new tensors are leaves that require grad */
  uint8_t reserved[3];   /* 0 */
  td_str device;         /* NULL data: the device of `data`, which is "cpu" for numbers and may be none for a dict */
} td_new_tensor_options;
#define TD_NEW_TENSOR_OPTIONS_INIT                      \
  {                                                     \
    sizeof(td_new_tensor_options), 0, 0, TD_RESERVED, { \
      NULL, 0                                           \
    }                                                   \
  }

/* Returns a dict with the keys and nodes of `self` and copies of `data`, each with the dtype of the tensor that it
 * replaces. If `data` is a TENSOR or numbers (INT, DOUBLE, BOOL, or INTS, DOUBLES, BOOLS with one dim), every tensor is
 * a copy of it, and its shape is the batch size of the result and of all nodes. If `data` is a DICT, each tensor is a
 * copy of the tensor under its key in that dict, and nodes have the batch sizes of its nodes; entries that only `data`
 * has are ignored. A single data value is kept; other non-tensor entries have no values. The result has no names, no
 * history and no lock. `options` may be NULL; for pin_memory=True, call td_dict_pin_memory on the result.   Like
 * TensorDict.new_tensor.
 * Errors: ARGUMENT for data of other kinds, and for numbers that a dtype cannot hold (tensors are cast); KEY for an
 * entry that the dict lacks or has with another kind; SHAPE if members of a lazy stack differ; DTYPE for unknown
 * dtypes, and if integers would require grad; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_new_tensor(const td_dict *self, const td_value *data,
                                    TD_NULLABLE const td_new_tensor_options *options, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_LIKE_H */
