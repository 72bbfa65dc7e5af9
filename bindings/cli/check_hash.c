// Tests of hash types.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_test.h"
#include "report.h"

static const size_t lengths[] = {0,  1,  2,  3,  4,  7,  8,   9,   12,  15,  16,  17,  24,  31,  32,
                                 33, 48, 63, 64, 65, 96, 127, 128, 129, 240, 241, 256, 512, 1000};
static const size_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 19, 31, 33, 65};
enum { N_LENGTHS = sizeof lengths / sizeof *lengths, N_COUNTS = sizeof counts / sizeof *counts, LONGEST = 1000 };

static td_hash *make(const trial *t) {
  td_hash *h;
  td_error *err = NULL;
  must(td_hash_new(TD_STR(t->id), TD_STR(t->config), &h, &err), &err, "making an instance");
  return h;
}

// Types that hash tensors of numbers have no rows of bytes.
static td_hash *make_for_bytes(const trial *t) {
  uint64_t hash;
  td_error *err = NULL;
  td_hash *h = make(t);
  if (td_hash_rows(h, "", 1, 0, 1, &hash, &err) == TD_ERR_UNSUPPORTED) skip_trial("it hashes tensors, not bytes");
  forget(&err);
  return h;
}

static void rows(const td_hash *h, const void *data, size_t n, size_t row_bytes, size_t stride, uint64_t *out) {
  td_error *err = NULL;
  td_status status = td_hash_rows(h, data, n, row_bytes, stride, out, &err);
  if (status != TD_OK)
    fail_trial("hashing %zu rows of %zu bytes: %s", n, row_bytes, err ? td_error_message(err).data : "failed");
}

static void vectors(trial *t) {
  char *own = about(t, "vectors", NULL);
  // The library checks them when the first instance is made.
  td_hash_release(make(t));
  if (own && !json_objects(own)) fail_trial("it has no test vectors, so its build cannot be verified");
}

static void batch(trial *t) {
  td_hash *h = make_for_bytes(t);
  size_t most = counts[N_COUNTS - 1] * (LONGEST + 7);
  unsigned char *data = xalloc(most);
  uint64_t together[65], alone;
  draw_bytes(t, data, most);
  for (size_t l = 0; l < N_LENGTHS; ++l)
    for (size_t c = 0; c < N_COUNTS; ++c)
      for (size_t gap = 0; gap < 8; gap += 7) {
        size_t stride = lengths[l] + gap;
        rows(h, data, counts[c], lengths[l], stride, together);
        for (size_t i = 0; i < counts[c]; ++i) {
          rows(h, data + i * stride, 1, lengths[l], stride, &alone);
          if (alone != together[i])
            fail_trial("row %zu of %zu with %zu bytes, %zu apart, hashes to %llu, alone to %llu", i, counts[c],
                       lengths[l], stride, (unsigned long long)together[i], (unsigned long long)alone);
        }
      }
}

static void alignment(trial *t) {
  td_hash *h = make_for_bytes(t);
  static unsigned char data[4 * LONGEST + 64];
  unsigned char content[3 * LONGEST];
  uint64_t first[3], other[3];
  draw_bytes(t, content, sizeof content);
  for (size_t l = 0; l < N_LENGTHS; ++l)
    for (size_t shift = 0; shift < 16; ++shift) {
      memcpy(data + shift, content, 3 * lengths[l]);
      rows(h, data + shift, 3, lengths[l], lengths[l], shift ? other : first);
      if (shift && memcmp(first, other, sizeof first))
        fail_trial("rows of %zu bytes hash differently at an address that is %zu past a multiple of 16", lengths[l],
                   shift);
    }
}

// `size` bytes with pages around them that must not be touched: they end (or begin) where a page does.
static unsigned char *guarded(size_t size, int at_end, unsigned char **whole, size_t *pages) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page;
  if (!inner) inner = page;
  unsigned char *m = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED || mprotect(m + page, inner, PROT_READ | PROT_WRITE))
    skip_trial("memory with guard pages could not be allocated");
  *whole = m;
  *pages = inner + 2 * page;
  return at_end ? m + page + inner - size : m + page;
}

