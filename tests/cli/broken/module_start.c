/* Its parameters do not come from the generator that it is given.   expect: start */
#define START ((void)generator, op(f, "normal_", T(weight), F(0)))
#include "module.h"
