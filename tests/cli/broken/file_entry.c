/* Its entry crashes.   expect: load */
#define ENTRY(host) (*(volatile int *)(uintptr_t)((host)->abi_major - TD_PLUGIN_ABI_MAJOR) = 1)
#include "hash.h"
