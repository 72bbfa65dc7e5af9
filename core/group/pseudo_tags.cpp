#include "core/group/pseudo_tags.h"

#include <array>
#include <cstddef>

namespace td::group {

namespace {

__extension__ typedef unsigned __int128 Wide;

// NumPy's SeedSequence of one number.
class Seeds {
 public:
  explicit Seeds(uint32_t entropy) {
    uint32_t factor = 0x43b0d7e5;
    auto hash = [&](uint32_t value) {
      value ^= factor;
      factor *= 0x931e8875;
      value *= factor;
      return value ^ value >> 16;
    };
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = hash(i == 0 ? entropy : 0);
    for (std::size_t from = 0; from < pool_.size(); ++from)
      for (std::size_t to = 0; to < pool_.size(); ++to)
        if (from != to) {
          const uint32_t mixed = 0xca01f9dd * pool_[to] - 0x4973f715 * hash(pool_[from]);
          pool_[to] = mixed ^ mixed >> 16;
        }
  }

  uint64_t next() {
    const uint64_t low = next_word();
    return low | static_cast<uint64_t>(next_word()) << 32;
  }

 private:
  uint32_t next_word() {
    uint32_t value = pool_[at_++ % pool_.size()] ^ factor_;
    factor_ *= 0x58f38ded;
    value *= factor_;
    return value ^ value >> 16;
  }

  std::array<uint32_t, 4> pool_;
  uint32_t factor_ = 0x8b51f9dd;
  std::size_t at_ = 0;
};

Wide wide(uint64_t high, uint64_t low) {
  return static_cast<Wide>(high) << 64 | low;
}

// The first number of NumPy's PCG64.
uint64_t drawn(uint32_t seed) {
  Seeds seeds(seed);
  const uint64_t a = seeds.next(), b = seeds.next(), c = seeds.next(), d = seeds.next();
  const Wide increment = wide(c, d) << 1 | 1, factor = wide(0x2360ed051fc65da4, 0x4385df649fccf645);
  const Wide started = (increment + wide(a, b)) * factor + increment;
  const Wide state = started * factor + increment;
  const auto folded = static_cast<uint64_t>(state >> 64) ^ static_cast<uint64_t>(state);
  const auto turn = static_cast<unsigned>(state >> 122);
  return folded >> turn | folded << (-turn & 63);
}

}  // namespace

int32_t next_pseudo_tag(int32_t tag) {
  return static_cast<int32_t>(__builtin_bswap64(drawn(static_cast<uint32_t>(tag))) % 10000);
}

}  // namespace td::group
