/* The draws of rsample have half of their gradient by the location.   expect: reparameterisation */
#define PATH                                                                                                        \
  shifted(f, op(f, "mul", T(op(f, "add", T(loc), T(op(f, "detach", T(loc), NOTHING)))), F(0.5)), scale, dims, ndim, \
          generator)
#include "dist.h"
