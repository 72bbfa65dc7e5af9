/* Nothing is wrong with it. */
#include "dist.h"
