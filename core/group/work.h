// A transfer under way. Gloo's own can be waited for only once, and a wait that ends early closes the connection: so
// each has a thread that waits as long as the group allows, and callers wait for the thread.
#pragma once

#include <functional>
#include <memory>

#include <c10/util/intrusive_ptr.h>

#include "core/shm/cancel.h"

namespace td::group {

class Work : public c10::intrusive_ptr_target {
 public:
  // `transfer` runs in a thread of its own; `finish` in the first wait that sees its end.
  Work(std::function<void()> transfer, std::function<void()> finish);

  bool done() const;
  // Throws what the transfer threw, each time; Error(timeout) or Error(cancelled) if it goes on.
  void wait(int64_t timeout_ms, shm::CancelFlag* cancel) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
  mutable std::function<void()> finish_;
  int64_t process_;
};

}  // namespace td::group
