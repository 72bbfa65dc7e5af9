// Counts of what callers hold, for leak tests. Each thread counts for itself without atomics in the way; reading sums
// up.
#pragma once

#include <cstdint>

namespace td::live {

constexpr int kinds = 30;  // as td_object_kind; capi/process/process.cpp asserts it
constexpr int mapping = 15;

void add(int kind, int64_t n);
int64_t count(int kind);

void add_mapped_bytes(int64_t n);
int64_t mapped_bytes();

}  // namespace td::live
