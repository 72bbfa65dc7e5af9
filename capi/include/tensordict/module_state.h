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
  td_bool as_module;        /* the result has parameters and buffers, as from td_dict_params */
  td_bool no_lock;          /* the result is not locked */
  td_bool use_state_dict;   /* the contents of a state dict: nothing requires grad, only persistent buffers */
  td_bool lazy_stack;       /* a lazy stack of the modules' own tensors; they may differ in structure */
  td_bool expand_identical; /* a tensor that all modules share is expanded, not copied */
  uint8_t reserved[3];      /* 0 */
} td_from_modules_options;
#define TD_FROM_MODULES_OPTIONS_INIT \
  { sizeof(td_from_modules_options), 0, 0, 0, 0, 0, TD_RESERVED }

/* Returns a dict with the states of `n` modules stacked along a new batch dim 0. Without options, it is locked, and its
 * leaves are new and independent of the modules; they require grad if those of the first module do. `options` may be
 * NULL.   Like TensorDict.from_modules.
 * Errors: ARGUMENT for n = 0, or both lazy_stack and as_module; KEY or SHAPE naming the entry that differs.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_modules(td_module *const *modules, size_t n,
                                      TD_NULLABLE const td_from_modules_options *options, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

/* Returns the stacked parameters and buffers of modules of the same structure, as two flat dicts with dotted names. The
 * leaves are new and require grad if those of the modules do. A tied parameter has only its first name.   Like
 * torch.func.stack_module_state.
 * Errors: ARGUMENT for n = 0, or if types, modes or requires_grad differ; KEY; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_module_stack_state(td_module *const *modules, size_t n, td_dict **out_params, td_dict **out_buffers,
                                       td_error **err) TD_NOEXCEPT;

typedef struct td_functional_options {
  size_t struct_size;
  td_bool untie_weights; /* 1: a tensor with several names is replaced only under those that are given; 0: under all */
  td_bool strict;        /* the states must have exactly the names of the module */
  uint8_t reserved[6];   /* 0 */
} td_functional_options;
#define TD_FUNCTIONAL_OPTIONS_INIT \
  { sizeof(td_functional_options), 0, 0, TD_RESERVED }

/* Runs a module like td_module_call, with the tensors of `n_states` dicts, nested or with dotted names, instead of its
 * own; if `states` is NULL, with its own. The module does not change.   Like torch.func.functional_call.
 * Errors: ARGUMENT for a name that is given twice, or two values for a tied tensor; KEY with `strict`; those of the
 * module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_functional_call(const td_module *self, TD_NULLABLE const td_dict *const *states,
                                           size_t n_states, TD_NULLABLE const td_functional_options *options,
                                           td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                           size_t n_outputs, td_error **err) TD_NOEXCEPT;

/* ---- State dicts ------------------------------------------------------------------------------------------------ */

/* Returns the parameters, persistent buffers and extra states in a flat dict with dotted names, each after `prefix`
 * (NULL data: none). Tensors are detached, unless `keep_vars` is set, and share memory with the module's.   Like
 * state_dict.
 * Errors: CALLBACK if a hook or an extra state fails.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_state_dict(const td_module *self, td_str prefix, td_bool keep_vars, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

typedef struct td_load_options {
  size_t struct_size;
  td_bool lenient;     /* names that are missing or unexpected are no error */
  td_bool assign;      /* the given tensors replace the module's own instead of being copied */
  uint8_t reserved[6]; /* 0 */
} td_load_options;
#define TD_LOAD_OPTIONS_INIT \
  { sizeof(td_load_options), 0, 0, TD_RESERVED }

/* Loads a dict with nested or dotted names. All problems are found first and reported together; unlike in the original,
 * nothing is loaded on failure. The lists (may be NULL) receive the missing names and the unexpected names. Counters of
 * batches ("num_batches_tracked") may be missing, as in states of old versions; then the module keeps its own.   Like
 * load_state_dict.
 * Errors: KEY listing the names, unless `lenient`; SHAPE; LOCKED for read-only memory; CALLBACK if a hook fails.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_module_load_state_dict(td_module *self, const td_dict *state,
                                           TD_NULLABLE const td_load_options *options,
                                           TD_NULLABLE td_keys **out_missing, TD_NULLABLE td_keys **out_unexpected,
                                           td_error **err) TD_NOEXCEPT;

/* Callbacks for state of a module beside its tensors. `get` sets one tensor or non-tensor data under "_extra_state" in
 * the empty dict `state`; `set` reads it from there, and must change nothing if it fails. Either may be NULL. `destroy`
 * (may be NULL) runs when the callbacks are replaced or the module is freed. */
typedef struct td_extra_state {
  size_t struct_size;
  TD_NULLABLE td_status (*get)(void *userdata, const td_module *module, td_dict *state, td_error **err);
  TD_NULLABLE td_status (*set)(void *userdata, const td_module *module, const td_dict *state, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_extra_state;
#define TD_EXTRA_STATE_INIT \
  { sizeof(td_extra_state), NULL, NULL, NULL, NULL }

/* Replaces the extra state of this module, not of the modules below; if both callbacks are NULL, it has none. In
 * td_module_state_dict it comes after the module's own tensors, under the prefix and "_extra_state".
 * td_module_load_state_dict expects the key only for a module with `set`. It calls `set` after checking all names and
 * shapes and before loading tensors. If one `set` fails, no tensor is loaded, and each `set` that ran before is called
 * again with the state that its `get`, if there is one, returned at the start.   Like get_extra_state, set_extra_state.
 * Errors: ARGUMENT.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_set_extra_state(td_module *self, const td_extra_state *extra, td_error **err) TD_NOEXCEPT;

/* Replaces the module's tensors by those of `params` until the scope ends. Then the tensors that the module has are
 * written into `params`, and its own are restored; td_scope_cancel only restores them. If the scope is released
 * without either, the module keeps the tensors that it has. The autograd graph stays connected, so gradients reach the
 * tensors of `params`. With `preserve_module_state`, a tensor that does not require grad and replaces a parameter that
 * does is made a parameter, with the same memory, until the scope ends.   Like to_module.
 * Errors: KEY for an entry that the module does not have.   [exclusive]  Since 0.1 */
TD_API td_status td_module_swap(td_module *self, TD_KEEPS TD_WRITES td_dict *params, td_bool preserve_module_state,
                                td_scope **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_STATE_H */
