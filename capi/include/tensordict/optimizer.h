/* ==== Optimizers ====================================================================================================
 * LibTorch's optimizers for the leaves of a dict that require grad.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_OPTIMIZER_H
#define TENSORDICT_OPTIMIZER_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* In these options 0 means the default that is given beside a member. TD_ZERO, the smallest positive double, stands for
 * 0 there. */
#define TD_ZERO 5e-324

typedef struct td_sgd_options {
  size_t struct_size;
  double lr; /* 0: 1e-3 */
  double momentum, dampening, weight_decay;
  td_bool nesterov;
  uint8_t reserved[7]; /* 0 */
} td_sgd_options;
#define TD_SGD_OPTIONS_INIT \
  { sizeof(td_sgd_options), 0.0, 0.0, 0.0, 0.0, 0, TD_RESERVED }

typedef struct td_adam_options {
  size_t struct_size;
  double lr;    /* 0: 1e-3 */
  double beta1; /* 0: 0.9 */
  double beta2; /* 0: 0.999 */
  double eps;   /* 0: 1e-8 */
  double weight_decay;
  td_bool amsgrad;
  uint8_t reserved[7]; /* 0 */
} td_adam_options;
#define TD_ADAM_OPTIONS_INIT \
  { sizeof(td_adam_options), 0.0, 0.0, 0.0, 0.0, 0.0, 0, TD_RESERVED }

/* Makes an optimizer for every leaf of `params` that requires grad (for a lazy stack, of its members). `options` may be
 * NULL.   Like torch.optim.SGD, Adam.
 * Errors: ARGUMENT if no leaf requires grad, or an option is out of range; LOCKED for a leaf in read-only memory.
 * [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_sgd(TD_KEEPS TD_WRITES const td_dict *params, TD_NULLABLE const td_sgd_options *options,
                                  td_optimizer **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_optimizer_adam(TD_KEEPS TD_WRITES const td_dict *params, TD_NULLABLE const td_adam_options *options,
                                   td_optimizer **out, td_error **err) TD_NOEXCEPT;

/* Removes the collected gradients.   Like Optimizer.zero_grad.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_zero_grad(td_optimizer *self, td_error **err) TD_NOEXCEPT;

/* Changes the parameters in place by one step.   Like Optimizer.step.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_step(td_optimizer *self, td_error **err) TD_NOEXCEPT;

typedef struct td_rmsprop_options {
  size_t struct_size;
  double lr;    /* 0: 1e-2 */
  double alpha; /* 0: 0.99 */
  double eps;   /* 0: 1e-8 */
  double weight_decay, momentum;
  td_bool centered;
  uint8_t reserved[7]; /* 0 */
} td_rmsprop_options;
#define TD_RMSPROP_OPTIONS_INIT \
  { sizeof(td_rmsprop_options), 0.0, 0.0, 0.0, 0.0, 0.0, 0, TD_RESERVED }

/* The options of Adam, with a different default of `weight_decay`. */
typedef struct td_adamw_options {
  size_t struct_size;
  double lr;           /* 0: 1e-3 */
  double beta1;        /* 0: 0.9 */
  double beta2;        /* 0: 0.999 */
  double eps;          /* 0: 1e-8 */
  double weight_decay; /* 0: 1e-2 */
  td_bool amsgrad;
  uint8_t reserved[7]; /* 0 */
} td_adamw_options;
#define TD_ADAMW_OPTIONS_INIT \
  { sizeof(td_adamw_options), 0.0, 0.0, 0.0, 0.0, 0.0, 0, TD_RESERVED }

/* Makes an optimizer like td_optimizer_sgd.   Like torch.optim.AdamW, RMSprop.
 * Errors: as td_optimizer_sgd.   [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_adamw(TD_KEEPS TD_WRITES const td_dict *params,
                                    TD_NULLABLE const td_adamw_options *options, td_optimizer **out,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_optimizer_rmsprop(TD_KEEPS TD_WRITES const td_dict *params,
                                      TD_NULLABLE const td_rmsprop_options *options, td_optimizer **out,
                                      td_error **err) TD_NOEXCEPT;

/* Adds a group with the leaves of `params` that require grad and, until changed, the options of the first group. The
 * parameters of the first dict are group 0.   Like add_param_group.
 * Errors: as td_optimizer_sgd; EXISTS for a tensor that is already in a group.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_add_group(td_optimizer *self, TD_KEEPS TD_WRITES const td_dict *params,
                                        td_error **err) TD_NOEXCEPT;

/* Returns the name of the optimizer in torch.optim: "SGD", "Adam", "AdamW" or "RMSprop"; empty for NULL. The text is
 * static.   [any-thread]  Since 0.2 */
TD_API td_str td_optimizer_type_name(const td_optimizer *self) TD_NOEXCEPT;

/* Returns the number of groups; 0 for NULL.   Like len(optimizer.param_groups).   [any-thread]  Since 0.2 */
TD_API size_t td_optimizer_group_count(const td_optimizer *self) TD_NOEXCEPT;

/* Returns an option of a group by its name in torch.optim ("lr", "weight_decay", "momentum", ...; betas are "beta1"
 * and "beta2"). Truth values ("nesterov", "amsgrad", "centered") are 0 and 1.   Like
 * optimizer.param_groups[group][name].   Errors: INDEX; KEY for an unknown name.
 * [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_get(const td_optimizer *self, int64_t group, td_str name, double *out,
                                  td_error **err) TD_NOEXCEPT;

/* Sets an option of a group; a td_schedule sets "lr". Truth values are 0 and 1.   Errors: as td_optimizer_get; ARGUMENT
 * for a value out of range. [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_set(td_optimizer *self, int64_t group, td_str name, double setting,
                                  td_error **err) TD_NOEXCEPT;

/* Returns the optimizer's state and options as a dict of copies: ("state", "0", "exp_avg"), ("param_groups", "0",
 * "lr"), ...   Like Optimizer.state_dict.   [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_state(const td_optimizer *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Loads the state of an optimizer of the same kind for parameters of the same shapes.   Like Optimizer.load_state_dict.
 * Errors: KEY; SHAPE; ARGUMENT for another number of groups.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_load_state(td_optimizer *self, const td_dict *state, td_error **err) TD_NOEXCEPT;

/* Scales the gradients of all leaves so that their total norm (of order `norm_type`, INFINITY for the maximum) is at
 * most `max_norm`; `out_norm` (may be NULL) receives the norm before. td_dict_clip_grad_value_ limits each element to
 * [-max_value, max_value].   Like clip_grad_norm_, clip_grad_value_.
 * Errors: ARGUMENT, also for a non-finite norm with `error_if_nonfinite`.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_clip_grad_norm_(TD_WRITES td_dict *params, double max_norm, double norm_type,
                                         td_bool error_if_nonfinite, TD_NULLABLE double *out_norm,
                                         td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_clip_grad_value_(TD_WRITES td_dict *params, double max_value, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_optimizer_retain(const td_optimizer *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_optimizer_release(const td_optimizer *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_OPTIMIZER_H */
