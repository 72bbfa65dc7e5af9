// Loops over LibTorch's threads, whatever they are made of and however this library was compiled.
#pragma once

#include <cstdint>
#include <functional>

namespace td {

// Calls fn(begin, end) for pieces of [0, n) of at least `grain`, also on other threads, and returns when all are done.
// Rethrows the first exception. May be called inside itself. `threads` limits how many work on it; 0: as many as there
// are.
void parallel_for(int64_t n, int64_t grain, const std::function<void(int64_t begin, int64_t end)>& fn,
                  int64_t threads = 0);

}  // namespace td
