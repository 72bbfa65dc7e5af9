/* ==== Modules =======================================================================================================
 * A module is a pure function of its state (parameters and buffers, which the library owns) and its inputs. Types come
 * from plugins. td_module_tensordict gives a module in- and out-keys; td_module_sequential chains modules. Modules can
 * be nested up to 250 levels; more is ARGUMENT.
 *
 *     td_module_new(TD_STR("td.mlp"), TD_STR("{\"in_features\":64,\"hidden\":[32],\"out_features\":10}"),
 *                      rng, &net, &err);
 *     td_module_tensordict(net, &in, 1, &out, 1, NULL, &policy, &err);
 *     td_module_forward(policy, td, &err);                     // reads `in`, writes `out`
 *
 * td.torchscript runs a module that torch.jit.save wrote: {"file": "policy.pt"} and, for a method other than "forward",
 * "method". Its parameters and buffers become the module's own. Such a file is a program that runs with all rights of
 * this process: load only files that you trust.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_H
#define TENSORDICT_MODULE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a module of a plugin type. `config` is a JSON object, checked by the type; NULL data is {}. The initial
 * parameters are drawn from the type's own distribution with `generator` (NULL: the default one).
 * Errors: NOT_FOUND for an unknown type (the message lists the existing ones); ARGUMENT for a bad config; PLUGIN.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_new(td_str type, td_str config, TD_NULLABLE TD_WRITES td_generator *generator,
                               td_module **out, td_error **err) TD_NOEXCEPT;

/* A callback for a module without state. `fn` borrows its inputs and fills `outputs` with new references.
 * `destroy(userdata)` runs once: when the module is freed, or before the creating call returns if it fails. */
