/* What is built from distributions: mixtures, composites, interaction types; and what does not fit. */
#include "support/dist_support.h"

TestSuite(dist_build, .init = count_live, .fini = check_live);

static td_tensor *stat_of(const td_dist *d, td_dist_stat which) {
  td_tensor *t = NULL;
  must(td_dist_get(d, which, &t, &err));
  return t;
}

static void expect_log_prob(const td_dist *d, double x, double wanted) {
  td_tensor *point = scalar(x), *y = log_prob_of(d, point);
  expect(y, &wanted, 1, 1e-9, "log_prob");
  td_tensor_release(y);
  td_tensor_release(point);
}

static void expect_text(const td_dist *d, const char *wanted) {
  td_string *text;
  must(td_dist_repr(d, &text, &err));
  cr_assert_str_eq(td_string_view(text).data, wanted);
  td_string_release(text);
}

static double normal_density(double x, double loc, double scale) {
  return exp(-(x - loc) * (x - loc) / (2 * scale * scale)) / (scale * sqrt(2 * acos(-1)));
}

Test(dist_build, a_mixture_weighs_its_components) {
  td_dist *mix = dist_of("td.categorical", "{}", params_of("probs", WIDE(1, 3), NULL, NULL));
  td_dist *components = normal_of(WIDE(-1, 2), WIDE(0.5, 1.5)), *m = NULL, *other = NULL;
  must(td_dist_mixture(mix, components, &m, &err));
  expect_log_prob(m, 0.3, log(0.25 * normal_density(0.3, -1, 0.5) + 0.75 * normal_density(0.3, 2, 1.5)));
  td_tensor *mean = stat_of(m, TD_DIST_STAT_MEAN), *variance = stat_of(m, TD_DIST_STAT_VARIANCE), *x, *y;
  EXPECT(mean, -0.25 + 1.5);
  EXPECT(variance, 0.25 * 0.25 + 0.75 * 2.25 + 0.25 * 2.25 * 2.25 + 0.75 * 0.75 * 0.75);
  must(td_dist_sample(m, TD_SHAPE(4000), NULL, &x, &err));
  expect_shape(x, TD_SHAPE(4000));
  int64_t n;
  double *all = numbers_of(x, &n), sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += all[i];
  cr_assert_float_eq(sum / (double)n, 1.25, 0.2);
  free(all);
  td_tensor_release(x);
  x = scalar(0.3);
  must(td_dist_cdf(m, x, &y, &err));
  const double cdf = 0.25 * 0.5 * erfc(-1.3 / 0.5 / sqrt(2)) + 0.75 * 0.5 * erfc(1.7 / 1.5 / sqrt(2));
  expect(y, &cdf, 1, 1e-9, "cdf");
  td_tensor_release(y);
  expect_error(td_dist_icdf(m, x, &y, &err), TD_ERR_UNSUPPORTED, NULL, "icdf");
  expect_error(td_dist_get(m, TD_DIST_STAT_MODE, &y, &err), TD_ERR_UNSUPPORTED, NULL, "mode");
  expect_error(td_dist_get(m, TD_DIST_STAT_ENTROPY, &y, &err), TD_ERR_UNSUPPORTED, NULL, "entropy");
  expect_error(td_dist_mixture(components, components, &other, &err), TD_ERR_ARGUMENT, NULL, "Categorical");
  td_dist *three = dist_of("td.categorical", "{}", params_of("probs", WIDE(1, 3, 1), NULL, NULL));
  expect_error(td_dist_mixture(three, components, &other, &err), TD_ERR_SHAPE, NULL, "(3) does not equal");
  cr_assert_null(other);
  td_tensor_release(x);
  td_tensor_release(mean);
  td_tensor_release(variance);
  td_dist_release(three);
  td_dist_release(m);
  td_dist_release(mix);
  td_dist_release(components);
}

Test(dist_build, text_is_that_of_python) {
  td_dist *d = normal_of(scalar(0.5), scalar(2)), *i = NULL;
  expect_text(d, "Normal(loc: 0.5, scale: 2.0)");
  td_dist_release(d);
  d = normal_of(WIDE(0, 1), scalar(1));
  must(td_dist_independent(d, 1, &i, &err));
  expect_text(i, "Independent(Normal(loc: torch.Size([2]), scale: torch.Size([2])), 1)");
  td_dist_release(i);
  td_dist_release(d);
}

