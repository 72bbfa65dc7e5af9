// Tests of distribution types: what must hold for every distribution.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_dist.h"
#include "value.h"

enum { MANY = 100000 };

static td_tensor *many(const family *f, const td_dist *d, int64_t n) {
  return draw_values(d, &n, 1, draw(f->t));
}

// ---- Parameters -----------------------------------------------------------------------------------------------------------
static void parameters(trial *t) {
  family f = find_family(t);
  td_dist_release(make_dist(&f));
  td_tensor *params[MOST_PARAMS];
  for (size_t i = 0; i < f.n; ++i) params[i] = param_tensor(f.params + i, TD_DTYPE_FLOAT64);
  if (f.n == MOST_PARAMS) return;
  f.params[f.n].name = xcopy("no such parameter", 17);
  params[f.n] = params[0];
  if (!f.n++) return;
  if (make_dist_of(&f, params, TELL)) fail_trial("it takes a parameter that it does not have");
}

static void bad_config(trial *t) {
  family f = find_family(t);
  static const char *const bad[] = {"{", "[]", "null", "{} {}", "{\"a\": }"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    trial other = *t;
    other.config = bad[i];
    family g = f;
    td_tensor *params[MOST_PARAMS];
    g.t = &other;
    for (size_t k = 0; k < f.n; ++k) params[k] = param_tensor(f.params + k, TD_DTYPE_FLOAT64);
    if (make_dist_of(&g, params, TELL)) fail_trial("it takes the config '%s'", bad[i]);
  }
}

// ---- Draws ----------------------------------------------------------------------------------------------------------------
static void support(trial *t) {
  family f = find_family(t);
  td_dist *d = make_dist(&f);
  td_tensor *x = many(&f, d, 20000), *p = log_prob_of(d, x, FAIL);
  size_t n, m;
  double *values = numbers_of(x, &n), *logs = numbers_of(p, &m);
  for (size_t i = 0; i < n; ++i)
    if (!isfinite(values[i])) fail_trial("draw %zu of 20000 is %g", i, values[i]);
  for (size_t i = 0; i < m; ++i)
    if (isnan(logs[i]) || logs[i] == -INFINITY)
      fail_trial("log_prob of its own draw %zu is %g%s", i, logs[i], n == m ? "" : " (of several numbers)");
}

static void determinism(trial *t) {
  const int64_t shape[] = {257};
  family f = find_family(t);
  td_dist *d = make_dist(&f), *other = make_dist(&f);
  uint64_t seed = draw(t);
  size_t n;
  double *a = numbers_of(draw_values(d, shape, 1, seed), &n), *b = numbers_of(draw_values(d, shape, 1, seed), &n);
  double *c = numbers_of(draw_values(other, shape, 1, seed), &n), *e = numbers_of(draw_values(d, shape, 1, ~seed), &n);
  if (memcmp(a, b, n * sizeof *a)) fail_trial("it draws other values from a generator with the same seed");
  if (memcmp(a, c, n * sizeof *a)) fail_trial("two instances draw other values from a generator with the same seed");
  if (!memcmp(a, e, n * sizeof *a)) fail_trial("it does not draw from the generator that it is given");
}

typedef struct shared {
  const td_dist *d;
  const td_tensor *x;
  const double *draws, *logs;
  size_t n, m;
  uint64_t seed;
} shared;

static void draw_in_thread(void *context, int i) {
  const shared *s = context;
  const int64_t shape[] = {100};
  (void)i;
  for (int round = 0; round < 30; ++round) {
    size_t n;
    td_tensor *x = draw_values(s->d, shape, 1, s->seed), *p = log_prob_of(s->d, s->x, FAIL);
    double *draws = numbers_of(x, &n), *logs = numbers_of(p, &n);
    if (memcmp(draws, s->draws, s->n * sizeof *draws)) fail_trial("it draws other values while other threads draw too");
    if (memcmp(logs, s->logs, s->m * sizeof *logs)) fail_trial("log_prob differs while other threads ask too");
    free(draws);
    free(logs);
    td_tensor_release(x);
    td_tensor_release(p);
  }
}

static void threads(trial *t) {
  const int64_t shape[] = {100};
  family f = find_family(t);
  shared s = {make_dist(&f), NULL, NULL, NULL, 0, 0, draw(t)};
  s.x = draw_values(s.d, shape, 1, s.seed);
  s.draws = numbers_of(s.x, &s.n);
  s.logs = numbers_of(log_prob_of(s.d, s.x, FAIL), &s.m);
  in_threads(4, draw_in_thread, &s);
}

