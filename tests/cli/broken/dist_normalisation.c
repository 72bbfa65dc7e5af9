/* The density is too large by a constant.   expect: normalisation entropy */
#define LOG_PROB log_density(f, x, loc, scale, 0.9)
#include "dist.h"
