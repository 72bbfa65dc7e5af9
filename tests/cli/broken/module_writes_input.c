/* It works in the memory of its input.   expect: purity */
#define FORWARD op(f, "matmul", T(op(f, "mul_", T(op(f, "detach", T(x), NOTHING)), F(0.5))), T(weight))
#include "module.h"
