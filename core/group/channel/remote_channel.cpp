#include "core/group/channel/remote_channel.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>
#include <utility>

#include <unistd.h>

#include "core/error.h"
#include "core/group/channel/connection.h"
#include "core/system/clock.h"

namespace td::group {

namespace {

constexpr uint32_t box_members = 2;  // who calls this library, and the connection

// Messages that a consumer gets before it takes them: the next one, or, of small ones, a block.
uint32_t messages_ahead(const shm::ChannelFacts& f) {
  return std::min(f.rules.slots, std::max(2u, messages_in_block(f.slot_bytes)));
}

SharedChannelPtr make_box(const Address& address, SharedChannel::Plan plan, uint32_t role) {
  shm::Rules& rules = plan.facts.rules;
  rules.mode = shm::ChannelMode::queue;
  if (role == shm::consumes) rules.overflow = shm::Overflow::block;
  rules.members = box_members;
  return c10::make_intrusive<SharedChannel>(SharedChannel::make_unnamed(address.text, std::move(plan), role));
}

// Comes back when the creator has the channel.
struct Found {
  Route route;
  std::unique_ptr<Values> store;
  Card card;
};

Found find(const Address& address) {
  Found f;
  f.route = route_to(address);
  Options options = address.options("td.channel");
  const Place place = place_of(options);
  f.store = open_values(options, place);
  const optional<std::string> card = f.store->get(key_of_card(address.name));
  if (!card) throw Error(Code::not_found, "there is no such channel").where(address.text);
  f.card = read_card(*card, address.text);
  return f;
}

Found find(const Address& address, const shm::Patience& patience) {
  constexpr int64_t pause_ms = 20;
  const int64_t begin = shm::monotonic_ms();
  for (;;) {
    if (patience.cancel && patience.cancel->requested())
      throw Error(Code::cancelled, "waiting for the name was cancelled").where(address.text);
    try {
      return find(address);
    } catch (const Error& e) {
      if (e.code() != Code::not_found || patience.timeout_ms == 0) throw;
      if (patience.timeout_ms > 0 && shm::monotonic_ms() - begin >= patience.timeout_ms)
        throw Error(Code::timeout,
                    "nothing of this name appeared within " + std::to_string(patience.timeout_ms) + " ms")
            .where(address.text)
            .hint("its owner has not created it yet, or has ended");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
  }
}

void wait_for_answer(Values& store, const std::string& key, const std::string& where) {
  const int64_t begin = shm::monotonic_ms();
  optional<std::string> answer;
  while (!(answer = store.get(key))) {
    if (shm::monotonic_ms() - begin > silence_ms)
      throw Error(Code::timeout, "the creator of the channel does not answer").where(where);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  store.remove(key);
  check_answer(*answer, where);
}

}  // namespace

ChannelPtr RemoteChannel::open(const Address& address, uint32_t roles, const shm::Patience& patience) {
  Found f = find(address, patience);
  const int64_t life = f.card.life, number = f.store->add(key_of_life(life, "came"), 1) - 1;
  f.store->set(key_of_guest(life, "guest", number), write_guest({roles, f.route.to}));
  wait_for_answer(*f.store, key_of_guest(life, "answer", number), address.text);
  Options options = address.options(key_of_guest(life, "pair", number));
  options.rank = 1;
  options.address = f.route.from;
  const Place place = place_of(options);
  return c10::make_intrusive<RemoteChannel>(address, std::move(f.card), roles, connect(options, place));
}

RemoteChannel::RemoteChannel(const Address& address, Card card, uint32_t roles, std::unique_ptr<Transport> transport)
    : path_(address.text), facts_(card.plan.facts), roles_(roles), process_(getpid()), outline_(card.plan.outline) {
  SharedChannelPtr sends, receives;
  if (roles & shm::produces) {
    outbox_ = make_box(address, card.plan, shm::produces);
    sends = outbox_->join(shm::consumes);
  }
  if (roles & shm::consumes) {
    inbox_ = make_box(address, card.plan, shm::consumes);
    receives = inbox_->join(shm::produces);
  }
  auto made = std::make_unique<Connection>(std::move(transport), sends, receives, messages_ahead(facts_));
  // Its threads are not in a forked child, where they would be waited for without end.
  connection_ = {made.release(), [process = process_](Connection* c) {
                   if (getpid() == process) delete c;
                 }};
  // Messages in use keep the boxes, and the connection with them.
  if (outbox_) outbox_->body()->keep(connection_);
  if (inbox_) inbox_->body()->keep(connection_);
}

void RemoteChannel::check_ours() const {
  if (getpid() != process_) shm::throw_forked(path_);
}

SharedChannel& RemoteChannel::box(shm::Role what) const {
  check_ours();
  const SharedChannelPtr& there = what == shm::produces ? outbox_ : inbox_;
  if (!there) shm::throw_role(path_, what);
  return *there;
}

MessagePtr RemoteChannel::acquire(int64_t timeout_ms, const Cancel* cancel) {
  return box(shm::produces).acquire(timeout_ms, cancel);
}

MessagePtr RemoteChannel::take(int64_t timeout_ms, const Cancel* cancel) {
  try {
    MessagePtr message = box(shm::consumes).take(timeout_ms, cancel);
    connection_->taken(*message);
    return message;
  } catch (const Error& e) {
    if (e.code() != Code::timeout || stats().producers > 0) throw;
    shm::throw_result(shm::Result::deserted, *inbox_->body(), true, timeout_ms);
  }
}

int RemoteChannel::descriptor(shm::Role what) {
  return box(what).descriptor(what);
}

void RemoteChannel::close() {
  check_ours();
  connection_->close();
}

ChannelStats RemoteChannel::stats() const {
  check_ours();
  return connection_->stats();
}

std::string RemoteChannel::dump() const {
  const ChannelStats s = stats();
  std::ostringstream out;
  out << path_ << ": " << (connection_->ended() ? "not connected" : "connected")
      << "; the creator said last: " << s.published << " published, " << s.slots << " slots, of which " << s.free
      << " free, " << s.writing << " writing, " << s.ready << " ready, " << s.reading << " reading, " << s.producers
      << " producers, " << s.consumers << " consumers\n";
  if (outbox_) out << "not sent yet, in this process: " << outbox_->dump();
  if (inbox_) out << "not taken yet, in this process: " << inbox_->dump();
  return out.str();
}

NodePtr RemoteChannel::schema() const {
  return SharedChannel::zeros_of(outline_);
}

int64_t RemoteChannel::nbytes() const {
  return (outbox_ ? outbox_->nbytes() : 0) + (inbox_ ? inbox_->nbytes() : 0);
}

}  // namespace td::group
