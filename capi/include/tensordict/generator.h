/* ==== Random numbers ================================================================================================
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