static td_dist *composite_of_two(void) {
  td_dict *params = dict(TD_SHAPE(3)), *a = dict(TD_SHAPE(3)), *b = dict(TD_SHAPE(3));
  put(a, TD_KEY("loc"), doubles((const double[]){0, 1, 2, 3, 4, 5}, TD_SHAPE(3, 2)));
  put(a, TD_KEY("scale"), doubles((const double[]){1, 1, 1, 1, 1, 1}, TD_SHAPE(3, 2)));
  put(b, TD_KEY("rate"), WIDE(1, 2, 4));
  must(td_dict_set_dict(params, TD_KEY("a"), a, &err));
  must(td_dict_set_dict(params, TD_KEY("n", "b"), b, &err));
  td_dict_release(a);
  td_dict_release(b);
  const td_str a_key[] = {TD_STR("a")}, b_key[] = {TD_STR("n"), TD_STR("b")};
  const td_dist_part parts[] = {{{a_key, 1}, TD_STR("td.normal"), TD_NO_STR, NULL},
                                {{b_key, 2}, TD_STR("td.exponential"), TD_NO_STR, TD_KEY("n", "c")}};
  td_dist *d = NULL;
  must(td_dist_composite(params, parts, 2, &d, &err));
  td_dict_release(params);
  return d;
}

Test(dist_build, one_hot_samples_of_tensordict_are_not_checked_as_in_the_original) {
  td_dist *d = dist_of("td.int_one_hot_categorical", "{}",
                       params_of("logits", doubles((const double[]){0, 1, 2, 3, 0, 0}, TD_SHAPE(2, 3)), NULL, NULL));
  td_tensor *x = NULL, *y = NULL;
  must(td_dist_sample(d, TD_SHAPE(4), NULL, &x, &err));
  expect_shape(x, TD_SHAPE(4, 2, 3));
  y = log_prob_of(d, x);
  expect_shape(y, TD_SHAPE(4, 2));
  td_tensor_release(x), td_tensor_release(y), td_dist_release(d);
}

