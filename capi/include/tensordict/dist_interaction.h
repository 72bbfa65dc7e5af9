/* ==== Interaction types =============================================================================================
 * How a value is taken from a distribution. DETERMINISTIC is the type's own deterministic sample; without one the mode
 * or the mean, as the type says; and if it does not say, the mean where the support is real, else the mode.
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
  TD_INTERACTION_DEFAULT = 0, /* whoever asks has a default */
  TD_INTERACTION_MODE = 1,
  TD_INTERACTION_MEDIAN = 2,
  TD_INTERACTION_MEAN = 3,
  TD_INTERACTION_RANDOM = 4,
  TD_INTERACTION_DETERMINISTIC = 5
};

/* Returns the type of a name, in any case.   Like InteractionType.from_str.   Errors: ARGUMENT.
 * [any-thread]  Since 0.1 */
TD_API td_status td_interaction_from_name(td_str name, td_interaction *out, td_error **err) TD_NOEXCEPT;

/* Sets the calling thread's type, over the default of every module, and gives what it was: set that again to end the
 * scope. `out_previous` may be NULL. In Go, lock the goroutine to its thread in between.   Like set_interaction_type.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_interaction_set(td_interaction type, TD_NULLABLE td_interaction *out_previous,
                                    td_error **err) TD_NOEXCEPT;

/* Returns the calling thread's type; TD_INTERACTION_DEFAULT if none is set.   Like interaction_type.
 * [any-thread]  Since 0.1 */
TD_API td_interaction td_interaction_get(void) TD_NOEXCEPT;

/* Returns a value as `type` says (DEFAULT: DETERMINISTIC). RANDOM draws `shape`, with gradients where the distribution
 * has them; the others repeat their value. Where the mean is not known, it is that of `n_empirical` draws (0: 1000).
 * Errors: UNSUPPORTED; ARGUMENT for a negative `n_empirical`.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_interact(const td_dist *self, td_interaction type, const int64_t *shape, size_t ndim,
                                  int64_t n_empirical, TD_NULLABLE TD_WRITES td_generator *generator, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_INTERACTION_H */
