/* Modules that make a distribution of what they read, and write a value of it. */
#include "support/probabilistic_support.h"

TestSuite(module_probabilistic, .init = count_live, .fini = check_live);

Test(module_probabilistic, keys_are_named_after_the_samples_or_as_told) {
  static const struct {
    const char *out, *custom;
    int aggregate;
    const char *all, *log_prob;
  } cases[] = {
      {"a", NULL, 0, "loc,scale>a,a_log_prob", "a_log_prob"},
      {"n.a", NULL, 0, "loc,scale>n.a,n.a_log_prob", "n.a_log_prob"},
      {"a", NULL, 1, "loc,scale>a,sample_log_prob", "sample_log_prob"},
      {"a", "lp", 0, "loc,scale>a,lp", "lp"},
      {"a", "n.lp", 1, "loc,scale>a,n.lp", "n.lp"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    key_list custom;
    td_probabilistic_options o = prob_options(TD_INTERACTION_DEFAULT, 1);
    o.aggregate = cases[i].aggregate != 0;
    if (cases[i].custom) o.log_prob_keys = keys_from(&custom, &cases[i].custom, 1)->keys, o.n_log_prob_keys = 1;
    td_module *m = normal_module(cases[i].out, &o);
    cr_assert_str_eq(keys_of(m), cases[i].all);
    cr_assert_str_eq(list_of(td_module_log_prob_keys, m), cases[i].log_prob);
    cr_assert_str_eq(list_of(td_module_dist_sample_keys, m), cases[i].out);
    cr_assert_str_eq(list_of(td_module_dist_params_keys, m), "loc,scale");
    td_dict *data = normal_data();
    forward(m, data);
    key_list log_prob;
    td_tensor *lp = peek(data, keys_from(&log_prob, &cases[i].log_prob, 1)->keys);
    expect_shape(lp, TD_SHAPE(3, 4)); /* not summed over the features */
    expect_full(lp, LOG_OF_NORMAL - log(.5), 1e-6, cases[i].log_prob);
    cr_assert(has(data, cases[i].out));
    td_dict_release(data);
    td_module_release(m);
  }
}

Test(module_probabilistic, keys_that_collide_or_are_too_many_are_refused) {
  td_module *m;
  key_list in;
  td_probabilistic_options o = prob_options(TD_INTERACTION_DEFAULT, 1);
  o.log_prob_keys = TD_KEY("a", "lp"), o.n_log_prob_keys = 1;
  keys_from(&in, IN("loc", "scale"));
  expect_error(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, TD_KEY("a"), 1, &o, &m, &err),
               TD_ERR_ARGUMENT, NULL, "overwrite the sample \"a\"");
  td_key two[] = {*TD_KEY("x"), *TD_KEY("y")};
  o.log_prob_keys = two, o.n_log_prob_keys = 2;
  expect_error(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, TD_KEY("a"), 1, &o, &m, &err),
               TD_ERR_ARGUMENT, NULL, "2 log-probability keys were given for 1 samples");
  expect_error(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, two, 2, NULL, &m, &err),
               TD_ERR_ARGUMENT, NULL, "one distribution returns one value");
}

