// Each row's own call under valgrind's callgrind, which counts instructions; the script `instructions` reads what it wrote.
#pragma once

#include <string>

#include "tests/bench/harness.h"

namespace bench {

enum class Counted { ours, floor };  // the row's call, or that of its first floor

// Runs the call `calls` times with the counters on, after some without, and has callgrind write a part of that name.
// Left out are rows of samples, which wait for others, so that their
// instructions would say how long, and rows that take long.
void count_instructions(const std::string& name, const Rows::SetUp& set_up, int calls, Counted counted);

}  // namespace bench
