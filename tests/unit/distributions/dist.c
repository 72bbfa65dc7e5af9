#include "support/nn_support.h"

TestSuite(dist, .init = count_live, .fini = check_live);

static td_dict *two_params(td_tensor *loc, td_tensor *scale) {
  td_dict *params = dict(TD_NO_DIMS);
  if (loc) put(params, TD_KEY("loc"), loc);
  if (scale) put(params, TD_KEY("scale"), scale);
  return params;
}

static td_dist *dist(const char *type, td_dict *params) {
  td_dist *d;
  must(td_dist_new(TD_STR(type), params, TD_NO_STR, &d, &err));
  td_dict_release(params);
  return d;
}

Test(dist, log_prob_and_statistics_follow_the_formulas) {
  static const struct {
    float loc, scale;
    double points[3];
  } cases[] = {{0.5f, 2, {-1, 0.5, 3}}, {0, 1, {0, 1, -10}}, {-3, 0.25f, {-3, -2.5, -4}}};
  for (size_t c = 0; c < 3; ++c) {
    td_dist *d = dist("td.normal", two_params(VEC(cases[c].loc), VEC(cases[c].scale)));
    double s = cases[c].scale, expected[3];
    for (int i = 0; i < 3; ++i) {
      double z = (cases[c].points[i] - cases[c].loc) / s;
      expected[i] = -z * z / 2 - log(s) - 0.5 * log(2 * acos(-1));
    }
    td_tensor *x = VEC((float)cases[c].points[0], (float)cases[c].points[1], (float)cases[c].points[2]), *log_prob;
    must(td_dist_log_prob(d, x, &log_prob, &err));
    expect(log_prob, expected, 3, 1e-5, "log_prob");
    const double stats[] = {cases[c].loc, cases[c].loc, s * s, 0.5 + 0.5 * log(2 * acos(-1)) + log(s)};
    for (td_dist_stat i = TD_DIST_STAT_MEAN; i <= TD_DIST_STAT_ENTROPY; ++i) {
      td_tensor *value;
      must(td_dist_get(d, i, &value, &err));
      expect(value, &stats[i], 1, 1e-5, "a statistic");
      td_tensor_release(value);
    }
    td_tensor_release(log_prob);
    td_tensor_release(x);
    td_dist_release(d);
  }
}

/* The vector rng.normal_seed0 that stock Python gave. */
Test(dist, a_seed_gives_the_numbers_of_pytorch_again_and_again) {
  td_dist *d = dist("td.normal", two_params(VEC(0), VEC(1)));
  for (int i = 0; i < 2; ++i) {
    td_generator *rng;
    td_tensor *x;
    must(td_generator_new(0, &rng, &err));
    must(td_dist_rsample(d, TD_SHAPE(2), rng, &x, &err));
    EXPECT(x, 1.5409960746765137, -0.293428897857666);
    expect_shape(x, TD_SHAPE(2, 1));
    td_tensor_release(x);
    td_generator_release(rng);
  }
  td_dist_release(d);
}

/* Of locations 1, 2 and 3, and scales 1 and 10, which all require grad; made where no history is recorded. */
static td_dist *broadcast(td_tensor **loc, td_tensor **scale) {
  *loc = floats((const float[]){1, 2, 3}, TD_SHAPE(3)), *scale = floats((const float[]){1, 10}, TD_SHAPE(2, 1));
  must(td_tensor_requires_grad_(*loc, 1, &err));
  must(td_tensor_requires_grad_(*scale, 1, &err));
  td_dict *params = two_params(NULL, NULL);
  must(td_dict_set(params, TD_KEY("loc"), *loc, &err));
  must(td_dict_set(params, TD_KEY("scale"), *scale, &err));
  td_no_grad *scope; /* the parameters' history counts, not the mode when the distribution was made */
  must(td_no_grad_begin(&scope, &err));
  td_dist *d = dist("td.normal", params);
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  return d;
}

Test(dist, parameters_broadcast) {
  td_tensor *loc, *scale, *x;
  td_dist *d = broadcast(&loc, &scale);
  must(td_dist_sample(d, TD_SHAPE(5), NULL, &x, &err));
  expect_shape(x, TD_SHAPE(5, 2, 3));
  td_tensor_release(x);
  must(td_dist_sample(d, TD_NO_DIMS, NULL, &x, &err));
  expect_shape(x, TD_SHAPE(2, 3));
  td_tensor_release(x);
  must(td_dist_log_prob(d, loc, &x, &err));
  expect_shape(x, TD_SHAPE(2, 3));
  td_tensor_release(x);
  td_tensor_release(loc);
  td_tensor_release(scale);
  td_dist_release(d);
}

Test(dist, gradients_flow_through_rsample_only) {
  td_tensor *loc, *scale, *x, *grad;
  td_dist *d = broadcast(&loc, &scale);
  must(td_dist_sample(d, TD_SHAPE(5), NULL, &x, &err));
  cr_assert_not(td_tensor_requires_grad(x));
  td_tensor_release(x);
  must(td_dist_rsample(d, TD_SHAPE(5), NULL, &x, &err));
  cr_assert(td_tensor_requires_grad(x));
  td_tensor *sum = apply("sum", x, NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(loc, &grad, &err));
  EXPECT(grad, 10, 10, 10);
  td_tensor_release(grad);
  must(td_tensor_grad(scale, &grad, &err)); /* the sum of the draws, standardised */
  double noise = 0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) noise += at(x, i * 6 + j) - (j + 1);
  cr_assert_float_eq(at(grad, 0), noise, 1e-4);
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_tensor_release(x);
  td_tensor_release(loc);
  td_tensor_release(scale);
  td_dist_release(d);
}

