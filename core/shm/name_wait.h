// Waiting until a name exists. Waiters poll, because a process that makes a name does not know of them.
#pragma once

#include <string>

#include "core/error.h"
#include "core/shm/cancel.h"

namespace td::shm {

struct Patience {
  int64_t timeout_ms = 0;  // 0: none; negative: without end
  CancelFlag* cancel = nullptr;
};

class NameWait {
 public:
  NameWait(const std::string& path, const Patience& patience);  // throws Error(cancelled)

  // Returns after a moment, when anything has the name. Throws Error(timeout) or Error(cancelled).
  void until_there();

 private:
  [[noreturn]] void throw_cancelled() const;

  const std::string& path_;
  Patience patience_;
  int64_t deadline_, pause_ns_;
  Event asked_{{0}, 0, {0}};  // a request changes it
  CancelFlag::Sleeper sleeper_;
};

// Returns what `open` returns, and tries again while it throws Error(not_found).
template <class Open>
auto when_there(const std::string& path, const Patience& patience, Open open) {
  NameWait wait(path, patience);
  for (;;) {
    try {
      return open();
    } catch (const Error& e) {
      if (e.code() != Code::not_found || patience.timeout_ms == 0) throw;
    }
    wait.until_there();
  }
}

}  // namespace td::shm
