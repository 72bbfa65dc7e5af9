/* It promises another hash of "a" than it gives.   expect: vectors */
#define EXPECTED 1
#include "hash.h"
