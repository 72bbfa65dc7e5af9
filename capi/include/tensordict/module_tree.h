/* ==== The tree ======================================================================================================
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
  const td_key *prefix;     /* goes before every name; NULL: none */
  td_bool recurse;          /* what is below too; the default */
  td_bool remove_duplicate; /* what stands under several names is listed under the first; the default */
} td_list_options;
#define TD_LIST_OPTIONS_INIT \
  { sizeof(td_list_options), NULL, 1, 1 }

/* Returns the parameters or the buffers, with their names; each module's own before those below it. `options` may be
 * NULL.   Like named_parameters, named_buffers.   [any-thread]  Since 0.1 */
TD_API td_status td_module_parameters(const td_module *self, TD_NULLABLE const td_list_options *options,
                                      td_keys **out_keys, td_tensor_list **out_tensors, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_buffers(const td_module *self, TD_NULLABLE const td_list_options *options,
                                   td_keys **out_keys, td_tensor_list **out_tensors, td_error **err) TD_NOEXCEPT;

/* Which modules a visit reaches, and in which order. */
typedef int32_t td_visit_order;
enum {
  TD_VISIT_MODULES = 0,  /* all of them, each before what is below it: named_modules */
  TD_VISIT_CHILDREN = 1, /* the direct children: named_children */
  TD_VISIT_APPLY = 2     /* all of them, each after what is below it: apply */
};

/* Receives a module, borrowed, and its name: n = 0 for the module that is visited itself, and always for
 * TD_VISIT_APPLY. Any status but TD_OK ends the visit. */
typedef td_status (*td_module_visitor)(void *userdata, const td_key *name, td_module *module, td_error **err);

/* Calls `visit` for each module there is now; each is visited once, unless `options` say otherwise.
 * Like named_modules, named_children, apply.   Errors: ARGUMENT; CALLBACK.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_visit(td_module *self, td_visit_order order, TD_NULLABLE const td_list_options *options,
                                 td_module_visitor visit, void *userdata, td_error **err) TD_NOEXCEPT;

/* What stands at a place in the tree. For a module an empty key (NULL) is the module itself. Like get_parameter,
 * get_buffer, get_submodule.   Errors: KEY naming what is not there, or is something else.   [any-thread]  Since 0.1 */
TD_API td_status td_module_get_parameter(const td_module *self, TD_NULLABLE const td_key *name, td_tensor **out,
                                         td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_get_buffer(const td_module *self, TD_NULLABLE const td_key *name, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_get_submodule(const td_module *self, TD_NULLABLE const td_key *name, td_module **out,
                                         td_error **err) TD_NOEXCEPT;

/* Puts another tensor (NULL: none) or module in the place of one. A module may also be new there.   Like setattr on a
 * module, set_submodule.   Errors: KEY; ARGUMENT for a module that would contain itself.   [exclusive]  Since 0.1 */
TD_API td_status td_module_set_parameter(td_module *self, const td_key *name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                         td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_set_buffer(td_module *self, const td_key *name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_set_submodule(td_module *self, const td_key *name, TD_KEEPS td_module *module,
                                         td_error **err) TD_NOEXCEPT;

/* Adds a member. A tensor or module may be NULL: a name that holds nothing yet. A parameter requires grad: for a tensor
 * that does not, another one in the same memory is the parameter, as torch.nn.Parameter makes it. A buffer that is not
 * `persistent` is no part of a state dict.   Like register_parameter, register_buffer, add_module.
 * Errors: ARGUMENT for a name that is empty or has a dot, or a parameter that is computed from others; DTYPE for a
 * parameter of integers; EXISTS.   [exclusive]  Since 0.1 */
TD_API td_status td_module_register_parameter(td_module *self, td_str name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                              td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_register_buffer(td_module *self, td_str name, TD_NULLABLE TD_KEEPS td_tensor *value,
                                           td_bool persistent, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_register_module(td_module *self, td_str name, TD_NULLABLE TD_KEEPS td_module *module,
                                           td_error **err) TD_NOEXCEPT;

/* Returns 1 if the module is in training mode.   Like Module.training.   [any-thread]  Since 0.1 */
TD_API td_bool td_module_is_training(const td_module *self) TD_NOEXCEPT;

/* Returns 1 if the module reads and writes keys.   Like is_tdmodule_compatible.   [any-thread]  Since 0.1 */
TD_API td_bool td_module_has_keys(const td_module *self) TD_NOEXCEPT;

/* Returns the module as text, as Python shows it.   Like repr(module).   [any-thread]  Since 0.1 */
TD_API td_status td_module_repr(const td_module *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* ---- Every tensor of a tree ------------------------------------------------------------------------------------- */

/* Turns gradients of all parameters on or off; forgets them, or sets them to zero.   Like requires_grad_, zero_grad.
 * Errors: DTYPE for a parameter of integers.   [exclusive]  Since 0.1 */
TD_API td_status td_module_set_requires_grad(td_module *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_zero_grad(td_module *self, td_bool set_to_none, td_error **err) TD_NOEXCEPT;

/* Casts the floating-point and complex tensors, or moves all; TD_DTYPE_NONE and NULL data leave things as they are. The
 * parameters stay the tensors that they are; those that go to "meta" are new ones. td_module_to_type casts integers
 * too. Like Module.to, type.   Errors: DTYPE; DEVICE; UNSUPPORTED to move from "meta".   [exclusive]  Since 0.1 */
TD_API td_status td_module_to(td_module *self, td_dtype dtype, td_str device, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_to_type(td_module *self, td_dtype dtype, td_error **err) TD_NOEXCEPT;

/* New tensors of the same shapes on `device`, whose values are not set, in place of all: for a module on "meta".
 * Like Module.to_empty.   Errors: DEVICE.   [exclusive]  Since 0.1 */
TD_API td_status td_module_to_empty(td_module *self, td_str device, td_error **err) TD_NOEXCEPT;

/* Moves the memory of all parameters, buffers and their gradients to where processes that are forked from now on share
 * it; the tensors stay what they are, and views of them go along. What is shared already stays where it is, and what a
 * GPU has. Memory of the caller's (td_tensor_from_memory) is copied, then released. The memory has no name, and goes
 * with its last tensor.   Like Module.share_memory.
 * Errors: UNSUPPORTED naming a tensor that is sparse or on another device; NOSPACE. Nothing has moved then.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_module_share_memory(td_module *self, td_error **err) TD_NOEXCEPT;

/* Draws all parameters anew, children first, from `generator` (NULL: the default one). `params` is NULL, or a dict of
 * tensors to draw into in place of the module's own; then `out` receives it as leaves that require grad, in the same
 * memory. Without `params` nothing is written to `out`, and `n_reset` (may be NULL) receives the number of modules that
 * had any, else 0. As in the original, the module inside of a member that has keys is drawn twice, so that equal seeds
 * give its numbers. For an ensemble `params` are those of the module inside, with a batch dim of copies, drawn one by
 * one; `out` is a lazy stack of them.   Like reset_parameters_recursive.
 * Errors: SHAPE if `params` has other batch dims, or something has another shape than the module makes; KEY;
 * UNSUPPORTED for an ensemble whose module has got other members since.   [exclusive]  Since 0.1 */
TD_API td_status td_module_reset_parameters(td_module *self, TD_NULLABLE TD_WRITES const td_dict *params,
                                            TD_NULLABLE TD_WRITES td_generator *generator, TD_NULLABLE td_dict **out,
                                            TD_NULLABLE size_t *n_reset, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_TREE_H */