// ---- Statistics -----------------------------------------------------------------------------------------------------------
typedef struct moments {
  double mean, variance, fourth;  // central ones
} moments;

// Of every `step`-th number from `first` on.
static moments moments_of(const double *x, size_t n, size_t first, size_t step) {
  moments m = {0, 0, 0};
  double count = (double)(n / step);
  for (size_t i = first; i < n; i += step) m.mean += x[i] / count;
  for (size_t i = first; i < n; i += step) {
    double d = x[i] - m.mean;
    m.variance += d * d / count;
    m.fourth += d * d * d * d / count;
  }
  return m;
}

static void expect_near(const char *what, double promised, double found, double error) {
  // Eight standard errors: a sound type fails once in 10^14 runs, give or take the tails of the draws.
  double allowed = 8 * error + 1e-9 * (1 + fabs(promised));
  if (isfinite(promised) && fabs(promised - found) > allowed)
    fail_trial("its %s is %.9g, that of 100000 draws %.9g; they may differ by %.3g", what, promised, found, allowed);
}

static void sample_moments(trial *t) {
  family f = find_family(t);
  td_dist *d = make_dist(&f);
  td_tensor *mean = statistic(d, TD_DIST_STAT_MEAN), *variance = statistic(d, TD_DIST_STAT_VARIANCE);
  if (!mean && !variance) skip_trial("it has no mean and no variance");
  size_t n, width = 1, k;
  double *x = numbers_of(many(&f, d, MANY), &n);
  double *means = mean ? numbers_of(mean, &width) : NULL, *variances = variance ? numbers_of(variance, &k) : NULL;
  if (!mean) width = k;
  if (n != width * MANY) fail_trial("its mean has %zu numbers, a draw %zu", width, n / MANY);
  for (size_t i = 0; i < width; ++i) {
    moments m = moments_of(x, n, i, width);
    double spread = variances && isfinite(variances[i]) ? variances[i] : m.variance;
    if (means && !(variances && !isfinite(variances[i]))) expect_near("mean", means[i], m.mean, sqrt(spread / MANY));
    if (variances)
      expect_near("variance", variances[i], m.variance, sqrt(fmax(m.fourth - m.variance * m.variance, 0) / MANY));
  }
}

static void entropy(trial *t) {
  family f = find_family(t);
  td_dist *d = make_dist(&f);
  td_tensor *promised = statistic(d, TD_DIST_STAT_ENTROPY);
  if (!promised) skip_trial("it has no entropy");
  size_t n;
  double *logs = numbers_of(log_prob_of(d, many(&f, d, MANY), FAIL), &n);
  moments m = moments_of(logs, n, 0, 1);
  expect_near("entropy", number_of(promised), -m.mean, sqrt(m.variance / MANY));
}

static void mode(trial *t) {
  family f = find_family(t);
  td_dist *d = make_dist(&f);
  td_tensor *m = statistic(d, TD_DIST_STAT_MODE);
  if (!m) skip_trial("it has no mode");
  td_tensor *at_mode = log_prob_of(d, m, TELL);
  if (!at_mode || isnan(number_of(at_mode))) skip_trial("its mode lies at the edge of its support");
  double peak = number_of(at_mode);
  size_t n;
  double *logs = numbers_of(log_prob_of(d, many(&f, d, 20000), FAIL), &n);
  for (size_t i = 0; i < n; ++i)
    if (logs[i] > peak + 1e-6 * (1 + fabs(peak)))
      fail_trial("log_prob of a draw is %.9g, greater than %.9g, that of the mode", logs[i], peak);
}

// ---- Shapes ---------------------------------------------------------------------------------------------------------------
static td_tensor *spread_param(const param *p, const int64_t *dims, size_t ndim, size_t n) {
  double values[12];
  td_tensor *t;
  td_error *err = NULL;
  for (size_t i = 0; i < n; ++i) values[i] = p->values[0] * (1 + 0.01 * (double)i);
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT64, dims, ndim, &t, &err), &err, "making a parameter");
  return t;
}

