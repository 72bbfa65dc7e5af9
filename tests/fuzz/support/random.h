/* Numbers that follow from a seed, the same on every machine. */
#ifndef TESTS_FUZZ_RANDOM_H
#define TESTS_FUZZ_RANDOM_H

#include <stdint.h>

extern uint64_t random_state;

static inline void random_seed(uint64_t seed) {
  random_state = (seed + 1) * 0x9E3779B97F4A7C15ULL;
  if (random_state == 0) random_state = 1;
}

static inline uint64_t below(uint64_t n) { /* xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return n ? (random_state * 0x2545F4914F6CDD1DULL >> 11) % n : 0;
}

static inline int64_t between(int64_t low, int64_t high) {
  return low + (int64_t)below((uint64_t)(high - low + 1));
}

/* 1 in `percent` of 100 cases. */
static inline int chance(int percent) {
  return (int)below(100) < percent;
}

#define ONE_OF(array) ((array)[below(sizeof(array) / sizeof *(array))])

#endif
