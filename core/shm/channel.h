// A channel: dicts of one structure, handed from member to member. In shared memory it is a `SharedChannel`; over TCP
// see core/group/channel.
#pragma once

#include <cstdint>
#include <string>

#include <c10/util/intrusive_ptr.h>

#include "core/shm/cancel.h"
#include "core/shm/channel_header.h"
#include "core/shm/member.h"
#include "core/shm/message.h"

namespace td {

struct ChannelStats {
  uint64_t published, dropped, redelivered, dead_letters, aborted, swept;
  uint32_t slots, free, writing, ready, reading, producers, consumers, state;
  int64_t oldest_ms, oldest_pid;  // of the claim that is held longest; 0 without one
};

// To be given to waits, and requested by another thread.
class Cancel final : public c10::intrusive_ptr_target {
 public:
  mutable shm::CancelFlag flag;
};

class Channel : public c10::intrusive_ptr_target {
 public:
  // Throws Error(cancelled) once `cancel`, which may be null, is requested.
  virtual MessagePtr acquire(int64_t timeout_ms, const Cancel* cancel) = 0;
  virtual MessagePtr take(int64_t timeout_ms, const Cancel* cancel) = 0;
  // Readable while a take (or an acquire) would not wait; of this object.
  virtual int descriptor(shm::Role what) = 0;
  virtual void close() = 0;
  virtual unsigned sweep() = 0;

  virtual ChannelStats stats() const = 0;
  virtual std::string dump() const = 0;
  virtual NodePtr schema() const = 0;  // zeros of the structure of every message

  virtual const std::string& path() const = 0;
  virtual int64_t nbytes() const = 0;
  virtual const shm::ChannelFacts& facts() const = 0;
  virtual uint32_t roles() const = 0;  // of this handle
};
using ChannelPtr = c10::intrusive_ptr<Channel>;

}  // namespace td
