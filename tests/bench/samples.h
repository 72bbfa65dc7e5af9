// Rows that wait for another process, sample by sample.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/bench/harness.h"

namespace bench {

struct Samples {
  std::vector<double> ns;
  double quietest = 0;  // the median of the turn with the lowest one
  size_t slept = 0;     // samples in which this thread gave its CPU away

  double at(double quantile);
};

// The parts of a row in turns, ours first in the result.
std::vector<Samples> take_samples(const Row& row, int repetitions);

}  // namespace bench
