/* It has weights that it does not declare, so that they are not saved.   expect: roundtrip */
#define AT_CREATE(made) ((made)->scratch[0] = (float)((uintptr_t)(made) >> 4 & 1023))
#define FORWARD op(f, "add", T(op(f, "matmul", T(x), T(weight))), F((self)->scratch[0]))
#include "module.h"
