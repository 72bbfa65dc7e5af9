/* Every distribution type against the values that stock Python gave: tests/data/vectors/make_dist_vectors.py. */
#include "support/dist_support.h"

TestSuite(dist_vectors, .init = count_live, .fini = check_live);

enum { MAX_PARAMS = 4 };
typedef struct vector {
  char name[128], type[128], config[128], transforms[256];
  int64_t independent;
  char names[MAX_PARAMS][64];
  td_tensor *params[MAX_PARAMS], *value;
  size_t n_params;
  char *facts; /* what follows the value */
} vector;

static int next_case(reader *r, vector *v) {
  while (next_word(r)) {
    if (!is(r, "case")) {
      if (is(r, "kl")) return 0;
      continue;
    }
    memset(v, 0, sizeof *v);
    rest_of_line(r, v->name, sizeof v->name);
    while (next_word(r) && !is(r, "value")) {
      if (is(r, "type")) rest_of_line(r, v->type, sizeof v->type);
      if (is(r, "config")) rest_of_line(r, v->config, sizeof v->config);
      if (is(r, "transforms")) rest_of_line(r, v->transforms, sizeof v->transforms);
      if (is(r, "independent")) v->independent = (int64_t)next_number(r);
      if (is(r, "param")) {
        next_word(r);
        strcpy(v->names[v->n_params], r->word);
        v->params[v->n_params++] = next_tensor(r);
      }
    }
    v->value = next_tensor(r);
    v->facts = r->at;
    return 1;
  }
  return 0;
}

static void release_case(vector *v) {
  for (size_t i = 0; i < v->n_params; ++i) td_tensor_release(v->params[i]);
  td_tensor_release(v->value);
}

static td_dist *make_case(const vector *v, const char *config) {
  td_dict *params = dict(TD_NO_DIMS);
  for (size_t i = 0; i < v->n_params; ++i) must(td_dict_set(params, TD_KEY(v->names[i]), v->params[i], &err));
  td_dist *d = NULL;
  const td_status s = td_dist_new(TD_STR(v->type), params, TD_STR(config ? config : v->config), &d, &err);
  cr_assert_eq(s, TD_OK, "%s: %s", v->name, err ? td_error_message(err).data : "");
  td_dict_release(params);
  td_dist *base = d;
  if (v->transforms[0]) must(td_dist_transformed(base, TD_STR(v->transforms), NULL, &d, &err));
  if (v->independent) must(td_dist_independent(base, v->independent, &d, &err));
  if (d != base) td_dist_release(base);
  return d;
}

static td_status ask(const td_dist *d, const char *what, const td_tensor *value, td_tensor **out) {
  static const char *const stats[] = {"mean", "mode", "variance", "entropy", "median", "stddev"};
  if (!strcmp(what, "log_prob")) return td_dist_log_prob(d, value, out, &err);
  if (!strcmp(what, "cdf")) return td_dist_cdf(d, value, out, &err);
  if (!strcmp(what, "enumerate")) return td_dist_enumerate_support(d, 1, out, &err);
  for (td_dist_stat i = 0; i < 6; ++i)
    if (!strcmp(what, stats[i])) return td_dist_get(d, i, out, &err);
  if (strcmp(what, "icdf") != 0) cr_assert_fail("what is \"%s\"?", what);
  double q[] = {0.1, 0.5, 0.9};
  int64_t dims[8] = {3, 1, 1, 1, 1, 1, 1, 1};
  td_tensor *quantiles = doubles(q, dims, 1 + td_dist_batch_shape(d, NULL, 0));
  const td_status s = td_dist_icdf(d, quantiles, out, &err);
  td_tensor_release(quantiles);
  return s;
}

Test(dist_vectors, every_type_gives_what_stock_python_gives) {
  reader r = open_vectors();
  vector v;
  size_t cases = 0;
  for (; next_case(&r, &v); ++cases) {
    td_dist *d = make_case(&v, NULL);
    int64_t dims[8];
    while (next_word(&r) && !is(&r, "end")) {
      td_tensor *got = NULL;
      if (is(&r, "without")) {
        next_word(&r);
        expect_error(ask(d, r.word, v.value, &got), TD_ERR_UNSUPPORTED, NULL, "no");
      } else if (is(&r, "draw") || is(&r, "grad")) {
        char line[1 << 14];
        rest_of_line(&r, line, sizeof line);
      } else {
        char what[64];
        strcpy(what, r.word);
        td_tensor *wanted = next_tensor(&r);
        const td_status s = ask(d, what, v.value, &got);
        cr_assert_eq(s, TD_OK, "%s: %s: %s", v.name, what, err ? td_error_message(err).data : "");
        const double tolerance = td_tensor_dtype(wanted) == TD_DTYPE_FLOAT32 ? 1e-6 : 1e-9;
        same_tensors(got, wanted, tolerance, v.name, what);
      }
    }
    cr_assert_leq(td_dist_batch_shape(d, dims, 8), 8);
    td_dist_release(d);
    release_case(&v);
  }
  cr_assert_geq(cases, 90);
  free(r.text);
}

