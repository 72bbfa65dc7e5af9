/* td.siphash: SipHash-c-d of J.-P. Aumasson and D. J. Bernstein ("SipHash: a fast short-input PRF", 2012), by default
 * with the rules by which CPython hashes bytes under PYTHONHASHSEED=0, so that indices agree with torchrl's.
 *
 * Config  {"seed": 0, "rounds": [1, 3], "cpython": true, "key": "000102030405060708090a0b0c0d0e0f",
 *          "unit": "auto"}
 *   seed     0 to 4294967295, what PYTHONHASHSEED says: 0 is the key of zeros, others are expanded to a key
 *   rounds   [1, 3] is CPython 3.11 and later, [2, 4] the original (and CPython 3.4 to 3.10)
 *   cpython  no bytes hash to 0, and -1 becomes -2
 *   unit     "auto" takes the best of "avx512", "avx2" and "scalar" that is here; the values are the same
 *   key      16 bytes in small hexadecimal digits, instead of a seed; use a secret one for input that others choose
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "../entry.h"

typedef struct siphash siphash;
typedef size_t batch_fn(const siphash *self, const uint8_t *rows, size_t n, size_t size, size_t stride, uint64_t *out);
struct siphash {
  uint64_t k0, k1;
  int compressions, finalizations; /* rounds */
  int cpython;
  batch_fn *batch; /* returns how many rows it has done; NULL: one by one */
};

/* "somepseudorandomlygeneratedbytes" */
#define C0 UINT64_C(0x736f6d6570736575)
#define C1 UINT64_C(0x646f72616e646f6d)
#define C2 UINT64_C(0x6c7967656e657261)
#define C3 UINT64_C(0x7465646279746573)

/* ---- The algorithm ---- */

#define INLINE static inline __attribute__((always_inline))

#define ROTATE(x, bits) ((x) << (bits) | (x) >> (64 - (bits)))
#define ROUND(v0, v1, v2, v3)                                     \
  do {                                                            \
    v0 += v1, v1 = ROTATE(v1, 13), v1 ^= v0, v0 = ROTATE(v0, 32); \
    v2 += v3, v3 = ROTATE(v3, 16), v3 ^= v2;                      \
    v0 += v3, v3 = ROTATE(v3, 21), v3 ^= v0;                      \
    v2 += v1, v1 = ROTATE(v1, 17), v1 ^= v2, v2 = ROTATE(v2, 32); \
  } while (0)

/* Eight bytes, the first one lowest. */
INLINE uint64_t load(const uint8_t *p) {
  uint64_t x;
  memcpy(&x, p, sizeof x);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  x = __builtin_bswap64(x);
#endif
  return x;
}

/* The last block of a row: what is left of it, and its length in the highest byte. */
INLINE uint64_t last_block(const uint8_t *row, size_t size) {
  uint64_t block = (uint64_t)size << 56;
  size_t rest = size % 8;
  if (rest == 0) return block;
  if (size > 8) return block | load(row + size - 8) >> (8 * (8 - rest));
  for (size_t i = 0; i < rest; ++i) block |= (uint64_t)row[i] << (8 * i);
  return block;
}

INLINE uint64_t hash_row(const siphash *self, const uint8_t *row, size_t size, int compressions, int finalizations) {
  uint64_t v0 = self->k0 ^ C0, v1 = self->k1 ^ C1, v2 = self->k0 ^ C2, v3 = self->k1 ^ C3;
  for (size_t at = 0;; at += 8) {
    uint64_t block = at + 8 <= size ? load(row + at) : last_block(row, size);
    v3 ^= block;
    for (int i = 0; i < compressions; ++i) ROUND(v0, v1, v2, v3);
    v0 ^= block;
    if (at + 8 > size) break;
  }
  v2 ^= 0xff;
  for (int i = 0; i < finalizations; ++i) ROUND(v0, v1, v2, v3);
  return v0 ^ v1 ^ v2 ^ v3;
}

/* What Python's hash(bytes) makes of a value: -1 is its sign for an error. */
INLINE uint64_t as_cpython(uint64_t hash) {
  return hash == UINT64_MAX ? UINT64_MAX - 1 : hash;
}

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#if defined(__x86_64__) && defined(__GNUC__)
#include "siphash_x86.h"
#define CAN(unit) __builtin_cpu_supports(unit)
#else
#define CAN(unit) 0
static batch_fn *const hash_avx2 = NULL, *const hash_avx512 = NULL;
#endif

/* ---- An instance ---- */

static td_str text(const char *s) {
  return (td_str){s, TD_STRLEN};
}

static td_status refuse(const td_host *host, const char *message, td_error **err) {
  *err = host->error_new(TD_ERR_ARGUMENT, text(message));
  return TD_ERR_ARGUMENT;
}

