/* ==== Random numbers ================================================================================================
 * An operator that draws takes a generator as its argument "generator"; without one it uses LibTorch's default one.
 *
 *     td_value args[] = {td_value_int(10), td_value_ints((int64_t[]){3}, 1)}, y;   // three of 0 to 9
 *     td_named_value with[] = {{TD_STR("generator"), td_value_generator(generator)}};
 *     td_op_run(TD_STR("randint"), args, 2, with, 1, &y, 1, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_GENERATOR_H
#define TENSORDICT_GENERATOR_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a CPU generator; the same seed gives the same numbers as torch.Generator().manual_seed(seed).
 * [any-thread]  Since 0.1 */
TD_API td_status td_generator_new(uint64_t seed, td_generator **out, td_error **err) TD_NOEXCEPT;

/* Restarts the generator with `seed`.   Like Generator.manual_seed.   [exclusive]  Since 0.1 */
TD_API td_status td_generator_seed(td_generator *self, uint64_t seed, td_error **err) TD_NOEXCEPT;

/* Returns the seed that the generator began with, or was last restarted with; 0 for NULL.   Like
 * Generator.initial_seed.   [any-thread]  Since 0.2 */
TD_API uint64_t td_generator_initial_seed(const td_generator *self) TD_NOEXCEPT;

/* Returns the state as a new uint8 tensor with one dim, the same bytes as torch.Generator has.   Like
 * Generator.get_state.   [any-thread]  Since 0.2 */
TD_API td_status td_generator_state(const td_generator *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Continues from a state of td_generator_state or of torch.Generator.   Like Generator.set_state.
 * Errors: DTYPE unless it is uint8; SHAPE for another number of bytes; CORRUPT for other bytes.
 * [exclusive]  Since 0.2 */
TD_API td_status td_generator_load_state(td_generator *self, const td_tensor *state, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_generator_retain(const td_generator *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_generator_release(const td_generator *self) TD_NOEXCEPT;

/* Seeds LibTorch's default generators, for the whole process.   Like torch.manual_seed.   [any-thread]  Since 0.1 */
TD_API td_status td_manual_seed(uint64_t seed, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_GENERATOR_H */
