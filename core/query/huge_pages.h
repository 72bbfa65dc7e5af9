// An allocator for big arrays that are read all over: with huge pages one look-up costs no walk through page tables.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace td {

template <class T>
struct HugePages {
  using value_type = T;
  static constexpr size_t page = size_t{2} << 20;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}  // NOLINT: as every allocator

  T* allocate(size_t n) {
    if (n > SIZE_MAX / 2 / sizeof(T)) throw std::bad_alloc();
    size_t bytes = n * sizeof(T);
    bool big = bytes >= 2 * page;
    void* memory = big ? std::aligned_alloc(page, (bytes + page - 1) / page * page) : std::malloc(bytes);
    if (!memory) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    if (big) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) noexcept {
    std::free(memory);
  }
};

template <class T, class U>
bool operator==(const HugePages<T>&, const HugePages<U>&) {
  return true;
}
template <class T, class U>
bool operator!=(const HugePages<T>&, const HugePages<U>&) {
  return false;
}

template <class T>
using HugeVector = std::vector<T, HugePages<T>>;

}  // namespace td
