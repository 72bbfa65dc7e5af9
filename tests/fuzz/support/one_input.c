#include "support/one_input.h"

enum { KINDS = 24 };

const fuzz_target *begin_target(const char *name) {
  for (const fuzz_target *const *t = fuzz_targets; *t; ++t)
    if (strcmp((*t)->name, name) == 0) {
      if ((*t)->begin) (*t)->begin();
      return *t;
    }
  fprintf(stderr, "there is no target %s\n", name);
  exit(2);
}

void run_one(const fuzz_target *target, const uint8_t *bytes, size_t size) {
  int64_t before[KINDS];
  for (int kind = 0; kind < KINDS; ++kind) before[kind] = td_live_objects(kind);
  target->run(bytes, size);
  for (int kind = 0; kind < KINDS; ++kind) {
    if (td_live_objects(kind) == before[kind]) continue;
    fprintf(stderr, "%lld objects of kind %d, %lld before\n", (long long)td_live_objects(kind), kind,
            (long long)before[kind]);
    hold(0, "every handle and mapping is given back");
  }
}
