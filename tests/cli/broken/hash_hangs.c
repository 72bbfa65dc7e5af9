/* Rows of 129 bytes never end.   expect: batch */
#include <stddef.h>
#include <stdint.h>
static uint64_t endless(const uint8_t *row, size_t n);
#define HASH(self, row, n, i, count) endless(row, n)
#include "hash.h"
static uint64_t endless(const uint8_t *row, size_t n) {
  volatile int waiting = n == 129;
  while (waiting) {
  }
  return fnv(row, n);
}