Test(dist_vectors, batch_and_event_shapes_are_those_of_stock_python) {
  reader r = open_vectors();
  vector v;
  for (char *start = r.at; next_case(&r, &v); start = r.at) {
    td_dist *d = make_case(&v, NULL);
    reader again = {.at = start};
    while (next_word(&again) && !is(&again, "value")) {
      const int batch = is(&again, "batch"), event = is(&again, "event");
      if (!batch && !event) continue;
      int64_t got[8];
      const size_t n = batch ? td_dist_batch_shape(d, got, 8) : td_dist_event_shape(d, got, 8);
      cr_assert_eq(n, (size_t)next_number(&again), "%s: %s dims", v.name, again.word);
      for (size_t i = 0; i < n; ++i) cr_assert_eq(got[i], (int64_t)next_number(&again), "%s", v.name);
    }
    td_dist_release(d);
    release_case(&v);
  }
  free(r.text);
}

/* With the generator of the call, and with the default one. */
Test(dist_vectors, a_seed_gives_the_numbers_and_gradients_of_pytorch) {
  reader r = open_vectors();
  vector v;
  size_t draws = 0, grads = 0;
  while (next_case(&r, &v)) {
    for (size_t i = 0; i < v.n_params; ++i)
      if (td_tensor_dtype(v.params[i]) != TD_DTYPE_INT64) must(td_tensor_requires_grad_(v.params[i], 1, &err));
    td_dist *d = make_case(&v, NULL);
    while (next_word(&r) && !is(&r, "end")) {
      if (is(&r, "draw")) {
        td_tensor *wanted = next_tensor(&r), *got = NULL;
        td_generator *rng;
        must(td_generator_new(0, &rng, &err));
        const int differentiable = td_dist_has_rsample(d);
        must((differentiable ? td_dist_rsample : td_dist_sample)(d, TD_SHAPE(3), rng, &got, &err));
        td_generator_release(rng);
        if (differentiable && td_tensor_requires_grad(got)) {
          td_tensor *sum = apply("sum", got, NULL);
          must(td_tensor_backward(sum, NULL, 0, &err));
          td_tensor_release(sum);
        }
        same_tensors(got, wanted, 1e-6, v.name, "draw");
        ++draws;
      } else if (is(&r, "grad")) {
        next_word(&r);
        for (size_t i = 0; i < v.n_params; ++i) {
          if (strcmp(v.names[i], r.word) != 0) continue;
          td_tensor *grad = NULL, *wanted = next_tensor(&r);
          must(td_tensor_grad(v.params[i], &grad, &err));
          cr_assert(grad, "%s: no gradient of %s", v.name, v.names[i]);
          same_tensors(grad, wanted, 1e-5, v.name, v.names[i]);
          ++grads;
          break;
        }
      } else {
        char line[1 << 14];
        rest_of_line(&r, line, sizeof line);
      }
    }
    td_dist_release(d);
    release_case(&v);
  }
  cr_assert(draws > 40 && grads > 40, "%zu draws, %zu gradients", draws, grads);
  free(r.text);
}

/* The mean and variance of 20000 draws, to six standard errors. */
Test(dist_vectors, draws_have_the_moments_of_the_distribution) {
  enum { DRAWS = 20000 };
  reader r = open_vectors();
  vector v;
  size_t checked = 0;
  while (next_case(&r, &v)) {
    td_dist *d = make_case(&v, NULL);
    td_tensor *mean = NULL, *variance = NULL, *x = NULL;
    td_status s = td_dist_get(d, TD_DIST_STAT_MEAN, &mean, &err);
    if (s == TD_OK) s = td_dist_get(d, TD_DIST_STAT_VARIANCE, &variance, &err);
    if (s != TD_OK) {
      td_error_release(err);
      err = NULL;
    } else if (!strstr(v.type, "one_hot") && !strstr(v.name, "inf") && !strstr(v.type, "von_mises") &&
               !strstr(v.type, "truncated")) {
      td_generator *rng;
      must(td_generator_new(1, &rng, &err));
      must(td_dist_sample(d, TD_SHAPE(DRAWS), rng, &x, &err));
      td_generator_release(rng);
      cr_assert_not(td_tensor_requires_grad(x));
      int64_t n, m;
      double *all = numbers_of(x, &n), *mu = numbers_of(mean, &m), *sigma2 = numbers_of(variance, &m);
      for (int64_t i = 0; i < m; ++i) {
        if (!isfinite(mu[i]) || !isfinite(sigma2[i])) continue;
        double sum = 0;
        for (int64_t j = 0; j < DRAWS; ++j) sum += all[j * m + i];
        const double error = fabs(sum / DRAWS - mu[i]);
        cr_assert_leq(error, 6 * sqrt(sigma2[i] / DRAWS) + 1e-12, "%s: the mean of [%d] is %g off", v.name, (int)i,
                      error);
        ++checked;
      }
      free(all);
      free(mu);
      free(sigma2);
      td_tensor_release(x);
    }
    td_tensor_release(mean);
    td_tensor_release(variance);
    td_dist_release(d);
    release_case(&v);
  }
  cr_assert_geq(checked, 60);
  free(r.text);
}

