/* Each density keeps a reference.   expect: leaks */
#define LOG_PROB kept(f, log_density(f, x, loc, scale, HALF_LOG_2_PI))
#include "formula.h"
static td_tensor *kept(formula *f, td_tensor *t);
#include "dist.h"
static td_tensor *kept(formula *f, td_tensor *t) {
  if (t) f->host->tensor_retain(t);
  return t;
}
