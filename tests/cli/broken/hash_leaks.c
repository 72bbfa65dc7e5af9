/* Instances are never freed.   expect: leaks */
#define DESTROY(self) (void)(self)
#include "hash.h"
