/* A hash type whose test vector it does not give. */
#include "sum_type.h"

static const td_hash_vector vectors[] = {{TD_TEXT("{}"), TD_TEXT("\x01\x02"), 3},
                                         {TD_TEXT("{}"), TD_TEXT("\x01\x02"), 4}};
static td_hash_type sum = SUM_TYPE("org.test.wrong_vector");
static const td_plugin_type *const types[] = {&sum.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  sum.vectors = vectors;
  sum.n_vectors = 2;
  return fill(out, types, 1);
}
