/* ==== Modules that read keys ========================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_KEYS_H
#define TENSORDICT_MODULE_KEYS_H

#include "dist_interaction.h"
#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Where a module writes its outputs. */
typedef int32_t td_inplace;
enum {
  TD_INPLACE_DEFAULT = 0, /* NONE for a sequence, TRUE for other modules */
  TD_INPLACE_TRUE = 1,    /* True: into the data */
  TD_INPLACE_FALSE = 2,   /* False: into a new dict without batch dims; the data does not change */
  TD_INPLACE_EMPTY = 3,   /* "empty": into a new dict with the data's batch size and device; the data does not change */
  TD_INPLACE_NONE = 4     /* None: a sequence returns the dict of its last member; other modules write to a new dict */
};

typedef struct td_tensordict_options {
  size_t struct_size;
  td_inplace inplace;
  td_bool strict;      /* 1: a missing input is an error; 0: the function gets NONE or NULL for it */
  uint8_t reserved[3]; /* 0 */
  /* One per in-key: values are passed by these names. NULL: by position. */
  TD_NULLABLE TD_LEN(n_in) const td_str *argument_names;
} td_tensordict_options;
#define TD_TENSORDICT_OPTIONS_INIT \
  { sizeof(td_tensordict_options), TD_INPLACE_DEFAULT, 0, TD_RESERVED, NULL }

/* Makes a module that runs `inner` on keys: forward reads the in_keys in order and writes the results to the out_keys
 * ("_" drops a result). `options` may be NULL.   Like TensorDictModule, whose dict form of in_keys is `argument_names`.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_tensordict(TD_KEEPS td_module *inner, const td_key *in_keys, size_t n_in,
                                      const td_key *out_keys, size_t n_out,
                                      TD_NULLABLE const td_tensordict_options *options, td_module **out,
                                      td_error **err) TD_NOEXCEPT;

typedef struct td_sequential_options {
  size_t struct_size;
  td_inplace inplace;
  /* 1: a member whose inputs are missing does not run; on a lazy stack, it runs on the dicts that have them. */
  td_bool partial_tolerant;
  uint8_t reserved[3];             /* 0 */
  const td_key *selected_out_keys; /* as for td_module_select_out_keys; none: all */
  size_t n_selected;
  TD_NULLABLE TD_LEN(n) const td_str *names; /* of the members, as in Python's dict form; NULL: numbers */
} td_sequential_options;
#define TD_SEQUENTIAL_OPTIONS_INIT \
  { sizeof(td_sequential_options), TD_INPLACE_DEFAULT, 0, TD_RESERVED, NULL, 0, NULL }

/* Chains modules that have keys. `options` may be NULL.   Like TensorDictSequential.
 * Errors: ARGUMENT naming the member without keys; KEY for a selected key that no member writes, or a name that is
 * empty or has a dot. [any-thread]  Since 0.1 */
TD_API td_status td_module_sequential(TD_KEEPS td_module *const *modules, size_t n,
                                      TD_NULLABLE const td_sequential_options *options, td_module **out,
                                      td_error **err) TD_NOEXCEPT;

/* Chains modules of tensors: each module gets the results of the one before it. If `names` is NULL, the names are
 * numbers.   Like torch.nn.Sequential.   Errors: ARGUMENT; KEY or EXISTS for a bad name.   [any-thread]  Since 0.1 */
TD_API td_status td_module_chain(TD_KEEPS td_module *const *modules, size_t n,
                                 TD_NULLABLE TD_LEN(n) const td_str *names, td_module **out,
                                 td_error **err) TD_NOEXCEPT;

/* Holds modules for other code to call; it cannot be run itself.   Like torch.nn.ModuleList, and ModuleDict with
 * `names`.
 * Errors: as td_module_chain.   [any-thread]  Since 0.1 */
TD_API td_status td_module_list(TD_KEEPS td_module *const *modules, size_t n, TD_NULLABLE TD_LEN(n) const td_str *names,
                                td_module **out, td_error **err) TD_NOEXCEPT;

typedef struct td_run_options {
  size_t struct_size;
  td_dict *tensordict_out;    /* receives the outputs; NULL: as chosen when the module was made */
  td_interaction interaction; /* how modules take values from distributions; DEFAULT: as the thread or they say */
  td_bool skip_existing;      /* modules do not run if all their outputs exist and are not inputs */
  td_bool no_grad;            /* nothing is recorded */
  uint8_t reserved[2];        /* 0 */
} td_run_options;
#define TD_RUN_OPTIONS_INIT \
  { sizeof(td_run_options), NULL, TD_INTERACTION_DEFAULT, 0, 0, TD_RESERVED }

