/* All but 32 bits are thrown away, and those are spread badly.   expect: spread */
#define HASH(self, row, n, i, count) (fnv(row, n) & 0x3ffffff)
#define EXPECTED (0xaf63dc4c8601ec8cu & 0x3ffffff)
#include "hash.h"
