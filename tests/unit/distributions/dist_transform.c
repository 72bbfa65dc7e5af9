/* Transforms by themselves. That distributions made with them are right is in dist_vectors.c. */
#include "support/dist_support.h"

TestSuite(dist_transform, .init = count_live, .fini = check_live);

static td_transform *transform(const char *json) {
  td_transform *t = NULL;
  must(td_transform_new(TD_STR(json), NULL, &t, &err));
  return t;
}

/* log |det dy/dx| by central differences, for maps of vectors whose outputs `picks` are free. */
static double log_det_2(const td_transform *t, const double *x, const int64_t *picks) {
  const double h = 1e-5;
  double jacobian[2][2];
  for (int j = 0; j < 2; ++j) {
    double *side[2];
    for (int s = 0; s < 2; ++s) {
      const double moved[] = {x[0] + (j == 0 ? (s ? h : -h) : 0), x[1] + (j == 1 ? (s ? h : -h) : 0)};
      td_tensor *in = doubles(moved, TD_SHAPE(2)), *out = NULL;
      int64_t n;
      must(td_transform_forward(t, in, &out, &err));
      side[s] = numbers_of(out, &n);
      td_tensor_release(in), td_tensor_release(out);
    }
    for (int i = 0; i < 2; ++i) jacobian[i][j] = (side[1][picks[i]] - side[0][picks[i]]) / (2 * h);
    free(side[0]), free(side[1]);
  }
  return log(fabs(jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0]));
}

static const struct {
  const char *json, *repr;
  int64_t picks[2];
  int summed, without_determinant;
} elementary[] = {
    {"\"exp\"", "ExpTransform()", {0, 1}, 1, 0},
    {"\"sigmoid\"", "SigmoidTransform()", {0, 1}, 1, 0},
    {"\"softplus\"", "SoftplusTransform()", {0, 1}, 1, 0},
    {"[\"tanh\", {\"type\": \"affine\", \"loc\": 1, \"scale\": -3}]",
     "ComposeTransform(TanhTransform(), AffineTransform())",
     {0, 1},
     1,
     0},
    {"{\"type\": \"independent\", \"of\": \"exp\", \"ndims\": 1}",
     "IndependentTransform(ExpTransform(), 1)",
     {0, 1},
     0,
     0},
    {"\"stick_breaking\"", "StickBreakingTransform()", {0, 1}, 0, 0},
    {"{\"type\": \"cdf\", \"of\": \"td.normal\", \"params\": {\"loc\": 0.5, \"scale\": 2}}",
     "CumulativeDistributionTransform()",
     {0, 1},
     1,
     0},
};

Test(dist_transform, there_and_back_with_the_determinant_of_the_slope) {
  const double numbers[] = {0.3, -0.8};
  td_tensor *x = doubles(numbers, TD_SHAPE(2));
  for (size_t i = 0; i < sizeof elementary / sizeof *elementary; ++i) {
    td_transform *t = transform(elementary[i].json);
    td_tensor *y = NULL, *back = NULL, *slope = NULL;
    td_string *repr = NULL;
    must(td_transform_repr(t, &repr, &err));
    cr_expect_str_eq(td_string_view(repr).data, elementary[i].repr);
    must(td_transform_forward(t, x, &y, &err));
    must(td_transform_inverse(t, y, &back, &err));
    expect(back, numbers, 2, 1e-9, elementary[i].json);
    must(td_transform_log_abs_det_jacobian(t, x, y, &slope, &err));
    double got = 0;
    for (int64_t k = 0; k < td_tensor_numel(slope); ++k) got += at(slope, k);
    cr_expect_eq(td_tensor_numel(slope), elementary[i].summed ? 2 : 1, "%s", elementary[i].json);
    cr_expect_float_eq(got, log_det_2(t, numbers, elementary[i].picks), 1e-8, "%s", elementary[i].json);
    td_tensor_release(y), td_tensor_release(back), td_tensor_release(slope);
    td_string_release(repr), td_transform_release(t);
  }
  td_tensor_release(x);
}

