#include "sha256.h"

#include <stdio.h>
#include <string.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int n) {
  return x >> n | x << (32 - n);
}

static void add_one(uint32_t state[8], const uint8_t *p) {
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; ++i, p += 4) w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  for (int i = 16; i < 64; ++i) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] =
        w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[i - 7] + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  memcpy(v, state, sizeof v);
  for (int i = 0; i < 64; ++i) {
    uint32_t e = v[4], a = v[0];
    uint32_t t1 = v[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                  round_constants[i] + w[i];
    uint32_t t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) state[i] += v[i];
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static int has_instructions(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_SSSE3) &&
         __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);
}

// Four rounds an iteration, two an instruction; the processor has the state as ABEF and CDGH.
__attribute__((target("sha,sse4.1,ssse3"))) static void add_by_instructions(uint32_t state[8], const uint8_t *p,
                                                                            size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i w[4], cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1),
                efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B),
                abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; blocks; --blocks, p += 64) {
    const __m128i before0 = abef, before1 = cdgh;
    for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * i)), big_endian);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      __m128i *now = w + (i & 3);
      const __m128i last = w[(i + 3) & 3],
                    sum = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(round_constants + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      if (i >= 12) continue;
      const __m128i begun = _mm_sha256msg1_epu32(*now, w[(i + 1) & 3]);
      *now = _mm_sha256msg2_epu32(_mm_add_epi32(begun, _mm_alignr_epi8(last, w[(i + 2) & 3], 4)), last);
    }
    abef = _mm_add_epi32(abef, before0);
    cdgh = _mm_add_epi32(cdgh, before1);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#else
static int has_instructions(void) {
  return 0;
}
static void add_by_instructions(uint32_t state[8], const uint8_t *p, size_t blocks) {
  (void)state, (void)p, (void)blocks;
}
#endif

static void add_blocks(uint32_t state[8], const uint8_t *p, size_t blocks) {
  static int fast = -1;
  if (fast < 0) fast = has_instructions();
  if (fast) {
    add_by_instructions(state, p, blocks);
    return;
  }
  for (; blocks; --blocks, p += 64) add_one(state, p);
}

void sha256_begin(sha256 *self) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(self->state, start, sizeof start);
  self->size = 0;
}

void sha256_add(sha256 *self, const void *data, size_t size) {
  const uint8_t *p = data;
  size_t held = self->size % 64;
  self->size += size;
  if (held && size >= 64 - held) {
    memcpy(self->block + held, p, 64 - held);
    add_blocks(self->state, self->block, 1);
    p += 64 - held;
    size -= 64 - held;
    held = 0;
  }
  if (!held && size >= 64) {
    add_blocks(self->state, p, size / 64);
    p += size / 64 * 64;
    size %= 64;
  }
  if (size) memcpy(self->block + held, p, size);
}

void sha256_end(sha256 *self, char hex[65]) {
  uint64_t bits = self->size * 8;
  uint8_t tail[72] = {0x80};
  size_t padding = 64 - (self->size + 8) % 64;
  for (int i = 0; i < 8; ++i) tail[padding + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  sha256_add(self, tail, padding + 8);
  for (int i = 0; i < 8; ++i) snprintf(hex + 8 * i, 9, "%08x", (unsigned)self->state[i]);
}

void sha256_hex(const void *data, size_t size, char hex[65]) {
  sha256 hash;
  sha256_begin(&hash);
  sha256_add(&hash, data, size);
  sha256_end(&hash, hex);
}
