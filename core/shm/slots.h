// The moves of a channel: none of them waits, and each is complete or undone whenever its process is killed.
// FREE -> WRITING(member) -> READY -> READING(member) -> FREE. In a broadcast, what is READY stays so until no
// subscriber has a bit in `readers` any more. There is no head and no tail: the order is in the tickets.
#pragma once

#include "core/shm/control.h"

namespace td::shm {

enum class Result { done, none, closed, corrupt, timeout, full, deserted, cancelled };

// A slot that a member holds.
struct Claim {
  unsigned slot = 0;
  uint64_t word = 0;
  uint64_t ticket = 0;
};

// The word of a slot that begins anew.
inline SlotWord next_generation(uint64_t word, SlotState state, uint32_t owner) {
  return {state, owner, 0, SlotWord::of(word).generation + 1};
}

class Slots {
 public:
  Slots(Control& control, const Rules& rules) : c_(control), rules_(rules) {}

  // `none` if no slot can be had (nothing is ready, for take).
  Result acquire(unsigned me, Claim& claim);
  Result publish(unsigned me, Claim& claim);
  Result take(unsigned me, Claim& claim);
  // Gives back what was acquired or taken; `freed` says that a slot can be had now.
  Result give_back(unsigned me, const Claim& claim, bool& freed);

  // Whether a take or an acquire would return at once; claims nothing.
  bool may_take(unsigned me) const;
  bool may_acquire() const;

  // Undoes what a member left behind. The caller holds the member's lock byte, so the member is gone; doing it twice,
  // or half and then again, is harmless. True if there was anything.
  bool clean(unsigned member);

  // Members that have something in the channel, or wait in it.
  uint64_t present() const;

  Result state() const;  // done, closed or corrupt
  void close();
  Result corrupt();

  Control& control() const { return c_; }
  const Rules& rules() const { return rules_; }
  bool broadcast() const { return rules_.mode == ChannelMode::broadcast; }

 private:
  struct Found {
    unsigned slot = max_slots;
    uint64_t word = 0, ticket = ~uint64_t{0};
    unsigned place = 0;  // how many slots were looked at before it, and whether all of these were ready
    bool all_ready = true;
  };
  template <class Wanted>
  bool find_oldest(Wanted wanted, unsigned first, unsigned many, Found& found) const;
  bool look_until_sure(unsigned me, Found& found) const;
  Result acquire_free(unsigned me, Claim& claim);
  Result acquire_oldest(unsigned me, Claim& claim);
  void queue_for_all(Slot& slot);
  Result claim_broadcast(unsigned me, const Found& found);
  void unclaim(unsigned slot, unsigned me);
  bool hold(unsigned slot, uint64_t from, SlotWord to, Claim& claim);
  bool clean_slot(Slot& slot, unsigned member);
  void count(Tally what) { c_.counters[what].fetch_add(1, std::memory_order_relaxed); }
  uint64_t word_of(unsigned slot) const { return c_.slots[slot].word.load(); }
  uint64_t everybody() const { return (uint64_t{1} << rules_.members) - 1; }  // at most max_members
  unsigned after(unsigned slot) const { return slot + 1 < rules_.slots ? slot + 1 : 0; }

  Control& c_;
  Rules rules_;
  // Private to this handle: where it looks first for a free slot, and for a message.
  HalfWord first_free_{0}, first_ready_{0};
};

}  // namespace td::shm