/* Runs a module that has keys and returns the dict with the outputs: `data` itself, `tensordict_out`, or a new dict. If
 * a member of a sequence fails, the members before it have already written to `data`.   Like calling a module,
 * set_skip_existing, torch.no_grad, set_interaction_type.
 * Errors: as td_module_forward; ARGUMENT for an unknown interaction type.
 * [any-thread] [may-call-back] [may-alias]  Since 0.1 */
TD_API td_status td_module_run(const td_module *self, TD_WRITES td_dict *data,
                               TD_NULLABLE const td_run_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Calls a module that has keys with values instead of a dict. Values are given by position, in the order of the
 * in-keys, or by the name of the key; the parts of a nested key are joined with `separator` (NULL data: "_"). If the
 * first argument is a DICT, it is the data itself. `outs` receives the values of the out-keys (TENSOR, DICT or DATA),
 * and `n_outs` their number.   Like dispatch.
 * Errors: ARGUMENT for a value given twice, too many or unknown names, or too little room; KEY for an out-key that was
 * not written.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_dispatch(const td_module *self, const td_value *args, size_t n_args,
                                    const td_named_value *kwargs, size_t n_kwargs, td_str separator, td_value *outs,
                                    size_t capacity, size_t *n_outs, td_error **err) TD_NOEXCEPT;

/* Returns the keys that a module reads, the keys that it writes, or the keys that it would write without
 * td_module_select_out_keys.   Like in_keys, out_keys, out_keys_source.   Errors: ARGUMENT if it has no keys.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_in_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_out_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_out_keys_source(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Selects out-keys. Other outputs that are not inputs are removed from the result, with the nodes that become empty;
 * all other entries stay. Selecting again chooses among the selected keys; reset selects all again.   Like
 * select_out_keys, reset_out_keys.
 * Errors: KEY for a key that the module does not write; UNSUPPORTED for a part of a probabilistic sequence.
 * [exclusive]  Since 0.1 */
TD_API td_status td_module_select_out_keys(td_module *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_reset_out_keys(td_module *self, td_error **err) TD_NOEXCEPT;

/* ---- Members of a sequence -------------------------------------------------------------------------------------- */

/* Makes a sequence of the members that can run with `in_keys` and that `out_keys` depend on; NULL means the sequence's
 * own keys. Sequences among the members are reduced too; members are shared.   Like select_subsequence.
 * Errors: ARGUMENT if `self` is not a sequence, or no member remains.   [any-thread]  Since 0.1 */
TD_API td_status td_module_select_subsequence(const td_module *self, TD_NULLABLE const td_key *in_keys, size_t n_in,
                                              TD_NULLABLE const td_key *out_keys, size_t n_out, td_module **out,
                                              td_error **err) TD_NOEXCEPT;

/* Returns the number of members of a sequence, a chain or a list; 0 for other modules.   Like len(seq).
 * [any-thread]  Since 0.1 */
TD_API size_t td_module_size(const td_module *self) TD_NOEXCEPT;

/* Returns the member at `index`, which counts from the end if negative.   Like seq[i].   Errors: INDEX, also without
 * members, and where NULL was registered.   [any-thread]  Since 0.1 */
TD_API td_status td_module_member(const td_module *self, int64_t index, td_module **out, td_error **err) TD_NOEXCEPT;

/* Makes a sequence with default options of the members start, start + step, ... before `stop`. Negative `start` and
 * `stop` count from the end; both may be out of range.   Like seq[start:stop:step].
 * Errors: ARGUMENT if `self` is not a sequence, or `step` is 0.   [any-thread]  Since 0.1 */
TD_API td_status td_module_slice(const td_module *self, int64_t start, int64_t stop, int64_t step, td_module **out,
                                 td_error **err) TD_NOEXCEPT;

/* Replaces a member of a sequence, or removes it; the keys of the sequence are updated.   Like seq[i] = module, del
 * seq[i].   Errors: INDEX; ARGUMENT if `self` is not a sequence, or the module has no keys.   [exclusive]  Since 0.1 */
TD_API td_status td_module_set_member(td_module *self, int64_t index, TD_KEEPS td_module *member,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_remove_member(td_module *self, int64_t index, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_KEYS_H */
