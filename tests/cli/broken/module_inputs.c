/* It reads the second size of its input without looking whether there is one.   expect: inputs */
#define FORWARD sized(f, x, op(f, "matmul", T(x), T(weight)))
#include "formula.h"
static td_tensor *sized(formula *f, const td_tensor *x, td_tensor *y);
#include "module.h"
static td_tensor *sized(formula *f, const td_tensor *x, td_tensor *y) {
  int64_t *dims = NULL, all[8];
  if (f->host->tensor_shape(x, all, 8) > 1) dims = all;
  return *(volatile int64_t *)dims > 0 ? y : y;
}
