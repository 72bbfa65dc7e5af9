#include "support/fail_allocation.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unwind.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

// What malloc is here in the end.
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

namespace {

struct Range {
  uintptr_t from, to;
};
struct Ranges {
  Range all[64];
  size_t n;
  void add(Range range) {
    if (n < 64) all[n++] = range;
  }
  bool hold(uintptr_t address) const {
    for (size_t i = 0; i < n; ++i)
      if (address >= all[i].from && address < all[i].to) return true;
    return false;
  }
};
Ranges ours;      // code of the library and of its plugins
Ranges tensors;   // code that allocates the memory of tensors
Ranges standard;  // code that allocates for whoever has called it, as for a string

thread_local int64_t until = -1;  // -1: nothing is counted
thread_local bool all_fail = false;
thread_local int64_t failed = 0;
thread_local int64_t watched = -1;  // -1: nothing is watched

int note(dl_phdr_info *info, size_t, void *) {
  const auto named = [&](const char *part) { return strstr(info->dlpi_name, part) != nullptr; };
  Ranges *found = named("/libtensordict.so") || named("/plugins/") ? &ours
                  : named("/libc10.so")                            ? &tensors
                  : named("/libstdc++.so")                         ? &standard
                                                                   : nullptr;
  for (int i = 0; found && i < info->dlpi_phnum; ++i) {
    const auto &part = info->dlpi_phdr[i];
    const uintptr_t from = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && part.p_flags & PF_X) found->add({from, from + part.p_memsz});
  }
  return 0;
}

// The first frame above the standard library.
_Unwind_Reason_Code look(_Unwind_Context *context, void *result) {
  const uintptr_t at = _Unwind_GetIP(context);
  auto &state = *static_cast<int *>(result);  // 0: not in the standard library yet, 1: in it, 2: ours, 3: another's
  if (standard.hold(at)) {
    state = 1;
    return _URC_NO_REASON;
  }
  if (state == 0) return _URC_NO_REASON;
  state = ours.hold(at) ? 2 : 3;
  return _URC_END_OF_STACK;
}

bool by_us(const void *caller) {
  if (until < 0) return false;
  const auto at = reinterpret_cast<uintptr_t>(caller);
  if (ours.hold(at)) return true;
  if (!standard.hold(at)) return false;
  int state = 0;
  _Unwind_Backtrace(look, &state);
  return state == 2;
}

bool for_tensor(const void *caller) {
  return until >= 0 && tensors.hold(reinterpret_cast<uintptr_t>(caller));
}

bool fails(bool counts) {
  if (watched >= 0) ++watched;
  if (!counts) return false;
  if (until > 1) {
    --until;
    return false;
  }
  until = all_fail ? 1 : -1;
  ++failed;
  return true;
}

void *make(size_t size, const void *caller) {
  void *made = fails(by_us(caller)) ? nullptr : __libc_malloc(size ? size : 1);
  if (!made) throw std::bad_alloc();
  return made;
}

void *make(size_t size, std::align_val_t alignment, const void *caller) {
  void *made = fails(by_us(caller)) ? nullptr : __libc_memalign(static_cast<size_t>(alignment), size);
  if (!made) throw std::bad_alloc();
  return made;
}

}  // namespace

#define CALLER __builtin_return_address(0)

extern "C" {

void fail_allocation(int64_t which, int all) {
  until = -1;
  ours.n = tensors.n = standard.n = 0;
  dl_iterate_phdr(note, nullptr);  // plugins come and go
  failed = 0;
  all_fail = all != 0;
  until = which;
}

int64_t allocations_failed(void) {
  until = -1;
  return failed;
}

void watch_calls(void) {
  until = -1;
  watched = 0;
}

int64_t watched_calls(void) {
  const int64_t made = watched;
  watched = -1;
  return made;
}

// The names that the C library has for its own use take no watched call.
#define WATCHED_LOCK(name, object)                                                         \
  int name(object *lock) {                                                                 \
    static const auto real = reinterpret_cast<int (*)(object *)>(dlsym(RTLD_NEXT, #name)); \
    if (watched >= 0) ++watched;                                                           \
    return real(lock);                                                                     \
  }
WATCHED_LOCK(pthread_mutex_lock, pthread_mutex_t)
WATCHED_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
WATCHED_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)

void *malloc(size_t size) {
  if (!fails(by_us(CALLER))) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}

void *calloc(size_t n, size_t size) {
  if (!fails(by_us(CALLER))) return __libc_calloc(n, size);
  errno = ENOMEM;
  return nullptr;
}

void *realloc(void *memory, size_t size) {
  if (!fails(by_us(CALLER))) return __libc_realloc(memory, size);
  errno = ENOMEM;
  return nullptr;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  const void *caller = CALLER;
  if (fails(for_tensor(caller) || by_us(caller))) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

}  // extern "C"

void *operator new(size_t size) {
  return make(size, CALLER);
}
void *operator new[](size_t size) {
  return make(size, CALLER);
}
void *operator new(size_t size, std::align_val_t alignment) {
  return make(size, alignment, CALLER);
}
void *operator new[](size_t size, std::align_val_t alignment) {
  return make(size, alignment, CALLER);
}
void operator delete(void *memory) noexcept {
  free(memory);
}
void operator delete[](void *memory) noexcept {
  free(memory);
}
void operator delete(void *memory, size_t) noexcept {
  free(memory);
}
void operator delete[](void *memory, size_t) noexcept {
  free(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
  free(memory);
}
void operator delete[](void *memory, std::align_val_t) noexcept {
  free(memory);
}
void operator delete(void *memory, size_t, std::align_val_t) noexcept {
  free(memory);
}
void operator delete[](void *memory, size_t, std::align_val_t) noexcept {
  free(memory);
}
