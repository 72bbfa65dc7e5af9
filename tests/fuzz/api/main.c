/* fuzz_api: seeds, in each of which a child calls functions of the library in any order. */
#include "api/api.h"
#include "support/children.h"

static void statistics(void) {
  size_t never = 0;
  for (size_t i = 0; i < n_api_calls; ++i) never += shared_counts()[i] == 0;
  printf("%zu functions, %zu never called\n", n_api_calls, never);
}

int main(int argc, char **argv) {
  fuzz_run run = {"fuzz_api", 1, 200, 0, 0, 0, make_calls, statistics};
  td_string *types = NULL;
  read_arguments(&run, argc, argv);
  hold(td_plugins_list(&types, NULL) == TD_OK, "the bundled plugins are found"); /* once, and not in each child */
  td_string_release(types);
  return run_children(&run) != 0;
}
