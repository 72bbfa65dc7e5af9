/* The fifty-first row of a batch loses its last byte, as when a loop over lanes forgets the rest. The library tries vectors
 * in smaller batches than that.   expect: batch */
#define HASH(self, row, n, i, count) fnv(row, (i) == 50 && (n) ? (n)-1 : (n))
#include "hash.h"
