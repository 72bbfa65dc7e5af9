// The monotonic clock, which cannot be set.
#pragma once

#include <cstdint>

#include <time.h>

namespace td::shm {

inline int64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

inline int64_t monotonic_ms() {
  return monotonic_ns() / 1000000;
}

// Off by a scheduler tick, and several times cheaper.
inline int64_t coarse_ms() {
#if defined(CLOCK_MONOTONIC_COARSE)
  timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
#else
  return monotonic_ms();
#endif
}

}  // namespace td::shm
