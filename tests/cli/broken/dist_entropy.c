/* The entropy lacks a half.   expect: entropy */
#define ENTROPY op(f, "add", T(op(f, "log", T(scale), NOTHING)), F(HALF_LOG_2_PI))
#include "dist.h"
