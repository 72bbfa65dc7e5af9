/* ==== Parameters ====================================================================================================
 * A dict whose floating-point and complex tensors are leaves that require grad, and whose other tensors are buffers;
 * what is set later becomes the same, a dict as a copy around the same memory. Values may be written in place without
 * autograd noticing. Copies, clones and td_dict_to give parameters of their own; index, shape and operators give
 * ordinary dicts with history. Python's TensorDictParams.
 *
 *     td_dict_params(td, NULL, &params, &err);
 *     td_optimizer_adam(params, NULL, &adam, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_PARAMS_H
#define TENSORDICT_DICT_PARAMS_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_params_options {
  size_t struct_size;
  td_bool no_convert; /* 1: tensors stay what they are */
  td_bool lock;       /* 1: `self` is locked, and while it is, changes go through the parameters only */
} td_params_options;
#define TD_PARAMS_OPTIONS_INIT \
  { sizeof(td_params_options), 0, 0 }

/* Wraps `self`, whose own entries become the parameters too: same memory, new tensors. The dicts below are ordinary
 * ones. Of parameters, a copy with the same tensors. `options` may be NULL.
 * Like TensorDictParams(td, no_convert, lock).   Errors: UNSUPPORTED for lazy stacks in it; LOCKED if it is part of a
 * locked dict.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_params(td_dict *self, TD_NULLABLE const td_params_options *options, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Returns the tensors that require grad, and the others, with their keys in the same order; one under several keys is
 * given once, with the first of them. Works for every dict.   Like Module.named_parameters, named_buffers.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_parameters(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_buffers(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                 td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_PARAMS_H */
