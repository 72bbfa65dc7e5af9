// Tests of distribution types by numerical integration and differentiation.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_dist.h"

void check_normalisation(trial *t);
void check_gradients(trial *t);
void check_reparameterisation(trial *t);

// ---- Normalisation --------------------------------------------------------------------------------------------------------
static int ascending(const void *a, const void *b) {
  double x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

static int possible(const td_dist *d, double x) {
  double p;
  log_probs(d, &x, 1, &p);
  return !isnan(p) && p > -INFINITY;
}

// How far the support goes on from `x` in the direction `sign`; infinity if no end was found near it.
static double reach(const td_dist *d, double x, double scale, double sign) {
  double inside = 0, outside = INFINITY;
  for (int k = -10; k <= 20 && isinf(outside); ++k) {
    double u = ldexp(scale, k);
    *(possible(d, x + sign * u) ? &inside : &outside) = u;
  }
  for (int k = 0; k < 100 && isfinite(outside); ++k) {
    double middle = inside + (outside - inside) / 2;
    *(possible(d, x + sign * middle) ? &inside : &outside) = middle;
  }
  return isinf(outside) ? INFINITY : inside;
}

// The integral of the density from `x` on in the direction `sign`, by double exponential quadrature (Takahasi and Mori):
// it does not mind where the density ends, nor whether it is infinite there.
static double tail(const td_dist *d, double x, double scale, double sign, double far) {
  enum { NODES = 1201 };
  double points[NODES], weights[NODES], logs[NODES], sum = 0;
  const double step = 7.2 / (NODES - 1), half_pi = 1.5707963267948966;
  for (int i = 0; i < NODES; ++i) {
    double s = -3.6 + step * i, e = half_pi * sinh(s), u;
    if (isinf(far)) {
      u = scale * exp(e);
      weights[i] = u * half_pi * cosh(s) * step;
    } else {
      u = far / (1 + exp(-2 * e));
      weights[i] = far * half_pi * cosh(s) / (2 * cosh(e) * cosh(e)) * step;
    }
    points[i] = x + sign * u;
  }
  log_probs(d, points, NODES, logs);
  for (int i = 0; i < NODES; ++i)
    if (logs[i] > -700 && weights[i] > 0 && isfinite(logs[i])) sum += weights[i] * exp(logs[i]);
  return sum;
}

static double integral(const td_dist *d, double *draws, size_t n) {
  qsort(draws, n, sizeof *draws, ascending);
  double middle = draws[n / 2], scale = draws[3 * n / 4] - draws[n / 4], sum = 0;
  if (scale <= 0) fail_trial("half of its draws are %.9g, and it has a density", middle);
  for (int sign = -1; sign <= 1; sign += 2) sum += tail(d, middle, scale, sign, reach(d, middle, scale, sign));
  return sum;
}

static double total(const td_dist *d, double *draws, size_t n) {
  enum { MOST = 20000 };
  qsort(draws, n, sizeof *draws, ascending);
  double width = draws[n - 1] - draws[0] + 20, first = draws[0] - 2 * width, sum = 0;
  size_t count = (size_t)(5 * width);
  if (count > MOST) skip_trial("its draws are too far apart to sum up all values");
  double *x = xalloc(count * sizeof *x), *logs = xalloc(count * sizeof *logs);
  for (size_t i = 0; i < count; ++i) x[i] = first + (double)i;
  log_probs(d, x, count, logs);
  for (size_t i = 0; i < count; ++i)
    if (logs[i] > -700) sum += exp(logs[i]);
  free(x);
  free(logs);
  return sum;
}

void check_normalisation(trial *t) {
  const int64_t shape[] = {4000};
  family f = find_family(t);
  if (f.event_dims) skip_trial("only draws that are single numbers are summed up");
  td_dist *d = make_dist(&f);
  size_t n;
  double *draws = numbers_of(draw_values(d, shape, 1, draw(t)), &n);
  double sum = f.discrete ? total(d, draws, n) : integral(d, draws, n);
  if (!(fabs(sum - 1) < 1e-3))
    fail_trial("its %s to %.6f, not 1", f.discrete ? "probabilities sum up" : "density integrates", sum);
}

// ---- Gradients ------------------------------------------------------------------------------------------------------------
static td_tensor *sum_of(const td_tensor *t) {
  td_op *op;
  td_value args[] = {td_value_tensor(t)}, out;
  td_error *err = NULL;
  must(td_op_find(TD_STR("sum"), TD_STR(""), &op, &err), &err, "finding sum");
  must(td_op_call(op, args, 1, NULL, 0, &out, 1, &err), &err, "summing up");
  td_op_release(op);
  return out.as.tensor;
}

static void leaves(const family *f, td_tensor **params) {
  td_error *err = NULL;
  for (size_t i = 0; i < f->n; ++i) {
    params[i] = param_tensor(f->params + i, TD_DTYPE_FLOAT64);
    must(td_tensor_requires_grad_(params[i], 1, &err), &err, "asking for a gradient");
  }
}

// NaN if the type refuses the changed parameter.
static double sum_at(const family *f, size_t i, size_t element, double change, const td_tensor *x) {
  family g = *f;
  td_tensor *params[MOST_PARAMS];
  g.params[i].values[element] += change;
  for (size_t k = 0; k < f->n; ++k) params[k] = param_tensor(g.params + k, TD_DTYPE_FLOAT64);
  td_dist *d = make_dist_of(&g, params, TELL);
  td_tensor *p = d ? log_prob_of(d, x, TELL) : NULL, *sum = p ? sum_of(p) : NULL;
  double value = sum ? number_of(sum) : NAN;
  td_tensor_release(p);
  td_tensor_release(sum);
  td_dist_release(d);
  for (size_t k = 0; k < f->n; ++k) td_tensor_release(params[k]);
  return value;
}

static void compare_gradient(const family *f, size_t i, const td_tensor *x, const double *gradient, size_t n) {
  for (size_t k = 0; k < n; ++k) {
    double step = 1e-5 * fmax(1, fabs(f->params[i].values[k]));
    double slope = (sum_at(f, i, k, step, x) - sum_at(f, i, k, -step, x)) / (2 * step);
    double found = gradient ? gradient[k] : 0;
    if (isfinite(slope) && fabs(slope - found) > 1e-4 * (1 + fabs(slope)))
      fail_trial("the gradient of log_prob by '%s' is %.9g, its finite difference %.9g", f->params[i].name, found,
                 slope);
  }
}

void check_gradients(trial *t) {
  const int64_t shape[] = {7};
  family f = find_family(t);
  td_tensor *params[MOST_PARAMS];
  td_error *err = NULL;
  leaves(&f, params);
  td_dist *d = make_dist_of(&f, params, FAIL);
  td_tensor *x = draw_values(d, shape, 1, draw(t)), *sum = sum_of(log_prob_of(d, x, FAIL));
  if (!td_tensor_requires_grad(sum)) {
    if (has_flag(t, "differentiable") == 0) skip_trial("it does not say that it is differentiable");
    fail_trial("log_prob has no gradient: is it made of operators?");
  }
  must(td_tensor_backward(sum, NULL, 0, &err), &err, "running backward from log_prob");
  for (size_t i = 0; i < f.n; ++i) {
    td_tensor *gradient;
    size_t n = (size_t)td_tensor_numel(params[i]);
    must(td_tensor_grad(params[i], &gradient, &err), &err, "reading a gradient");
    compare_gradient(&f, i, x, gradient ? numbers_of(gradient, &n) : NULL, n);
  }
}

// The slope of the mean by parameter `i`.
static double mean_slope(const family *f, size_t i, double step) {
  double means[2];
  for (int side = 0; side < 2; ++side) {
    family g = *f;
    g.params[i].values[0] += side ? step : -step;
    td_tensor *params[MOST_PARAMS];
    for (size_t k = 0; k < f->n; ++k) params[k] = param_tensor(g.params + k, TD_DTYPE_FLOAT64);
    td_dist *d = make_dist_of(&g, params, TELL);
    td_tensor *mean = d ? statistic(d, TD_DIST_STAT_MEAN) : NULL;
    means[side] = mean ? number_of(mean) : NAN;
  }
  return (means[1] - means[0]) / (2 * step);
}

// The gradients of N batches of draws; how far their mean may be off is seen from how much they differ.
void check_reparameterisation(trial *t) {
  enum { BATCHES = 24 };
  const int64_t shape[] = {4000};
  family f = find_family(t);
  double found[MOST_PARAMS][BATCHES];
  td_error *err = NULL;
  if (f.event_dims) skip_trial("only draws that are single numbers are looked at");
  for (int b = 0; b < BATCHES; ++b) {
    td_tensor *params[MOST_PARAMS], *x = NULL, *sum, *gradient;
    td_generator *g = draw_generator(t);
    leaves(&f, params);
    td_dist *d = make_dist_of(&f, params, FAIL);
    td_status status = td_dist_rsample(d, shape, 1, g, &x, &err);
    if (status == TD_ERR_UNSUPPORTED) skip_trial("it has no rsample");
    must(status, &err, "drawing with rsample");
    if (!td_tensor_requires_grad(x)) fail_trial("draws of rsample have no gradient: is it made of operators?");
    sum = sum_of(x);
    must(td_tensor_backward(sum, NULL, 0, &err), &err, "running backward from rsample");
    for (size_t i = 0; i < f.n; ++i) {
      must(td_tensor_grad(params[i], &gradient, &err), &err, "reading a gradient");
      found[i][b] = gradient ? number_of(gradient) / (double)shape[0] : 0;
    }
  }
  for (size_t i = 0; i < f.n; ++i) {
    double mean = 0, variance = 0,
           slope = f.params[i].ndim ? NAN : mean_slope(&f, i, 1e-5 * (1 + fabs(f.params[i].values[0])));
    for (int b = 0; b < BATCHES; ++b) mean += found[i][b] / BATCHES;
    for (int b = 0; b < BATCHES; ++b) variance += (found[i][b] - mean) * (found[i][b] - mean) / (BATCHES - 1);
    double allowed = 8 * sqrt(variance / BATCHES) + 1e-5 * (1 + fabs(slope));
    if (isfinite(slope) && !(fabs(mean - slope) <= allowed))
      fail_trial("the gradient of rsample by '%s' is %.6g on average, that of the mean %.6g; they may differ by %.2g",
                 f.params[i].name, mean, slope, allowed);
  }
}
