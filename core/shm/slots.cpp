#include "core/shm/slots.h"

#include "core/system/clock.h"

namespace td::shm {

namespace {

constexpr unsigned max_rounds = 2 * max_slots;

// True if the lower half of the word is that of a slot in this state without holders, before the message is taken.
bool nobodys(uint64_t word, SlotState state) {
  return (word & 0xffffffff) == static_cast<uint64_t>(state);
}

constexpr uint64_t claimed_bits = 0xaaaaaaaaaaaaaaaa;
bool any_claimed(uint64_t readers) {
  return readers & claimed_bits;
}

}  // namespace

Result Slots::state() const {
  switch (static_cast<ChannelState>(c_.state.load())) {
    case ChannelState::open:
      return Result::done;
    case ChannelState::closed:
      return Result::closed;
    default:
      return Result::corrupt;
  }
}

// tests/models: wait
void Slots::close() {
  uint32_t open = static_cast<uint32_t>(ChannelState::open);
  c_.state.compare_exchange_strong(open, static_cast<uint32_t>(ChannelState::closed));
}

Result Slots::corrupt() {
  c_.state.store(static_cast<uint32_t>(ChannelState::corrupt));
  return Result::corrupt;
}

// tests/models: queue, broadcast
bool Slots::hold(unsigned slot, uint64_t from, SlotWord to, Claim& claim) {
  Slot& s = c_.slots[slot];
  if (!s.word.compare_exchange_strong(from, to.pack())) return false;
  s.since.store(static_cast<uint64_t>(coarse_ms()), std::memory_order_relaxed);
  claim = {slot, to.pack(), s.ticket.load(std::memory_order_relaxed)};
  return true;
}

// ---- Acquire --------------------------------------------------------------------------------------------------------

Result Slots::acquire(unsigned me, Claim& claim) {
  Result r = state();
  if (r != Result::done) return r;
  r = acquire_free(me, claim);
  return r == Result::none && rules_.overflow == Overflow::drop_oldest ? acquire_oldest(me, claim) : r;
}

// tests/models: queue, broadcast
Result Slots::acquire_free(unsigned me, Claim& claim) {
  unsigned slot = first_free_.load(std::memory_order_relaxed);
  for (unsigned i = 0; i < rules_.slots; ++i, slot = after(slot)) {
    uint64_t word = word_of(slot);
    if (!nobodys(word, SlotState::free) && !SlotWord::possible(word, rules_)) return corrupt();
    SlotWord w = SlotWord::of(word);
    bool read_by_all = broadcast() && w.state == SlotState::ready && c_.slots[slot].readers.load() == 0;
    if (w.state != SlotState::free && !read_by_all) continue;
    SlotWord mine = read_by_all ? next_generation(word, SlotState::writing, me) : w;
    mine.state = SlotState::writing;
    mine.owner = me;
    if (!hold(slot, word, mine, claim)) continue;
    first_free_.store(after(slot), std::memory_order_relaxed);
    return Result::done;
  }
  return Result::none;
}

// Takes the oldest message that has no readers.
// tests/models: queue, broadcast
Result Slots::acquire_oldest(unsigned me, Claim& claim) {
  for (unsigned round = 0; round < max_rounds; ++round) {
    Found oldest;
    auto unclaimed = [](uint64_t readers) { return !any_claimed(readers); };
    if (!find_oldest(unclaimed, 0, rules_.slots, oldest)) return corrupt();
    if (oldest.slot == max_slots) return acquire_free(me, claim);
    Slot& s = c_.slots[oldest.slot];
    if (broadcast()) {
      uint64_t readers = s.readers.load();
      if (!possible_readers(readers, rules_)) return corrupt();
      if (any_claimed(readers) || !s.readers.compare_exchange_strong(readers, 0)) continue;
      for (unsigned m = 0; m < rules_.members; ++m)
        if (reading(readers, m) == Reading::queued) c_.people[m].lost.fetch_add(1, std::memory_order_relaxed);
      if (readers != 0) count(dropped);
    }
    if (!hold(oldest.slot, oldest.word, next_generation(oldest.word, SlotState::writing, me), claim)) continue;
    if (!broadcast()) count(dropped);
    return Result::done;
  }
  return Result::none;
}

// ---- Publish --------------------------------------------------------------------------------------------------------

// tests/models: queue, broadcast
Result Slots::publish(unsigned me, Claim& claim) {
  Result r = state();
  if (r != Result::done) return r;
  Slot& s = c_.slots[claim.slot];
  claim.ticket = c_.next_ticket.fetch_add(1, std::memory_order_relaxed);
  s.ticket.store(claim.ticket, std::memory_order_relaxed);
  if (broadcast()) queue_for_all(s);
  SlotWord w = SlotWord::of(claim.word);
  uint64_t expected = claim.word;
  w.state = SlotState::ready;
  w.owner = 0;
  if (SlotWord::of(expected).owner != me || !s.word.compare_exchange_strong(expected, w.pack())) return corrupt();
  return Result::done;
}

// A subscriber that is late may still claim what an earlier producer left here when it was killed, and takes the claim
// back when it sees the word: until then it stays, or another thread of the subscriber's claim would be taken back
// instead.
// tests/models: broadcast
void Slots::queue_for_all(Slot& s) {
  uint64_t consumers = c_.consumers.load() & everybody(), queued = queued_for(consumers), there = s.readers.load();
  for (unsigned round = 0; round < max_rounds; ++round) {
    uint64_t claimed = there & claimed_bits;
    if (s.readers.compare_exchange_strong(there, claimed | (queued & ~(claimed >> 1)))) break;
    if (round + 1 == max_rounds) s.readers.store(queued);  // only if the word was corrupted: reset it rather than spin
  }
  // Who left meanwhile has cleaned up already, perhaps before the bit was there, and another may have the place.
  uint64_t left = queued_for(consumers & ~c_.consumers.load());
  if (left) s.readers.fetch_and(~(left | left << 1));
}

// ---- Take -----------------------------------------------------------------------------------------------------------

// Among `many` slots from `first` on, the ready one with the lowest ticket whose readers are wanted; false if a word is
// impossible.
// tests/models: queue, broadcast
template <class Wanted>
bool Slots::find_oldest(Wanted wanted, unsigned first, unsigned many, Found& found) const {
  found = Found();
  bool all_ready = true;
  unsigned slot = first;
  for (unsigned place = 0; place < many; ++place, slot = after(slot)) {
    uint64_t word = word_of(slot);
    bool ready = nobodys(word, SlotState::ready);
    if (!ready && !nobodys(word, SlotState::free)) {
      if (!SlotWord::possible(word, rules_)) return false;
      ready = SlotWord::of(word).state == SlotState::ready;
    }
    const Slot& s = c_.slots[slot];
    if (ready && broadcast()) {
      uint64_t readers = s.readers.load();
      if (!possible_readers(readers, rules_)) return false;
      ready = wanted(readers);
    }
    if (!ready) {
      all_ready = false;
      continue;
    }
    uint64_t ticket = s.ticket.load(std::memory_order_relaxed);
    if (found.slot == max_slots || ticket < found.ticket) found = {slot, word, ticket, place, all_ready};
  }
  return true;
}

// A message may become ready behind the eye of the scan that then meets a later one of the same producer. Whoever has
// seen the later one sees the earlier one when he looks again, at the slots that he had passed before he saw it; if
// that shows an older one, all begins anew. Those who take turns find theirs in the first place and need not look
// again.
// tests/models: queue
bool Slots::look_until_sure(unsigned me, Found& found) const {
  auto for_me = [me](uint64_t readers) { return reading(readers, me) == Reading::queued; };
  unsigned first = first_ready_.load(std::memory_order_relaxed);
  for (unsigned round = 0; round < max_rounds; ++round) {
    if (!find_oldest(for_me, first, rules_.slots, found)) return false;
    if (found.slot == max_slots || found.all_ready) break;
    Found passed;
    if (!find_oldest(for_me, first, found.place, passed)) return false;
    if (passed.slot == max_slots || passed.ticket > found.ticket) break;
  }
  return true;
}

// tests/models: queue, broadcast
Result Slots::take(unsigned me, Claim& claim) {
  Result now = state();
  if (now == Result::corrupt) return now;
  for (unsigned round = 0; round < max_rounds; ++round) {
    Found found;
    if (!look_until_sure(me, found)) return corrupt();
    if (found.slot == max_slots) return now == Result::closed ? Result::closed : Result::none;
    if (broadcast()) {
      Result r = claim_broadcast(me, found);
      if (r == Result::none) continue;
      if (r != Result::done) return r;
      claim = {found.slot, found.word, found.ticket};
      first_ready_.store(after(found.slot), std::memory_order_relaxed);
      return Result::done;
    }
    SlotWord w = SlotWord::of(found.word);
    w.state = SlotState::reading;
    w.owner = me;
    w.deliveries += 1;
    if (!hold(found.slot, found.word, w, claim)) continue;
    first_ready_.store(after(found.slot), std::memory_order_relaxed);
    return Result::done;
  }
  return Result::none;
}

// `none` if the message went away meanwhile.
// tests/models: broadcast
Result Slots::claim_broadcast(unsigned me, const Found& found) {
  Slot& s = c_.slots[found.slot];
  for (unsigned round = 0; round < max_rounds; ++round) {
    uint64_t readers = s.readers.load();
    if (!possible_readers(readers, rules_)) return corrupt();
    if (reading(readers, me) != Reading::queued) return Result::none;
    uint64_t mine = (readers & ~reader_bits(me, static_cast<Reading>(3))) | reader_bits(me, Reading::claimed);
    if (!s.readers.compare_exchange_strong(readers, mine)) continue;
    if (s.word.load() != found.word) {  // another message by now, whose turn may not have come
      unclaim(found.slot, me);
      return Result::none;
    }
    s.since.store(static_cast<uint64_t>(coarse_ms()), std::memory_order_relaxed);
    return Result::done;
  }
  return Result::none;
}

// tests/models: broadcast
void Slots::unclaim(unsigned slot, unsigned me) {
  Word& word = c_.slots[slot].readers;
  for (unsigned round = 0; round < max_rounds; ++round) {
    uint64_t readers = word.load();
    if (reading(readers, me) != Reading::claimed) return;
    uint64_t back = (readers & ~reader_bits(me, static_cast<Reading>(3))) | reader_bits(me, Reading::queued);
    if (word.compare_exchange_strong(readers, back)) return;
  }
  word.fetch_and(
      ~reader_bits(me, static_cast<Reading>(3)));  // only if the word was corrupted: drop the claim rather than spin
}

// ---- Looking only ---------------------------------------------------------------------------------------------------

bool Slots::may_take(unsigned me) const {
  Found found;
  auto for_me = [me](uint64_t readers) { return reading(readers, me) == Reading::queued; };
  return state() != Result::done || !find_oldest(for_me, 0, rules_.slots, found) || found.slot != max_slots;
}

bool Slots::may_acquire() const {
  if (state() != Result::done || rules_.overflow == Overflow::fail) return true;
  for (unsigned slot = 0; slot < rules_.slots; ++slot) {
    uint64_t word = word_of(slot);
    if (!SlotWord::possible(word, rules_)) return true;
    SlotState there = SlotWord::of(word).state;
    if (there == SlotState::free) return true;
    if (there != SlotState::ready) continue;
    uint64_t readers = broadcast() ? c_.slots[slot].readers.load() : 0;
    if (rules_.overflow == Overflow::drop_oldest ? !any_claimed(readers) : broadcast() && readers == 0) return true;
  }
  return false;
}

// ---- Give back ------------------------------------------------------------------------------------------------------

// tests/models: queue, broadcast, wait
Result Slots::give_back(unsigned me, const Claim& claim, bool& freed) {
  freed = true;
  Slot& s = c_.slots[claim.slot];
  SlotWord held = SlotWord::of(claim.word);
  if (held.state == SlotState::ready) {  // a broadcast that was taken
    uint64_t all = reader_bits(me, static_cast<Reading>(3)), before = s.readers.fetch_and(~all);
    if (reading(before, me) != Reading::claimed) return corrupt();
    uint64_t rest = before & ~all;
    freed = rules_.overflow == Overflow::drop_oldest ? !any_claimed(rest) : rest == 0;
    return Result::done;
  }
  uint64_t expected = claim.word;
  if (!s.word.compare_exchange_strong(expected, next_generation(claim.word, SlotState::free, 0).pack()))
    return corrupt();
  if (held.state == SlotState::writing) count(aborted);
  return Result::done;
}

}  // namespace td::shm
