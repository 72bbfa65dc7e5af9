/* ==== Hooks =========================================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_HOOKS_H
#define TENSORDICT_MODULE_HOOKS_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What a forward hook sees, borrowed. A hook replaces a dict or a tensor by putting a new reference in its place, which
 * is taken over; it must not release the old one. Of a module that runs on a dict `data` is set, and after it `result`;
 * of one that runs on tensors the arrays. */
typedef struct td_hook_call {
  TD_NULLABLE td_dict *data;
  TD_NULLABLE td_dict *result;
  td_tensor **inputs;
  size_t n_inputs;
  td_tensor **outputs;
  size_t n_outputs;
} td_hook_call;

typedef struct td_forward_hook {
  td_status (*fn)(void *userdata, const td_module *module, td_hook_call *call, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_forward_hook;

enum {
  TD_HOOK_PREPEND = 1 << 0,    /* before the hooks there are */
  TD_HOOK_ALWAYS_CALL = 1 << 1 /* of a hook after the module: when the module has failed, too */
};

/* Adds a function that runs before, or after, the module. It may remove hooks, itself too: those of a call that has
 * begun still run. `out_id` (may be NULL) is for td_module_remove_hook.   Like register_forward_pre_hook,
 * register_forward_hook.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_forward_pre_hook(td_module *self, td_forward_hook hook, uint64_t flags,
                                                TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_add_forward_hook(td_module *self, td_forward_hook hook, uint64_t flags,
                                            TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;

/* When a state hook runs. A hook before or after a load may edit the flat dict; the load itself comes last. */
typedef int32_t td_state_hook_kind;
enum {
  TD_HOOK_STATE_DICT_PRE = 0,
  TD_HOOK_STATE_DICT = 1, /* `state` holds what the module and all below it have added */
  TD_HOOK_LOAD_STATE_DICT_PRE = 2,
  TD_HOOK_LOAD_STATE_DICT = 3 /* all problems are known, nothing is loaded yet */
};

typedef struct td_state_hook {
  td_status (*fn)(void *userdata, const td_module *module, td_dict *state, td_str prefix, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_state_hook;

/* Adds a function around td_module_state_dict or td_module_load_state_dict; it runs for the module with its own prefix.
 * The only flag is TD_HOOK_PREPEND.   Like register_state_dict_pre_hook, register_load_state_dict_post_hook and their
 * siblings.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_state_hook(td_module *self, td_state_hook_kind kind, td_state_hook hook, uint64_t flags,
                                          TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;

/* What a backward hook sees, borrowed; NULL stands for no gradient. Before the module's own way back (a pre-hook) there
 * are only the gradients of its outputs, after it those of its inputs too. A pre-hook replaces gradients of outputs, a
 * hook those of inputs, by putting a new reference, or NULL, in the place of one, which is taken over; it must not
 * release the old one. Shape, dtype and device stay. */
typedef struct td_backward_call {
  td_tensor **grad_inputs;
  size_t n_inputs;
  td_tensor **grad_outputs;
  size_t n_outputs;
} td_backward_call;

typedef struct td_backward_hook {
  td_status (*fn)(void *userdata, const td_module *module, td_backward_call *call, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_backward_hook;

/* Adds a function that runs when gradients are computed through the module: a pre-hook when all those of its outputs
 * are there, a hook when all those of its inputs are; if no input requires grad, both run at the outputs, and no input
 * has a gradient. Each gets what those before it have put there. An input is whatever the module was given: a tensor,
 * or what a module with keys found under an in-key; its gradient is NULL if it is no tensor, and zeros if nothing
 * depends on it. Outputs are what it gave or wrote, in the order of the out-keys; the gradient of one that nobody used
 * is NULL. Hooks of members run as those of a module alone do; a sequence may have its own. They are those of the time
 * when the module ran; the graph keeps them, and the module, until it is gone. What is behind a hook cannot be changed
 * in place (TORCH). Nothing runs where no gradients are recorded; under a vmap that records them, and in an ensemble,
 * running the module is UNSUPPORTED. The only flag is TD_HOOK_PREPEND.   Like register_full_backward_pre_hook,
 * register_full_backward_hook.
 * Errors: ARGUMENT; UNSUPPORTED for what td_module_wrap and td_module_query make. Later, of td_tensor_backward and its
 * like: CALLBACK for a hook that fails, or whose gradient does not fit.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_backward_pre_hook(td_module *self, td_backward_hook hook, uint64_t flags,
                                                 TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_add_backward_hook(td_module *self, td_backward_hook hook, uint64_t flags,
                                             TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;

/* Removes a hook.   Like handle.remove().   Errors: NOT_FOUND.   [any-thread]  Since 0.1 */
TD_API td_status td_module_remove_hook(td_module *self, uint64_t id, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_HOOKS_H */