static double total_log_prob(const vector *v) {
  char config[256] = "{\"validate_args\": false}";
  if (strcmp(v->config, "{}") != 0) snprintf(config, sizeof config, "{\"validate_args\": false, %s", v->config + 1);
  td_dist *d = make_case(v, config);
  td_tensor *y = log_prob_of(d, v->value);
  int64_t n;
  double *all = numbers_of(y, &n), sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += isfinite(all[i]) ? all[i] : NAN;
  free(all);
  td_tensor_release(y);
  td_dist_release(d);
  return sum;
}

Test(dist_vectors, gradients_of_log_prob_are_the_slopes_of_its_values) {
  reader r = open_vectors();
  vector v;
  size_t slopes = 0;
  while (next_case(&r, &v)) {
    const int smooth = isfinite(total_log_prob(&v)) && !strstr(v.name, "matrix") && !strstr(v.name, "uniform") &&
                       !strstr(v.name, "inf") && !strstr(v.name, "von_mises/tiny") && !strstr(v.name, "wishart");
    for (size_t i = 0; smooth && i < v.n_params; ++i) {
      if (td_tensor_dtype(v.params[i]) != TD_DTYPE_FLOAT64 || strstr(v.name, "probs")) continue;
      int64_t n, dims[8];
      const size_t ndim = td_tensor_shape(v.params[i], dims, 8);
      double *at_point = numbers_of(v.params[i], &n);
      td_tensor *original = v.params[i], *grad = NULL;
      td_tensor *leaf = v.params[i] = doubles(at_point, dims, ndim);
      must(td_tensor_requires_grad_(leaf, 1, &err));
      td_dist *d = make_case(&v, NULL);
      td_tensor *y = log_prob_of(d, v.value), *sum = apply("sum", y, NULL);
      td_tensor_release(y);
      if (td_tensor_requires_grad(sum)) must(td_tensor_backward(sum, NULL, 0, &err));
      must(td_tensor_grad(leaf, &grad, &err));
      double *slope = grad ? numbers_of(grad, &n) : NULL;
      for (int64_t j = 0; slope && j < n; ++j) {
        const double x = at_point[j], h = 1e-6 * (1 + fabs(x));
        double sides[2];
        for (int side = 0; side < 2; ++side) {
          at_point[j] = x + (side ? h : -h);
          v.params[i] = doubles(at_point, dims, ndim);
          sides[side] = total_log_prob(&v);
          td_tensor_release(v.params[i]);
        }
        at_point[j] = x;
        const double measured = (sides[1] - sides[0]) / (2 * h);
        cr_assert(!isfinite(measured) || close_to(slope[j], measured, 1e-4), "%s: d/d%s[%d] = %g, measured %g", v.name,
                  v.names[i], (int)j, slope[j], measured);
        ++slopes;
      }
      v.params[i] = original;
      free(slope);
      free(at_point);
      td_tensor_release(grad);
      td_tensor_release(leaf);
      td_tensor_release(sum);
      td_dist_release(d);
    }
    release_case(&v);
  }
  cr_assert_geq(slopes, 60, "%zu slopes", slopes);
  free(r.text);
}

/* Every pair of a pool of types. */
Test(dist_vectors, divergences_are_those_of_stock_python) {
  reader r = open_vectors();
  size_t known = 0, unknown = 0;
  while (next_word(&r)) {
    if (!is(&r, "kl")) {
      char line[1 << 14];
      rest_of_line(&r, line, sizeof line);
      continue;
    }
    char types[2][64], pair[160];
    td_dict *params[] = {dict(TD_NO_DIMS), dict(TD_NO_DIMS)};
    td_tensor *wanted = NULL, *got = NULL;
    while (next_word(&r) && !is(&r, "end")) {
      if (is(&r, "type")) {
        next_word(&r);
        const int q = is(&r, "q");
        next_word(&r);
        strcpy(types[q], r.word);
      } else if (is(&r, "param")) {
        next_word(&r);
        const int q = is(&r, "q");
        char name[64];
        next_word(&r);
        strcpy(name, r.word);
        put(params[q], TD_KEY(name), next_tensor(&r));
      } else if (is(&r, "result")) {
        wanted = next_tensor(&r);
      } else {
        next_word(&r);
      }
    }
    snprintf(pair, sizeof pair, "KL(%s || %s)", types[0], types[1]);
    td_dist *p = dist_of(types[0], "{}", params[0]), *q = dist_of(types[1], "{}", params[1]);
    const td_status s = td_dist_kl_divergence(p, q, &got, &err);
    if (wanted) {
      cr_assert_eq(s, TD_OK, "%s: %s", pair, err ? td_error_message(err).data : "");
      same_tensors(got, wanted, 1e-8, pair, "the divergence");
      ++known;
    } else {
      cr_assert_eq(s, TD_ERR_UNSUPPORTED, "%s", pair);
      td_error_release(err);
      err = NULL;
      ++unknown;
    }
    td_dist_release(p);
    td_dist_release(q);
  }
  cr_assert(known > 200 && unknown > 200, "%zu and %zu", known, unknown);
  free(r.text);
}
