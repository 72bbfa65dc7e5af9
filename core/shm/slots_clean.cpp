// What is undone after a member that left or died.
#include "core/shm/slots.h"

namespace td::shm {

// tests/models: queue, broadcast
bool Slots::clean_slot(Slot& s, unsigned member) {
  uint64_t word = s.word.load();
  if (!SlotWord::possible(word, rules_)) {
    corrupt();
    return false;
  }
  SlotWord w = SlotWord::of(word);
  bool owned = (w.state == SlotState::writing || w.state == SlotState::reading) && w.owner == member;
  if (owned && w.state == SlotState::reading && w.deliveries < rules_.deliveries) {
    SlotWord again = {SlotState::ready, 0, w.deliveries, w.generation};
    if (s.word.compare_exchange_strong(word, again.pack())) count(redelivered);
  } else if (owned) {
    if (s.word.compare_exchange_strong(word, next_generation(word, SlotState::free, 0).pack()))
      count(w.state == SlotState::writing ? aborted : dead_letters);
  }
  if (!broadcast()) return owned;
  uint64_t mine = reader_bits(member, static_cast<Reading>(3));
  bool read = s.readers.load() & mine;
  if (read) s.readers.fetch_and(~mine);
  return owned || read;
}

// tests/models: queue, broadcast
bool Slots::clean(unsigned member) {
  uint64_t bit = uint64_t{1} << member;
  bool any = (c_.producers.fetch_and(~bit) | c_.consumers.fetch_and(~bit)) & bit;
  any |= (c_.published.sleepers.fetch_and(~bit) | c_.freed.sleepers.fetch_and(~bit)) & bit;
  for (unsigned slot = 0; slot < rules_.slots; ++slot) any |= clean_slot(c_.slots[slot], member);
  return any;
}

uint64_t Slots::present() const {
  uint64_t mask = c_.producers.load() | c_.consumers.load() | c_.published.sleepers.load() | c_.freed.sleepers.load();
  for (unsigned slot = 0; slot < rules_.slots; ++slot) {
    SlotWord w = SlotWord::of(word_of(slot));
    if (w.state == SlotState::writing || w.state == SlotState::reading) mask |= uint64_t{1} << w.owner;
    if (!broadcast()) continue;
    uint64_t readers = c_.slots[slot].readers.load();
    for (unsigned m = 0; m < rules_.members; ++m)
      if (reading(readers, m) != Reading::none) mask |= uint64_t{1} << m;
  }
  return mask & everybody();
}

}  // namespace td::shm
