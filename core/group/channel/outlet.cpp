#include "core/group/channel/outlet.h"

#include <chrono>
#include <cstring>
#include <utility>

#include <ATen/ops/empty.h>

#include "core/error.h"
#include "core/system/no_signals.h"

namespace td::group {

namespace {

// Blocks under way. Of several messages few: those that wait meanwhile go together.
constexpr size_t max_single = 8, max_several = 2;

}  // namespace

Outlet::Outlet(Wire& wire, SharedChannelPtr from, bool on_demand, std::function<void()> drained)
    : wire_(wire),
      from_(std::move(from)),
      on_demand_(on_demand),
      on_drained_(std::move(drained)),
      bytes_(from_->facts().slot_bytes),
      in_block_(messages_in_block(bytes_)) {
  shm::NoSignals quiet;
  thread_ = std::thread([this] { run(); });
}

Outlet::~Outlet() {
  give_up();
  thread_.join();
}

void Outlet::give_up() noexcept {
  stop_->flag.request();
  std::lock_guard<std::mutex> guard(mutex_);
  changed_.notify_all();
}

void Outlet::want(uint32_t messages) {
  std::lock_guard<std::mutex> guard(mutex_);
  wanted_ += messages;
  changed_.notify_all();
}

bool Outlet::wait_drained(int64_t timeout_ms) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [&] { return drained_; });
}

// What ends the connection ends this too; the reader sees it as well, and says so.
void Outlet::run() {
  try {
    send_all();
    if (closed_) on_drained_();
  } catch (const std::exception&) {
    wire_.stop();
  }
  std::lock_guard<std::mutex> guard(mutex_);
  drained_ = true;
  changed_.notify_all();
}

void Outlet::send_all() {
  std::deque<Going> under_way;
  const size_t max_under_way = in_block_ > 1 ? max_several : max_single;
  for (;;) {
    MessagePtr message = next(under_way.empty());
    if (message) {
      under_way.push_back(in_block_ > 1 ? send_several(std::move(message)) : send_one(std::move(message)));
      if (under_way.size() < max_under_way) continue;
    }
    if (under_way.empty()) return;
    if (under_way.front().passage) wire_.wait(*under_way.front().passage);
    under_way.pop_front();
  }
}

bool Outlet::may_send(bool may_wait) {
  if (!on_demand_) return true;
  std::unique_lock<std::mutex> lock(mutex_);
  if (may_wait) changed_.wait(lock, [&] { return wanted_ > 0 || stop_->flag.requested(); });
  return wanted_ > 0;
}

// Null if there is none now, if the channel is closed and empty, or if this is to end.
MessagePtr Outlet::next(bool may_wait) {
  if (closed_ || stop_->flag.requested() || !may_send(may_wait)) return {};
  try {
    MessagePtr message = from_->take(may_wait ? -1 : 0, stop_.get());
    if (on_demand_) {
      std::lock_guard<std::mutex> guard(mutex_);
      --wanted_;
    }
    return message;
  } catch (const Error& e) {
    closed_ = e.code() == Code::closed;
    if (closed_ || e.code() == Code::timeout || e.code() == Code::not_found || e.code() == Code::cancelled) return {};
    throw;
  }
}

Outlet::Going Outlet::send_one(MessagePtr message) {
  Frame frame;
  frame.say = Say::messages, frame.count = 1;
  frame.number = message->number(), frame.lag = message->lag();
  Going going;
  const at::Tensor bytes = message->bytes();
  if (bytes.numel() > 0) {
    going.passage = wire_.send(frame, bytes);
  } else {
    wire_.say(frame);
  }
  going.message = std::move(message);
  return going;
}

// Takes what has gathered meanwhile, and frees the slots at once.
Outlet::Going Outlet::send_several(MessagePtr first) {
  std::vector<MessagePtr> messages{std::move(first)};
  while (messages.size() < in_block_) {
    MessagePtr message = next(false);
    if (!message) break;
    messages.push_back(std::move(message));
  }
  if (messages.size() == 1) return send_one(std::move(messages[0]));
  Frame frame;
  frame.say = Say::messages, frame.count = static_cast<uint32_t>(messages.size());
  const auto n = static_cast<int64_t>(messages.size());
  at::Tensor block = at::empty({n * (bytes_ + static_cast<int64_t>(sizeof(Origin)))}, at::kByte);
  char* bytes = static_cast<char*>(block.data_ptr());
  for (size_t i = 0; i < messages.size(); ++i) {
    const Origin origin{messages[i]->number(), messages[i]->lag()};
    const auto size = static_cast<size_t>(bytes_);
    messages[i]->copy_to(bytes + i * size);
    std::memcpy(bytes + messages.size() * size + i * sizeof origin, &origin, sizeof origin);
  }
  Going going;
  going.passage = wire_.send(frame, block);
  return going;
}

}  // namespace td::group