Test(dist_build, events_are_as_wide_as_the_config_says_or_the_parameters_are) {
  static const struct {
    const char *config;
    size_t dims, batch, event;
  } cases[] = {{"{}", 0, 0, 0}, {"{}", 2, 1, 1}, {"{\"event_dims\": 0}", 2, 2, 0}, {"{\"event_dims\": 2}", 2, 0, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const int64_t shape[] = {2, 3}, wide[] = {5, 2, 3};
    td_tensor *loc = NULL;
    must(
        td_tensor_full(shape, cases[i].dims, TD_VALUE(td_value_double(0.25)), TD_DTYPE_FLOAT64, TD_NO_STR, &loc, &err));
    td_dist *d = dist_of("td.tanh_normal", cases[i].config, params_of("loc", loc, "scale", scalar(0.5))), *e = NULL;
    cr_expect_eq(td_dist_batch_shape(d, NULL, 0), cases[i].batch, "%d", (int)i);
    cr_expect_eq(td_dist_event_shape(d, NULL, 0), cases[i].event, "%d", (int)i);
    td_tensor *x = NULL, *y = NULL;
    must(td_dist_expand(d, wide, cases[i].batch + 1, &e, &err)); /* the event stays what it was */
    must(td_dist_sample(e, NULL, 0, NULL, &x, &err));
    expect_shape(x, wide, cases[i].dims + 1);
    y = log_prob_of(e, x);
    expect_shape(y, wide, cases[i].batch + 1);
    td_tensor_release(x), td_tensor_release(y), td_dist_release(d), td_dist_release(e);
  }
  td_dist *none = NULL;
  td_dict *params = params_of("param", scalar(2), NULL, NULL);
  expect_error(td_dist_new(TD_STR("td.delta"), params, TD_STR("{\"event_dims\": 1}"), &none, &err), TD_ERR_SHAPE, NULL,
               "one-dim");
  expect_error(td_dist_new(TD_STR("td.delta"), params, TD_STR("{\"event_dims\": -1}"), &none, &err), TD_ERR_ARGUMENT,
               NULL, "event_dims must be between 0 and 8");
  td_dict_release(params);
}

Test(dist_build, a_cdf_that_cannot_be_written_leaves_the_sample_as_it_was) {
  td_dist *d = composite_of_two();
  td_dict *x, *n;
  must(td_dist_sample_dict(d, NULL, 0, NULL, &x, &err));
  must(td_dict_get_dict(x, TD_KEY("n"), &n, &err));
  must(td_dict_lock_(n, &err));
  expect_error(td_dist_cdf_dict(d, x, &err), TD_ERR_LOCKED, NULL, "");
  td_entry_kind kind;
  must(td_dict_entry_kind(x, TD_KEY("a_cdf"), &kind, &err));
  cr_assert_eq(kind, TD_ENTRY_NONE);
  td_dict_release(n), td_dict_release(x), td_dist_release(d);
}

Test(dist_build, a_composite_is_expanded_with_all_its_parts) {
  td_dist *d = composite_of_two(), *wide = NULL, *none = NULL;
  must(td_dist_expand(d, TD_SHAPE(5, 3), &wide, &err));
  int64_t batch[2];
  cr_assert_eq(td_dist_batch_shape(wide, batch, 2), 2);
  cr_assert(batch[0] == 5 && batch[1] == 3);
  td_dict *x;
  must(td_dist_sample_dict(wide, TD_SHAPE(4), NULL, &x, &err));
  expect_shape(peek(x, TD_KEY("a")), TD_SHAPE(4, 5, 3, 2));
  expect_shape(peek(x, TD_KEY("n", "c")), TD_SHAPE(4, 5, 3));
  expect_error(td_dist_expand(d, TD_SHAPE(5, 2), &none, &err), TD_ERR_SHAPE, NULL, "");
  cr_assert_null(none);
  td_dict_release(x), td_dist_release(d), td_dist_release(wide);
}

Test(dist_build, a_composite_draws_a_dict) {
  td_dist *d = composite_of_two();
  int64_t batch[2];
  cr_assert_eq(td_dist_batch_shape(d, batch, 2), 1);
  cr_assert(td_dist_has_rsample(d));
  td_dict *sample = NULL;
  must(td_dist_sample_dict(d, TD_SHAPE(5), NULL, &sample, &err));
  expect_shape(peek(sample, TD_KEY("a")), TD_SHAPE(5, 3, 2));
  expect_shape(peek(sample, TD_KEY("n", "c")), TD_SHAPE(5, 3));
  td_dict_release(sample);
  td_dist_release(d);
}

Test(dist_build, a_composite_scores_a_dict) {
  td_dist *d = composite_of_two();
  td_dict *means = NULL, *log_probs = NULL;
  td_tensor *sum = NULL;
  must(td_dist_get_dict(d, TD_DIST_STAT_MEAN, &means, &err));
  EXPECT(peek(means, TD_KEY("a")), 0, 1, 2, 3, 4, 5);
  EXPECT(peek(means, TD_KEY("n", "c")), 1, 0.5, 0.25);
  must(td_dist_log_prob_dict(d, means, 1, &log_probs, &err));
  const double at_mean = -0.5 * log(2 * acos(-1));
  EXPECT(peek(log_probs, TD_KEY("a_log_prob")), at_mean, at_mean, at_mean, at_mean, at_mean, at_mean);
  EXPECT(peek(log_probs, TD_KEY("n", "c_log_prob")), -1, log(2) - 1, log(4) - 1);
  EXPECT(peek(log_probs, TD_KEY("sample_log_prob")), 2 * at_mean - 1, 2 * at_mean + log(2) - 1,
         2 * at_mean + log(4) - 1);
  must(td_dist_log_prob_sum(d, means, &sum, &err));
  same_tensors(sum, get(log_probs, TD_KEY("sample_log_prob")), 1e-12, "composite", "the sum");
  td_dict_release(log_probs);
  td_dict_release(means);
  td_dist_release(d);
}

Test(dist_build, a_composite_adds_cdf_and_icdf_to_a_dict) {
  td_dist *d = composite_of_two();
  td_dict *means = NULL;
  must(td_dist_get_dict(d, TD_DIST_STAT_MEAN, &means, &err));
  must(td_dist_cdf_dict(d, means, &err));
  EXPECT(peek(means, TD_KEY("n", "c_cdf")), 1 - exp(-1), 1 - exp(-1), 1 - exp(-1));
  must(td_dist_icdf_dict(d, means, &err));
  EXPECT(peek(means, TD_KEY("a_icdf")), 0, 1, 2, 3, 4, 5);
  td_dict_release(means);
  td_dist_release(d);
}

Test(dist_build, a_composite_has_the_entropy_of_all_its_parts) {
  td_dist *d = composite_of_two();
  td_dict *entropies = NULL;
  td_tensor *sum = NULL;
  must(td_dist_get_dict(d, TD_DIST_STAT_ENTROPY, &entropies, &err));
  EXPECT(peek(entropies, TD_KEY("n", "c_entropy")), 1, 1 - log(2), 1 - log(4));
  must(td_dist_get(d, TD_DIST_STAT_ENTROPY, &sum, &err));
  const double each = 1 + log(2 * acos(-1));
  EXPECT(sum, each + 1, each + 1 - log(2), each + 1 - log(4));
  td_tensor_release(sum);
  td_dict_release(entropies);
  td_dist_release(d);
}

Test(dist_build, only_a_composite_takes_dicts_and_it_takes_no_tensors) {
  td_dist *d = composite_of_two();
  td_tensor *x = scalar(1), *y = NULL;
  expect_error(td_dist_log_prob(d, x, &y, &err), TD_ERR_UNSUPPORTED, NULL,
               "Expected a tensordict sample, but got a Tensor");
  td_dict *none = dict(TD_SHAPE(3)), *untouched = NULL;
  expect_error(td_dist_log_prob_dict(d, none, 0, &untouched, &err), TD_ERR_KEY, NULL, "\"a\"");
  expect_error(td_dist_cdf_dict(d, none, &err), TD_ERR_KEY, NULL, "\"a\"");
  cr_assert_eq(td_dict_count(none), 0);
  expect_error(td_dist_interact_dict(d, TD_INTERACTION_MEDIAN, TD_NO_DIMS, 0, NULL, &untouched, &err),
               TD_ERR_UNSUPPORTED, NULL, "median");
  td_dist *plain = normal_of(scalar(0), scalar(1));
  expect_error(td_dist_sample_dict(plain, TD_NO_DIMS, NULL, &untouched, &err), TD_ERR_UNSUPPORTED, NULL,
               "not a composite");
  cr_assert_null(untouched);
  td_dist_release(plain);
  td_dict_release(none);
  td_tensor_release(x);
  td_dist_release(d);
}

Test(dist_build, interaction_types_resolve_as_in_tensordict) {
  static const struct {
    const char *type, *config, *param;
    double value;
    td_interaction how;
    double wanted;
  } cases[] = {
      {"td.bernoulli", "{}", "probs", 0.5, TD_INTERACTION_DETERMINISTIC, NAN},
      {"td.bernoulli", "{}", "probs", 0.7, TD_INTERACTION_DETERMINISTIC, 1},
      {"td.poisson", "{}", "rate", 2.5, TD_INTERACTION_DETERMINISTIC, 2.5},
      {"td.poisson", "{}", "rate", 2.5, TD_INTERACTION_MODE, 2},
      {"td.geometric", "{}", "probs", 0.25, TD_INTERACTION_DEFAULT, 3},
      {"td.exponential", "{}", "rate", 4, TD_INTERACTION_DETERMINISTIC, 0.25},
      {"td.exponential", "{}", "rate", 4, TD_INTERACTION_MEAN, 0.25},
      {"td.half_cauchy", "{}", "scale", 1, TD_INTERACTION_MEAN, INFINITY},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dist *d = dist_of(cases[i].type, cases[i].config, params_of(cases[i].param, scalar(cases[i].value), NULL, NULL));
    td_tensor *x = NULL;
    must(td_dist_interact(d, cases[i].how, TD_NO_DIMS, 0, NULL, &x, &err));
    cr_assert(close_to(at(x, 0), cases[i].wanted, 1e-9), "%s: %g", cases[i].type, at(x, 0));
    td_tensor_release(x);
    td_dist_release(d);
  }
}

Test(dist_build, a_mean_that_has_no_formula_is_estimated) {
  td_tensor *x = NULL;
  td_dist *d = dist_of("td.relaxed_bernoulli", "{}", params_of("temperature", scalar(0.5), "probs", scalar(0.3)));
  must(td_dist_interact(d, TD_INTERACTION_DETERMINISTIC, TD_NO_DIMS, 0, NULL, &x, &err));
  EXPECT(x, 0);
  td_tensor_release(x);
  for (int draws = 0; draws <= 500; draws += 500) {
    must(td_dist_interact(d, TD_INTERACTION_MEAN, TD_NO_DIMS, draws, NULL, &x, &err));
    cr_assert_float_eq(at(x, 0), 0.35, 0.15);
    td_tensor_release(x);
  }
  td_dist_release(d);
}

Test(dist_build, independent_dims_resolve_as_what_they_are_made_of) {
  td_tensor *x = NULL;
  td_dist *d = dist_of("td.categorical", "{}",
                       params_of("probs", doubles((const double[]){0.2, 0.8, 0.6, 0.4}, TD_SHAPE(2, 2)), NULL, NULL));
  td_dist *rows = NULL;
  must(td_dist_independent(d, 1, &rows, &err));
  must(td_dist_interact(rows, TD_INTERACTION_DETERMINISTIC, TD_NO_DIMS, 0, NULL, &x, &err));
  EXPECT(x, 1, 0);
  td_tensor_release(x);
  must(td_dist_interact(rows, TD_INTERACTION_MODE, TD_SHAPE(3), 0, NULL, &x, &err));
  expect_shape(x, TD_SHAPE(3, 2));
  td_tensor_release(x);
  expect_error(td_dist_interact(rows, TD_INTERACTION_MEDIAN, TD_NO_DIMS, 0, NULL, &x, &err), TD_ERR_UNSUPPORTED, NULL,
               "median");
  td_dist_release(rows);
  td_dist_release(d);
}

Test(dist_build, a_type_without_a_deterministic_value_can_only_be_drawn_from) {
  td_tensor *x = NULL;
  td_dist *d = dist_of("td.lkj_cholesky", "{\"dim\": 3}", params_of("concentration", scalar(1), NULL, NULL));
  expect_error(td_dist_interact(d, TD_INTERACTION_DETERMINISTIC, TD_NO_DIMS, 0, NULL, &x, &err), TD_ERR_UNSUPPORTED,
               NULL, "not implemented for LKJCholesky");
  must(td_dist_interact(d, TD_INTERACTION_RANDOM, TD_SHAPE(2), 0, NULL, &x, &err));
  expect_shape(x, TD_SHAPE(2, 3, 3));
  td_tensor_release(x);
  td_dist_release(d);
}

Test(dist_build, an_interaction_type_has_a_name_and_is_set_for_the_thread) {
  td_interaction type, previous = 99;
  must(td_interaction_from_name(TD_STR("Random"), &type, &err));
  cr_assert_eq(type, TD_INTERACTION_RANDOM);
  expect_error(td_interaction_from_name(TD_STR("foo"), &type, &err), TD_ERR_ARGUMENT, NULL,
               "'foo' is not a valid InteractionType");
  must(td_interaction_set(TD_INTERACTION_MODE, &previous, &err));
  cr_assert(previous == TD_INTERACTION_DEFAULT && td_interaction_get() == TD_INTERACTION_MODE);
  expect_error(td_interaction_set(99, NULL, &err), TD_ERR_ARGUMENT, NULL, "99");
  cr_assert_eq(td_interaction_get(), TD_INTERACTION_MODE);
  must(td_interaction_set(previous, NULL, &err));
}

/* The messages are those of Python, but on one line. */
Test(dist_build, what_does_not_fit_is_said_as_python_says_it) {
  const struct {
    const char *type, *config;
    td_dict *params;
    td_status status;
    const char *message;
  } cases[] = {
      {"td.normal", "{}", params_of("loc", scalar(NAN), "scale", scalar(1)), TD_ERR_ARGUMENT,
       "Expected parameter loc (Tensor of shape ()) of distribution Normal(loc: nan, scale: 1.0) to satisfy the "
       "constraint Real(), but found invalid values:"},
      {"td.normal", "{}", params_of("loc", scalar(0), "scale", WIDE(1, -1)), TD_ERR_ARGUMENT,
       "Expected parameter scale (Tensor of shape (2,)) of distribution Normal(loc: torch.Size([2]), scale: "
       "torch.Size([2])) to satisfy the constraint GreaterThan(lower_bound=0.0), but found invalid values: [1.0, "
       "-1.0]"},
      {"td.uniform", "{}", params_of("low", scalar(1), "high", scalar(1)), TD_ERR_ARGUMENT,
       "Uniform is not defined when low>= high"},
      {"td.bernoulli", "{}", params_of("probs", scalar(1.5), NULL, NULL), TD_ERR_ARGUMENT,
       "Expected parameter probs (Tensor of shape ()) of distribution Bernoulli(probs: 1.5) to satisfy the constraint "
       "Interval(lower_bound=0.0, upper_bound=1.0)"},
      {"td.bernoulli", "{}", params_of("probs", scalar(0.5), "logits", scalar(0)), TD_ERR_ARGUMENT,
       "Either `probs` or `logits` must be specified, but not both."},
      {"td.bernoulli", "{}", dict(TD_NO_DIMS), TD_ERR_ARGUMENT, "Either `probs` or `logits` must be specified"},
      {"td.geometric", "{}", params_of("probs", scalar(0), NULL, NULL), TD_ERR_ARGUMENT,
       "Expected parameter probs (Tensor of shape ()) of distribution Geometric(probs: 0.0) to be positive but found "
       "invalid values:"},
      {"td.categorical", "{}", params_of("probs", scalar(1), NULL, NULL), TD_ERR_SHAPE,
       "`probs` parameter must be at least one-dimensional."},
      {"td.categorical", "{}", params_of("probs", WIDE(-1, 2), NULL, NULL), TD_ERR_ARGUMENT, "constraint Simplex()"},
      {"td.categorical", "{}", params_of("logits", WIDE(NAN, 2), NULL, NULL), TD_ERR_ARGUMENT,
       "constraint IndependentConstraint(Real(), 1)"},
      {"td.multivariate_normal", "{}", params_of("loc", WIDE(0, 0), NULL, NULL), TD_ERR_ARGUMENT,
       "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."},
      {"td.multivariate_normal", "{}", params_of("loc", scalar(0), "scale_tril", WIDE(1)), TD_ERR_SHAPE,
       "loc must be at least one-dimensional."},
      {"td.multivariate_normal", "{}",
       params_of("loc", WIDE(0, 0), "scale_tril", doubles((const double[]){1, 0.5, 0, 1}, TD_SHAPE(2, 2))),
       TD_ERR_ARGUMENT, "constraint LowerCholesky()"},
      {"td.multivariate_normal", "{}",
       params_of("loc", WIDE(0, 0), "covariance_matrix", doubles((const double[]){1, 2, 2, 1}, TD_SHAPE(2, 2))),
       TD_ERR_ARGUMENT, "constraint PositiveDefinite()"},
      {"td.dirichlet", "{}", params_of("concentration", WIDE(1, 0), NULL, NULL), TD_ERR_ARGUMENT,
       "constraint IndependentConstraint(GreaterThan(lower_bound=0.0), 1)"},
      {"td.lkj_cholesky", "{\"dim\": 1}", params_of("concentration", scalar(1), NULL, NULL), TD_ERR_ARGUMENT,
       "Expected dim to be an integer greater than or equal to 2"},
      {"td.multinomial", "{\"total_count\": -1}", params_of("probs", WIDE(1, 1), NULL, NULL), TD_ERR_ARGUMENT,
       "total_count"},
      {"td.tanh_normal", "{\"low\": 1.0, \"high\": 1.0}", params_of("loc", WIDE(0), "scale", WIDE(1)), TD_ERR_ARGUMENT,
       "high value must be strictly greater"},
      {"td.normal", "{\"validate_args\": 3}", params_of("loc", scalar(0), "scale", scalar(1)), TD_ERR_ARGUMENT,
       "validate_args"},
  };
  td_dist *d = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    expect_error(td_dist_new(TD_STR(cases[i].type), cases[i].params, TD_STR(cases[i].config), &d, &err),
                 cases[i].status, NULL, cases[i].message);
    td_dict_release(cases[i].params);
  }
  td_dict *bounds = params_of("loc", scalar(0), "scale", scalar(1));
  put(bounds, TD_KEY("a"), scalar(1));
  put(bounds, TD_KEY("b"), scalar(1));
  expect_error(td_dist_new(TD_STR("td.truncated_normal"), bounds, TD_NO_STR, &d, &err), TD_ERR_ARGUMENT, NULL,
               "Incorrect truncation range");
  td_dict_release(bounds);
  cr_assert_null(d);
}

