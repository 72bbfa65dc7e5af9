/* It promises nothing.   expect: vectors */
#define VECTORS 0
#include "hash.h"
