#include "tests/bench/threads/writes.h"

#if defined(__x86_64__) && defined(__GLIBC__)

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace bench {

namespace {

constexpr uintptr_t page = 4096, line = 64;
constexpr greg_t single_step = 0x100;  // the trap flag

struct Range {
  uintptr_t begin, end;
};
struct Write {
  uintptr_t to, from;
};

// What the handlers use: no memory that is read-only meanwhile.
struct State {
  Range ranges[256];
  size_t n_ranges;
  uintptr_t open[4];  // pages that the instruction at `at` may write to
  size_t n_open;
  uintptr_t at;
  Write writes[4096];
  size_t n_writes;
};
State* state;

void protect(int how) {
  for (size_t i = 0; i < state->n_ranges; ++i)
    mprotect(reinterpret_cast<void*>(state->ranges[i].begin), state->ranges[i].end - state->ranges[i].begin, how);
}

void stepped(int, siginfo_t*, void* context) {
  for (size_t i = 0; i < state->n_open; ++i) mprotect(reinterpret_cast<void*>(state->open[i]), page, PROT_READ);
  state->n_open = 0;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~single_step;
}

void refused(int, siginfo_t* info, void* context) {
  const auto to = reinterpret_cast<uintptr_t>(info->si_addr);
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto from = static_cast<uintptr_t>(registers[REG_RIP]);
  bool ours = false;
  for (size_t i = 0; i < state->n_ranges; ++i) ours |= to >= state->ranges[i].begin && to < state->ranges[i].end;
  if (!ours || state->n_open == 4) {
    signal(SIGSEGV, SIG_DFL);  // and again, for the end that it would have had
    return;
  }
  // One that crosses into a second page comes here twice.
  if (state->n_open == 0 && state->n_writes < 4096) state->writes[state->n_writes++] = {to, from};
  state->open[state->n_open++] = to & ~(page - 1);
  mprotect(reinterpret_cast<void*>(to & ~(page - 1)), page, PROT_READ | PROT_WRITE);
  registers[REG_EFL] |= single_step;
}

// The heap of the first thread, and the writable parts of libraries. Not those of this program, which holds `state`, nor
// of the loader. Variables without a first value follow their library in a part without a name.
void find_ranges() {
  char text[512], rights[8], name[256], before[256] = "";
  FILE* maps = std::fopen("/proc/self/maps", "r");
  while (maps && std::fgets(text, sizeof text, maps) && state->n_ranges < 256) {
    unsigned long begin, end;
    name[0] = 0;
    if (std::sscanf(text, "%lx-%lx %7s %*s %*s %*s %255[^\n]", &begin, &end, rights, name) < 3) continue;
    const char* owner = name[0] ? name : before;
    const bool library = std::strstr(owner, ".so") && !std::strstr(owner, "/ld-");
    if (rights[0] == 'r' && rights[1] == 'w' && (std::strcmp(name, "[heap]") == 0 || library))
      state->ranges[state->n_ranges++] = {begin, end};
    std::strcpy(before, name);
  }
  if (maps) std::fclose(maps);
}

std::string place(uintptr_t at) {
  Dl_info about;
  if (!dladdr(reinterpret_cast<void*>(at), &about)) return "?";
  const char* name = std::strrchr(about.dli_fname, '/');
  char text[300];
  std::snprintf(text, sizeof text, "%s+%#lx", name ? name + 1 : about.dli_fname,
                static_cast<unsigned long>(at - reinterpret_cast<uintptr_t>(about.dli_fbase)));
  return text;
}

}  // namespace

Writes shared_writes(const std::function<void()>& call) {
  void* room = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return {};
  state = static_cast<State*>(room);
  find_ranges();
  struct sigaction on_write = {}, on_step = {}, old_write, old_step;
  on_write.sa_sigaction = refused, on_step.sa_sigaction = stepped;
  on_write.sa_flags = on_step.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &on_write, &old_write);
  sigaction(SIGTRAP, &on_step, &old_step);
  protect(PROT_READ);
  call();
  protect(PROT_READ | PROT_WRITE);
  sigaction(SIGSEGV, &old_write, nullptr);
  sigaction(SIGTRAP, &old_step, nullptr);
  Writes found;
  found.counted = true;
  found.writes = state->n_writes;
  std::set<uintptr_t> lines;
  for (size_t i = 0; i < state->n_writes; ++i) {
    lines.insert(state->writes[i].to / line);
    found.from.push_back(place(state->writes[i].from));
  }
  found.lines = lines.size();
  munmap(room, sizeof(State));
  return found;
}

}  // namespace bench

#else

namespace bench {

Writes shared_writes(const std::function<void()>&) {
  return {};
}

}  // namespace bench

#endif
