/* SipHash of many rows side by side, one in each lane of a vector; the results are those of hash_row. Written once, and
 * included by siphash.c for each vector unit with
 *   NAME, TARGET        what the function is called, and the unit as the compiler knows it
 *   LANES, V            rows in a vector, and its type
 *   ADD XOR ROTL16 ROTL32 ROTL(x, n) ALL(word) SHIFT_RIGHT(x, n)
 *   PAIR(p, stride, w0, w1)   the first and the second word of each row, the first row being at p
 *   WORD(p, stride)           the first word of each row
 *   MASK_MINUS_ONE(x)         -1 where x is -1, else 0
 */
#define STEP(n, v0, v1, v2, v3)                               \
  do {                                                        \
    for (int r = 0; r < (n); ++r) {                           \
      v0 = ADD(v0, v1), v2 = ADD(v2, v3);                     \
      v1 = XOR(ROTL(v1, 13), v0), v3 = XOR(ROTL16(v3), v2);   \
      v0 = ROTL32(v0);                                        \
      v2 = ADD(v2, v1), v0 = ADD(v0, v3);                     \
      v1 = XOR(ROTL(v1, 17), v2), v3 = XOR(ROTL(v3, 21), v0); \
      v2 = ROTL32(v2);                                        \
    }                                                         \
  } while (0)

#define ABSORB(word, v0, v1, v2, v3) \
  do {                               \
    v3 = XOR(v3, word);              \
    STEP(c, v0, v1, v2, v3);         \
    v0 = XOR(v0, word);              \
  } while (0)

/* Two vectors of rows: the rounds of one fill the waiting time of the other. */
#define INNER JOIN(NAME, _lanes)
__attribute__((target(TARGET), always_inline)) static inline void INNER(const siphash *self, const uint8_t *rows,
                                                                        size_t size, size_t stride, uint64_t *out,
                                                                        int c, int d) {
  const uint8_t *next = rows + LANES * stride;
  V a0 = ALL(self->k0 ^ C0), a1 = ALL(self->k1 ^ C1), a2 = ALL(self->k0 ^ C2), a3 = ALL(self->k1 ^ C3);
  V b0 = a0, b1 = a1, b2 = a2, b3 = a3, x, y, z, w;
  size_t at = 0;
  for (; at + 16 <= size; at += 16) {
    PAIR(rows + at, stride, x, y);
    PAIR(next + at, stride, z, w);
    ABSORB(x, a0, a1, a2, a3);
    ABSORB(z, b0, b1, b2, b3);
    ABSORB(y, a0, a1, a2, a3);
    ABSORB(w, b0, b1, b2, b3);
  }
  if (at + 8 <= size) {
    x = WORD(rows + at, stride), z = WORD(next + at, stride);
    ABSORB(x, a0, a1, a2, a3);
    ABSORB(z, b0, b1, b2, b3);
  }
  x = z = ALL((uint64_t)size << 56);
  const size_t rest = size % 8;
  if (rest != 0 && size >= 8) {
    x = XOR(x, SHIFT_RIGHT(WORD(rows + size - 8, stride), 8 * (8 - rest)));
    z = XOR(z, SHIFT_RIGHT(WORD(next + size - 8, stride), 8 * (8 - rest)));
  } else if (rest != 0) {
    uint64_t last[2 * LANES];
    for (size_t i = 0; i < 2 * LANES; ++i) last[i] = last_block(rows + i * stride, size);
    memcpy(&x, last, sizeof x), memcpy(&z, last + LANES, sizeof z);
  }
  ABSORB(x, a0, a1, a2, a3);
  ABSORB(z, b0, b1, b2, b3);
  a2 = XOR(a2, ALL(0xff)), b2 = XOR(b2, ALL(0xff));
  for (int r = 0; r < d; ++r) {
    STEP(1, a0, a1, a2, a3);
    STEP(1, b0, b1, b2, b3);
  }
  x = XOR(XOR(a0, a1), XOR(a2, a3)), z = XOR(XOR(b0, b1), XOR(b2, b3));
  if (self->cpython) x = ADD(x, MASK_MINUS_ONE(x)), z = ADD(z, MASK_MINUS_ONE(z));
  memcpy(out, &x, sizeof x), memcpy(out + LANES, &z, sizeof z);
}

/* Hashes the rows of as many pairs of vectors as there are, and returns how many that was; the last pair may do some
 * rows a second time, which is cheaper than doing them one by one. */
__attribute__((target(TARGET))) static size_t NAME(const siphash *self, const uint8_t *rows, size_t n, size_t size,
                                                   size_t stride, uint64_t *out) {
  if (n < 2 * LANES) return 0;
  for (size_t i = 0; i < n; i += 2 * LANES) {
    if (i + 2 * LANES > n) i = n - 2 * LANES;
    const uint8_t *first = rows + i * stride;
    if (self->compressions == 1 && self->finalizations == 3) {
      if (size == 8)
        INNER(self, first, 8, stride, out + i, 1, 3);
      else if (size == 16)
        INNER(self, first, 16, stride, out + i, 1, 3);
      else
        INNER(self, first, size, stride, out + i, 1, 3);
    } else if (self->compressions == 2 && self->finalizations == 4) {
      INNER(self, first, size, stride, out + i, 2, 4);
    } else {
      INNER(self, first, size, stride, out + i, self->compressions, self->finalizations);
    }
  }
  return n;
}

#undef NAME
#undef TARGET
#undef LANES
#undef V
#undef ADD
#undef XOR
#undef ROTL
#undef ROTL16
#undef ROTL32
#undef ALL
#undef SHIFT_RIGHT
#undef PAIR
#undef WORD
#undef MASK_MINUS_ONE
#undef STEP
#undef ABSORB
#undef INNER
