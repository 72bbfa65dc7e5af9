/* It calculates in float32 whatever it is given.   expect: dtypes */
#define LOG_PROB op(f, "to", T(log_density(f, x, loc, scale, HALF_LOG_2_PI)), DTYPE(TD_DTYPE_FLOAT32))
#include "dist.h"
