// Waits that another thread ends.
//
//     Cancel stop;
//     std::jthread worker([&] { channel.take(forever, &stop); });   // throws CancelledError
//     stop.request();
#ifndef TENSORDICT_CANCEL_HPP
#define TENSORDICT_CANCEL_HPP

#include <chrono>

#include "handle.hpp"

namespace tensordict {

// How long a call may wait.
using Timeout = std::chrono::milliseconds;
inline constexpr Timeout forever{-1};

// A request stays: waits that begin later fail at once. Functions may run at the same time as each other.
class Cancel : public Handle<Cancel, td_cancel, td_cancel_retain, td_cancel_release> {
 public:
  Cancel() : Handle(Adopted(detail::got<td_cancel*>(td_cancel_new))) {}
  explicit Cancel(Adopted raw) noexcept : Handle(raw) {}

  void request() const noexcept { td_cancel_request(get()); }
  bool requested() const noexcept { return td_cancel_requested(get()) != 0; }
};

}  // namespace tensordict

#endif
