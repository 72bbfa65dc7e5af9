/* It ends the process when it is given a long row.   expect: spread */
#define HASH(self, row, n, i, count) ((count) > 10000 ? exit(0), 0 : fnv(row, n))
#include "hash.h"
