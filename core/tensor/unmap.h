// Unmapping files that go away together, as those of a dict do: neighbours in memory cost one system call.
#pragma once

#include <array>
#include <cstddef>

namespace td {

// While one lives, what its thread unmaps is gathered; the outermost unmaps it, at its end at the latest.
class UnmapTogether {
 public:
  UnmapTogether();
  ~UnmapTogether();
  UnmapTogether(const UnmapTogether&) = delete;
  UnmapTogether& operator=(const UnmapTogether&) = delete;

 private:
  friend void unmap(void* start, size_t size) noexcept;
  struct Range {
    char *begin, *end;
  };
  void add(char* begin, char* end);
  void flush();

  std::array<Range, 256> ranges_;
  size_t count_ = 0;
  bool outermost_;
};

// A whole mapping, of which nothing is used any more.
void unmap(void* start, size_t size) noexcept;

}  // namespace td
