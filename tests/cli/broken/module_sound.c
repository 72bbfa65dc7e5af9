/* Nothing is wrong with it. */
#include "module.h"