Test(module_probabilistic, without_keys_or_type_it_copies_its_input) {
  td_module *m;
  must(td_module_probabilistic(TD_NO_STR, TD_NO_STR, TD_KEY("n", "param"), 1, NULL, 0, NULL, &m, &err));
  cr_assert_str_eq(keys_of(m), "n.param>_");
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("n", "param"), VEC(1, 2));
  forward(m, data);
  EXPECT(peek(data, TD_KEY("_")), 1, 2);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic, the_threads_type_goes_before_the_modules_own) {
  static const struct {
    td_interaction own, set;
    double value; /* NAN: a draw */
  } cases[] = {
      {TD_INTERACTION_DEFAULT, TD_INTERACTION_DEFAULT, 2}, {TD_INTERACTION_MEAN, TD_INTERACTION_DEFAULT, 2},
      {TD_INTERACTION_MODE, TD_INTERACTION_DEFAULT, 2},    {TD_INTERACTION_RANDOM, TD_INTERACTION_DEFAULT, NAN},
      {TD_INTERACTION_MEAN, TD_INTERACTION_RANDOM, NAN},   {TD_INTERACTION_RANDOM, TD_INTERACTION_MODE, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_probabilistic_options o = prob_options(cases[i].own, 0);
    td_module *m = normal_module("a", &o);
    td_dict *data = normal_data();
    td_interaction before;
    cr_assert_eq(td_module_default_interaction(m),
                 cases[i].own == TD_INTERACTION_DEFAULT ? TD_INTERACTION_DETERMINISTIC : cases[i].own);
    must(td_interaction_set(cases[i].set, &before, &err));
    forward(m, data);
    must(td_interaction_set(before, NULL, &err));
    td_tensor *a = peek(data, TD_KEY("a"));
    if (isnan(cases[i].value))
      cr_assert(at(a, 0) != 2 && at(a, 0) != at(a, 1));
    else
      expect_full(a, cases[i].value, 0, "the value");
    td_dict_release(data);
    td_module_release(m);
  }
  td_probabilistic_options o = prob_options(TD_INTERACTION_MEDIAN, 0);
  td_module *m = normal_module("a", &o);
  td_dict *data = normal_data();
  expect_error(td_module_forward(m, data, &err), TD_ERR_UNSUPPORTED, NULL, "median is not implemented");
  cr_assert_str_eq(entries_of(data), "loc,scale");
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic, samples_are_put_before_the_batch) {
  static const struct {
    td_interaction type;
    int64_t sizes[2];
    size_t n;
  } cases[] = {{TD_INTERACTION_RANDOM, {2}, 1},
               {TD_INTERACTION_RANDOM, {5, 2}, 2},
               {TD_INTERACTION_RANDOM, {0}, 1},
               {TD_INTERACTION_MEAN, {2}, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_probabilistic_options o = prob_options(cases[i].type, 1);
    o.num_samples = cases[i].sizes, o.n_num_samples = cases[i].n;
    td_module *m = normal_module("a", &o);
    int64_t sizes[4];
    cr_assert_eq(td_module_num_samples(m, sizes, 4), cases[i].n);
    cr_assert_eq(sizes[0], cases[i].sizes[0]);
    td_dict *data = normal_data(), *out = run_module(m, data);
    cr_assert_str_eq(entries_of(data), "loc,scale", "the input stays as it is");
    cr_assert_str_eq(entries_of(out), "a,a_log_prob,loc,scale");
    static const char *const names[] = {"a", "a_log_prob", "loc"};
    int64_t wanted[4] = {cases[i].sizes[0], cases[i].n == 2 ? cases[i].sizes[1] : 3, cases[i].n == 2 ? 3 : 4, 4};
    for (int j = 0; j < 3; ++j) expect_shape(peek(out, TD_KEY(names[j])), wanted, cases[i].n + 2);
    if (cases[i].type == TD_INTERACTION_MEAN) expect_full(peek(out, TD_KEY("a")), 2, 0, "the mean");
    expect_error(td_module_forward(m, data, &err), TD_ERR_ARGUMENT, NULL, "in a new dict");
    td_dict_release(out);
    td_dict_release(data);
    td_module_release(m);
  }
  td_probabilistic_options o = prob_options(TD_INTERACTION_RANDOM, 0);
  int64_t minus = -1;
  td_module *m;
  o.num_samples = &minus, o.n_num_samples = 1;
  expect_error(td_module_probabilistic(TD_STR("td.delta"), TD_NO_STR, TD_KEY("param"), 1, NULL, 0, &o, &m, &err),
               TD_ERR_ARGUMENT, NULL, "number of samples is negative");
}

static int64_t number_at(const td_dict *d, const td_key *key) {
  td_data_list *list;
  td_data value;
  must(td_dict_get_data(d, key, &list, &err));
  must(td_data_list_get(list, 0, &value, &err));
  td_data_list_release(list);
  return value.i;
}

static td_dict *unit_data(void) {
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("loc"), VEC(0, 0));
  put(data, TD_KEY("scale"), VEC(1, 1));
  return data;
}

static td_module *seeded_by_the_data(void) {
  td_probabilistic_options o = prob_options(TD_INTERACTION_RANDOM, 0);
  o.generator_key = TD_KEY("seed");
  return normal_module("a", &o);
}

Test(module_probabilistic, a_generator_repeats_the_draws_and_leaves_the_default_one_alone) {
  td_generator *rng, *global;
  must(td_generator_new(0, &rng, &err));
  td_probabilistic_options o = prob_options(TD_INTERACTION_RANDOM, 0);
  o.generator = rng;
  td_module *m = normal_module("a", &o);
  td_dict *data = unit_data();
  must(td_manual_seed(5, &err));
  forward(m, data);
  EXPECT(peek(data, TD_KEY("a")), 1.5409960746765137, -0.293428897857666); /* PyTorch's, for seed 0 */
  td_tensor *next, *same;
  must(td_tensor_randn(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &next, &err));
  must(td_generator_new(5, &global, &err));
  must(td_tensor_randn(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, global, &same, &err));
  expect_equal(next, same, 0, "the default generator has not moved");
  td_tensor_release(next);
  td_tensor_release(same);
  td_generator_release(global);
  td_generator_release(rng);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic, a_seed_in_the_data_repeats_the_draws_and_goes_on_in_its_form) {
  td_module *m = seeded_by_the_data();
  td_dict *data = unit_data();
  int64_t zero = 0, seeds[2];
  for (int form = 0; form < 2; ++form) { /* a tensor, a number */
    td_tensor *t;
    if (form) {
      must(td_dict_set_data(data, TD_KEY("seed"), TD_DATA(td_data_int(0)), &err));
    } else {
      must(td_tensor_copy_from(&zero, TD_DTYPE_INT64, TD_NO_DIMS, &t, &err));
      put(data, TD_KEY("seed"), t);
    }
    forward(m, data);
    EXPECT(peek(data, TD_KEY("a")), 1.5409960746765137, -0.293428897857666);
    td_entry_kind kind;
    must(td_dict_entry_kind(data, TD_KEY("seed"), &kind, &err));
    cr_assert_eq(kind, form ? TD_ENTRY_DATA : TD_ENTRY_TENSOR);
    if (form)
      seeds[form] = number_at(data, TD_KEY("seed"));
    else
      seeds[form] = (int64_t)at(peek(data, TD_KEY("seed")), 0);
    cr_assert(seeds[form] > 0 && fabs((double)seeds[form] - (double)seeds[0]) < 1024,
              "the next seed, in the same form");
    double first = at(peek(data, TD_KEY("a")), 0);
    forward(m, data);
    cr_assert_neq(at(peek(data, TD_KEY("a")), 0), first);
  }
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic, a_seed_in_the_data_is_one_integer_or_absent) {
  td_module *m = seeded_by_the_data();
  td_dict *data = unit_data();
  put(data, TD_KEY("seed"), VEC(1, 2));
  expect_error(td_module_forward(m, data, &err), TD_ERR_ARGUMENT, NULL, "a seed must be one integer");
  must(td_dict_remove(data, TD_KEY("seed"), &err)); /* absent: the default generator */
  forward(m, data);
  cr_assert(!has(data, "seed"));
  td_dict_release(data);
  td_module_release(m);
}

/* {"mu": [3, 4], "n": {"sigma": [1, 1]}} */
static td_dict *named_data(void) {
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("mu"), VEC(3, 4));
  put(data, TD_KEY("n", "sigma"), VEC(1, 1));
  return data;
}

