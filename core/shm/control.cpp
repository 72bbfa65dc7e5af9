#include "core/shm/control.h"

namespace td::shm {

bool SlotWord::possible(uint64_t word, const Rules& rules) {
  SlotWord w = of(word);
  if (word >> 16 & 0xffff) return false;
  bool queue = rules.mode == ChannelMode::queue;
  switch (w.state) {
    case SlotState::free:
      return w.owner == 0 && w.deliveries == 0;
    case SlotState::writing:
      return w.owner < rules.members && w.deliveries == 0;
    case SlotState::ready:
      return w.owner == 0 && (queue ? w.deliveries < rules.deliveries : w.deliveries == 0);
    case SlotState::reading:
      return queue && w.owner < rules.members && w.deliveries >= 1 && w.deliveries <= rules.deliveries;
  }
  return false;
}

bool possible_readers(uint64_t readers, const Rules& rules) {
  constexpr uint64_t low_bits = 0x5555555555555555;
  bool both = readers & readers >> 1 & low_bits;
  return !both && (rules.members >= max_subscribers || readers >> (2 * rules.members) == 0);
}

uint64_t queued_for(uint64_t subscribers) {
  uint64_t x = subscribers & 0xffffffff;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

}  // namespace td::shm
