// The hash table under every index map: slots of 8 bytes over an array of hashes in the order of their indices. It is
// plain memory, so the same look-up runs on what this process owns, on a mapped file and on shared memory that another
// process is writing to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#include <emmintrin.h>
#endif

namespace td {

// A slot is empty, dead (erased: probing goes on), or the high half of the mixed hash and the index plus one.
struct IndexTable {
  static constexpr uint64_t empty = 0, dead = 0xffffffffu;
  static constexpr int64_t limit = 0xfffffffd;  // indices fit the low half of a slot

  const uint64_t* slots = nullptr;
  uint64_t capacity = 0;            // slots; any number, not 0
  const int64_t* hashes = nullptr;  // by index
  const uint64_t* count = nullptr;  // of hashes; slots that point past it are not there yet

  static uint64_t mix(int64_t hash) {  // plugins' hashes may be as regular as 0, 1, 2
    auto x = static_cast<uint64_t>(hash);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return (x ^ (x >> 29)) * UINT64_C(0x9e3779b97f4a7c15);
  }
  static uint64_t tag(int64_t hash) { return mix(hash) >> 32; }
  // Slots follow the order of the tags, so that growing moves through old and new slots in one direction.
  static uint64_t home(uint64_t tag, uint64_t capacity) { return tag * capacity >> 32; }
  static uint64_t slot(uint64_t tag, uint64_t index) { return tag << 32 | (index + 1); }
  static bool is_live(uint64_t slot) { return slot != empty && slot != dead; }
  static uint64_t index(uint64_t slot) { return (slot & 0xffffffffu) - 1; }
  static uint64_t load(const uint64_t* p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

  // Calls visit(at, index) for each entry with this hash until it returns true, and returns that index, or -1.
  // tests/models: map
  template <class Visit>
  int64_t find(int64_t hash, Visit&& visit) const {
    uint64_t wanted = tag(hash), at = home(wanted, capacity);
    for (uint64_t probes = 0; probes < capacity; ++probes) {
      uint64_t s = load(&slots[at]);
      if (s == empty) return -1;
      if (s >> 32 == wanted && s != dead) {
        uint64_t i = index(s);
        if (i < load(count) && hashes[i] == hash && visit(at, i)) return static_cast<int64_t>(i);
      }
      if (++at == capacity) at = 0;
    }
    return -1;
  }
  int64_t find(int64_t hash) const {
    return find(hash, [](uint64_t, uint64_t) { return true; });
  }

  // The same for many, in three steps that memory is fetched ahead for: while one block's hashes come, the next block's
  // slots are compared, eight at once so that few branches depend on the hash, and those of the one after it are asked
  // for.
  // tests/models: map
  void find_all(const int64_t* wanted, size_t n, int64_t* indices) const {
    constexpr size_t block = 8;
    uint64_t tags[2][block], at[2][block], there = load(count);
    auto ask = [&](size_t begin, size_t end, size_t half) {
      for (size_t i = begin; i < end; ++i) {
        uint64_t t = tags[half][i - begin] = tag(wanted[i]);
        __builtin_prefetch(&slots[at[half][i - begin] = home(t, capacity)]);
      }
    };
    auto compare_tags = [&](size_t begin, size_t end, size_t half) {
      for (size_t i = begin; i < end; ++i) {
        indices[i] = candidate(tags[half][i - begin], at[half][i - begin]);
        if (indices[i] >= 0) __builtin_prefetch(&hashes[indices[i]]);
      }
    };
    auto compare_hashes = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        int64_t found = indices[i];
        bool same = found >= 0 && static_cast<uint64_t>(found) < there && hashes[found] == wanted[i];
        if (!same && found != absent) indices[i] = find(wanted[i]);
      }
    };
    auto upto = [n](size_t end) { return end < n ? end : n; };
    size_t begin = 0;
    ask(0, upto(block), 0);
    for (size_t half = 0; begin < n; begin += block, half ^= 1) {
      size_t end = upto(begin + block);
      ask(end, upto(end + block), half ^ 1);
      compare_tags(begin, end, half);
      if (begin > 0) compare_hashes(begin - block, begin);
    }
    if (begin > 0) compare_hashes(begin - block, n);
  }

 private:
  static constexpr int64_t absent = -1, unknown = -2;

  // The first index under the tag, or `absent`; `unknown` where that takes longer to say.
  int64_t candidate(uint64_t wanted, uint64_t at) const {
    for (int groups = 0; groups < 4 && at + 8 <= capacity; ++groups, at += 8) {
      unsigned matches = 0, ends = 0;
      compare(&slots[at], static_cast<uint32_t>(wanted), matches, ends);
      unsigned first = (matches | ends) & (0u - (matches | ends));
      if (first == 0) continue;
      if ((first & ends) != 0) return absent;
      uint64_t hit = load(&slots[at + static_cast<unsigned>(__builtin_ctz(first))]);
      return is_live(hit) ? static_cast<int64_t>(index(hit)) : unknown;
    }
    return unknown;
  }

  // One bit for each of eight slots: its tag is the wanted one, or it is empty.
  static void compare(const uint64_t* eight, uint32_t wanted, unsigned& matches, unsigned& ends) {
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
    const auto* p = reinterpret_cast<const float*>(eight);
    __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8), d = _mm_loadu_ps(p + 12);
    __m128i tag = _mm_set1_epi32(static_cast<int>(wanted)), zero = _mm_setzero_si128();
    auto bits = [](__m128 x, __m128 y, __m128i to, auto part) {
      __m128i words = _mm_castps_si128(_mm_shuffle_ps(x, y, part.value));
      return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(words, to))));
    };
    std::integral_constant<int, _MM_SHUFFLE(3, 1, 3, 1)> high;
    std::integral_constant<int, _MM_SHUFFLE(2, 0, 2, 0)> low;
    matches = bits(a, b, tag, high) | bits(c, d, tag, high) << 4;
    ends = bits(a, b, zero, low) | bits(c, d, zero, low) << 4;
#else
    for (unsigned i = 0; i < 8; ++i) {
      uint64_t s = load(&eight[i]);
      matches |= static_cast<unsigned>(s >> 32 == wanted) << i;
      ends |= static_cast<unsigned>(s == empty) << i;
    }
#endif
  }
};

}  // namespace td
