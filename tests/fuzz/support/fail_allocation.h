/* Allocations of the library that fail when they are told to. Links only into a program that is made for it, as it takes the
 * place of malloc and of operator new in the whole process. */
#ifndef TESTS_FUZZ_FAIL_ALLOCATION_H
#define TESTS_FUZZ_FAIL_ALLOCATION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on the allocation number `which` of this thread fails (1 is the next), and with `all` every one after it. Those of
 * the library, of its plugins, and the memory of tensors count; what LibTorch allocates for itself does not. */
void fail_allocation(int64_t which, int all);
/* From now on none fails; gives the number of those that have failed. */
int64_t allocations_failed(void);

/* From now on counts what this thread allocates and locks, whoever does it; watched_calls ends it. */
void watch_calls(void);
int64_t watched_calls(void);

#ifdef __cplusplus
}
#endif

#endif