Test(module_probabilistic, parameters_are_found_by_name) {
  td_str names[] = {TD_STR("scale"), TD_STR("loc")};
  td_probabilistic_options o = prob_options(TD_INTERACTION_DEFAULT, 1);
  key_list in;
  td_module *m;
  o.param_names = names;
  keys_from(&in, IN("n.sigma", "mu"));
  must(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, TD_KEY("a"), 1, &o, &m, &err));
  td_dict *data = named_data();
  forward(m, data);
  EXPECT(peek(data, TD_KEY("a")), 3, 4);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic, parameters_may_be_constant) {
  td_module *m = unit_normal("mu", "b", TD_INTERACTION_DEFAULT, 0);
  td_dict *data = named_data();
  forward(m, data);
  EXPECT(peek(data, TD_KEY("b")), 3, 4);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic, parameters_given_twice_and_things_that_do_not_exist_are_refused) {
  td_str names[] = {TD_STR("scale"), TD_STR("scale")};
  td_probabilistic_options o = prob_options(TD_INTERACTION_DEFAULT, 1);
  key_list in;
  td_module *bad;
  td_dict *data = named_data();
  o.param_names = names;
  keys_from(&in, IN("n.sigma", "mu"));
  expect_error(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, TD_KEY("a"), 1, &o, &bad, &err),
               TD_ERR_ARGUMENT, NULL, "'scale' is given twice");
  o.param_names = NULL;
  o.params = data;
  expect_error(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, TD_KEY("a"), 1, &o, &bad, &err),
               TD_ERR_ARGUMENT, NULL, "'mu' is given twice");
  expect_error(td_module_probabilistic(TD_STR("td.nonsense"), TD_NO_STR, in.keys, 2, NULL, 0, NULL, &bad, &err),
               TD_ERR_NOT_FOUND, NULL, "td.nonsense");
  expect_error(
      td_module_probabilistic(TD_STR("td.normal"), TD_STR("{\"nonsense\": 1}"), in.keys, 2, NULL, 0, NULL, &bad, &err),
      TD_ERR_ARGUMENT, NULL, "nonsense");
  o = prob_options(17, 0);
  expect_error(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, NULL, 0, &o, &bad, &err),
               TD_ERR_ARGUMENT, NULL, "no such interaction type");
  td_dict_release(data);
}

