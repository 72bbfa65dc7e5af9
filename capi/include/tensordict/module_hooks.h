/* ==== Hooks =========================================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_HOOKS_H
#define TENSORDICT_MODULE_HOOKS_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What a forward hook sees, borrowed until it returns. If the module runs on a dict, `data` is set, and `result` after
 * the run; if it runs on tensors, the arrays are set. Later versions may add members: `struct_size` says how many the
 * library filled. Use the functions below to replace what the module gets or gives. */
typedef struct td_hook_call {
  size_t struct_size;
  TD_NULLABLE td_dict *data;
  TD_NULLABLE td_dict *result;
  td_tensor *const *inputs;
  size_t n_inputs;
  td_tensor *const *outputs;
  size_t n_outputs;
} td_hook_call;

/* Replaces the dict that the module gets, the dict that it gives, an input or an output. The library adds its own
 * reference to what it is given. The replacement takes place when the hook has returned TD_OK: until then the members
 * of the call stay as they are and remain valid. If something is replaced twice, the last replacement counts. `self` is
 * the call of a hook that runs now on this thread.
 * Errors: ARGUMENT if `self` is not such a call, or the call has no such dict; INDEX.   [exclusive]  Since 0.2 */
TD_API td_status td_hook_call_set_data(td_hook_call *self, TD_KEEPS td_dict *dict, td_error **err) TD_NOEXCEPT;
TD_API td_status td_hook_call_set_result(td_hook_call *self, TD_KEEPS td_dict *dict, td_error **err) TD_NOEXCEPT;
TD_API td_status td_hook_call_set_input(td_hook_call *self, int64_t index, TD_KEEPS td_tensor *tensor,
                                        td_error **err) TD_NOEXCEPT;
TD_API td_status td_hook_call_set_output(td_hook_call *self, int64_t index, TD_KEEPS td_tensor *tensor,
                                         td_error **err) TD_NOEXCEPT;

typedef struct td_forward_hook {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_module *module, td_hook_call *call, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_forward_hook;
#define TD_FORWARD_HOOK_INIT \
  { sizeof(td_forward_hook), NULL, NULL, NULL }

typedef uint64_t td_hook_flags;
enum {
  TD_HOOK_PREPEND = 1 << 0,    /* before the existing hooks */
  TD_HOOK_ALWAYS_CALL = 1 << 1 /* for a hook after the module: run it also if the module fails */
};

/* Adds a callback that runs before or after the module. It may remove hooks, including itself; calls that have begun
 * still run them. `out_id` (may be NULL) is for td_module_remove_hook.   Like register_forward_pre_hook,
 * register_forward_hook.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_forward_pre_hook(td_module *self, const td_forward_hook *hook, td_hook_flags flags,
                                                TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_add_forward_hook(td_module *self, const td_forward_hook *hook, td_hook_flags flags,
                                            TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;

/* When a state hook runs. The two hooks of a load may edit the flat dict; tensors are loaded after both. */
typedef int32_t td_state_hook_kind;
enum {
  TD_STATE_HOOK_STATE_DICT_PRE = 0,
  TD_STATE_HOOK_STATE_DICT = 1, /* `state` has the entries of the module and all modules below it */
  TD_STATE_HOOK_LOAD_STATE_DICT_PRE = 2,
  TD_STATE_HOOK_LOAD_STATE_DICT = 3 /* all problems are known and nothing is loaded yet */
};

typedef struct td_state_hook {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_module *module, td_dict *state, td_str prefix, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_state_hook;
#define TD_STATE_HOOK_INIT \
  { sizeof(td_state_hook), NULL, NULL, NULL }

/* Adds a callback that runs in td_module_state_dict or td_module_load_state_dict, for this module with its own prefix.
 * The only flag is TD_HOOK_PREPEND.   Like register_state_dict_pre_hook, register_load_state_dict_post_hook and their
 * siblings.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_state_hook(td_module *self, td_state_hook_kind kind, const td_state_hook *hook,
                                          td_hook_flags flags, TD_NULLABLE uint64_t *out_id,
                                          td_error **err) TD_NOEXCEPT;

/* What a backward hook sees, borrowed until it returns; NULL means no gradient. A pre-hook, which runs before the
 * module's backward, gets only the gradients of the outputs; a hook, which runs after it, also gets those of the
 * inputs. `struct_size` is as in td_hook_call. */
typedef struct td_backward_call {
  size_t struct_size;
  td_tensor *const *grad_inputs;
  size_t n_inputs;
  td_tensor *const *grad_outputs;
  size_t n_outputs;
} td_backward_call;

/* Replaces a gradient, as td_hook_call_set_input replaces an input: a hook those of the inputs, a pre-hook those of the
 * outputs. NULL means no gradient. Shape, dtype and device must not change.
 * Errors: ARGUMENT if `self` is not a call that runs now on this thread, or a hook replaces the gradient of an output;
 * INDEX.   [exclusive]  Since 0.2 */
TD_API td_status td_backward_call_set_grad_input(td_backward_call *self, int64_t index,
                                                 TD_NULLABLE TD_KEEPS td_tensor *grad, td_error **err) TD_NOEXCEPT;
TD_API td_status td_backward_call_set_grad_output(td_backward_call *self, int64_t index,
                                                  TD_NULLABLE TD_KEEPS td_tensor *grad, td_error **err) TD_NOEXCEPT;

typedef struct td_backward_hook {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_module *module, td_backward_call *call, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_backward_hook;
#define TD_BACKWARD_HOOK_INIT \
  { sizeof(td_backward_hook), NULL, NULL, NULL }

/* Adds a callback that runs when gradients are computed through the module: a pre-hook when the gradients of all
 * outputs are ready, a hook when those of all inputs are ready. If no input requires grad, both run at the outputs, and
 * no input has a gradient. Each hook gets the gradients that the hooks before it stored. The inputs are the tensors
 * that the module was called with, or the values under its in-keys; the gradient of an input is NULL if it is not a
 * tensor, and zeros if nothing depends on it. The outputs are its results, in the order of the out-keys; the gradient
 * of an unused output is NULL. Hooks of members run like those of a single module; a sequence may have its own. The
 * hooks are those that the module had when it ran; the graph keeps them and the module alive. Tensors behind a hook
 * cannot be changed in place (TORCH). Hooks do not run if gradients are not recorded. Running the module is UNSUPPORTED
 * inside a vmap that records gradients and in an ensemble. The only flag is TD_HOOK_PREPEND.   Like
 * register_full_backward_pre_hook, register_full_backward_hook.
 * Errors: ARGUMENT; UNSUPPORTED for modules from td_module_wrap and td_module_query. Later, from td_tensor_backward and
 * similar functions: CALLBACK for a hook that fails, or whose gradient does not fit.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_backward_pre_hook(td_module *self, const td_backward_hook *hook, td_hook_flags flags,
                                                 TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_add_backward_hook(td_module *self, const td_backward_hook *hook, td_hook_flags flags,
                                             TD_NULLABLE uint64_t *out_id, td_error **err) TD_NOEXCEPT;

/* Removes a hook.   Like handle.remove().   Errors: NOT_FOUND.   [any-thread]  Since 0.1 */
TD_API td_status td_module_remove_hook(td_module *self, uint64_t id, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_HOOKS_H */
