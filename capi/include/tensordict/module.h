/* ==== Modules =======================================================================================================
 * A module is a pure function of its state (parameters and buffers, which the library owns) and its inputs. Types come
 * from plugins; td_module_tensordict gives one in- and out-keys, td_module_sequential chains them. They nest to 250
 * levels; more is ARGUMENT.
 *
 *     td_module_create(TD_STR("td.mlp"), TD_STR("{\"in_features\":64,\"hidden\":[32],\"out_features\":10}"),
 *                      rng, &net, &err);
 *     td_module_tensordict(net, &in, 1, &out, 1, &policy, &err);
 *     td_module_forward(policy, td, &err);                     // reads `in`, writes `out`
 *
 * td.torchscript runs a module that torch.jit.save wrote: {"file": "policy.pt"} and, for another than "forward",
 * "method". Its parameters and buffers become the module's own. Such a file holds a program, which runs with all rights
 * of this process: load only those that you trust.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_H
#define TENSORDICT_MODULE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a module of a plugin type. `config` is a JSON object, checked by the type; NULL data is {}. Parameters start at
 * the type's own distribution drawn from `generator` (NULL: the default one).
 * Errors: NOT_FOUND for an unknown type (the message lists those there are); ARGUMENT for a bad config; PLUGIN.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_create(td_str type, td_str config, TD_NULLABLE TD_WRITES td_generator *generator,
                                  td_module **out, td_error **err) TD_NOEXCEPT;

/* A function of the caller's as a module without state. `fn` borrows its inputs and fills `outputs` with new
 * references; `destroy(userdata)` runs once, when the module dies or before the creating call returns if it fails. */
