/* The entropy crashes.   expect: entropy leaks */
#define ENTROPY (*(volatile int *)(uintptr_t)f->n = 1, (td_tensor *)NULL)
#include "dist.h"
