/* ==== Learning rates ================================================================================================
 * A schedule changes the learning rates of an optimizer from step to step. The functions that make one set the learning
 * rates of step 0; td_schedule_step sets those of the next step.
 *
 *     td_schedule_new_cosine(adam, 1000, 0, &schedule, &err);
 *     for (int i = 0; i < 1000; ++i) {
 *       // compute the loss and the gradients
 *       td_optimizer_step(adam, &err);
 *       td_schedule_step(schedule, &err);
 *     }
 *
 * Except in a cycle, a step changes the learning rate that a group has then. So an optimizer may have several
 * schedules, whose factors are multiplied, and what td_optimizer_set did to "lr" stays in effect. A group that is added
 * later begins with the learning rate that it has at the next step. The numbers are those of torch.optim.lr_scheduler.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_SCHEDULE_H
#define TENSORDICT_SCHEDULE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a schedule that multiplies the learning rates by `gamma`: after every `step_size` steps; at each of the
 * milestones, which need no order; or in every step.   Like StepLR, MultiStepLR, ExponentialLR.
 * Errors: ARGUMENT for a step size or a milestone below 1, and a `gamma` that is negative or not finite.
 * [any-thread]  Since 0.2 */
TD_API td_status td_schedule_new_step(TD_KEEPS TD_WRITES td_optimizer *optimizer, int64_t step_size, double gamma,
                                      td_schedule **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_schedule_new_multi_step(TD_KEEPS TD_WRITES td_optimizer *optimizer, const int64_t *milestones,
                                            size_t n, double gamma, td_schedule **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_schedule_new_exponential(TD_KEEPS TD_WRITES td_optimizer *optimizer, double gamma,
                                             td_schedule **out, td_error **err) TD_NOEXCEPT;

/* Makes a schedule that lowers the learning rates to `min_lr` in `steps` steps, along half a cosine wave, and raises
 * them again after that.   Like CosineAnnealingLR.
 * Errors: ARGUMENT for less than 1 step, and a `min_lr` that is negative or not finite.   [any-thread]  Since 0.2 */
TD_API td_status td_schedule_new_cosine(TD_KEEPS TD_WRITES td_optimizer *optimizer, int64_t steps, double min_lr,
                                        td_schedule **out, td_error **err) TD_NOEXCEPT;

/* Makes a schedule for the first `steps` steps, for instance to warm up: td_schedule_new_linear multiplies the learning
 * rates by factors from `start_factor` to `end_factor`, td_schedule_new_constant by `factor`. After that the learning
 * rates stay at `end_factor`, or have no factor.   Like LinearLR, ConstantLR.
 * Errors: ARGUMENT for less than 1 step, and a factor that is not in (0, 1]; `end_factor` may be 0.
 * [any-thread]  Since 0.2 */
TD_API td_status td_schedule_new_linear(TD_KEEPS TD_WRITES td_optimizer *optimizer, double start_factor,
                                        double end_factor, int64_t steps, td_schedule **out,
                                        td_error **err) TD_NOEXCEPT;
TD_API td_status td_schedule_new_constant(TD_KEEPS TD_WRITES td_optimizer *optimizer, double factor, int64_t steps,
                                          td_schedule **out, td_error **err) TD_NOEXCEPT;

/* TD_ZERO stands for 0, as in the options of optimizers. */
typedef struct td_one_cycle_options {
  size_t struct_size;
  double pct_start;        /* the part of the steps in which the learning rate rises; 0: 0.3 */
  double div_factor;       /* the first learning rate is max_lr / div_factor; 0: 25 */
  double final_div_factor; /* the last one is the first one / final_div_factor; 0: 1e4 */
  double base_momentum;    /* at the highest learning rate; 0: 0.85 */
  double max_momentum;     /* at the first and the last one; 0: 0.95 */
  td_bool linear;          /* 1: straight lines; 0: half cosine waves */
  td_bool three_phases;    /* 1: falls as it has risen, then to the last learning rate */
  td_bool keep_momentum;   /* 1: only the learning rate changes */
  uint8_t reserved[5];     /* 0 */
} td_one_cycle_options;
#define TD_ONE_CYCLE_OPTIONS_INIT \
  { sizeof(td_one_cycle_options), 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, TD_RESERVED }

/* Makes a schedule for `steps` steps that raises the learning rates of all groups to `max_lr` and then lowers them
 * further than they were at first, while the momentum ("momentum", or "beta1" of Adam) does the opposite. `options` may
 * be NULL.   Like OneCycleLR.
 * Errors: ARGUMENT for less than 1 step, and a number that is out of range.   [any-thread]  Since 0.2 */
TD_API td_status td_schedule_new_one_cycle(TD_KEEPS TD_WRITES td_optimizer *optimizer, double max_lr, int64_t steps,
                                           TD_NULLABLE const td_one_cycle_options *options, td_schedule **out,
                                           td_error **err) TD_NOEXCEPT;

/* Sets the learning rates of the next step. The optimizer must not be in use.   Like LRScheduler.step.
 * Errors: ARGUMENT after the last step of a cycle.   [exclusive]  Since 0.2 */
TD_API td_status td_schedule_step(td_schedule *self, td_error **err) TD_NOEXCEPT;

/* Returns the number of steps so far; 0 for NULL.   Like LRScheduler.last_epoch.   [any-thread] [leaf]  Since 0.2 */
TD_API int64_t td_schedule_steps(const td_schedule *self) TD_NOEXCEPT;

/* Returns the state as a dict of copies: "last_epoch" and "base_lrs". The learning rates themselves are in
 * td_optimizer_state.   Like LRScheduler.state_dict.   [any-thread]  Since 0.2 */
TD_API td_status td_schedule_state(const td_schedule *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Loads the state of a schedule that was made in the same way. Make the schedule first, then load its state and that of
 * the optimizer.   Like LRScheduler.load_state_dict.
 * Errors: KEY; SHAPE for another number of groups; ARGUMENT for a negative number of steps.   [exclusive]  Since 0.2 */
TD_API td_status td_schedule_load_state(td_schedule *self, const td_dict *state, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.2 */
TD_API void td_schedule_retain(const td_schedule *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.2 */
TD_API void td_schedule_release(const td_schedule *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_SCHEDULE_H */
