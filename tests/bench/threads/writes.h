// Which of its writes a call makes to memory that other threads have: that of the first thread, and the variables of
// libraries. What the calling thread allocates, its stack and its thread-local storage do not count.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Writes {
  bool counted = false;           // not on this processor, or this C library
  size_t writes = 0, lines = 0;   // lines of 64 bytes
  std::vector<std::string> from;  // LIBRARY+OFFSET of the instruction, for addr2line
};

// In a thread that is not the first one, while all others wait. The memory is made read-only, and each instruction that
// writes to it runs alone.
Writes shared_writes(const std::function<void()>& call);

}  // namespace bench
