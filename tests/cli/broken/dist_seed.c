/* It draws from LibTorch's default generator.   expect: determinism threads */
#define DRAW ((void)generator, shifted(f, loc, scale, dims, ndim, NULL))
#include "dist.h"
