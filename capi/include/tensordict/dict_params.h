/* ==== Parameters ====================================================================================================
 * A dict of parameters: its floating-point and complex tensors are leaves that require grad, and its other tensors are
 * buffers. This also applies to entries that are set later; a dict is set as a copy over the same memory. Writing
 * values in place is not recorded by autograd. Copies, clones and td_dict_to return independent parameters; index,
 * shape and operators return ordinary dicts with history. In Python: TensorDictParams.
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
  td_bool no_convert;  /* 1: tensors are not converted to parameters or buffers */
  td_bool lock;        /* 1: `self` is locked; while it is, only the parameters can be used to change it */
  uint8_t reserved[6]; /* 0 */
} td_params_options;
#define TD_PARAMS_OPTIONS_INIT \
  { sizeof(td_params_options), 0, 0, TD_RESERVED }

/* Wraps `self` as parameters. The entries of `self` are replaced by the parameters: new tensors with the same memory.
 * The dicts below stay ordinary dicts. If `self` is already parameters, the result is a copy with the same tensors.
 * `options` may be NULL.   Like TensorDictParams(td, no_convert, lock).   Errors: UNSUPPORTED if it contains lazy
 * stacks; LOCKED if it is part of a locked dict.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_params(td_dict *self, TD_NULLABLE const td_params_options *options, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Returns the tensors that require grad, or the others, with their keys in the same order. A tensor under several keys
 * is listed once, with its first key. It works for every dict.   Like Module.named_parameters, named_buffers.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_parameters(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_buffers(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                 td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_PARAMS_H */
