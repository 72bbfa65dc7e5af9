/* The mean is a hundredth of the scale off.   expect: moments */
#define MEAN op(f, "add", T(loc), T(op(f, "mul", T(scale), F(0.1))))
#include "dist.h"