static td_dist *three_normals(void) {
  return normal_of(WIDE(0, 0, 0), scalar(1));
}

Test(dist_build, values_are_validated_unless_that_is_turned_off) {
  td_tensor *x = scalar(-1), *y = NULL;
  td_dist *d = dist_of("td.exponential", "{}", params_of("rate", scalar(1), NULL, NULL));
  expect_error(
      td_dist_log_prob(d, x, &y, &err), TD_ERR_ARGUMENT, NULL,
      "Expected value argument (Tensor of shape ()) to be within the support (GreaterThanEq(lower_bound=0.0)) of the "
      "distribution Exponential(rate: 1.0), but found invalid values: -1.0");
  td_dist_release(d);
  d = dist_of("td.exponential", "{\"validate_args\": false}", params_of("rate", scalar(1), NULL, NULL));
  expect_log_prob(d, -1, 1); /* without validation it is what the formula gives */
  td_dist_release(d);
  check(td_dist_default_validate_args() == 1);
  td_dist_set_default_validate_args(0);
  check(td_dist_default_validate_args() == 0);
  d = normal_of(scalar(0), scalar(-1));
  td_dist_set_default_validate_args(1);
  td_dist_release(d);
  d = three_normals();
  td_tensor_release(x);
  x = scalar(1.5);
  must(td_dist_icdf(d, x, &y, &err)); /* never validated */
  cr_assert(isnan(at(y, 0)));
  td_tensor_release(y);
  td_tensor_release(x);
  td_dist_release(d);
}

