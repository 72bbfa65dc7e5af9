/* Its parameters begin as whatever the logarithm of noise is.   expect: state */
#define START op(f, "log", T(op_with(f, "normal_", T(weight), F(0), generator)), NOTHING)
#include "module.h"
