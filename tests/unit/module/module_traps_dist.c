/* What is most likely done wrong, by its number: distributions and the modules that take values of them. */
#include "support/dist_support.h"
#include "support/probabilistic_support.h"

TestSuite(module_traps_dist, .init = count_live, .fini = check_live);

static td_tensor *interact(const td_dist *d, td_interaction type, int64_t n_empirical) {
  td_tensor *t = NULL;
  must(td_dist_interact(d, type, TD_NO_DIMS, n_empirical, NULL, &t, &err));
  return t;
}

Test(module_traps_dist, trap_20_deterministic_is_the_mode_of_types_that_enumerate_and_the_mean_of_others) {
  static const struct {
    const char *type, *a, *b;
    double x, y, value;
  } cases[] = {{"td.poisson", "rate", NULL, 2.5, 0, 2.5},
               {"td.geometric", "probs", NULL, .25, 0, 3},
               {"td.log_normal", "loc", "scale", 0, 1, 1.6487212707001282},
               {"td.beta", "concentration1", "concentration0", 2, 6, .25},
               {"td.bernoulli", "probs", NULL, .7, 0, 1},
               {"td.bernoulli", "probs", NULL, .5, 0, NAN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dist *d = dist_of(cases[i].type, "{}",
                         params_of(cases[i].a, scalar(cases[i].x), cases[i].b, cases[i].b ? scalar(cases[i].y) : NULL));
    td_tensor *t = interact(d, TD_INTERACTION_DETERMINISTIC, 0);
    cr_assert(close_to(at(t, 0), cases[i].value, 1e-9), "%s: %g", cases[i].type, at(t, 0));
    td_tensor_release(t);
    td_dist_release(d);
  }
  td_dist *d = dist_of("td.categorical", "{}", params_of("probs", WIDE(.2, .5, .3), NULL, NULL));
  td_tensor *t = interact(d, TD_INTERACTION_DETERMINISTIC, 0);
  EXPECT(t, 1);
  td_tensor_release(t);
  td_dist_release(d);
}

Test(module_traps_dist, trap_21_a_mean_that_is_not_known_is_that_of_draws_and_a_median_is_not) {
  key_list in;
  td_probabilistic_options o = prob_options(TD_INTERACTION_MEAN, 0);
  td_module *m;
  keys_from(&in, IN("temperature", "probs"));
  for (int n = 0; n <= 1; ++n) {
    o.n_empirical_estimate = n * 2000; /* 0: 1000 */
    must(td_module_probabilistic(TD_STR("td.relaxed_bernoulli"), TD_NO_STR, in.keys, 2, TD_KEY("a"), 1, &o, &m, &err));
    td_dict *data = params_of("temperature", scalar(.5), "probs", scalar(.7));
    must(td_manual_seed(0, &err));
    forward(m, data);
    double mean = at(peek(data, TD_KEY("a")), 0);
    cr_assert(mean > .6 && mean < .75, "%g", mean);
    td_dist *d;
    td_tensor *many, *all, *same;
    const int64_t draws = n ? 2000 : 1000;
    must(td_module_get_dist(m, data, NULL, &d, &err));
    must(td_manual_seed(0, &err));
    must(td_dist_rsample(d, &draws, 1, NULL, &many, &err));
    all = apply("mean", many, NULL);
    must(td_manual_seed(0, &err));
    same = interact(d, TD_INTERACTION_MEAN, n * 2000);
    cr_assert(close_to(at(all, 0), mean, 1e-6) && close_to(at(same, 0), mean, 1e-6));
    td_tensor *const tensors[] = {many, all, same};
    for (size_t i = 0; i < 3; ++i) td_tensor_release(tensors[i]);
    td_dist_release(d);
    td_dict_release(data);
    td_module_release(m);
  }
  td_dist *normal = normal_of(scalar(0), scalar(1));
  td_tensor *t;
  expect_error(td_dist_interact(normal, TD_INTERACTION_MEDIAN, TD_NO_DIMS, 0, NULL, &t, &err), TD_ERR_UNSUPPORTED, NULL,
               "median");
  td_dist_release(normal);
}

Test(module_traps_dist, trap_22_a_log_probability_has_the_name_of_its_sample_and_all_its_dims) {
  td_probabilistic_options o = prob_options(0, 1);
  td_module *m = normal_module("n.a", &o);
  td_dict *data = normal_data();
  forward(m, data);
  expect_shape(peek(data, TD_KEY("n", "a_log_prob")), TD_SHAPE(3, 4));
  td_dict_release(data);
  td_module_release(m);
}

Test(module_traps_dist, trap_23_more_samples_are_a_new_dict_and_samples_in_between_are_drawn_anew) {
  const int64_t two = 2;
  td_probabilistic_options o = prob_options(TD_INTERACTION_RANDOM, 0);
  o.num_samples = &two, o.n_num_samples = 1;
  td_module *m = normal_module("a", &o);
  td_dict *data = normal_data();
  put(data, TD_KEY("a"), full(9, TD_SHAPE(3, 4)));
  td_dict *out = run_module(m, data);
  cr_assert_neq(out, data);
  expect_full(peek(data, TD_KEY("a")), 9, 0, "the input's");
  cr_assert_neq(at(peek(out, TD_KEY("a")), 0), 9, "what exists is overwritten");
  td_dict_release(out);
  td_dict_release(data);
  td_module_release(m);

  /* s0 ~ N(x, 1), s1 ~ N(s0, 1): s1 is scored around a new s0, which varies. */
  td_module *s =
      PROB_SEQ(0, unit_normal("x", "s0", TD_INTERACTION_RANDOM, 0), unit_normal("s0", "s1", TD_INTERACTION_RANDOM, 0));
  data = dict(TD_NO_DIMS);
  put(data, TD_KEY("x"), VEC(0));
  forward(s, data);
  td_dict *first, *second;
  must(td_module_log_prob_dict(s, data, NULL, &first, &err));
  must(td_module_log_prob_dict(s, data, NULL, &second, &err));
  cr_assert_eq(at(peek(first, TD_KEY("s0_log_prob")), 0), at(peek(second, TD_KEY("s0_log_prob")), 0));
  cr_assert_neq(at(peek(first, TD_KEY("s1_log_prob")), 0), at(peek(second, TD_KEY("s1_log_prob")), 0));
  td_dict_release(second);
  td_dict_release(first);
  td_dict_release(data);
  td_module_release(s);
}

Test(module_traps_dist, trap_24_probabilities_are_clamped_by_their_dtype) {
  td_tensor *zero32, *zero64 = scalar(0), *one32, *one64 = scalar(1);
  must(td_tensor_to(zero64, TD_DTYPE_FLOAT32, TD_NO_STR, &zero32, &err));
  must(td_tensor_to(one64, TD_DTYPE_FLOAT32, TD_NO_STR, &one32, &err));
  td_dist *p32 = dist_of("td.bernoulli", "{}", params_of("probs", zero32, NULL, NULL)),
          *p64 = dist_of("td.bernoulli", "{}", params_of("probs", zero64, NULL, NULL));
  td_tensor *a = log_prob_of(p32, one32), *b = log_prob_of(p64, one64);
  cr_assert(close_to(at(a, 0), -15.942384719848633, 1e-7));
  cr_assert(close_to(at(b, 0), -36.04365338911715, 1e-9));
  td_tensor_release(a);
  td_tensor_release(b);
  td_dist_release(p32);
  td_dist_release(p64);
  td_tensor_release(one32);
  td_tensor_release(one64);
}

Test(module_traps_dist, trap_24_logits_are_not_clamped) {
  td_dist *logits = dist_of("td.categorical", "{}", params_of("logits", WIDE(0, -INFINITY), NULL, NULL));
  td_tensor *one = scalar(1), *a = log_prob_of(logits, one), *mean, *sample;
  cr_assert(isinf(at(a, 0)) && at(a, 0) < 0, "a logit of -inf stays");
  must(td_dist_get(logits, TD_DIST_STAT_MEAN, &mean, &err));
  must(td_dist_sample(logits, TD_NO_DIMS, NULL, &sample, &err));
  cr_assert(isnan(at(mean, 0)) && td_tensor_dtype(sample) == TD_DTYPE_INT64);
  td_tensor *const tensors[] = {one, a, mean, sample};
  for (int i = 0; i < 4; ++i) td_tensor_release(tensors[i]);
  td_dist_release(logits);
}

Test(module_traps_dist, trap_24_the_end_of_a_uniform_is_a_value_without_density) {
  td_dist *uniform = dist_of("td.uniform", "{}", params_of("low", scalar(0), "high", scalar(1)));
  td_tensor *high = scalar(1), *a = log_prob_of(uniform, high);
  cr_assert(isinf(at(a, 0)), "validated as closed, and without density at the end");
  td_tensor_release(a);
  td_tensor_release(high);
  td_dist_release(uniform);
}

Test(module_traps_dist, trap_24_one_hot_samples_are_of_the_dtype_of_their_type) {
  static const char *const hot[] = {"td.one_hot_categorical", "td.int_one_hot_categorical"};
  for (int i = 0; i < 2; ++i) {
    td_dist *d = dist_of(hot[i], "{}", params_of("probs", WIDE(.2, .8), NULL, NULL));
    td_tensor *sample;
    must(td_dist_sample(d, TD_NO_DIMS, NULL, &sample, &err));
    cr_assert_eq(td_tensor_dtype(sample), i ? TD_DTYPE_INT64 : TD_DTYPE_FLOAT64);
    td_tensor_release(sample);
    td_dist_release(d);
  }
}

Test(module_traps_dist, trap_25_constants_of_scale_mappings) {
  static const struct {
    const char *config;
    size_t n;
    double x[4], loc[2], scale[2];
  } cases[] = {{"{}", 2, {0, 0}, {0}, {1}},
               {"{\"scale_mapping\": \"biased_softplus_2.0_0.1\"}", 2, {0, 0}, {0}, {2}},
               {"{}", 3, {1, 2, 3}, {1, 2}, {3.564472198486328}}}; /* an odd size is split unevenly */
  for (size_t i = 0; i < 3; ++i) {
    td_module *m = module("td.normal_param_extractor", cases[i].config, 0);
    float x[4];
    for (size_t j = 0; j < cases[i].n; ++j) x[j] = (float)cases[i].x[j];
    td_tensor *in = floats(x, TD_SHAPE((int64_t)cases[i].n)), *outs[2];
    must(td_module_call(m, &in, 1, outs, 2, &err));
    expect(outs[0], cases[i].loc, (cases[i].n + 1) / 2, 1e-6, "loc");
    expect(outs[1], cases[i].scale, cases[i].n / 2, 1e-6, "scale");
    td_tensor_release(outs[0]);
    td_tensor_release(outs[1]);
    td_tensor_release(in);
    td_module_release(m);
  }
}

Test(module_traps_dist, trap_25_the_least_value_of_an_inverse_softplus) {
  td_module *inverse = module("td.inv_softplus", "{}", 0);
  td_tensor *x = VEC(.99f, 0), *y;
  must(td_module_call(inverse, &x, 1, &y, 1, &err));
  EXPECT(y, .5254586935043335, -13.815510749816895);
  td_tensor_release(y);
  td_tensor_release(x);
  td_module_release(inverse);
}

Test(module_traps_dist, trap_25_tolerances_of_a_delta) {
  td_dist *delta = dist_of("td.delta", "{}", params_of("param", WIDE(1, 2), NULL, NULL));
  static const double points[][2] = {{1, 2}, {1 + 1e-6, 2}, {1, 2.0001}};
  for (int i = 0; i < 3; ++i) {
    td_tensor *v = WIDE(points[i][0], points[i][1]), *lp = log_prob_of(delta, v);
    cr_assert(isinf(at(lp, 0)) && (at(lp, 0) > 0) == (i < 2), "point %d", i);
    td_tensor_release(lp);
    td_tensor_release(v);
  }
  td_dist_release(delta);
}

Test(module_traps_dist, trap_25_a_truncated_normal_leaves_out_a_margin_at_both_ends) {
  td_dict *params = params_of("loc", scalar(.5), "scale", scalar(1));
  put(params, TD_KEY("a"), scalar(-1e6));
  put(params, TD_KEY("b"), scalar(1e6));
  td_dist *truncated = dist_of("td.truncated_normal", "{}", params);
  td_tensor *mid = scalar(.5), *lp = log_prob_of(truncated, mid);
  cr_assert(close_to(at(lp, 0), LOG_OF_NORMAL - log(1 - 2e-6), 1e-12), "%.17g", at(lp, 0));
  td_tensor_release(lp);
  td_tensor_release(mid);
  td_dist_release(truncated);
}
