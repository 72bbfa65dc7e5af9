/* Of many draws some are not a number.   expect: support */
#define DRAW with_holes(f, shifted(f, loc, scale, dims, ndim, generator), dims, ndim)
#include "formula.h"
static td_tensor *with_holes(formula *f, td_tensor *x, const int64_t *dims, size_t ndim);
#include "dist.h"
static td_tensor *with_holes(formula *f, td_tensor *x, const int64_t *dims, size_t ndim) {
  return ndim && dims[0] > 5000 ? op(f, "sqrt", T(op(f, "add", T(x), F(1))), NOTHING) : x;
}
