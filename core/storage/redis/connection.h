// A connection to a server, made when it is needed, and again after it was lost. Not for two threads at once.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/storage/redis/address.h"
#include "core/storage/redis/protocol.h"
#include "core/system/fd.h"
#include "core/torch_compat.h"

namespace td::storage::redis {

class Connection {
 public:
  Connection(Address address, int64_t timeout_ms)
      : address_(std::move(address)), timeout_ms_(std::min<int64_t>(timeout_ms, INT32_MAX)) {}

  const Address& address() const { return address_; }

  // Sends all commands and returns their answers, which may have `limit` bytes. Throws Error(closed) if the server is
  // not there or goes away, Error(timeout) if nothing moves, Error(corrupt) for nonsense; then the connection is gone.
  // An answer may be a refusal, see accepted().
  enum class Lost { ask_again, fail };  // once, if a connection that was there before is lost
  std::vector<Reply> ask(const Request& request, size_t limit, Lost lost);
  // One transaction of them: the answers of its commands, or nothing if what was watched has changed.
  optional<std::vector<Reply>> transaction(const Request& request, size_t limit, Lost lost);
  void close();

 private:
  void connect();
  std::vector<Reply> exchange(const Request& request, size_t limit);
  Error failed(Code code, const std::string& why) const;

  Address address_;
  int64_t timeout_ms_;
  Fd fd_;
  pid_t owner_ = 0;  // a forked child makes its own
  std::unique_ptr<ReplyReader> reader_;
};

}  // namespace td::storage::redis
