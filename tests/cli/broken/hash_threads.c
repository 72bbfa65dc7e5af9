/* It says that one instance can serve many threads, and uses one scratch area for all of them.   expect: threads */
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
static uint64_t through_scratch(char *scratch, const uint8_t *row, size_t n);
#define FLAGS (TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_THREAD_SAFE)
#define HASH(self, row, n, i, count) through_scratch((self)->scratch, row, n)
#include "hash.h"
static uint64_t through_scratch(char *scratch, const uint8_t *row, size_t n) {
  if (n > 64) return fnv(row, n);
  for (size_t i = 0; i < n; ++i) ((volatile char *)scratch)[i] = (char)row[i];
  sched_yield();
  return fnv((const uint8_t *)scratch, n);
}
