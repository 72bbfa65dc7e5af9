#include "core/group/channel/gateway.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include <unistd.h>

#include "core/error.h"
#include "core/group/channel/guest.h"
#include "core/system/clock.h"
#include "core/system/no_signals.h"

namespace td::group {

namespace {

constexpr int64_t look_ms = 20;

}  // namespace

std::shared_ptr<Values> serve_values(const Address& address) {
  static std::mutex mutex;
  static auto& served = *new std::map<std::string, std::weak_ptr<Values>>;
  Options options = address.options("td.channel");
  options.serve = true;
  options.serve_everywhere = address.everywhere;
  const Place place = place_of(options);
  std::lock_guard<std::mutex> guard(mutex);
  std::weak_ptr<Values>& there = served[options.store + ' ' + std::to_string(getpid())];
  std::shared_ptr<Values> store = there.lock();
  if (store) return store;
  try {
    there = store = open_values(options, place);
  } catch (const Error& e) {
    if (e.code() != Code::unsupported || e.hint().empty() || !has_transport()) throw;
    throw Error(Code::unsupported, e.message())
        .where(address.text)
        .hint("behind a firewall create the channel at tcp://0.0.0.0:PORT/NAME, or use LibTorch 2.4 or later");
  }
  return store;
}

Gateway::Gateway(SharedChannelPtr channel, const Address& address, const SharedChannel::Plan& plan)
    : channel_(std::move(channel)), address_(address), store_(serve_values(address)) {
  if (address_.everywhere) address_.host = address_.host == "::" ? "::1" : "127.0.0.1";  // of this process's own calls
  const std::string card = key_of_card(address_.name);
  if (store_->add(card + "/taken", 1) != 1)
    throw Error(Code::exists, "the channel exists already")
        .where(address_.text)
        .hint("choose another name, or release the channel that has it");
  life_ = store_->add("td.channel/lives", 1);
  store_->set(card, write_card(plan, life_));
  shm::NoSignals quiet;
  thread_ = std::thread([this] { run(); });
}

Gateway::~Gateway() {
  try {
    store_->remove(key_of_card(address_.name));
    store_->remove(key_of_card(address_.name) + "/taken");
    channel_->close();
  } catch (const std::exception&) {  // a destructor cannot fail: the connections still end
  }
  {
    std::lock_guard<std::mutex> guard(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
  const int64_t end = shm::monotonic_ms() + linger_ms;
  for (const auto& guest : guests_) guest->wait_drained(std::max<int64_t>(0, end - shm::monotonic_ms()));
  for (const auto& guest : guests_) guest->say_goodbye();
}

void Gateway::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    try {
      const int64_t came = store_->add(key_of_life(life_, "came"), 0);
      for (; seen_ < came; ++seen_)
        guests_.push_back(std::make_unique<Guest>(channel_, address_, store_, life_, seen_));
      guests_.remove_if([](const std::unique_ptr<Guest>& guest) { return guest->ended(); });
    } catch (const std::exception&) {  // no memory or no thread now; who came is looked for again
    }
    lock.lock();
    changed_.wait_for(lock, std::chrono::milliseconds(look_ms), [&] { return stopping_; });
  }
}

ChannelPtr create_over_tcp(const Address& address, const Node& schema, const shm::ChannelFacts& wanted,
                           uint32_t roles) {
  const SharedChannel::Plan plan = SharedChannel::plan(schema, wanted);
  const auto body = SharedChannel::make_unnamed(address.text, plan, roles);
  auto made = c10::make_intrusive<SharedChannel>(body);
  auto gateway = std::make_unique<Gateway>(made->join(0), address, plan);
  // Its threads are not in a forked child, where they would be waited for without end.
  body->keep(std::shared_ptr<const Gateway>(gateway.release(), [process = getpid()](const Gateway* g) {
    if (getpid() == process) delete g;
  }));
  return made;
}

}  // namespace td::group
