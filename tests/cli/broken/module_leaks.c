/* It never gives its weights back.   expect: leaks */
#define AT_CREATE(made) host->tensor_retain((made)->weight)
#include "module.h"
