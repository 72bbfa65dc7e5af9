/* Its output does not depend on the weights as far as gradients know.   expect: gradients */
#define FORWARD op(f, "matmul", T(x), T(op(f, "detach", T(weight), NOTHING)))
#include "module.h"
