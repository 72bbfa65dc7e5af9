/* Another function is exported beside the entry.   expect: exports */
#include "hash.h"
TD_PLUGIN_EXPORT int helper(void);
int helper(void) {
  return 1;
}
