/* fuzz_allocations: the calls of fuzz_api, in each of which an allocation of the library fails, or all from one on. A call
 * without memory fails with TD_ERR_OOM and changes nothing, as any call that fails, or does without what it wanted. A call
 * with the tag [leaf] allocates nothing and takes no lock. */
#include "api/api.h"
#include "support/children.h"
#include "support/fail_allocation.h"

enum { COUNT_REACHED = 2048 }; /* of the shared numbers: those of functions in which one has failed */

static int all_fail;

static void fail_one(void) {
  const int64_t most = chance(50) ? 8 : chance(60) ? 64 : 1024;
  const int64_t which = between(1, most);
  all_fail = chance(30);
  say(" [allocation %lld%s fails]", (long long)which, all_fail ? " and all after it" : "");
  fail_allocation(which, all_fail);
}

static void count_failed(const char *of) {
  size_t function = 0;
  if (allocations_failed() == 0) return;
  forget_dicts(!all_fail); /* to undo what was begun takes memory, too, and a file has it already */
  while (strcmp(api_calls[function].name, of) != 0) ++function;
  shared_counts()[COUNT_REACHED + function] += 1;
}

static void expect_none(const char *of) {
  const int64_t n = watched_calls();
  if (n) child_fails("%s has the tag [leaf], and allocated or locked %lld times", of, (long long)n);
}

static void statistics(void) {
  size_t never = 0;
  int64_t failed = 0;
  for (size_t i = 0; i < n_api_calls; ++i) {
    never += shared_counts()[COUNT_REACHED + i] == 0;
    failed += shared_counts()[COUNT_REACHED + i];
  }
  printf("%lld calls met an allocation that failed, in %zu of %zu functions\n", (long long)failed, n_api_calls - never,
         n_api_calls);
}

int main(int argc, char **argv) {
  fuzz_run run = {"fuzz_allocations", 1, 200, 0, 0, 0, make_calls, statistics};
  td_string *types = NULL;
  read_arguments(&run, argc, argv);
  hold(td_plugins_list(&types, NULL) == TD_OK, "the bundled plugins are found"); /* once, and not in each child */
  td_string_release(types);
  before_call = fail_one, after_call = count_failed;
  before_leaf = watch_calls, after_leaf = expect_none;
  return run_children(&run) != 0;
}
