// Bytes of the heap that things take, as malloc counts them: with its own head and padding of each block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/bench/setup.h"

namespace bench {

struct HeapRow {
  std::string what;
  double ours, floor;
  std::string how;  // what the floor is
};

std::vector<HeapRow> heap_rows();

using Segment = std::shared_ptr<td_segment>;
Segment segment_of(size_t leaves, const std::string& name);  // of 4 KiB each

// Runs the program again with malloc's caches of threads off, as malloc counts what lies in them as used.
void without_caches_of_malloc(char** argv);

}  // namespace bench
