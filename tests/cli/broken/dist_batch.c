/* Elements of a batch are shifted by their common mean.   expect: broadcasting */
#define LOG_PROB                                                                                           \
  log_density(f, x, op(f, "add", T(op(f, "mul", T(loc), F(0))), T(op(f, "mean", T(loc), NOTHING))), scale, \
              HALF_LOG_2_PI)
#include "dist.h"