Test(module_probabilistic, of_alternative_parameters_the_missing_ones_are_not_given) {
  key_list in;
  td_module *m;
  keys_from(&in, IN("probs", "logits"));
  must(td_module_probabilistic(TD_STR("td.bernoulli"), TD_NO_STR, in.keys, 2, TD_KEY("c"), 1, NULL, &m, &err));
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("logits"), VEC(-1, 1));
  forward(m, data);
  EXPECT(peek(data, TD_KEY("c")), 0, 1);
  td_module_release(m);
  td_dict_release(data);
}

Test(module_probabilistic, bad_input_is_named_and_nothing_is_written) {
  td_probabilistic_options o = prob_options(TD_INTERACTION_RANDOM, 1);
  o.generator_key = TD_KEY("seed");
  td_module *m = normal_module("a", &o), *wrong;
  for (int fault = 0; fault < 5; ++fault) {
    td_dict *data = normal_data();
    const int64_t seed = 7;
    td_tensor *t;
    must(td_tensor_copy_from(&seed, TD_DTYPE_INT64, TD_NO_DIMS, &t, &err));
    td_dict *root = dict(TD_NO_DIMS), *run_on = root; /* a seed fits no batch */
    put(root, TD_KEY("loc"), get(data, TD_KEY("loc")));
    put(root, TD_KEY("scale"), get(data, TD_KEY("scale")));
    put(root, TD_KEY("seed"), t);
    if (fault == 0) put(root, TD_KEY("loc"), full(NAN, TD_SHAPE(3, 4)));
    if (fault == 1) put(root, TD_KEY("scale"), full(-1, TD_SHAPE(3, 4)));
    if (fault == 2) put(root, TD_KEY("scale"), full(1, TD_SHAPE(5)));
    if (fault == 3) must(td_dict_remove(root, TD_KEY("scale"), &err));
    if (fault == 4) must(td_dict_lock_(root, &err));
    static const td_status codes[] = {TD_ERR_ARGUMENT, TD_ERR_ARGUMENT, TD_ERR_SHAPE, TD_ERR_KEY, TD_ERR_LOCKED};
    static const char *const words[] = {"Expected parameter loc", "Expected parameter scale", "broadcast",
                                        "parameters of the distribution are missing in the dict: [\"scale\"]",
                                        "locked"};
    expect_error(td_module_forward(m, run_on, &err), codes[fault], NULL, words[fault]);
    cr_assert_str_eq(entries_of(root), fault == 3 ? "loc,seed" : "loc,scale,seed");
    cr_assert_eq(at(peek(root, TD_KEY("seed")), 0), 7);
    td_dict_release(root);
    td_dict_release(data);
  }
  td_module_release(m);

  key_list in;
  keys_from(&in, IN("loc", "width")); /* a parameter that the type does not have */
  must(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in.keys, 2, TD_KEY("a"), 1, NULL, &wrong, &err));
  td_dict *data = normal_data();
  put(data, TD_KEY("width"), full(1, TD_SHAPE(3, 4)));
  expect_error(td_module_forward(wrong, data, &err), TD_ERR_KEY, NULL, "no such parameter");
  expect_error(td_module_select_out_keys(wrong, TD_KEY("a"), 1, &err), TD_ERR_UNSUPPORTED, NULL, "cannot be selected");
  td_dict_release(data);
  td_module_release(wrong);
}
