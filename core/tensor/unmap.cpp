#include "core/tensor/unmap.h"

#include <algorithm>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace td {

namespace {

// Asked by every release of a dict: one word that is reached without a call, also when the library is opened late.
__attribute__((tls_model("initial-exec"))) thread_local UnmapTogether* gathering = nullptr;

const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));

size_t whole_pages(size_t size) {
  return (size + page - 1) / page * page;
}

}  // namespace

UnmapTogether::UnmapTogether() : outermost_(!gathering) {
  if (outermost_) gathering = this;
}

UnmapTogether::~UnmapTogether() {
  if (!outermost_) return;
  flush();
  gathering = nullptr;
}

void UnmapTogether::add(char* begin, char* end) {
  if (count_ > 0) {  // what was mapped in order lies in order, up or down
    Range& last = ranges_[count_ - 1];
    if (end == last.begin) {
      last.begin = begin;
      return;
    }
    if (begin == last.end) {
      last.end = end;
      return;
    }
  }
  if (count_ == ranges_.size()) flush();
  ranges_[count_++] = {begin, end};
}

// Several threads may have mapped the files, in turns.
void UnmapTogether::flush() {
  std::sort(ranges_.begin(), ranges_.begin() + count_, [](const Range& a, const Range& b) {
    return reinterpret_cast<uintptr_t>(a.begin) < reinterpret_cast<uintptr_t>(b.begin);
  });
  for (size_t i = 0; i < count_;) {
    Range run = ranges_[i];
    for (++i; i < count_ && ranges_[i].begin == run.end; ++i) run.end = ranges_[i].end;
    munmap(run.begin, static_cast<size_t>(run.end - run.begin));
  }
  count_ = 0;
}

void unmap(void* start, size_t size) noexcept {
  char* begin = static_cast<char*>(start);
  if (gathering)
    gathering->add(begin, begin + whole_pages(size));
  else
    munmap(start, size);
}

}  // namespace td
