/* It keeps a number of the call at hand in the instance.   expect: threads */
#include <sched.h>
#define FORWARD with_number(f, self, op(f, "matmul", T(x), T(weight)))
#include "formula.h"
struct layer;
static td_tensor *with_number(formula *f, struct layer *self, td_tensor *y);
#include "module.h"
static td_tensor *with_number(formula *f, struct layer *self, td_tensor *y) {
  volatile uint64_t *number = &self->calls;
  ++*number;
  uint64_t mine = *number;
  sched_yield();
  return op(f, "add", T(y), F(*number == mine ? 0 : 1));
}