Test(dist, what_does_not_fit_is_named) {
  const struct {
    const char *type;
    td_dict *params;
    const char *config;
    td_status status;
    const char *message;
  } cases[] = {
      {"td.nothing", two_params(NULL, NULL), "{}", TD_ERR_NOT_FOUND, "td.normal"},
      {"td.normal", two_params(VEC(0), NULL), "{}", TD_ERR_KEY, "\"scale\""},
      {"td.normal", two_params(VEC(0, 1), VEC(1, 1, 1)), "{}", TD_ERR_SHAPE, "\"scale\""},
      {"td.normal", two_params(VEC(0), VEC(1)), "{\"misspelt\": 1}", TD_ERR_ARGUMENT, "misspelt"},
      {"td.normal", two_params(VEC(0), VEC(1)), "[]", TD_ERR_ARGUMENT, ""},
      {"td.normal", two_params(VEC(0), VEC(1)), "{}", TD_ERR_KEY, "\"other\""},
      {"td.normal", NULL, "{}", TD_ERR_ARGUMENT, "NULL"},
  };
  td_dist *d = NULL;
  put(cases[5].params, TD_KEY("other"), VEC(1));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    expect_error(td_dist_new(TD_STR(cases[i].type), cases[i].params, TD_STR(cases[i].config), &d, &err),
                 cases[i].status, NULL, cases[i].message);
    td_dict_release(cases[i].params);
  }
  cr_assert_null(d);
}

Test(dist, what_a_type_leaves_out_is_named) {
  td_tensor *x = NULL, *three = VEC(1, 2, 3);
  td_dist *d = dist("test.partial", two_params(VEC(0, 1), VEC(1)));
  td_string *text; /* members that its table is too old for are not looked at */
  must(td_dist_repr(d, &text, &err));
  cr_assert_str_eq(td_string_view(text).data, "test.partial(loc: torch.Size([2]), scale: torch.Size([2]))");
  td_string_release(text);
  expect_error(td_dist_sample(d, TD_NO_DIMS, NULL, &x, &err), TD_ERR_UNSUPPORTED, NULL, "sample");
  expect_error(td_dist_rsample(d, TD_NO_DIMS, NULL, &x, &err), TD_ERR_UNSUPPORTED, NULL, "rsample");
  expect_error(td_dist_log_prob(d, three, &x, &err), TD_ERR_UNSUPPORTED, NULL, "log_prob");
  expect_error(td_dist_get(d, TD_DIST_STAT_ENTROPY, &x, &err), TD_ERR_UNSUPPORTED, NULL, "entropy");
  expect_error(td_dist_get(d, TD_DIST_STAT_VARIANCE, &x, &err), TD_ERR_UNSUPPORTED, NULL, "variance");
  expect_error(td_dist_get(d, TD_DIST_STAT_MODE, &x, &err), TD_ERR_PLUGIN, NULL, "test.partial");
  expect_error(td_dist_get(d, 99, &x, &err), TD_ERR_ARGUMENT, NULL, "99");
  must(td_dist_get(d, TD_DIST_STAT_MEAN, &x, &err));
  EXPECT(x, 0, 1);
  td_tensor_release(x);
  td_tensor_release(three);
  td_dist_release(d);
}

Test(dist, values_and_shapes_that_do_not_fit_are_refused) {
  td_tensor *x = NULL, *three = VEC(1, 2, 3);
  td_dist *d = dist("td.normal", two_params(VEC(0, 1), VEC(1)));
  expect_error(td_dist_log_prob(d, three, &x, &err), TD_ERR_SHAPE, NULL, "torch.Size([3]) vs torch.Size([2])");
  expect_error(td_dist_sample(d, TD_SHAPE(-1), NULL, &x, &err), TD_ERR_SHAPE, NULL, "");
  expect_error(td_dist_sample(d, TD_SHAPE(INT64_MAX, 2), NULL, &x, &err), TD_ERR_SHAPE, NULL, "");
  expect_error(td_dist_log_prob(d, NULL, &x, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_dist_retain(d);
  td_dist_release(d);
  td_dist_release(d);
  td_tensor_release(three);
}

Test(dist, a_type_may_know_the_divergence_from_others) {
  td_dict *params = two_params(VEC(1), NULL);
  td_dist *near = dist("test.near", params), *normal = dist("td.normal", two_params(VEC(3, 4), VEC(1)));
  td_dist *other = dist("td.laplace", two_params(VEC(3), VEC(1)));
  td_tensor *x = NULL;
  must(td_dist_kl_divergence(normal, near, &x, &err));
  EXPECT(x, 2, 3);
  td_tensor_release(x);
  x = NULL;
  expect_error(td_dist_kl_divergence(near, normal, &x, &err), TD_ERR_UNSUPPORTED, NULL,
               "p type Near and q type Normal");
  expect_error(td_dist_kl_divergence(near, near, &x, &err), TD_ERR_UNSUPPORTED, NULL, "Near");
  expect_error(td_dist_kl_divergence(other, near, &x, &err), TD_ERR_UNSUPPORTED, NULL, "p type Laplace");
  cr_assert_null(x);
  td_dist_release(near), td_dist_release(normal), td_dist_release(other);
}
