/* fuzz_api: seeds, in each of which a child calls functions of the library in any order. */
#include "api/api.h"
#include "support/children.h"

enum { CALLS = 80 };

static void calls(uint64_t seed) {
  (void)seed;
  int64_t *counts = shared_counts();
  for (int i = 0; i < CALLS; ++i) {
    const size_t which = below(n_api_calls);
    begin_call(api_calls[which].name);
    api_calls[which].call();
    end_call();
    counts[which] += 1;
  }
  td_set_warning_callback(NULL, NULL, NULL);
  say("\ngive back all");
  give_back_all();
  static const char *const registered[] = {"fuzz", "fuzz.one", "fuzz.two"}; /* in use until its type is gone */
  for (size_t i = 0; i < sizeof registered / sizeof *registered; ++i)
    for (td_plugin_kind kind = TD_PLUGIN_HASH; kind <= TD_PLUGIN_MODULE; ++kind)
      td_plugins_unregister(kind, TD_STR(registered[i]), NULL);
  expect_all_destroyed();
}

static void statistics(void) {
  size_t never = 0;
  for (size_t i = 0; i < n_api_calls; ++i) never += shared_counts()[i] == 0;
  printf("%zu functions, %zu never called\n", n_api_calls, never);
}

int main(int argc, char **argv) {
  fuzz_run run = {"fuzz_api", 1, 200, 0, 0, 0, calls, statistics};
  td_string *types = NULL;
  read_arguments(&run, argc, argv);
  hold(td_plugins_list(&types, NULL) == TD_OK, "the bundled plugins are found"); /* once, and not in each child */
  td_string_release(types);
  return run_children(&run) != 0;
}
