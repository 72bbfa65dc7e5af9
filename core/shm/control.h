// The words that the processes of a channel change: one page or two. A slot's word says in one 64-bit
// value in which state the slot is and who holds it, so there is no instant at which a held slot has no holder, and a
// dead holder's slots are found by looking. Whoever reads a word copies it first and checks the copy.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace td::shm {

using Word = std::atomic<uint64_t>;
using HalfWord = std::atomic<uint32_t>;
static_assert(Word::is_always_lock_free && HalfWord::is_always_lock_free && sizeof(Word) == 8 && sizeof(HalfWord) == 4,
              "a lock would be private to one process");

inline constexpr unsigned max_slots = 64, max_members = 62, max_subscribers = 32, max_deliveries = 255;

enum class ChannelMode : uint32_t { queue = 0, broadcast = 1 };
enum class Overflow : uint32_t { block = 0, fail = 1, drop_oldest = 2 };

// The rules that are fixed when a channel is made; every process has a private, checked copy.
struct Rules {
  ChannelMode mode = ChannelMode::queue;
  Overflow overflow = Overflow::block;
  uint32_t slots = 8, members = 32;
  uint32_t deliveries = 2;  // how often a message is handed out at most, when those who took it die
};

enum class SlotState : uint32_t { free = 0, writing = 1, ready = 2, reading = 3 };

// A slot's word, taken apart: {state:2, owner:6, deliveries:8, zero:16, generation:32}.
struct SlotWord {
  SlotState state = SlotState::free;
  uint32_t owner = 0, deliveries = 0, generation = 0;

  uint64_t pack() const {
    return static_cast<uint64_t>(state) | uint64_t{owner} << 2 | uint64_t{deliveries} << 8 | uint64_t{generation} << 32;
  }
  static SlotWord of(uint64_t word) {
    return {static_cast<SlotState>(word & 3), static_cast<uint32_t>(word >> 2 & 63),
            static_cast<uint32_t>(word >> 8 & 255), static_cast<uint32_t>(word >> 32)};
  }
  // False for what no process that keeps to the rules ever writes.
  static bool possible(uint64_t word, const Rules& rules);
};

// Two bits for each subscriber in a slot's `readers`.
enum class Reading : uint64_t { none = 0, queued = 1, claimed = 2 };
constexpr uint64_t reader_bits(unsigned member, Reading r) {
  return static_cast<uint64_t>(r) << (2 * member);
}
constexpr Reading reading(uint64_t readers, unsigned member) {
  return static_cast<Reading>(readers >> (2 * member) & 3);
}
bool possible_readers(uint64_t readers, const Rules& rules);
// One queued bit for each subscriber of the mask.
uint64_t queued_for(uint64_t subscribers);

struct alignas(64) Slot {
  Word word, readers, ticket, since;  // since: when it was claimed, in milliseconds of the monotonic clock
  uint64_t reserved[4];
};

// The event that processes wait for after they found nothing. The kernel compares the count before it lets them sleep.
struct alignas(128) Event {
  HalfWord count;
  uint32_t reserved;
  Word sleepers;  // one bit for each member
};

struct alignas(64) Member {
  Word pid;   // a hint for people
  Word lost;  // messages that were dropped before this subscriber read them
  uint64_t reserved[6];
};

enum class ChannelState : uint32_t { open = 0, closed = 1, corrupt = 2 };

enum Tally : unsigned { dropped, redelivered, dead_letters, aborted, swept, counter_count };

struct Control {
  alignas(128) HalfWord state;
  alignas(128) Word next_ticket;
  alignas(128) Word producers;
  Word consumers;
  alignas(128) Word counters[8];
  Event published, freed;
  Member people[64];
  Slot slots[max_slots];
};
static_assert(offsetof(Control, next_ticket) == 128 && offsetof(Control, producers) == 256 &&
                  offsetof(Control, counters) == 384 && offsetof(Control, published) == 512 &&
                  offsetof(Control, people) == 768 && offsetof(Control, slots) == 768 + 64 * 64 && sizeof(Slot) == 64 &&
                  sizeof(Control) == 768 + 128 * 64,
              "the layout is the format");
static_assert(counter_count <= 8, "there is room for eight");

}  // namespace td::shm