/* The values are torch.distributions.transforms' for the same input. */
Test(dist_transform, vectors_become_correlations_and_matrices_positive_definite) {
  td_transform *corr = transform("\"corr_cholesky\""), *positive = transform("\"positive_definite\"");
  td_tensor *x = WIDE(0.3, -0.8, 1.2), *y, *back, *slope;
  must(td_transform_forward(corr, x, &y, &err));
  expect_shape(y, TD_SHAPE(3, 3));
  expect(y,
         (const double[]){1, 0, 0, 0.2913126124515909, 0.9566279119002483, 0, -0.664036770267849, 0.6233234815012366,
                          0.41294431239747265},
         9, 1e-9, "corr_cholesky");
  must(td_transform_inverse(corr, y, &back, &err));
  expect(back, (const double[]){0.3, -0.8, 1.2}, 3, 1e-9, "back");
  must(td_transform_log_abs_det_jacobian(corr, x, y, &slope, &err));
  EXPECT(slope, -2.14832016);
  td_tensor_release(y), td_tensor_release(back), td_tensor_release(slope), td_tensor_release(x);

  const double square[] = {0.5, 9, -1, 0.25};
  x = doubles(square, TD_SHAPE(2, 2));
  must(td_transform_forward(positive, x, &y, &err));
  EXPECT(y, exp(1), -exp(0.5), -exp(0.5), 1 + exp(0.5)); /* of the lower triangle, its diagonal by exp */
  must(td_transform_inverse(positive, y, &back, &err));
  EXPECT(back, 0.5, 0, -1, 0.25);
  expect_error(td_transform_log_abs_det_jacobian(positive, x, y, &slope, &err), TD_ERR_UNSUPPORTED, NULL,
               "PositiveDefiniteTransform");
  expect_error(td_transform_inverse(corr, x, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_tensor_release(y), td_tensor_release(back), td_tensor_release(x);
  x = WIDE(1, 2);
  expect_error(td_transform_forward(corr, x, &y, &err), TD_ERR_SHAPE, NULL, "not a flattened lower-diagonal number: 2");
  expect_error(td_transform_inverse(corr, x, &y, &err), TD_ERR_SHAPE, NULL, "Too few dimensions");
  td_tensor_release(x), td_transform_release(corr), td_transform_release(positive);
}

Test(dist_transform, they_are_composed_and_inverted) {
  td_transform *parts[] = {transform("{\"type\": \"affine\", \"loc\": 1, \"scale\": 2}"), transform("\"exp\"")};
  td_transform *both = NULL, *inverse = NULL, *identity = NULL;
  must(td_transform_compose((const td_transform *const *)parts, 2, &both, &err));
  must(td_transform_inverse_of(both, &inverse, &err));
  must(td_transform_compose(NULL, 0, &identity, &err));
  td_tensor *x = WIDE(0.5, -1), *y, *back;
  must(td_transform_forward(both, x, &y, &err));
  EXPECT(y, exp(2), exp(-1));
  must(td_transform_forward(inverse, y, &back, &err));
  EXPECT(back, 0.5, -1);
  td_tensor_release(back);
  must(td_transform_forward(identity, x, &back, &err));
  EXPECT(back, 0.5, -1);
  td_tensor_release(x), td_tensor_release(y), td_tensor_release(back);
  td_transform_release(parts[0]), td_transform_release(parts[1]), td_transform_release(both);
  td_transform_release(inverse), td_transform_release(identity), td_transform_release(NULL);
}

Test(dist_transform, they_are_given_to_distributions) {
  td_transform *parts[] = {transform("{\"type\": \"affine\", \"loc\": 1, \"scale\": 2}"), transform("\"exp\"")};
  td_transform *cdf = NULL;
  td_tensor *y = WIDE(exp(2), exp(-1)), *half = WIDE(0.5, 0.1);
  td_dist *normal = normal_of(WIDE(0, 0), WIDE(1, 1)), *by = NULL, *text = NULL, *uniform = NULL;
  must(td_dist_transformed_by(normal, (const td_transform *const *)parts, 2, &by, &err));
  must(td_dist_transformed(normal, TD_STR("[{\"type\": \"affine\", \"loc\": 1, \"scale\": 2}, \"exp\"]"), NULL, &text,
                           &err));
  same_tensors(log_prob_of(by, y), log_prob_of(text, y), 1e-12, "transformed", "log_prob");

  must(td_transform_cdf_of(normal, &cdf, &err)); /* what is normal becomes uniform */
  must(td_dist_transformed_by(normal, (const td_transform *const *)&cdf, 1, &uniform, &err));
  td_tensor *flat = log_prob_of(uniform, half);
  EXPECT(flat, 0, 0);
  td_tensor_release(flat), td_tensor_release(half), td_tensor_release(y);
  td_dist_release(normal), td_dist_release(by), td_dist_release(text), td_dist_release(uniform);
  td_transform_release(parts[0]), td_transform_release(parts[1]), td_transform_release(cdf);
}

Test(dist_transform, what_makes_none_is_refused) {
  td_transform *none = NULL;
  td_dist *by = NULL;
  td_tensor *x = WIDE(0.5, -1), *y = NULL;
  expect_error(td_transform_new(TD_STR("\"nothing\""), NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "no such transform");
  expect_error(td_transform_new(TD_STR("{\"type\": \"cdf\", \"of\": \"td.nothing\"}"), NULL, &none, &err),
               TD_ERR_NOT_FOUND, NULL, "td.nothing");
  expect_error(td_transform_new(TD_STR("{\"type\": \"cdf\", \"of\": 3}"), NULL, &none, &err), TD_ERR_ARGUMENT, NULL,
               "not a distribution type");
  expect_error(td_transform_compose(NULL, 1, &none, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_transform_forward(NULL, x, &y, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_transform_cdf_of(NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dist_transformed_by(NULL, NULL, 0, &by, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_tensor_release(x);
}