/* CPython's expansion of PYTHONHASHSEED into 16 bytes. */
static void key_of_seed(uint32_t seed, uint8_t key[16]) {
  memset(key, 0, 16);
  uint32_t x = seed;
  for (int i = 0; i < 16 && seed != 0; ++i) {
    x = x * 214013u + 2531011u;
    key[i] = (x >> 16) & 0xff;
  }
}

static int key_of_text(td_str hex, uint8_t key[16]) {
  if (hex.size != 32) return 0;
  memset(key, 0, 16);
  for (int i = 0; i < 32; ++i) {
    static const char digits[] = "0123456789abcdef";
    const char *digit = hex.data[i] ? strchr(digits, hex.data[i]) : NULL;
    if (!digit) return 0;
    key[i / 2] = (uint8_t)(key[i / 2] << 4 | (digit - digits));
  }
  return 1;
}

static int is(td_str s, const char *word) {
  return s.size == strlen(word) && memcmp(s.data, word, s.size) == 0;
}

/* False for a unit that this machine does not have. */
static int choose(td_str unit, batch_fn **batch) {
  const int best = is(unit, "auto");
  *batch = NULL;
  if (CAN("avx512f") && (best || is(unit, "avx512")))
    *batch = hash_avx512;
  else if (CAN("avx2") && (best || is(unit, "avx2")))
    *batch = hash_avx2;
  return *batch || best || is(unit, "scalar");
}

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  static const int64_t cpython_rounds[] = {1, 3};
  int64_t seed = 0;
  const int64_t *rounds = cpython_rounds;
  size_t n_rounds = 2;
  td_bool cpython = 1;
  td_str hex = {NULL, 0}, unit = TD_TEXT("auto");
  td_status s = host->config_int(config, text("seed"), &seed, err);
  if (s == TD_OK) s = host->config_ints(config, text("rounds"), &rounds, &n_rounds, err);
  if (s == TD_OK) s = host->config_bool(config, text("cpython"), &cpython, err);
  if (s == TD_OK) s = host->config_str(config, text("key"), &hex, err);
  if (s == TD_OK) s = host->config_str(config, text("unit"), &unit, err);
  if (s != TD_OK) return s;
  if (seed < 0 || seed > UINT32_MAX) return refuse(host, "seed must be 0 to 4294967295", err);
  if (n_rounds != 2 || rounds[0] < 1 || rounds[0] > 16 || rounds[1] < 1 || rounds[1] > 16)
    return refuse(host, "rounds must be two numbers from 1 to 16", err);

  uint8_t key[16];
  key_of_seed((uint32_t)seed, key);
  if (hex.data && (seed != 0 || !key_of_text(hex, key)))
    return refuse(host, "key must be 32 lower-case hexadecimal digits and cannot be combined with a seed", err);

  batch_fn *batch;
  if (!choose(unit, &batch))
    return refuse(host, "unit must be auto, scalar, avx2 or avx512, and this machine must support it", err);

  siphash *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = (siphash){load(key), load(key + 8), (int)rounds[0], (int)rounds[1], cpython, batch};
  *self = made;
  return TD_OK;
}

static void destroy(void *self) {
  free(self);
}

static td_status clone(const void *self, void **out, td_error **err) {
  (void)err;
  siphash *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = *(const siphash *)self;
  *out = made;
  return TD_OK;
}

static td_status hash_rows(void *instance, const uint8_t *rows, size_t n, size_t row_bytes, size_t stride,
                           uint64_t *out, td_error **err) {
  const siphash *self = instance;
  (void)err;
  if (self->cpython && row_bytes == 0) {
    for (size_t i = 0; i < n; ++i) out[i] = 0;
    return TD_OK;
  }
  const int c = self->compressions, d = self->finalizations;
  for (size_t i = self->batch ? self->batch(self, rows, n, row_bytes, stride, out) : 0; i < n; ++i) {
    const uint8_t *row = rows + i * stride;
    out[i] = c == 1 && d == 3 ? hash_row(self, row, row_bytes, 1, 3) : hash_row(self, row, row_bytes, c, d);
    if (self->cpython) out[i] = as_cpython(out[i]);
  }
  return TD_OK;
}

/* ---- What it must give ---- */

#define BYTES_0_TO_15 "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
#define PUBLISHED(rounds) \
  TD_TEXT("{\"key\":\"000102030405060708090a0b0c0d0e0f\",\"rounds\":" rounds ",\"cpython\":false}")

/* CPython: the values of hash(bytes), seeds as in PYTHONHASHSEED. Published: the tables of the authors' reference
   implementation (2, 4) and of the Rust core library (1, 3). */