Test(dist_build, values_that_do_not_broadcast_are_refused_also_after_an_expand) {
  td_dist *d = three_normals(), *big = NULL;
  td_tensor *four = WIDE(1, 2, 3, 4), *y = NULL;
  expect_error(td_dist_log_prob(d, four, &y, &err), TD_ERR_SHAPE, NULL,
               "Value is not broadcastable with batch_shape+event_shape: torch.Size([4]) vs torch.Size([3]).");
  expect_error(td_dist_expand(d, TD_SHAPE(2), &big, &err), TD_ERR_SHAPE, NULL, "[3]");
  must(td_dist_expand(d, TD_SHAPE(2, 3), &big, &err));
  int64_t batch[2];
  cr_assert(td_dist_batch_shape(big, batch, 2) == 2 && batch[0] == 2 && batch[1] == 3);
  expect_error(td_dist_log_prob(big, four, &y, &err), TD_ERR_SHAPE, NULL, "torch.Size([2, 3])");
  cr_assert_null(y);
  td_tensor_release(four);
  td_dist_release(big);
  td_dist_release(d);
}

Test(dist_build, no_more_dims_are_made_independent_than_there_are) {
  td_dist *d = three_normals(), *i = NULL;
  expect_error(td_dist_independent(d, 2, &i, &err), TD_ERR_ARGUMENT, NULL,
               "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual 2 vs 1");
  expect_error(td_dist_independent(d, -1, &i, &err), TD_ERR_ARGUMENT, NULL, "negative");
  cr_assert_null(i);
  td_dist_release(d);
}

