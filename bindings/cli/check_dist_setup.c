#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_dist.h"
#include "report.h"
#include "value.h"

// Values to try, in this order: most parameters take one of the first two.
static const param candidates[] = {
    {NULL, {0.6}, {0}, 0},
    {NULL, {0.8}, {0}, 0},
    {NULL, {0.4}, {0}, 0},
    {NULL, {1.5}, {0}, 0},
    {NULL, {3}, {0}, 0},
    {NULL, {-0.5}, {0}, 0},
    {NULL, {0.2, 0.3, 0.5}, {3}, 1},
    {NULL, {1.2, 0, 0, 0.3, 0.8, 0, 0.1, -0.2, 1.5}, {3, 3}, 2},
};
enum { N_CANDIDATES = sizeof candidates / sizeof *candidates, MOST_TRIES = 20000 };

double *numbers_of(const td_tensor *t, size_t *n) {
  td_tensor *held;
  const char *bytes;
  td_error *err = NULL;
  must(dense_bytes(t, &held, &bytes, &err), &err, "reading a result");
  td_dtype dtype = td_tensor_dtype(held);
  size_t itemsize = (size_t)td_tensor_itemsize(held);
  *n = (size_t)td_tensor_numel(held);
  double *numbers = xalloc(*n * sizeof *numbers), both[2];
  for (size_t i = 0; i < *n; ++i) {
    element_number(dtype, bytes + i * itemsize, both);
    numbers[i] = both[0];
  }
  td_tensor_release(held);
  return numbers;
}

double number_of(const td_tensor *t) {
  size_t n;
  double *all = numbers_of(t, &n), first = n ? all[0] : NAN;
  free(all);
  return first;
}

td_tensor *vector_of(const double *values, size_t n) {
  const int64_t dims[] = {(int64_t)n};
  td_tensor *t;
  td_error *err = NULL;
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT64, dims, 1, &t, &err), &err, "making a tensor");
  return t;
}

td_tensor *param_tensor(const param *p, td_dtype dtype) {
  td_tensor *wide, *t;
  td_error *err = NULL;
  must(td_tensor_copy_from(p->values, TD_DTYPE_FLOAT64, p->dims, p->ndim, &wide, &err), &err, "making a parameter");
  must(td_tensor_to(wide, dtype, TD_NO_STR, &t, &err), &err, "casting a parameter");
  td_tensor_release(wide);
  return t;
}

// `params` stands for all dims, so that the dict has no batch dims of its own.
static td_status create(const family *f, td_tensor *const *params, td_dist **out, td_error **err) {
  td_dict *dict;
  td_status status = td_dict_new(TD_NO_DIMS, NULL, &dict, err);
  for (size_t i = 0; i < f->n && status == TD_OK; ++i)
    status = td_dict_set(dict, TD_KEY(f->params[i].name), params[i], err);
  if (status == TD_OK) status = td_dist_new(TD_STR(f->t->id), dict, TD_STR(f->t->config), out, err);
  td_dict_release(dict);
  return status;
}

td_dist *make_dist_of(const family *f, td_tensor *const *params, on_error what) {
  td_dist *d = NULL;
  td_error *err = NULL;
  td_status status = create(f, params, &d, &err);
  if (what == FAIL) must(status, &err, "making a distribution");
  forget(&err);
  return d;
}

static td_dist *make(const family *f, on_error what) {
  td_tensor *params[MOST_PARAMS];
  for (size_t i = 0; i < f->n; ++i) params[i] = param_tensor(f->params + i, TD_DTYPE_FLOAT64);
  td_dist *d = make_dist_of(f, params, what);
  for (size_t i = 0; i < f->n; ++i) td_tensor_release(params[i]);
  return d;
}

td_dist *make_dist(const family *f) {
  return make(f, FAIL);
}

static td_tensor *draws(const td_dist *d, const int64_t *shape, size_t ndim, uint64_t seed, on_error what) {
  td_tensor *x = NULL;
  td_generator *g;
  td_error *err = NULL;
  must(td_generator_new(seed, &g, &err), &err, "making a generator");
  td_status status = td_dist_sample(d, shape, ndim, g, &x, &err);
  td_generator_release(g);
  if (what == FAIL) must(status, &err, "drawing from it");
  forget(&err);
  return x;
}

td_tensor *draw_values(const td_dist *d, const int64_t *shape, size_t ndim, uint64_t seed) {
  return draws(d, shape, ndim, seed, FAIL);
}

td_tensor *log_prob_of(const td_dist *d, const td_tensor *values, on_error what) {
  td_tensor *out = NULL;
  td_error *err = NULL;
  td_status status = td_dist_log_prob(d, values, &out, &err);
  if (status == TD_ERR_UNSUPPORTED) skip_trial("it has no log_prob");
  if (what == FAIL) must(status, &err, "asking for log_prob");
  forget(&err);
  return out;
}

