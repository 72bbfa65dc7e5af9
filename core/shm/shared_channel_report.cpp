// Reports the state of a channel to people: numbers, and every word of it.
#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/shm/shared_channel.h"
#include "core/system/clock.h"

namespace td {

namespace {

using shm::Control;
using shm::Slot;
using shm::SlotState;
using shm::SlotWord;

int members_in(uint64_t mask, const shm::Rules& rules, const shm::Membership& me) {
  int n = 0;
  for (unsigned m = 0; m < rules.members; ++m) n += (mask >> m & 1) && (m == me.id() || me.locks().held(m));
  return n;
}

const char* name_of(SlotState s) {
  static const char* const names[] = {"free", "writing", "ready", "reading"};
  return names[static_cast<int>(s)];
}

const char* state_name(uint32_t state) {
  static const char* const names[] = {"open", "closed", "corrupt"};
  return names[std::min(state, 2u)];
}

struct SlotView {
  SlotWord word;
  uint64_t readers, ticket;
  int64_t age_ms;
  bool held;
  unsigned holder;
};

SlotView look(const Slot& slot, const shm::Rules& rules) {
  SlotView v = {SlotWord::of(slot.word.load()), slot.readers.load(), slot.ticket.load(), 0, false, 0};
  v.age_ms = std::max<int64_t>(0, shm::coarse_ms() - static_cast<int64_t>(slot.since.load()));
  v.held = v.word.state == SlotState::writing || v.word.state == SlotState::reading;
  v.holder = v.word.owner;
  if (rules.mode != shm::ChannelMode::broadcast || v.word.state != SlotState::ready) return v;
  for (unsigned m = rules.members; m-- > 0;)
    if (shm::reading(v.readers, m) == shm::Reading::claimed) v.held = true, v.holder = m;
  return v;
}

}  // namespace

ChannelStats SharedChannel::stats() const {
  body_->check_ours();
  const shm::Membership& me = body_->member();
  const Control& c = me.slots().control();
  const shm::Rules& rules = me.slots().rules();
  auto counted = [&](shm::Tally what) { return c.counters[what].load(); };
  ChannelStats s = {};
  s.published = c.next_ticket.load();
  s.dropped = counted(shm::dropped);
  s.redelivered = counted(shm::redelivered);
  s.dead_letters = counted(shm::dead_letters);
  s.aborted = counted(shm::aborted);
  s.swept = counted(shm::swept);
  s.slots = rules.slots;
  s.state = std::min(c.state.load(), 2u);
  s.producers = static_cast<uint32_t>(members_in(c.producers.load(), rules, me));
  s.consumers = static_cast<uint32_t>(members_in(c.consumers.load(), rules, me));
  for (unsigned i = 0; i < rules.slots; ++i) {
    SlotView v = look(c.slots[i], rules);
    bool read_by_all = me.slots().broadcast() && v.word.state == SlotState::ready && v.readers == 0;
    s.free += v.word.state == SlotState::free || read_by_all;
    s.writing += v.word.state == SlotState::writing;
    s.reading += v.word.state != SlotState::writing && v.held;
    s.ready += v.word.state == SlotState::ready && !read_by_all && !v.held;
    if (!v.held || (s.oldest_pid != 0 && v.age_ms <= s.oldest_ms)) continue;
    s.oldest_ms = v.age_ms;
    s.oldest_pid = static_cast<int64_t>(c.people[v.holder].pid.load());
  }
  return s;
}

std::string SharedChannel::dump() const {
  body_->check_ours();
  const shm::Membership& me = body_->member();
  const Control& c = me.slots().control();
  const shm::Rules& rules = me.slots().rules();
  std::ostringstream out;
  out << path() << ": " << (me.slots().broadcast() ? "broadcast" : "queue") << ", " << state_name(c.state.load())
      << ", " << rules.slots << " slots of " << body_->facts().slot_bytes << " bytes, " << c.next_ticket.load()
      << " published\n";
  static const char* const counters[] = {"dropped", "redelivered", "dead letters", "aborted", "swept"};
  for (unsigned i = 0; i < shm::counter_count; ++i)
    out << (i ? ", " : "") << counters[i] << ' ' << c.counters[i].load();
  out << '\n';
  for (unsigned m = 0; m < rules.members; ++m) {
    bool alive = m == me.id() || me.locks().held(m);
    uint64_t bit = uint64_t{1} << m, roles = (c.producers.load() & bit) | (c.consumers.load() & bit);
    uint64_t sleeps = (c.published.sleepers.load() | c.freed.sleepers.load()) & bit;
    if (!alive && !roles && !sleeps) continue;
    out << "member " << m << ": process " << c.people[m].pid.load() << (alive ? ", alive" : ", dead")
        << (c.producers.load() & bit ? ", produces" : "") << (c.consumers.load() & bit ? ", consumes" : "")
        << (sleeps ? ", sleeps" : "") << ", lost " << c.people[m].lost.load() << '\n';
  }
  for (unsigned i = 0; i < rules.slots; ++i) {
    SlotView v = look(c.slots[i], rules);
    out << "slot " << i << ": " << name_of(v.word.state) << ", generation " << v.word.generation << ", message "
        << v.ticket;
    if (v.word.deliveries) out << ", delivery " << v.word.deliveries;
    if (v.held) out << ", held by member " << v.holder << " for " << v.age_ms << " ms";
    if (me.slots().broadcast()) out << ", readers " << std::hex << v.readers << std::dec;
    out << '\n';
  }
  return out.str();
}

}  // namespace td
