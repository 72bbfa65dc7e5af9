/* Each call makes the weights smaller.   expect: purity */
#define FORWARD op(f, "matmul", T(x), T(op(f, "mul_", T(op(f, "detach", T(weight), NOTHING)), F(0.5))))
#include "module.h"
