/* It marks the end of a row for a moment.   expect: bounds */
#include <stddef.h>
#include <stdint.h>
static uint64_t marked(const uint8_t *row, size_t n);
#define HASH(self, row, n, i, count) marked(row, n)
#include "hash.h"
static uint64_t marked(const uint8_t *row, size_t n) {
  volatile uint8_t *last = (volatile uint8_t *)(uintptr_t)row + n - 1;
  uint64_t h = fnv(row, n);
  if (n) *last = *last;
  return h;
}
