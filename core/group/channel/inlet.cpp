#include "core/group/channel/inlet.h"

#include <chrono>
#include <cstring>
#include <utility>

#include <ATen/ops/empty.h>

#include "core/error.h"
#include "core/system/no_signals.h"

namespace td::group {

namespace {

// So many blocks are received together: the second is there when the first has come.
constexpr size_t max_under_way = 2;

int64_t block_bytes(uint32_t count, int64_t message_bytes) {
  const auto n = static_cast<int64_t>(count);
  return count == 1 ? message_bytes : n * (message_bytes + static_cast<int64_t>(sizeof(Origin)));
}

}  // namespace

Inlet::Inlet(Wire& wire, SharedChannelPtr into, Origins* origins, std::function<void()> closed)
    : wire_(wire),
      into_(std::move(into)),
      origins_(origins),
      on_close_(std::move(closed)),
      bytes_(into_->facts().slot_bytes) {
  shm::NoSignals quiet;
  thread_ = std::thread([this] { run(); });
}

Inlet::~Inlet() {
  stop_->flag.request();
  finish();
}

void Inlet::expect(const Frame& frame) {
  if (frame.say == Say::messages && (frame.count == 0 || frame.count > messages_in_block(bytes_)))
    throw Error(Code::corrupt, "the other end announces " + std::to_string(frame.count) + " messages")
        .where(into_->path());
  std::lock_guard<std::mutex> guard(mutex_);
  expected_.push_back(frame);
  changed_.notify_one();
}

void Inlet::finish() {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    finishing_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

// What ends the connection ends this too; the reader sees it as well, and says so.
void Inlet::run() {
  try {
    std::deque<Coming> under_way;
    Frame frame;
    bool announced = false;
    for (;;) {
      while (under_way.size() < max_under_way && (announced = announced || next(under_way.empty(), frame))) {
        Coming coming;
        if (!begin(frame, under_way.empty(), coming)) break;
        under_way.push_back(std::move(coming));
        announced = false;
      }
      if (under_way.empty()) return;
      end(under_way.front());
      under_way.pop_front();
    }
  } catch (const std::exception&) {
    wire_.stop();
  }
}

bool Inlet::next(bool may_wait, Frame& frame) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (may_wait) changed_.wait(lock, [&] { return finishing_ || !expected_.empty(); });
  if (expected_.empty()) return false;
  frame = expected_.front();
  expected_.pop_front();
  return true;
}

// False if a slot is needed, and there is none yet.
bool Inlet::begin(const Frame& frame, bool may_wait, Coming& coming) {
  coming.frame = frame;
  if (frame.say != Say::messages) return true;
  if (frame.count == 1 && !closed_) {
    coming.message = slot(may_wait);
    if (!coming.message && !closed_) return false;
  }
  coming.block = coming.message ? coming.message->bytes() : at::empty({block_bytes(frame.count, bytes_)}, at::kByte);
  if (coming.block.numel() > 0) coming.passage = wire_.receive(coming.block);
  return true;
}

void Inlet::end(Coming& coming) {
  const Frame& frame = coming.frame;
  if (frame.say == Say::drained) return into_->close();
  if (frame.say == Say::close) return on_close_();
  if (coming.passage && !wire_.wait(*coming.passage)) throw Error(Code::closed, "the connection was given up");
  coming.passage.reset();
  if (coming.message) return publish(*coming.message, {frame.number, frame.lag});
  if (frame.count == 1) return;
  const char* block = static_cast<const char*>(coming.block.data_ptr());
  for (uint32_t i = 0; i < frame.count && !closed_; ++i) {
    const MessagePtr message = slot(true);
    if (!message) return;
    message->copy_from(block + i * bytes_);
    Origin origin;
    std::memcpy(&origin, block + frame.count * bytes_ + i * sizeof origin, sizeof origin);
    publish(*message, origin);
  }
}

// Null if there is none yet, or if the channel is closed.
MessagePtr Inlet::slot(bool may_wait) {
  const bool waits = may_wait && into_->facts().rules.overflow != shm::Overflow::fail;
  for (;;) {
    try {
      return into_->acquire(waits ? -1 : 0, stop_.get());
    } catch (const Error& e) {
      closed_ = e.code() == Code::closed;
      if (closed_) return {};
      if (e.code() != Code::nospace && e.code() != Code::timeout) throw;
    }
    if (!may_wait) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Inlet::publish(Message& message, const Origin& origin) {
  if (origins_) (*origins_)[message.slot()] = origin;
  try {
    message.publish();
  } catch (const Error& e) {
    if (e.code() != Code::closed) throw;
    closed_ = true;
  }
}

}  // namespace td::group