static const td_hash_vector vectors[] = {
    {TD_TEXT("{}"), TD_TEXT(""), UINT64_C(0x0000000000000000)},
    {TD_TEXT("{}"), TD_TEXT("\x01"), UINT64_C(0x44bc103b1f8540ed)},
    {TD_TEXT("{}"), TD_TEXT("\x04\x0b\x12\x19"), UINT64_C(0xd18e60eb59380f69)},
    {TD_TEXT("{}"), TD_TEXT("\x07\x0e\x15\x1c\x23\x2a\x31"), UINT64_C(0x9fff4ac9ef420232)},
    {TD_TEXT("{}"), TD_TEXT("\x08\x0f\x16\x1d\x24\x2b\x32\x39"), UINT64_C(0xcaf590d4e8867659)},
    {TD_TEXT("{}"), TD_TEXT("\x09\x10\x17\x1e\x25\x2c\x33\x3a\x41"), UINT64_C(0xdbc958e03a783083)},
    {TD_TEXT("{}"), TD_TEXT("\x0f\x16\x1d\x24\x2b\x32\x39\x40\x47\x4e\x55\x5c\x63\x6a\x71"),
     UINT64_C(0xade679b8aedd64c4)},
    {TD_TEXT("{}"), TD_TEXT("\x10\x17\x1e\x25\x2c\x33\x3a\x41\x48\x4f\x56\x5d\x64\x6b\x72\x79"),
     UINT64_C(0xd16eb79de4d128d0)},
    {TD_TEXT("{}"),
     TD_TEXT("\x18\x1f\x26\x2d\x34\x3b\x42\x49\x50\x57\x5e\x65\x6c\x73\x7a\x81\x88\x8f\x96\x9d\xa4\xab\xb2\xb9"),
     UINT64_C(0xd42f8303f2318297)},
    {TD_TEXT("{\"seed\":42}"), TD_TEXT("\x01"), UINT64_C(0x89404b342d44cd29)},
    {TD_TEXT("{\"seed\":42}"), TD_TEXT("\x08\x0f\x16\x1d\x24\x2b\x32\x39"), UINT64_C(0x3de44bc65842791b)},
    {TD_TEXT("{\"seed\":42}"), TD_TEXT("\x0d\x14\x1b\x22\x29\x30\x37\x3e\x45\x4c\x53\x5a\x61"),
     UINT64_C(0x01e529fb6ebad23d)},
    {TD_TEXT("{\"rounds\":[2,4]}"), TD_TEXT("\x07\x0e\x15\x1c\x23\x2a\x31"), UINT64_C(0x0e7956abddd04d23)},
    {TD_TEXT("{\"rounds\":[2,4]}"), TD_TEXT("\x10\x17\x1e\x25\x2c\x33\x3a\x41\x48\x4f\x56\x5d\x64\x6b\x72\x79"),
     UINT64_C(0x7c54cc213cd62a1f)},
    {PUBLISHED("[2,4]"), TD_TEXT(""), UINT64_C(0x726fdb47dd0e0e31)},
    {PUBLISHED("[2,4]"), TD_TEXT("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e"),
     UINT64_C(0xa129ca6149be45e5)},
    {PUBLISHED("[2,4]"), TD_TEXT(BYTES_0_TO_15), UINT64_C(0x3f2acc7f57c29bdb)},
    {PUBLISHED("[1,3]"), TD_TEXT(""), UINT64_C(0xabac0158050fc4dc)},
    {PUBLISHED("[1,3]"), TD_TEXT("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e"),
     UINT64_C(0xd320d86d2a519956)},
    {PUBLISHED("[1,3]"), TD_TEXT(BYTES_0_TO_15), UINT64_C(0xcc4fdd1a7d908b66)},
};

static const td_hash_type siphash_type = {
    .type = {.struct_size = sizeof(td_hash_type),
             .kind = TD_PLUGIN_KIND_HASH,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_STABLE | TD_PLUGIN_KEYED | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("td.siphash"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .hash_rows = hash_rows,
    .vectors = vectors,
    .n_vectors = sizeof vectors / sizeof *vectors,
    .clone = clone,
};

static const td_plugin_type *const types[] = {&siphash_type.type};

/* clang-format off */
static const td_str schemas[] = {
    SCHEMA(REQUIRED(), MEMBER("seed", "type": "integer", "minimum": 0, "maximum": 4294967295, "default": 0),
           MEMBER("rounds", "type": "array", "minItems": 2, "maxItems": 2,
                  "items": {"type": "integer", "minimum": 1, "maximum": 16}, "default": [1, 3]),
           FLAG("cpython", true), MEMBER("key", "type": "string", "minLength": 32, "maxLength": 32),
           MEMBER("unit", "enum": ["auto", "scalar", "avx2", "avx512"], "default": "auto"))};
/* clang-format on */
PLUGIN_ENTRY("td.siphash", 0, types, schemas, (void)0)
