/* Small objects, for the makers. A maker gives NULL where the state of the child lets it make nothing. */
#ifndef TESTS_FUZZ_MADE_H
#define TESTS_FUZZ_MADE_H

#include "tensordict.h"

td_tensor *numbered(td_dtype dtype, const int64_t *dims, size_t ndim);
td_tensor *with_operator(const char *name, const char *overload, const td_value *args, size_t n);
/* Sets, and gives the caller's reference up. */
void put(td_dict *dict, const td_key *key, td_tensor *taken);
/* {"a": float32 [batch, 3], "b": int64 [batch], ("n", "x"): float32 [batch], ("n", "c"): bool [batch]}. */
td_dict *small_dict(const int64_t *batch, size_t ndim);
td_dict *stack_of(td_dict *taken, td_dict *also_taken, int64_t dim);
/* float32 [2, 3] under "a", as td.linear of the makers takes. */
td_module *linear(const char *in, const char *out);

#endif
