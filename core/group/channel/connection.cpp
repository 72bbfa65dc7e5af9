#include "core/group/channel/connection.h"

#include <chrono>
#include <utility>

#include "core/error.h"
#include "core/group/channel/address.h"
#include "core/system/no_signals.h"

namespace td::group {

namespace {

constexpr std::chrono::milliseconds beat_every{200};
constexpr int64_t goodbye_ms = 2000;

}  // namespace

Connection::Connection(std::unique_ptr<Transport> transport, SharedChannelPtr outbox, SharedChannelPtr inbox,
                       uint32_t ahead)
    : outbox_(std::move(outbox)),
      inbox_(std::move(inbox)),
      ahead_(ahead),
      wire_(std::make_unique<Wire>(std::move(transport), 0)) {
  shm::NoSignals quiet;
  if (inbox_) {
    inlet_ = std::make_unique<Inlet>(*wire_, inbox_, &origins_, [] {});
    say(Say::want, ahead_);
  }
  if (outbox_)
    outlet_ = std::make_unique<Outlet>(*wire_, outbox_, false, [this] {
      if (closing_) say(Say::close);
    });
  reader_ = std::thread([this] { listen(); });
  try {
    ticker_ = std::thread([this] { beat(); });
  } catch (...) {
    wire_->stop();
    reader_.join();
    throw;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return told_ || ended_; });  // the first word of the creator comes at once
}

Connection::~Connection() {
  if (outbox_) {
    outbox_->close();
    outlet_->wait_drained(linger_ms);
  }
  say_or_stop(Say::leave);
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(goodbye_ms), [&] { return ended_; });
    ended_ = true;
    changed_.notify_all();
  }
  wire_->stop();
  reader_.join();
  ticker_.join();
  inlet_.reset();
  outlet_.reset();
}

void Connection::say(Say what, uint32_t count) {
  Frame frame;
  frame.say = what, frame.count = count;
  wire_->say(frame);
}

void Connection::say_or_stop(Say what, uint32_t count) noexcept {
  try {
    say(what, count);
  } catch (const std::exception&) {
    wire_->stop();
  }
}

// When the connection ends, for whatever reason, the channel is closed for this member.
void Connection::listen() {
  try {
    for (;;) {
      const Frame frame = wire_->hear();
      if (frame.say == Say::leave) break;
      if (frame.say == Say::beat) {
        {
          std::lock_guard<std::mutex> guard(mutex_);
          stats_ = frame.stats;
          told_ = true;
          changed_.notify_all();
        }
        const bool closed = frame.stats.state != static_cast<uint32_t>(shm::ChannelState::open);
        if (closed && outbox_) outbox_->close();
      } else if (inlet_ && (frame.say == Say::messages || frame.say == Say::drained)) {
        inlet_->expect(frame);
      } else {
        break;
      }
    }
  } catch (const std::exception&) {
  }
  {
    std::lock_guard<std::mutex> guard(mutex_);
    stats_.state = static_cast<uint32_t>(shm::ChannelState::closed);
  }
  try {
    if (outbox_) outbox_->close();
    if (inlet_) {
      inlet_->finish();
      inbox_->close();
    }
  } catch (const std::exception&) {
  }
  std::lock_guard<std::mutex> guard(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void Connection::beat() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!changed_.wait_for(lock, beat_every, [&] { return ended_; })) {
    lock.unlock();
    say_or_stop(Say::beat);
    lock.lock();
  }
}

void Connection::taken(Message& message) {
  const Origin& origin = origins_[message.slot()];
  message.tell(origin.number, message.lag() + origin.lag);
  std::unique_lock<std::mutex> lock(mutex_);
  if (ended_ || 2 * ++taken_ < ahead_) return;
  const uint32_t more = std::exchange(taken_, 0);
  lock.unlock();
  say_or_stop(Say::want, more);
}

void Connection::close() {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    closing_ = true;
    stats_.state = static_cast<uint32_t>(shm::ChannelState::closed);
    if (ended_) return;
  }
  if (outbox_) {
    outbox_->close();
  } else {
    say_or_stop(Say::close);
  }
}

ChannelStats Connection::stats() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return stats_;
}

bool Connection::ended() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return ended_;
}

}  // namespace td::group
