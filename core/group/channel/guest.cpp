#include "core/group/channel/guest.h"

#include <chrono>
#include <utility>

#include "core/error.h"
#include "core/group/channel/card.h"
#include "core/system/clock.h"
#include "core/system/no_signals.h"

namespace td::group {

Guest::Guest(SharedChannelPtr channel, const Address& address, std::shared_ptr<Values> store, int64_t life,
             int64_t number)
    : channel_(std::move(channel)), address_(address), store_(std::move(store)), life_(life), number_(number) {
  shm::NoSignals quiet;
  thread_ = std::thread([this] { run(); });
}

Guest::~Guest() {
  stopping_ = true;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    if (wire_) wire_->stop();
  }
  thread_.join();
}

// A member that cannot be taken in hears why; whatever ends its connection ends its membership and nothing else.
void Guest::run() noexcept {
  try {
    uint32_t roles = 0;
    std::string here;
    const SharedChannelPtr member = take_in(roles, here);
    if (member) serve(member, roles, here);
  } catch (const std::exception&) {
  }
  // Others may be waiting for the outlet under the mutex.
  if (wire_) wire_->stop();
  if (outlet_) outlet_->give_up();
  std::unique_ptr<Inlet> inlet;
  std::unique_ptr<Outlet> outlet;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    inlet.swap(inlet_);
    outlet.swap(outlet_);
  }
  inlet.reset();
  outlet.reset();
  {
    std::lock_guard<std::mutex> guard(mutex_);
    wire_.reset();
  }
  ended_ = true;
}

SharedChannelPtr Guest::take_in(uint32_t& roles, std::string& here) {
  const std::string key = key_of_guest(life_, "guest", number_);
  const int64_t begin = shm::monotonic_ms();
  optional<std::string> text;
  while (!(text = store_->get(key))) {
    if (stopping_ || shm::monotonic_ms() - begin > silence_ms) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  store_->remove(key);
  auto answer = [&](const Error* refusal) {
    store_->set(key_of_guest(life_, "answer", number_), write_answer(refusal));
  };
  try {
    const GuestCard card = read_guest(*text, address_.text);
    if (!is_here(card.to))
      throw Error(Code::io, "the creator of the channel does not have the address " + card.to +
                                ", by which it is seen: is there a translation of addresses between the machines?");
    roles = card.roles, here = card.to;
    SharedChannelPtr member = channel_->join(roles);
    answer(nullptr);
    return member;
  } catch (const Error& e) {
    answer(&e);
    return {};
  }
}

void Guest::serve(const SharedChannelPtr& member, uint32_t roles, const std::string& here) {
  Options options = address_.options(key_of_guest(life_, "pair", number_));
  options.address = here;
  const Place place = place_of(options);
  auto wire = std::make_unique<Wire>(connect(options, place), 1);
  {
    std::lock_guard<std::mutex> guard(mutex_);
    wire_ = std::move(wire);
    if (stopping_) return;
    if (roles & shm::produces) inlet_ = std::make_unique<Inlet>(*wire_, member, nullptr, [this] { channel_->close(); });
    if (roles & shm::consumes)
      outlet_ = std::make_unique<Outlet>(*wire_, member, true, [this] {
        Frame frame;
        frame.say = Say::drained;
        wire_->say(frame);
      });
  }
  wire_->say(state());
  listen();
}

void Guest::listen() {
  for (;;) {
    const Frame frame = wire_->hear();
    switch (frame.say) {
      case Say::beat:
        wire_->say(state());
        break;
      case Say::want:
        if (outlet_) outlet_->want(frame.count);
        break;
      case Say::close:
        if (!inlet_) {
          channel_->close();
          break;
        }
        [[fallthrough]];
      case Say::messages:
        if (!inlet_) throw Error(Code::corrupt, "a member that does not produce sends messages");
        inlet_->expect(frame);
        break;
      case Say::leave:
        if (inlet_) inlet_->finish();
        wire_->say(frame);
        wire_->flush();
        return;
      default:
        throw Error(Code::corrupt, "a member says what only the creator may say");
    }
  }
}

Frame Guest::state() const {
  Frame frame;
  frame.stats = channel_->stats();
  return frame;
}

bool Guest::wait_drained(int64_t timeout_ms) {
  std::lock_guard<std::mutex> guard(mutex_);
  return !outlet_ || outlet_->wait_drained(timeout_ms);
}

void Guest::say_goodbye() noexcept {
  try {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!wire_) return;
    Frame frame;
    frame.say = Say::leave;
    wire_->say(frame);
    wire_->flush();
  } catch (const std::exception&) {  // it has gone itself
  }
}

}  // namespace td::group
