/* Its entry crashes.   expect: load */
#define ENTRY(host) (*(volatile int *)(uintptr_t)((host)->abi_major - 1) = 1)
#include "hash.h"
