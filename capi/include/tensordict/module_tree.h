/* ==== Trees of modules ==============================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_TREE_H
#define TENSORDICT_MODULE_TREE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_list_options {
  size_t struct_size;
  const td_key *prefix;    /* comes before every name; NULL: none */
  td_bool shallow;         /* the modules below are left out */
  td_bool keep_duplicates; /* an object with several names is listed under each; else under the first */
  uint8_t reserved[6];     /* 0 */
} td_list_options;
#define TD_LIST_OPTIONS_INIT \
  { sizeof(td_list_options), NULL, 0, 0, TD_RESERVED }

/* Returns the parameters or the buffers with their names; those of a module come before those of the modules below it.
 * `options` may be NULL.   Like named_parameters, named_buffers.   [any-thread]  Since 0.1 */
TD_API td_status td_module_parameters(const td_module *self, TD_NULLABLE const td_list_options *options,
                                      td_keys **out_keys, td_tensor_list **out_tensors, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_buffers(const td_module *self, TD_NULLABLE const td_list_options *options,
                                   td_keys **out_keys, td_tensor_list **out_tensors, td_error **err) TD_NOEXCEPT;

/* Which modules td_module_visit visits, and in which order. */
typedef int32_t td_visit_order;
enum {
  TD_VISIT_MODULES = 0,  /* all modules, each before the modules below it: named_modules */
  TD_VISIT_CHILDREN = 1, /* the direct children: named_children */
  TD_VISIT_APPLY = 2     /* all modules, each after the modules below it: apply */
};

/* Receives a borrowed module and its name, which has n = 0 for `self`, and always for TD_VISIT_APPLY. A status other
 * than TD_OK ends the visit. */
typedef td_status (*td_module_visitor)(void *userdata, const td_key *name, td_module *module, td_error **err);

/* Calls `visit` for each module that exists when the call begins, once per module unless `options` say otherwise.
 * Like named_modules, named_children, apply.   Errors: ARGUMENT; CALLBACK.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_visit(td_module *self, td_visit_order order, TD_NULLABLE const td_list_options *options,
                                 td_module_visitor visit, void *userdata, td_error **err) TD_NOEXCEPT;

/* Returns the parameter, buffer or module with this name. For td_module_get_submodule, NULL means the module itself.
 * Like get_parameter, get_buffer, get_submodule.   Errors: KEY naming the part that is missing or of another kind.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_get_parameter(const td_module *self, TD_NULLABLE const td_key *name, td_tensor **out,
                                         td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_get_buffer(const td_module *self, TD_NULLABLE const td_key *name, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_get_submodule(const td_module *self, TD_NULLABLE const td_key *name, td_module **out,
                                         td_error **err) TD_NOEXCEPT;

/* Replaces a parameter or a buffer (NULL: none) or a module. The module need not exist before.   Like setattr on a
 * module, set_submodule.   Errors: KEY; ARGUMENT for a module that would contain itself.   [exclusive]  Since 0.1 */
TD_API td_status td_module_set_parameter(td_module *self, const td_key *name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                         td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_set_buffer(td_module *self, const td_key *name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_set_submodule(td_module *self, const td_key *name, TD_KEEPS td_module *module,
                                         td_error **err) TD_NOEXCEPT;

/* Adds a parameter, a buffer or a module. It may be NULL for a name without a value yet. A parameter requires grad: if
 * the tensor does not, the parameter is another tensor with the same memory, as torch.nn.Parameter makes it. A buffer
 * that is not `persistent` is not part of a state dict.   Like register_parameter, register_buffer, add_module.
 * Errors: ARGUMENT for a name that is empty or has a dot, or a parameter that is computed from others; DTYPE for an
 * integer parameter; EXISTS.   [exclusive]  Since 0.1 */
TD_API td_status td_module_register_parameter(td_module *self, td_str name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                              td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_register_buffer(td_module *self, td_str name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                           td_bool persistent, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_register_module(td_module *self, td_str name, TD_NULLABLE TD_KEEPS td_module *module,
                                           td_error **err) TD_NOEXCEPT;

/* Returns 1 if the module is in training mode.   Like Module.training.   [any-thread] [leaf]  Since 0.1 */
TD_API td_bool td_module_is_training(const td_module *self) TD_NOEXCEPT;

/* Returns 1 if the module reads and writes keys.   Like is_tdmodule_compatible.   [any-thread]  Since 0.1 */
TD_API td_bool td_module_has_keys(const td_module *self) TD_NOEXCEPT;

/* Returns the module as text, as Python prints it.   Like repr(module).   [any-thread]  Since 0.1 */
TD_API td_status td_module_repr(const td_module *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* ---- All tensors of a tree -------------------------------------------------------------------------------------- */

/* Sets whether all parameters require grad; removes their gradients, or sets them to zero.   Like requires_grad_,
 * zero_grad.   Errors: DTYPE for an integer parameter.   [exclusive]  Since 0.1 */
TD_API td_status td_module_requires_grad_(td_module *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_zero_grad(td_module *self, td_bool set_to_none, td_error **err) TD_NOEXCEPT;

/* Casts the floating-point and complex tensors to `dtype` (TD_DTYPE_NONE: keep) and moves all tensors to `device` (NULL
 * data: keep). The parameters stay the same tensors, except those moved to "meta", which are new. td_module_to_type
 * casts integers too.   Like Module.to, type.   Errors: DTYPE; DEVICE; UNSUPPORTED to move from "meta".
 * [exclusive]  Since 0.1 */
TD_API td_status td_module_to(td_module *self, td_dtype dtype, td_str device, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_to_type(td_module *self, td_dtype dtype, td_error **err) TD_NOEXCEPT;

/* Replaces all tensors by uninitialised tensors of the same shapes on `device`: for a module on "meta".   Like
 * Module.to_empty.   Errors: DEVICE.   [exclusive]  Since 0.1 */
TD_API td_status td_module_to_empty(td_module *self, td_str device, td_error **err) TD_NOEXCEPT;

/* Moves all parameters, buffers and their gradients to memory that processes forked from now on share. The tensors stay
 * the same objects, and their views move with them. Memory that is already shared, and GPU memory, is not moved. The
 * caller's memory (td_tensor_from_memory) is copied, then released. The shared memory has no name and is freed with its
 * last tensor.   Like Module.share_memory.
 * Errors: UNSUPPORTED naming a tensor that is sparse or on another device; NOSPACE. On failure nothing is moved.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_module_share_memory(td_module *self, td_error **err) TD_NOEXCEPT;

/* Draws all parameters again, children first, with `generator` (NULL: the default one). If `params` is not NULL, it is
 * a dict of tensors to draw into instead of the module's own; then `out` receives these as leaves that require grad,
 * with the same memory, and `n_reset` receives 0. Without `params` nothing is written to `out`, and `n_reset` (may be
 * NULL) receives the number of modules that had parameters. As in the original, the inner module of a member that has
 * keys is drawn twice, so that equal seeds give equal numbers. For an ensemble, `params` are those of the inner module
 * with a batch dim of copies, which are drawn one by one; `out` is a lazy stack of them.   Like
 * reset_parameters_recursive.
 * Errors: SHAPE if `params` has other batch dims, or a tensor has another shape than the module makes; KEY; LOCKED for
 * read-only memory; UNSUPPORTED for an ensemble whose module was given other members since.   [exclusive]  Since 0.1 */
TD_API td_status td_module_reset_parameters(td_module *self, TD_NULLABLE TD_WRITES const td_dict *params,
                                            TD_NULLABLE TD_WRITES td_generator *generator, TD_NULLABLE td_dict **out,
                                            TD_NULLABLE size_t *n_reset, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_TREE_H */