Test(dist_build, transforms_that_do_not_fit_are_refused) {
  td_dist *d = three_normals(), *i = NULL;
  expect_error(td_dist_transformed(d, TD_STR("\"bend\""), NULL, &i, &err), TD_ERR_ARGUMENT, NULL, "bend");
  expect_error(td_dist_transformed(d, TD_STR("[exp"), NULL, &i, &err), TD_ERR_ARGUMENT, NULL, "JSON");
  expect_error(td_dist_transformed(d, TD_STR("{\"type\": \"affine\", \"loc\": \"k\"}"), NULL, &i, &err),
               TD_ERR_ARGUMENT, NULL, "params");
  expect_error(td_dist_transformed(d, TD_STR("\"lower_cholesky\""), NULL, &i, &err), TD_ERR_SHAPE, NULL, "at least 2");
  cr_assert_null(i);
  td_dist_release(d);
}

Test(dist_build, null_handles_are_refused) {
  td_dist *d = NULL;
  td_tensor *t = NULL;
  td_string *s = NULL;
  expect_error(td_dist_independent(NULL, 0, &d, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_transformed(NULL, TD_STR("\"exp\""), NULL, &d, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_mixture(NULL, NULL, &d, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_kl_divergence(NULL, NULL, &t, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_composite(NULL, NULL, 1, &d, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_repr(NULL, &s, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_expand(NULL, NULL, 0, &d, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  cr_assert_eq(td_dist_batch_shape(NULL, NULL, 0), 0);
  cr_assert_eq(td_dist_event_shape(NULL, NULL, 0), 0);
  cr_assert_eq(td_dist_has_rsample(NULL), 0);
  cr_assert_eq(td_dist_has_enumerate_support(NULL), 0);
}

/* A member of an ensemble that draws from distributions of its own parameters and scores the draws. */
static td_status scored_draw(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                             size_t n_outputs, td_error **error) {
  const char *const *type = userdata;
  td_dict *params = NULL;
  td_dist *d = NULL;
  (void)n_inputs, (void)n_outputs;
  td_status s = td_dict_new(NULL, 0, NULL, &params, error);
  if (s == TD_OK) s = td_dict_set(params, TD_KEY(type[1]), inputs[0], error);
  if (s == TD_OK && type[2]) s = td_dict_set(params, TD_KEY(type[2]), inputs[1], error);
  if (s == TD_OK) s = td_dist_new(TD_STR(type[0]), params, TD_NO_STR, &d, error);
  if (s == TD_OK) {
    const int differentiable = td_dist_has_rsample(d);
    s = (differentiable ? td_dist_rsample : td_dist_sample)(d, NULL, 0, NULL, &outputs[0], error);
  }
  if (s == TD_OK) s = td_dist_log_prob(d, outputs[0], &outputs[1], error);
  td_dist_release(d);
  td_dict_release(params);
  return s;
}

static const char *const mapped_types[][3] = {
    {"td.normal", "loc", "scale"},
    {"td.gamma", "concentration", "rate"},
    {"td.beta", "concentration1", "concentration0"},
    {"td.uniform", "low", "high"},
    {"td.laplace", "loc", "scale"},
    {"td.poisson", "rate", NULL},
    {"td.bernoulli", "probs", NULL},
    {"td.categorical", "probs", NULL},
    {"td.one_hot_categorical", "probs", NULL},
    {"td.dirichlet", "concentration", NULL},
    {"td.log_normal", "loc", "scale"},
    {"td.exponential", "rate", NULL},
    {"td.tanh_normal", "loc", "scale"},
    {"td.student_t", "df", "loc"},
};

Test(dist_build, distributions_work_under_vmap) {
  td_module *linear = module("td.linear", "{\"in_features\": 2, \"out_features\": 2}", 0), *member[3], *policy = NULL;
  for (size_t i = 0; i < sizeof mapped_types / sizeof *mapped_types; ++i) {
    td_module *draw = NULL;
    must(td_module_from_function(TD_CALLBACKS(td_module_function, scored_draw, (void *)mapped_types[i], NULL), &draw,
                                 &err));
    td_key in[] = {*TD_KEY("p"), *TD_KEY("q")}, out[] = {*TD_KEY("x"), *TD_KEY("log_prob")};
    (void)linear, (void)member, (void)policy;
    td_module *keyed_draw = NULL;
    must(td_module_tensordict(draw, in, 2, out, 2, NULL, &keyed_draw, &err));
    td_dict *data = dict(TD_SHAPE(4)), *states = dict(TD_SHAPE(4)), *result = NULL;
    put(data, TD_KEY("p"), doubles((const double[]){.1, .2, .3, .4, .5, .6, .7, .8}, TD_SHAPE(4, 2)));
    put(data, TD_KEY("q"), doubles((const double[]){1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8}, TD_SHAPE(4, 2)));
    td_vmap_options how = TD_VMAP_OPTIONS_INIT;
    how.randomness = TD_RANDOMNESS_DIFFERENT;
    how.map_data = 1;
    const td_status s = td_module_vmap(keyed_draw, states, data, &how, &result, &err);
    cr_assert_eq(s, TD_OK, "%s: %s", mapped_types[i][0], err ? td_error_message(err).data : "");
    td_tensor *log_prob = get(result, TD_KEY("log_prob"));
    int64_t n;
    double *all = numbers_of(log_prob, &n);
    cr_assert(n == 4 || n == 8, "%s", mapped_types[i][0]);
    for (int64_t j = 0; j < n; ++j) cr_assert(isfinite(all[j]), "%s", mapped_types[i][0]);
    free(all);
    td_tensor_release(log_prob);
    td_dict_release(result);
    td_dict_release(states);
    td_dict_release(data);
    td_module_release(keyed_draw);
    td_module_release(draw);
  }
  td_module_release(linear);
}