typedef struct td_module_function {
  td_status (*fn)(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs, size_t n_outputs,
                  td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_module_function;

/* Makes a module that calls `function.fn`. It may be called from any thread that runs the module, and may call this
 * library.
 * Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_from_function(td_module_function function, td_module **out, td_error **err) TD_NOEXCEPT;

/* Gives `inner` keys: forward reads the in_keys in order and writes the results to the out_keys ("_" drops one). A
 * missing input is an error when the module runs.   Like TensorDictModule.   Errors: ARGUMENT.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_tensordict(TD_KEEPS td_module *inner, const td_key *in_keys, size_t n_in,
                                      const td_key *out_keys, size_t n_out, td_module **out,
                                      td_error **err) TD_NOEXCEPT;

/* Chains modules that have keys.   Like TensorDictSequential.
 * Errors: ARGUMENT naming the member without keys.   [any-thread]  Since 0.1 */
TD_API td_status td_module_sequential(TD_KEEPS td_module *const *modules, size_t n, td_module **out,
                                      td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_module_retain(const td_module *self) TD_NOEXCEPT;
TD_API void td_module_release(const td_module *self) TD_NOEXCEPT;

/* Training mode, here and in all children: it is handed to the plugins' functions.   Like Module.train.
 * [exclusive]  Since 0.1 */
TD_API td_status td_module_train(td_module *self, td_bool training, td_error **err) TD_NOEXCEPT;

/* Runs a module that has keys on `data`, in place (td_module_run is for those that give another dict). On failure
 * `data` keeps the keys written by members that succeeded.   Like calling a module on a TensorDict.
 * Errors: ARGUMENT if it has no keys, or turns out to give another dict; KEY for a missing input; SHAPE; LOCKED; and
 * those of the module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward(const td_module *self, TD_WRITES td_dict *data, td_error **err) TD_NOEXCEPT;

/* The same with the parameters and buffers of `state` in place of the module's own; entries it lacks are taken from the
 * module. The module is not changed.   Like torch.func.functional_call.
 * Errors: KEY for an entry that the module does not have.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward_with(const td_module *self, const td_dict *state, TD_WRITES td_dict *data,
                                        td_error **err) TD_NOEXCEPT;

/* Runs a module on tensors; `outputs` receive `n_outputs` new references.   Like calling a torch.nn.Module.
 * Errors: ARGUMENT if it returns another number; and those of the module itself.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_call(const td_module *self, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                size_t n_outputs, td_error **err) TD_NOEXCEPT;

/* Returns the state as a dict that mirrors the module tree, without batch dims. The tensors are the module's own.
 * Like TensorDict.from_module.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_module(const td_module *module, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the states of `n` modules stacked along a new batch dim 0: new leaves, independent of the modules, that
 * require grad as the first module's do; unlocked.   Like TensorDict.from_modules.
 * Errors: ARGUMENT for n = 0; KEY or SHAPE naming the entry that differs.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_modules(td_module *const *modules, size_t n, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef int32_t td_randomness;
enum {
  TD_RANDOMNESS_ERROR = 0,     /* random operators fail */
  TD_RANDOMNESS_DIFFERENT = 1, /* each member draws its own numbers */
  TD_RANDOMNESS_SAME = 2
};

typedef struct td_vmap_options {
  size_t struct_size;
  td_randomness randomness;
  int32_t data_dim; /* batch dim of `data` that is mapped, or TD_VMAP_SHARED: every member gets all of it */
} td_vmap_options;
#define TD_VMAP_SHARED INT32_MIN
#define TD_VMAP_OPTIONS_INIT \
  { sizeof(td_vmap_options), TD_RANDOMNESS_ERROR, TD_VMAP_SHARED }

/* Runs the module once for each of the N states in `states` (batch size [N], as td_dict_from_modules gives),
 * vectorised: the result is a new dict of batch size [N, batch...] with all entries of `data` and all outputs; batch is
 * that of `data` without the mapped dim. `data` is not changed. Non-tensor data stay; a stack of values that differ
 * from member to member cannot be read inside. A lazy stack stays one, but for one whose own dim is mapped: that
 * becomes a dict. Like vmap over functional_call.
 * Errors: SHAPE if `states` has not one batch dim, or the mapped sizes differ; INDEX if `data_dim` is no batch dim;
 * TORCH for random operators under TD_RANDOMNESS_ERROR; and those of td_module_forward_with.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_vmap(const td_module *self, const td_dict *states, const td_dict *data,
                                TD_NULLABLE const td_vmap_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Functions of the caller's ---------------------------------------------------------------------------------- */

/* A function of the caller's that takes and gives anything a dict can hold. An argument is a TENSOR, a DICT, or NONE
 * for a key that the dict lacks; `kwargs` are those of a module whose in-keys have argument names. It writes new
 * references of what it returns to `outs` and their number, at most `capacity`, to `n_outs`, 0 for nothing: TENSOR,
 * DICT, INT, DOUBLE, BOOL (which become tensors), STR (copied: non-tensor data). `destroy` as in td_module_function. */
typedef struct td_values_function {
  td_status (*fn)(void *userdata, const td_value *args, size_t n_args, const td_named_value *kwargs, size_t n_kwargs,
                  td_value *outs, size_t capacity, size_t *n_outs, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_values_function;

/* Returns the tensors of a dict as members of a module, under their keys: floating-point and complex ones as
 * parameters, in the same memory, others as buffers; those of a dict made by td_dict_params keep whether they require
 * grad. For a module that reads keys, ensembles and optimizers of the caller's; it cannot be called.   Like
 * TensorDictParams, which is a module.
 * Errors: ARGUMENT for a key that has a dot or a tensor that is computed from others; UNSUPPORTED for lazy stacks.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_from_params(TD_KEEPS const td_dict *params, td_module **out, td_error **err) TD_NOEXCEPT;

/* Makes a module that calls `function.fn`. A single DICT that has all out-keys of the module around it stands for its
 * values.   Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_from_values(td_values_function function, td_module **out, td_error **err) TD_NOEXCEPT;

/* A function of the caller's from dict to dict: it may change `data` and return a new reference to it, or another
 * dict. */
typedef struct td_dict_function {
  td_status (*fn)(void *userdata, td_dict *data, td_dict **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_dict_function;

/* Makes a module of it, with the keys that it is said to read and write. `inplace`: another dict that it returns is
 * written into the data.   Like WrapModule.   Errors: ARGUMENT if `fn` is NULL.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_wrap(td_dict_function function, td_bool inplace, const td_key *in_keys, size_t n_in,
                                const td_key *out_keys, size_t n_out, td_module **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_H */
