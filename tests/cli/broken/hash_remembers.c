/* After a hundred calls it hashes differently.   expect: determinism */
#define HASH(self, row, n, i, count) (fnv(row, n) + ((self)->calls >= 100 && (n) == 64))
#include "hash.h"
