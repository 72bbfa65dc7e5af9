/* It drops out elements although it is not trained.   expect: determinism */
#define FORWARD                                                                                               \
  op(f, "mul", T(op(f, "matmul", T(x), T(weight))),                                                           \
     T(op(f, "add",                                                                                           \
          T(op(f, "bernoulli", T(op(f, "full_like", T(op(f, "matmul", T(x), T(weight))), F(0.5))), NOTHING)), \
          F(0.5))))
#include "module.h"
