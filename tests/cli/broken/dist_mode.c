/* The mode is a place that is not the most likely.   expect: mode */
#define MODE op(f, "add", T(loc), T(scale))
#include "dist.h"
