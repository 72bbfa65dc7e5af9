/* A child: calls of any functions, and everything given back in the end. */
#include "api/api.h"
#include "support/children.h"

enum { CALLS = 80 };

void make_calls(uint64_t seed) {
  (void)seed;
  int64_t *counts = shared_counts();
  for (int i = 0; i < CALLS; ++i) {
    const size_t which = below(n_api_calls);
    begin_call(api_calls[which].name);
    api_calls[which].call();
    end_call();
    counts[which] += 1;
  }
  td_set_warning_callback(NULL, NULL);
  say("\ngive back all");
  give_back_all();
  static const char *const registered[] = {"fuzz", "fuzz.one", "fuzz.two"}; /* in use until its type is gone */
  for (size_t i = 0; i < sizeof registered / sizeof *registered; ++i)
    for (td_plugin_kind kind = TD_PLUGIN_KIND_HASH; kind <= TD_PLUGIN_KIND_MODULE; ++kind)
      td_plugins_unregister(kind, TD_STR(registered[i]), NULL);
  expect_all_destroyed();
}
