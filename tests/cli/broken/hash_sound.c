/* Nothing is wrong with it. */
#include "hash.h"
