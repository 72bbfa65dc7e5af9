/* The twenty-first row of a batch loses its last byte, as when a loop over eight lanes forgets the rest.   expect: batch */
#define HASH(self, row, n, i, count) fnv(row, (i) == 20 && (n) ? (n)-1 : (n))
#include "hash.h"