static void bounds(trial *t) {
  td_hash *h = make_for_bytes(t);
  uint64_t hashes[65];
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t l = 0; l < N_LENGTHS; ++l)
    for (size_t c = 0; c < N_COUNTS; ++c)
      for (int at_end = 0; at_end < 2; ++at_end) {
        unsigned char *in, *out;
        size_t in_size, out_size, n = counts[c];
        unsigned char *data = guarded(n * lengths[l], at_end, &in, &in_size);
        unsigned char *place = guarded(n * 8, at_end, &out, &out_size);
        draw_bytes(t, data, n * lengths[l]);
        rows(h, data, n, lengths[l], lengths[l], hashes);
        mprotect(in + page, in_size - 2 * page, PROT_READ);  // what it reads it must not write
        rows(h, data, n, lengths[l], lengths[l], (uint64_t *)(void *)place);
        if (memcmp(hashes, place, n * 8)) fail_trial("%zu rows of %zu bytes do not hash alike twice", n, lengths[l]);
        munmap(in, in_size);
        munmap(out, out_size);
      }
}

static void determinism(trial *t) {
  td_hash *first = make_for_bytes(t), *second = make(t);
  unsigned char data[9 * 64], noise[512];
  uint64_t a[9], b[9];
  draw_bytes(t, data, sizeof data);
  rows(first, data, 9, 64, 64, a);
  for (int round = 0; round < 200; ++round) {
    size_t n = draw(t) % sizeof noise;
    draw_bytes(t, noise, sizeof noise);
    rows(first, noise, 1, n, n + 1, b);
    rows(round % 2 ? first : second, data, 9, 64, 64, b);
    if (memcmp(a, b, sizeof a))
      fail_trial(round % 2 ? "the same rows hash differently after %d other calls"
                           : "two instances with the same config hash differently (round %d)",
                 round);
  }
}

typedef struct shared {
  const td_hash *h;
  const unsigned char *data;
  const uint64_t *expected;
} shared;

enum { THREAD_ROWS = 64, ROW = 48 };

static void hash_in_thread(void *context, int i) {
  const shared *s = context;
  uint64_t got[THREAD_ROWS];
  for (int round = 0; round < 300; ++round) {
    size_t first = (size_t)(i * 7 + round) % THREAD_ROWS, n = THREAD_ROWS - first;
    rows(s->h, s->data + first * ROW, n, ROW, ROW, got);
    if (memcmp(got, s->expected + first, n * sizeof *got))
      fail_trial("rows hash differently while other threads hash too");
  }
}

static void threads(trial *t) {
  td_hash *h = make_for_bytes(t);
  unsigned char data[THREAD_ROWS * ROW];
  uint64_t expected[THREAD_ROWS];
  draw_bytes(t, data, sizeof data);
  rows(h, data, THREAD_ROWS, ROW, ROW, expected);
  shared s = {h, data, expected};
  in_threads(4, hash_in_thread, &s);
}

