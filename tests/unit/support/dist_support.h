/* Helpers of the tests of distributions: the reference values of tests/data/vectors/dist.txt, and comparisons with them. */
#ifndef DIST_SUPPORT_H
#define DIST_SUPPORT_H

#include <stdlib.h>

#include "support/nn_support.h"

/* ---- Reading: words and numbers, one after another ----------------------------------------------------------------- */
typedef struct reader {
  char *text, *at;
  char word[256];
} reader;

static inline reader open_vectors(void) {
  reader r = {0};
  FILE *f = fopen(TD_TEST_DATA "/vectors/dist.txt", "rb");
  cr_assert(f, "no reference values");
  fseek(f, 0, SEEK_END);
  const long size = ftell(f);
  rewind(f);
  r.at = r.text = malloc((size_t)size + 1);
  cr_assert_eq(fread(r.text, 1, (size_t)size, f), (size_t)size);
  r.text[size] = 0;
  fclose(f);
  return r;
}

static inline int next_word(reader *r) {
  r->at += strspn(r->at, " \n");
  const size_t n = strcspn(r->at, " \n");
  if (n == 0) return 0;
  cr_assert_lt(n, sizeof r->word);
  memcpy(r->word, r->at, n);
  r->word[n] = 0;
  r->at += n;
  return 1;
}
static inline int is(const reader *r, const char *word) {
  return strcmp(r->word, word) == 0;
}
/* The rest of the line. */
static inline void rest_of_line(reader *r, char *out, size_t capacity) {
  r->at += strspn(r->at, " ");
  const size_t n = strcspn(r->at, "\n");
  cr_assert_lt(n, capacity);
  memcpy(out, r->at, n);
  out[n] = 0;
  r->at += n;
}
static inline double next_number(reader *r) {
  return strtod(r->at, &r->at);
}

static inline td_tensor *next_tensor(reader *r) {
  next_word(r);
  const td_dtype type = is(r, "f32")    ? TD_DTYPE_FLOAT32
                        : is(r, "i64")  ? TD_DTYPE_INT64
                        : is(r, "bool") ? TD_DTYPE_BOOL
                                        : TD_DTYPE_FLOAT64;
  int64_t dims[8], n = 1;
  const size_t ndim = (size_t)next_number(r);
  for (size_t i = 0; i < ndim; ++i) n *= dims[i] = (int64_t)next_number(r);
  double *values = malloc((size_t)(n + 1) * sizeof *values);
  for (int64_t i = 0; i < n; ++i) values[i] = next_number(r);
  td_tensor *wide, *t;
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT64, dims, ndim, &wide, &err));
  must(td_tensor_to(wide, type, TD_NO_STR, &t, &err));
  td_tensor_release(wide);
  free(values);
  return t;
}

/* ---- Distributions --------------------------------------------------------------------------------------------------- */
static inline td_tensor *doubles(const double *values, const int64_t *dims, size_t ndim) {
  td_tensor *t;
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT64, dims, ndim, &t, &err));
  return t;
}
#define WIDE(...) \
  doubles((const double[]){__VA_ARGS__}, TD_SHAPE(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))
static inline td_tensor *scalar(double x) {
  return doubles(&x, NULL, 0);
}

/* Takes the params over. */
static inline td_dist *dist_of(const char *type, const char *config, td_dict *params) {
  td_dist *d = NULL;
  must(td_dist_new(TD_STR(type), params, TD_STR(config), &d, &err));
  td_dict_release(params);
  return d;
}
static inline td_dict *params_of(const char *a, td_tensor *x, const char *b, td_tensor *y) {
  td_dict *params = dict(TD_NO_DIMS);
  put(params, TD_KEY(a), x);
  if (b) put(params, TD_KEY(b), y);
  return params;
}
static inline td_dist *normal_of(td_tensor *loc, td_tensor *scale) {
  return dist_of("td.normal", "{}", params_of("loc", loc, "scale", scale));
}

static inline td_tensor *log_prob_of(const td_dist *d, const td_tensor *x) {
  td_tensor *y = NULL;
  must(td_dist_log_prob(d, x, &y, &err));
  return y;
}

/* All elements as doubles; the caller frees them. */
static inline double *numbers_of(const td_tensor *t, int64_t *n) {
  td_tensor *flat, *wide;
  const void *data;
  must(td_tensor_detach(t, &flat, &err));
  must(td_tensor_to(flat, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
  td_tensor_release(flat);
  must(td_tensor_contiguous(wide, &flat, &err));
  *n = td_tensor_numel(flat);
  must(td_tensor_data(flat, &data, &err));
  double *out = malloc((size_t)(*n + 1) * sizeof *out);
  memcpy(out, data, (size_t)*n * sizeof *out);
  td_tensor_release(flat);
  td_tensor_release(wide);
  return out;
}

static inline int close_to(double a, double b, double tolerance) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  if (isinf(a) || isinf(b)) return a == b;
  return fabs(a - b) <= tolerance * (1 + fabs(b));
}

/* Same shape and, to a relative tolerance, values; takes both over. */
static inline void same_tensors(td_tensor *got, td_tensor *wanted, double tolerance, const char *name,
                                const char *what) {
  int64_t a[8], b[8], n, m;
  const size_t na = td_tensor_shape(got, a, 8), nb = td_tensor_shape(wanted, b, 8);
  cr_assert(na == nb && memcmp(a, b, na * sizeof *a) == 0, "%s: %s has another shape (%d dims, not %d)", name, what,
            (int)na, (int)nb);
  double *x = numbers_of(got, &n), *y = numbers_of(wanted, &m);
  for (int64_t i = 0; i < n; ++i)
    cr_assert(close_to(x[i], y[i], tolerance), "%s: %s[%d] = %.17g, not %.17g", name, what, (int)i, x[i], y[i]);
  free(x);
  free(y);
  td_tensor_release(got);
  td_tensor_release(wanted);
}

#endif
