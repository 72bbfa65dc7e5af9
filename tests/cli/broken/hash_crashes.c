/* It writes through NULL when it is made.   expect: vectors */
#define AT_CREATE(self) (*(volatile int *)(self)->calls = 1)
#include "hash.h"