static void broadcasting(trial *t) {
  family f = find_family(t);
  td_tensor *params[MOST_PARAMS];
  int64_t dims[MOST_SIZES + 8];
  if (f.event_dims || !f.n) skip_trial("only draws that are single numbers are looked at");
  for (size_t i = 0; i < f.n; ++i)
    if (f.params[i].ndim) skip_trial("only parameters that are numbers are looked at");
  const int64_t column[] = {3, 1}, row[] = {4}, shape[] = {2};
  size_t columns = f.n > 1 ? 4 : 1;
  for (size_t i = 0; i < f.n; ++i)
    params[i] = i == 0   ? spread_param(f.params, column, 2, 3)
                : i == 1 ? spread_param(f.params + 1, row, 1, 4)
                         : param_tensor(f.params + i, TD_DTYPE_FLOAT64);
  td_dist *d = make_dist_of(&f, params, FAIL);
  td_tensor *x = draw_values(d, shape, 1, draw(t));
  if (td_tensor_shape(x, dims, 8) != 3 || dims[0] != 2 || dims[1] != 3 || dims[2] != (int64_t)columns)
    fail_trial("2 draws with parameters of shapes [3, 1] and [4] do not have the shape [2, 3, 4]");
  size_t n;
  double *values = numbers_of(x, &n), *together = numbers_of(log_prob_of(d, x, FAIL), &n), alone;
  if (n != 6 * columns) fail_trial("log_prob of a [2, 3, %zu] batch has %zu numbers", columns, n);
  for (size_t i = 0; i < n; ++i) {
    family one = f;
    one.params[0].values[0] *= 1 + 0.01 * (double)(i / columns % 3);
    if (f.n > 1) one.params[1].values[0] *= 1 + 0.01 * (double)(i % columns);
    log_probs(make_dist(&one), values + i, 1, &alone);
    if (fabs(alone - together[i]) > 1e-9 * (1 + fabs(alone)))
      fail_trial("log_prob of element %zu of a batch is %.12g, alone %.12g", i, together[i], alone);
  }
}

static void dtypes(trial *t) {
  const int64_t shape[] = {5};
  family f = find_family(t);
  for (td_dtype dtype = TD_DTYPE_FLOAT32; dtype <= TD_DTYPE_FLOAT64; ++dtype) {
    td_tensor *params[MOST_PARAMS];
    for (size_t i = 0; i < f.n; ++i) params[i] = param_tensor(f.params + i, dtype);
    td_dist *d = make_dist_of(&f, params, FAIL);
    td_tensor *x = draw_values(d, shape, 1, draw(t)), *p = log_prob_of(d, x, FAIL);
    int whole = td_tensor_dtype(x) == TD_DTYPE_INT64 && f.discrete;
    if (td_tensor_dtype(x) != dtype && !whole)
      fail_trial("draws are not %s although the parameters are", dtype == TD_DTYPE_FLOAT32 ? "float32" : "float64");
    if (td_tensor_dtype(p) != dtype)
      fail_trial("log_prob is not %s although the parameters are", dtype == TD_DTYPE_FLOAT32 ? "float32" : "float64");
  }
}

static void use_once(void *context) {
  const family *f = context;
  const int64_t shape[] = {3};
  td_dist *d = make_dist(f);
  td_tensor *x = draw_values(d, shape, 1, 1), *p = log_prob_of(d, x, FAIL);
  td_tensor_release(x);
  td_tensor_release(p);
  for (td_dist_stat s = TD_DIST_STAT_MEAN; s <= TD_DIST_STAT_ENTROPY; ++s) td_tensor_release(statistic(d, s));
  td_dist_release(d);
}

static void leaks(trial *t) {
  family f = find_family(t);
  check_leaks(use_once, &f);
}

void check_normalisation(trial *t);
void check_gradients(trial *t);
void check_reparameterisation(trial *t);

const test dist_tests[] = {
    {"parameters", "it can be made, and refuses parameters that it does not have", parameters},
    {"config", "bad configs are refused and break nothing", bad_config},
    {"support", "its draws are numbers that it holds for possible", support},
    {"determinism", "the same seed gives the same draws", determinism},
    {"normalisation", "probabilities sum up, or densities integrate, to 1", check_normalisation},
    {"moments", "mean and variance are those of its draws", sample_moments},
    {"entropy", "the entropy is the mean of -log_prob", entropy},
    {"mode", "nothing is more likely than the mode", mode},
    {"gradients", "gradients of log_prob are its finite differences", check_gradients},
    {"reparameterisation", "gradients of rsample are on average those of the mean", check_reparameterisation},
    {"broadcasting", "parameters broadcast, and elements of a batch do not mix", broadcasting},
    {"dtypes", "float32 and float64 stay what they are", dtypes},
    {"threads", "draws and log_prob are the same while other threads ask too", threads},
    {"leaks", "an instance leaves nothing behind", leaks},
    {NULL, NULL, NULL},
};