td_tensor *statistic(const td_dist *d, td_dist_stat which) {
  td_tensor *out = NULL;
  td_error *err = NULL;
  td_status status = td_dist_get(d, which, &out, &err);
  if (status != TD_ERR_UNSUPPORTED) must(status, &err, "asking for a statistic");
  forget(&err);
  return out;
}

void log_probs(const td_dist *d, const double *x, size_t n, double *out) {
  td_tensor *values = vector_of(x, n), *p = log_prob_of(d, values, TELL);
  td_tensor_release(values);
  size_t got = 0;
  double *numbers = p ? numbers_of(p, &got) : NULL;
  td_tensor_release(p);
  for (size_t i = 0; i < n; ++i) out[i] = got == n ? numbers[i] : NAN;
  free(numbers);
  if (got == n || n == 1) return;
  // One value that is refused spoils the call for all.
  for (size_t i = 0; i < n; ++i) log_probs(d, x + i, 1, out + i);
}

// ---- Finding parameters ---------------------------------------------------------------------------------------------------
static int all_finite(const td_tensor *t) {
  size_t n;
  double *x = numbers_of(t, &n);
  int finite = n > 0;
  for (size_t i = 0; i < n; ++i) finite &= isfinite(x[i]) != 0;
  free(x);
  return finite;
}

// Whether it can be drawn from and knows how likely the draws are.
static int works(family *f) {
  const int64_t shape[] = {64};
  td_dist *d = make(f, TELL);
  td_tensor *x = d ? draws(d, shape, 1, 1, TELL) : NULL, *p = NULL;
  td_error *err = NULL;
  int good = x && all_finite(x);
  td_status status = good ? td_dist_log_prob(d, x, &p, &err) : TD_ERR_ARGUMENT;
  good = status == TD_ERR_UNSUPPORTED || (status == TD_OK && all_finite(p));
  if (status == TD_OK) f->event_dims = td_tensor_ndim(x) - td_tensor_ndim(p);
  forget(&err);
  td_tensor_release(p);
  td_tensor_release(x);
  td_dist_release(d);
  return good;
}

// The parameter that an error asks for: "loc" in `"loc"`.
static char *named_in(const td_error *err) {
  td_str key = td_error_key(err);
  const char *begin = key.data ? strchr(key.data, '"') : NULL, *end = begin ? strchr(begin + 1, '"') : NULL;
  return end ? xcopy(begin + 1, (size_t)(end - begin - 1)) : NULL;
}

// Asks it for its parameters by leaving them out, one after another.
static void find_names(family *f) {
  td_tensor *params[MOST_PARAMS];
  for (;;) {
    td_dist *d = NULL;
    td_error *err = NULL;
    td_status status = create(f, params, &d, &err);
    char *name = status == TD_OK ? NULL : named_in(err);
    for (size_t i = 0; name && i < f->n; ++i)
      if (!strcmp(f->params[i].name, name)) name = NULL;  // there already: it is the value that it does not like
    td_dist_release(d);
    forget(&err);
    if (!name || f->n == MOST_PARAMS) return;
    f->params[f->n].name = name;
    params[f->n] = param_tensor(candidates, TD_DTYPE_FLOAT64);
    ++f->n;
  }
}

static void take(param *p, size_t candidate) {
  char *name = p->name;
  *p = candidates[candidate];
  p->name = name;
}

// All ways to give the parameters candidates, the first ones first: each parameter another one, then any.
static int find_values(family *f) {
  size_t chosen[MOST_PARAMS], ways = 1;
  for (size_t i = 0; i < f->n; ++i) take(f->params + i, i % N_CANDIDATES);
  if (works(f)) return 1;
  for (size_t i = 0; i < f->n && ways < MOST_TRIES; ++i) ways *= N_CANDIDATES;
  for (size_t way = 0; way < ways && way < MOST_TRIES; ++way) {
    for (size_t i = 0, rest = way; i < f->n; ++i, rest /= N_CANDIDATES)
      take(f->params + i, chosen[i] = rest % N_CANDIDATES);
    if (works(f)) return 1;
  }
  return 0;
}

family find_family(trial *t) {
  enum { DRAWS = 2000 };
  const int64_t shape[] = {DRAWS};
  family f;
  memset(&f, 0, sizeof f);
  f.t = t;
  find_names(&f);
  if (!find_values(&f)) skip_trial("no values were found for its %zu parameters with which it can be drawn from", f.n);
  td_dist *d = make_dist(&f);
  td_tensor *x = draw_values(d, shape, 1, 2);
  size_t n;
  double *numbers = numbers_of(x, &n);
  f.discrete = 1;
  for (size_t i = 0; i < n; ++i) f.discrete &= numbers[i] == floor(numbers[i]);
  free(numbers);
  td_tensor_release(x);
  td_dist_release(d);
  return f;
}
