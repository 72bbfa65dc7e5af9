/* The variance is the standard deviation.   expect: moments */
#define VARIANCE op(f, "mul", T(scale), F(1))
#include "dist.h"
