/* ==== Interaction types =============================================================================================
 * The interaction type says how a value is taken from a distribution. DETERMINISTIC is the deterministic sample that
 * the distribution's type defines. If it defines none, it is the mode or the mean, as the type says; if the type says
 * neither, it is the mean for a real support, else the mode.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DIST_INTERACTION_H
#define TENSORDICT_DIST_INTERACTION_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef int32_t td_interaction;
enum {
  TD_INTERACTION_DEFAULT = 0, /* the default of the function or module that is called */
  TD_INTERACTION_MODE = 1,
  TD_INTERACTION_MEDIAN = 2,
  TD_INTERACTION_MEAN = 3,
  TD_INTERACTION_RANDOM = 4,
  TD_INTERACTION_DETERMINISTIC = 5
};

/* Returns the interaction type with this name, ignoring case.   Like InteractionType.from_str.   Errors: ARGUMENT.
 * [any-thread]  Since 0.1 */
TD_API td_status td_interaction_from_name(td_str name, td_interaction *out, td_error **err) TD_NOEXCEPT;

/* Runs `fn` with this interaction type of the calling thread (DEFAULT: none), which overrides the default of every
 * module. Afterwards the thread is as before, also if `fn` fails. Bindings should use this, or `interaction` of
 * td_run_options, and leave td_interaction_set to C.   Like set_interaction_type.
 * Errors: ARGUMENT for an unknown type, or if `fn` is NULL; CALLBACK.   [any-thread] [may-call-back]  Since 0.2 */
TD_API td_status td_interaction_run(td_interaction type, td_run_function fn, void *userdata,
                                    td_error **err) TD_NOEXCEPT;

/* Sets the interaction type of the calling thread, which overrides the default of every module, and returns the
 * previous one; set that again to restore it. `out_previous` may be NULL. In Go, lock the goroutine to its thread in
 * between.   Like set_interaction_type.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_interaction_set(td_interaction type, TD_NULLABLE td_interaction *out_previous,
                                    td_error **err) TD_NOEXCEPT;

/* Returns the interaction type of the calling thread; TD_INTERACTION_DEFAULT if none is set.   Like interaction_type.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_interaction td_interaction_get(void) TD_NOEXCEPT;

/* Returns a value as `type` says (DEFAULT: DETERMINISTIC). RANDOM draws `shape` values, with gradients if the
 * distribution supports them; the other types repeat their value. If the distribution has no mean, the mean of
 * `n_empirical` draws is used (0: 1000).
 * Errors: UNSUPPORTED; ARGUMENT for a negative `n_empirical`.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_interact(const td_dist *self, td_interaction type, const int64_t *shape, size_t ndim,
                                  int64_t n_empirical, TD_NULLABLE TD_WRITES td_generator *generator, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_INTERACTION_H */
