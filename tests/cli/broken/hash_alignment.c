/* Rows at odd addresses hash differently.   expect: alignment */
#define HASH(self, row, n, i, count) (fnv(row, n) + (count == 3 && (uintptr_t)(row) % 2))
#include "hash.h"
