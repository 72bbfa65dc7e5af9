/* The density forgets that it depends on the scale.   expect: gradients */
#define LOG_PROB log_density(f, x, loc, op(f, "detach", T(scale), NOTHING), HALF_LOG_2_PI)
#include "dist.h"
