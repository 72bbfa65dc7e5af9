/* The vector units of x86 for siphash_batch.h; which one runs is decided when an instance is made. */
#include <immintrin.h>

#define HALF(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define HALVES(p, q) _mm256_inserti128_si256(_mm256_castsi128_si256(HALF(p)), HALF(q), 1)
#define LOAD(p) ((long long)load(p))

#define NAME hash_avx2
#define TARGET "avx2"
#define LANES 4
#define V __m256i
#define ADD _mm256_add_epi64
#define XOR _mm256_xor_si256
#define ROTL16(x)                                                                                                    \
  _mm256_shuffle_epi8(x, _mm256_setr_epi8(6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13, 6, 7, 0, 1, 2, 3, 4, \
                                          5, 14, 15, 8, 9, 10, 11, 12, 13))
#define ROTL32(x) _mm256_shuffle_epi32(x, 0xb1)
#define ROTL(x, n) _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - (n)))
#define ALL(word) _mm256_set1_epi64x((long long)(word))
#define SHIFT_RIGHT(x, n) _mm256_srl_epi64(x, _mm_cvtsi64_si128((long long)(n)))
#define MASK_MINUS_ONE(x) _mm256_cmpeq_epi64(x, _mm256_set1_epi64x(-1))
#define WORD(p, s) _mm256_set_epi64x(LOAD((p) + 3 * (s)), LOAD((p) + 2 * (s)), LOAD((p) + (s)), LOAD(p))
#define PAIR(p, s, w0, w1)                                                           \
  do {                                                                               \
    const V even = HALVES(p, (p) + 2 * (s)), odd = HALVES((p) + (s), (p) + 3 * (s)); \
    w0 = _mm256_unpacklo_epi64(even, odd), w1 = _mm256_unpackhi_epi64(even, odd);    \
  } while (0)
#include "siphash_batch.h"

#define QUARTERS(p, s) \
  _mm512_inserti64x4(_mm512_castsi256_si512(HALVES(p, (p) + 2 * (s))), HALVES((p) + 4 * (s), (p) + 6 * (s)), 1)

#define NAME hash_avx512
#define TARGET "avx512f"
#define LANES 8
#define V __m512i
#define ADD _mm512_add_epi64
#define XOR _mm512_xor_si512
#define ROTL16(x) _mm512_rol_epi64(x, 16)
#define ROTL32(x) _mm512_rol_epi64(x, 32)
#define ROTL(x, n) _mm512_rol_epi64(x, n)
#define ALL(word) _mm512_set1_epi64((long long)(word))
#define SHIFT_RIGHT(x, n) _mm512_srl_epi64(x, _mm_cvtsi64_si128((long long)(n)))
#define MASK_MINUS_ONE(x) _mm512_maskz_set1_epi64(_mm512_cmpeq_epi64_mask(x, _mm512_set1_epi64(-1)), -1)
#define WORD(p, s)                                                                                     \
  _mm512_set_epi64(LOAD((p) + 7 * (s)), LOAD((p) + 6 * (s)), LOAD((p) + 5 * (s)), LOAD((p) + 4 * (s)), \
                   LOAD((p) + 3 * (s)), LOAD((p) + 2 * (s)), LOAD((p) + (s)), LOAD(p))
#define PAIR(p, s, w0, w1)                                                        \
  do {                                                                            \
    const V even = QUARTERS(p, s), odd = QUARTERS((p) + (s), s);                  \
    w0 = _mm512_unpacklo_epi64(even, odd), w1 = _mm512_unpackhi_epi64(even, odd); \
  } while (0)
#include "siphash_batch.h"
