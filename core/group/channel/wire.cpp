#include "core/group/channel/wire.h"

#include <cstring>
#include <utility>

#include <ATen/ops/empty.h>

#include "core/error.h"

namespace td::group {

namespace {

constexpr int32_t frame_tag = 1, block_tag = 2;
constexpr size_t max_said = 8;

at::Tensor written(const Frame& frame) {
  at::Tensor out = at::empty({static_cast<int64_t>(sizeof frame)}, at::kByte);
  std::memcpy(out.data_ptr(), &frame, sizeof frame);
  return out;
}

}  // namespace

Wire::Wire(std::unique_ptr<Transport> transport, int32_t peer) : transport_(std::move(transport)), peer_(peer) {
  for (at::Tensor& ear : ears_) ear = at::empty({static_cast<int64_t>(sizeof(Frame))}, at::kByte);
  next_ = listen();
}

std::unique_ptr<Passage> Wire::listen() {
  return transport_->begin_receive(ears_[ear_], peer_, frame_tag, false);
}

// What one end says is heard at once, so that the oldest frame has left long before.
void Wire::say(const Frame& frame) {
  std::lock_guard<std::mutex> guard(speaking_);
  said_.push_back(transport_->begin_send(written(frame), peer_, frame_tag, false));
  if (said_.size() <= max_said) return;
  wait(*said_.front());
  said_.pop_front();
}

void Wire::flush() {
  std::lock_guard<std::mutex> guard(speaking_);
  for (; !said_.empty(); said_.pop_front()) wait(*said_.front());
}

std::unique_ptr<Passage> Wire::send(const Frame& frame, const at::Tensor& block) {
  say(frame);
  return transport_->begin_send(block, peer_, block_tag, true);
}

std::unique_ptr<Passage> Wire::receive(const at::Tensor& block) {
  return transport_->begin_receive(block, peer_, block_tag, true);
}

Frame Wire::hear() {
  if (!next_) next_ = listen();
  if (!wait(*next_)) throw Error(Code::closed, "the connection was given up");
  Frame frame;
  std::memcpy(static_cast<void*>(&frame), ears_[ear_].data_ptr(), sizeof frame);
  ear_ ^= 1;
  next_.reset();
  try {
    next_ = listen();       // early, so that the other end never waits
  } catch (const Error&) {  // it has gone, and this frame was its last
  }
  if (frame.magic != Frame::mark) throw Error(Code::corrupt, "the other end says what is no frame");
  return frame;
}

bool Wire::wait(Passage& passage) {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    if (stopped_) return false;
    waits_.insert(&passage);
  }
  struct Done {
    Wire& wire;
    Passage& passage;
    ~Done() {
      std::lock_guard<std::mutex> guard(wire.mutex_);
      wire.waits_.erase(&passage);
    }
  } done{*this, passage};
  return passage.wait();
}

void Wire::stop() noexcept {
  std::lock_guard<std::mutex> guard(mutex_);
  stopped_ = true;
  for (Passage* passage : waits_) passage->give_up();
}

}  // namespace td::group
