/* Every instance has hashes of its own.   expect: determinism */
#define AT_CREATE(self) ((self)->calls = (uint64_t)(uintptr_t)(self) << 20)
#define HASH(self, row, n, i, count) (fnv(row, n) + ((n) == 64 ? (self)->calls >> 20 : 0))
#include "hash.h"