typedef struct td_module_function {
  size_t struct_size;
  td_status (*fn)(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs, size_t n_outputs,
                  td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_module_function;
#define TD_MODULE_FUNCTION_INIT \
  { sizeof(td_module_function), NULL, NULL, NULL }

/* Makes a module that calls `function.fn`. The callback runs on any thread that runs the module, and may call this
 * library.
 * Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_from_function(const td_module_function *function, td_module **out,
                                         td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_module_retain(const td_module *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_module_release(const td_module *self) TD_NOEXCEPT;

/* Returns the type of the module: the id of a plugin type, for instance "td.mlp", or the name that td_module_repr
 * shows.   [any-thread]  Since 0.2 */
TD_API td_status td_module_type_name(const td_module *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns the config that the module of a plugin type was made with, as JSON; td_module_new can make a similar module
 * from it. The text is empty for other modules.   [any-thread]  Since 0.2 */
TD_API td_status td_module_config(const td_module *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Sets the training mode of the module and all its children; plugins receive it as an argument.   Like Module.train.
 * [exclusive]  Since 0.1 */
TD_API td_status td_module_train(td_module *self, td_bool training, td_error **err) TD_NOEXCEPT;

/* Runs a module that has keys on `data`, in place; use td_module_run for modules that return another dict. On failure
 * `data` keeps the keys that successful members wrote.   Like calling a module on a TensorDict.
 * Errors: ARGUMENT if it has no keys, or returns another dict; KEY for a missing input; SHAPE; LOCKED; those of the
 * module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward(const td_module *self, TD_WRITES td_dict *data, td_error **err) TD_NOEXCEPT;

/* Runs a module like td_module_forward, with the parameters and buffers of `state` instead of its own; entries that
 * `state` lacks come from the module. The module does not change.   Like torch.func.functional_call.
 * Errors: as td_module_forward; KEY for an entry that the module does not have.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward_with_state(const td_module *self, const td_dict *state, TD_WRITES td_dict *data,
                                              td_error **err) TD_NOEXCEPT;

/* Runs a module on tensors; `outputs` receive `n_outputs` new references.   Like calling a torch.nn.Module.   Errors:
 * ARGUMENT if it returns another number of results; those of the module itself.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_call(const td_module *self, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                size_t n_outputs, td_error **err) TD_NOEXCEPT;

/* Returns the state as a dict without batch dims that mirrors the module tree. The tensors are the module's own.   Like
 * TensorDict.from_module.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_module(const td_module *module, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef int32_t td_randomness;
enum {
  TD_RANDOMNESS_ERROR = 0,     /* random operators fail */
  TD_RANDOMNESS_DIFFERENT = 1, /* each member draws its own numbers */
  TD_RANDOMNESS_SAME = 2
};

typedef struct td_vmap_options {
  size_t struct_size;
  td_randomness randomness;
  int32_t data_dim;    /* with map_data: the mapped batch dim of `data` */
  td_bool map_data;    /* 1: every member gets its part of `data`, along data_dim; 0: it gets all of it */
  uint8_t reserved[7]; /* 0 */
} td_vmap_options;
#define TD_VMAP_OPTIONS_INIT \
  { sizeof(td_vmap_options), TD_RANDOMNESS_ERROR, 0, 0, TD_RESERVED }

/* Runs the module once for each of the N states in `states` (batch size [N], as td_dict_from_modules returns),
 * vectorised. The result is a new dict of batch size [N, batch...] with all entries of `data` and all outputs, where
 * batch is the batch size of `data` without the mapped dim. `data` does not change. Non-tensor data is kept; a stack of
 * values that differ between members cannot be read inside. A lazy stack stays a lazy stack, unless its stack dim is
 * mapped: then it becomes a dict.   Like vmap over functional_call.
 * Errors: SHAPE if `states` has not one batch dim, or the mapped sizes differ; INDEX if `data_dim` is not a batch dim;
 * TORCH for random operators with TD_RANDOMNESS_ERROR; those of td_module_forward_with_state.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_vmap(const td_module *self, const td_dict *states, const td_dict *data,
                                TD_NULLABLE const td_vmap_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Callbacks as modules --------------------------------------------------------------------------------------- */

/* A callback that takes and returns anything that a dict can hold. An argument is a TENSOR, a DICT, DATA, or NONE for a
 * key that the dict lacks; `kwargs` are the arguments whose in-keys have argument names. The callback writes its
 * results to `outs` and their number, from 0 to `capacity`, to `n_outs`. A result is a TENSOR, a DICT or DATA, each a
 * new reference that the library takes over; a number, which becomes a tensor without dims; or a STR, which becomes
 * non-tensor data. The text of a STR is copied after the callback has returned, so it must outlive it. A callback that
 * fails releases what it made. `destroy` runs as in td_module_function. */
typedef struct td_values_function {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_value *args, size_t n_args, const td_named_value *kwargs, size_t n_kwargs,
                  td_value *outs, size_t capacity, size_t *n_outs, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_values_function;
#define TD_VALUES_FUNCTION_INIT \
  { sizeof(td_values_function), NULL, NULL, NULL }

/* Makes a module whose members are the tensors of a dict, under their keys: floating-point and complex tensors become
 * parameters with the same memory, other tensors become buffers. Tensors of a dict made by td_dict_params keep whether
 * they require grad. Use it for modules that read keys, ensembles and the caller's optimizers; it cannot be called.
 * Like TensorDictParams, which is a module.
 * Errors: ARGUMENT for a key with a dot, or a tensor that is computed from others; UNSUPPORTED for lazy stacks.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_from_params(TD_KEEPS const td_dict *params, td_module **out, td_error **err) TD_NOEXCEPT;

/* Makes a module that calls `function.fn`. If it returns a single DICT with all out-keys of the enclosing module, the
 * entries of the DICT are the results.   Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_from_values(const td_values_function *function, td_module **out, td_error **err) TD_NOEXCEPT;

/* A callback from dict to dict: it may change `data` and return a new reference to it, or return another dict. */
typedef struct td_dict_function {
  size_t struct_size;
  td_status (*fn)(void *userdata, td_dict *data, td_dict **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_dict_function;
#define TD_DICT_FUNCTION_INIT \
  { sizeof(td_dict_function), NULL, NULL, NULL }

/* Wraps `function` as a module with these in- and out-keys. With `inplace`, if it returns another dict, the entries of
 * that dict are written into the data.   Like WrapModule.   Errors: ARGUMENT if `fn` is NULL.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_wrap(const td_dict_function *function, td_bool inplace, const td_key *in_keys, size_t n_in,
                                const td_key *out_keys, size_t n_out, td_module **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_H */
