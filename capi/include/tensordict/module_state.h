/* ==== State =========================================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_STATE_H
#define TENSORDICT_MODULE_STATE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_from_modules_options {
  size_t struct_size;
  td_bool as_module;        /* parameters and buffers, as td_dict_params makes them */
  td_bool lock;             /* the result is locked; the default */
  td_bool use_state_dict;   /* what a state dict has: nothing that requires grad, persistent buffers only */
  td_bool lazy_stack;       /* a lazy stack of the modules' own tensors; they may differ in structure */
  td_bool expand_identical; /* a tensor that all modules share is expanded, not copied */
} td_from_modules_options;
#define TD_FROM_MODULES_OPTIONS_INIT \
  { sizeof(td_from_modules_options), 0, 1, 0, 0, 0 }

/* td_dict_from_modules with options; NULL takes the original's defaults.   Like tensordict.from_modules.
 * Errors: ARGUMENT for n = 0, or both lazy_stack and as_module; KEY or SHAPE naming the entry that differs.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_modules_with(td_module *const *modules, size_t n,
                                           TD_NULLABLE const td_from_modules_options *options, td_dict **out,
                                           td_error **err) TD_NOEXCEPT;

/* Returns the parameters and the buffers of modules that are alike, stacked, as two flat dicts with dotted names: new
 * leaves that require grad as the modules' do. A tied parameter has its first name only.   Like
 * torch.func.stack_module_state.
 * Errors: ARGUMENT for n = 0, or if types, modes or requires_grad differ; KEY; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_module_stack_state(td_module *const *modules, size_t n, td_dict **out_params, td_dict **out_buffers,
                                       td_error **err) TD_NOEXCEPT;

typedef struct td_functional_options {
  size_t struct_size;
  td_bool tie_weights; /* a tensor that stands under several names is replaced under all; the default */
  td_bool strict;      /* the states must name everything that the module has, and nothing else */
} td_functional_options;
#define TD_FUNCTIONAL_OPTIONS_INIT \
  { sizeof(td_functional_options), 1, 0 }

/* td_module_call with the tensors of `n_states` dicts, nested or with dotted names, in place of the module's own;
 * `states` may be NULL: the module's own. The module is not changed.   Like torch.func.functional_call.
 * Errors: ARGUMENT for a name that is given twice, or two values for a tied tensor; KEY with `strict`; and those of the
 * module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_functional_call(const td_module *self, TD_NULLABLE const td_dict *const *states,
                                           size_t n_states, TD_NULLABLE const td_functional_options *options,
                                           td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                           size_t n_outputs, td_error **err) TD_NOEXCEPT;

/* ---- State dicts ------------------------------------------------------------------------------------------------ */

/* Returns the parameters, persistent buffers and extra states under dotted names, in a flat dict; `prefix` (NULL data:
 * none) goes before each. Tensors are detached, unless `keep_vars`, and share memory with the module's.   Like
 * state_dict.
 * Errors: CALLBACK of a hook or an extra state.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_state_dict(const td_module *self, td_str prefix, td_bool keep_vars, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

typedef struct td_load_options {
  size_t struct_size;
  td_bool strict; /* names must be those of the module; the default */
  td_bool assign; /* the given tensors take the places of the module's own, in place of a copy */
} td_load_options;
#define TD_LOAD_OPTIONS_INIT \
  { sizeof(td_load_options), 1, 0 }

/* Loads a dict of nested or dotted names. All problems are found first and told together: on failure nothing is loaded,
 * unlike in the original. The lists (may be NULL) receive the names that were missing and those that were not expected.
 * Counters of batches ("num_batches_tracked") may be missing, as in states of old versions: the module's own stay.
 * Like load_state_dict.
 * Errors: KEY listing the names, with `strict`; SHAPE; LOCKED for memory that is read-only; CALLBACK of a hook.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_module_load_state_dict(td_module *self, const td_dict *state,
                                           TD_NULLABLE const td_load_options *options,
                                           TD_NULLABLE td_keys **out_missing, TD_NULLABLE td_keys **out_unexpected,
                                           td_error **err) TD_NOEXCEPT;

/* What a module of the caller's has beside its tensors. `get` puts one tensor or non-tensor data into the empty dict
 * `state` under "_extra_state"; `set` finds it there again, and leaves everything as it was if it fails. Either may be
 * NULL. `destroy` (may be NULL) runs when the functions are replaced or the module goes. */
typedef struct td_extra_state {
  TD_NULLABLE td_status (*get)(void *userdata, const td_module *module, td_dict *state, td_error **err);
  TD_NULLABLE td_status (*set)(void *userdata, const td_module *module, const td_dict *state, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_extra_state;

/* Gives this one module, not those below it, extra state, in place of what it had; none, if both functions are NULL. It
 * stands in td_module_state_dict after the module's own tensors, as the prefix and "_extra_state". In
 * td_module_load_state_dict the key is missing or expected only for a module with `set`, which is called when all names
 * and shapes are known to fit, before tensors are loaded. If one `set` fails no tensor is loaded, and those that ran
 * before are called with what their `get`, if there is one, told at the start.   Like get_extra_state, set_extra_state.
 * Errors: ARGUMENT.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_set_extra_state(td_module *self, td_extra_state extra, td_error **err) TD_NOEXCEPT;

/* Puts the tensors of `params` in the places of the module's own, until the scope ends: then the tensors that the
 * module has are written into `params`, and its own come back. They come back too when the scope is dropped without an
 * end. The graph stays whole, so that gradients reach the tensors of `params`; with `preserve_module_state` what takes
 * the place of a parameter that requires grad, and does not itself, becomes one for that time, in the same memory.
 * Like to_module.
 * Errors: KEY for an entry that the module does not have.   [exclusive]  Since 0.1 */
TD_API td_status td_module_swap(td_module *self, TD_KEEPS TD_WRITES td_dict *params, td_bool preserve_module_state,
                                td_scope **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_STATE_H */