static int ascending(const void *a, const void *b) {
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

static void spread(trial *t) {
  enum { N = 100000, WIDTH = 16, BITS = 64 };
  td_hash *h = make_for_bytes(t);
  unsigned char *data = xalloc(N * WIDTH);
  uint64_t *hashes = xalloc(N * sizeof *hashes);
  // Rows that differ in few bits: a counter, and noise that half of them share.
  for (uint64_t i = 0; i < N; ++i) {
    uint64_t noise = i < N / 2 ? draw(t) : 0;
    memcpy(data + i * WIDTH, &i, 8);
    memcpy(data + i * WIDTH + 8, &noise, 8);
  }
  rows(h, data, N, WIDTH, WIDTH, hashes);
  qsort(hashes, N, sizeof *hashes, ascending);
  size_t equal = 0;
  for (size_t i = 1; i < N; ++i) equal += hashes[i] == hashes[i - 1];
  // With 64 bits that are spread evenly, one pair in 3.7 billion runs.
  if (equal) fail_trial("%zu of 100000 different rows have the hash of another", equal);
  free(data);
  free(hashes);
}

static void lengths_matter(trial *t) {
  td_hash *h = make_for_bytes(t);
  unsigned char zeros[65] = {0};
  uint64_t hashes[65];
  for (size_t n = 0; n < 65; ++n) {
    rows(h, zeros, 1, n, n + 1, hashes + n);
    for (size_t m = 0; m < n; ++m)
      if (hashes[m] == hashes[n]) fail_trial("%zu and %zu zero bytes have the same hash", m, n);
  }
}

static void use_once(void *context) {
  const trial *t = context;
  unsigned char data[64] = {1, 2, 3};
  uint64_t hashes[4];
  td_hash *h = make(t);
  td_error *err = NULL;
  if (td_hash_rows(h, data, 4, 16, 16, hashes, &err) != TD_OK) forget(&err);
  td_hash_release(h);
}

static void leaks(trial *t) {
  check_leaks(use_once, t);
}

static void bad_config(trial *t) {
  static const char *const bad[] = {"{",
                                    "[]",
                                    "null",
                                    "{\"a\": }",
                                    "{} {}",
                                    "{\"seed\": {}}",
                                    "{\"seed\": \"x\"}",
                                    "{\"seed\": -1e300}",
                                    "{\"variant\": 1e999}",
                                    "{\"no such member\": [[[]]]}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    td_hash *h = NULL;
    td_error *err = NULL;
    td_status status = td_hash_new(TD_STR(t->id), TD_STR(bad[i]), &h, &err);
    if (i < 5 && status == TD_OK) fail_trial("it takes the config '%s'", bad[i]);
    if (status == TD_ERR_INTERNAL) fail_trial("the config '%s': %s", bad[i], td_error_message(err).data);
    td_hash_release(h);
    forget(&err);
  }
  td_hash_release(make(t));
}

// ---- Types that hash tensors ----------------------------------------------------------------------------------------------
static void tensor_rows(trial *t) {
  enum { N = 17, WIDTH = 6 };
  double numbers[N * WIDTH];
  const int64_t dims[] = {N, WIDTH};
  td_tensor *all, *out, *again;
  td_error *err = NULL;
  td_hash *h = make(t);
  // Zeros and ones: what every type that hashes tensors takes.
  for (int i = 0; i < N * WIDTH; ++i) numbers[i] = (double)(draw(t) & 1);
  must(td_tensor_copy_from(numbers, TD_DTYPE_FLOAT64, dims, 2, &all, &err), &err, "making a tensor");
  if (td_hash_call(h, all, &out, &err) != TD_OK) fail_trial("hashing a tensor: %s", td_error_message(err).data);
  int64_t n = 0;
  if (td_tensor_dtype(out) != TD_DTYPE_INT64 || td_tensor_shape(out, &n, 1) != 1 || n != N)
    fail_trial("it does not return one int64 for each row");
  const void *hashes, *one;
  must(td_tensor_data(out, &hashes, &err), &err, "reading the hashes");
  for (int i = 0; i < N; ++i) {
    const int64_t row[] = {1, WIDTH};
    td_tensor *single;
    must(td_tensor_copy_from(numbers + i * WIDTH, TD_DTYPE_FLOAT64, row, 2, &single, &err), &err, "making a row");
    must(td_hash_call(h, single, &again, &err), &err, "hashing one row");
    must(td_tensor_data(again, &one, &err), &err, "reading its hash");
    if (memcmp(one, (const char *)hashes + 8 * i, 8)) fail_trial("row %d of a batch hashes differently alone", i);
    td_tensor_release(single);
    td_tensor_release(again);
  }
}

const test hash_tests[] = {
    {"vectors", "it returns the hashes of its own test vectors", vectors},
    {"config", "bad configs are refused and break nothing", bad_config},
    {"batch", "rows have the same hash in a batch and alone, with and without gaps", batch},
    {"alignment", "rows have the same hash at every address", alignment},
    {"bounds", "it accesses only the rows and the hashes, and does not write to the rows", bounds},
    {"determinism", "the same rows have the same hash in every instance and at any time", determinism},
    {"threads", "rows have the same hash while other threads hash with the same instance", threads},
    {"spread", "different rows have different hashes", spread},
    {"lengths", "rows of different lengths have different hashes", lengths_matter},
    {"tensors", "rows of a tensor have the same hash in a batch and alone", tensor_rows},
    {"leaks", "an instance leaves nothing behind", leaks},
    {NULL, NULL, NULL},
};
