/* ==== Ensembles and vmap ============================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_MODULE_VMAP_H
#define TENSORDICT_MODULE_VMAP_H

#include "handles.h"
#include "module.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a module of `copies` copies of a module that has keys. Each copy has its own parameters, drawn with `generator`
 * (NULL: the default one), and the results have a new batch dim 0 of size `copies`. With `expand_input`, each copy gets
 * all of the data; otherwise it gets its element of batch dim 0. The parameters are under "params_td", next to the
 * template under "module". If the template is given other members later, running the ensemble and drawing its
 * parameters are UNSUPPORTED.   Like EnsembleModule.   Errors: ARGUMENT for no copies, or a module without keys; LOCKED
 * if memory to draw into is read-only.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_ensemble(TD_KEEPS td_module *module, int64_t copies, td_bool expand_input,
                                    TD_NULLABLE TD_WRITES td_generator *generator, td_module **out,
                                    td_error **err) TD_NOEXCEPT;

/* In `in_dims`: the argument is not mapped; every member gets all of it. */
#define TD_VMAP_SHARED INT32_MIN

/* A callback to be mapped. It gets each argument (TENSOR or DICT, borrowed) without the mapped dim, and writes `n_outs`
 * new references, TENSOR or DICT. */
typedef td_status (*td_vmap_function)(void *userdata, const td_value *args, size_t n_args, td_value *outs,
                                      size_t n_outs, td_error **err);

typedef struct td_vmap_function_options {
  size_t struct_size;
  td_randomness randomness;
  uint8_t reserved[4]; /* 0 */
  /* For each argument the mapped batch dim (for a tensor: the mapped dim), or TD_VMAP_SHARED; NULL: 0 for all. */
  TD_NULLABLE TD_LEN(n_args) const int32_t *in_dims;
  TD_NULLABLE TD_LEN(n_outs) const int64_t *out_dims; /* for each result; NULL: 0 for all */
  int64_t chunk_size;                                 /* max members in one call of `fn`; 0: all */
} td_vmap_function_options;
#define TD_VMAP_FUNCTION_OPTIONS_INIT \
  { sizeof(td_vmap_function_options), TD_RANDOMNESS_ERROR, TD_RESERVED, NULL, NULL, 0 }

/* Calls `fn` once for all members, vectorised. Results that do not depend on the member are repeated. `fn` may call
 * td_vmap. If the batch size of a dict is too short for its mapped dim, the leading dims that its tensors share are
 * used. Non-tensor data is treated as by td_module_vmap; lazy stacks become dicts.   Like torch.vmap.
 * Errors: ARGUMENT if no argument is mapped; SHAPE for sizes that differ; INDEX; CALLBACK; TORCH.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_vmap(td_vmap_function fn, void *userdata, const td_value *args, size_t n_args,
                         TD_NULLABLE const td_vmap_function_options *options, td_value *outs, size_t n_outs,
                         td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_MODULE_VMAP_H */
