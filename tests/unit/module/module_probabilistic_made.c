/* Probabilistic modules of several parts and of functions, under vmap, as text. */
#include "support/probabilistic_support.h"

TestSuite(module_probabilistic_made, .init = count_live, .fini = check_live);

/* ---- Composite distributions */
static td_module *two_parts(const td_probabilistic_options *options) {
  td_key name = *TD_KEY("n", "choice");
  td_dist_part parts[] = {{*TD_KEY("cont"), TD_STR("td.normal"), TD_NO_STR, NULL},
                          {*TD_KEY("disc"), TD_STR("td.categorical"), TD_NO_STR, &name}};
  td_module *m = NULL;
  must(td_module_probabilistic_composite(TD_KEY("params"), parts, 2, options, &m, &err));
  return m;
}

static td_dict *params_of_two(void) {
  td_dict *data = dict(TD_SHAPE(3));
  put(data, TD_KEY("params", "cont", "loc"), full(1, TD_SHAPE(3, 4)));
  put(data, TD_KEY("params", "cont", "scale"), full(1, TD_SHAPE(3, 4)));
  put(data, TD_KEY("params", "disc", "logits"), full(0, TD_SHAPE(3, 5)));
  return data;
}

enum { PLAIN, AGGREGATE, CUSTOM_KEYS };
static const double each = LOG_OF_NORMAL;

static td_module *composite(int kind) {
  td_key custom[] = {*TD_KEY("x"), *TD_KEY("cont_log_prob")}; /* the second is the first one's default */
  td_probabilistic_options o = prob_options(TD_INTERACTION_DEFAULT, 1);
  o.aggregate = kind == AGGREGATE;
  if (kind == CUSTOM_KEYS) o.log_prob_keys = custom, o.n_log_prob_keys = 2;
  return two_parts(&o);
}

Test(module_probabilistic_made, a_composite_writes_each_part) {
  const double choice = -log(5);
  for (int kind = PLAIN; kind <= CUSTOM_KEYS; ++kind) {
    td_module *m = composite(kind);
    static const char *const keys[] = {"params>cont,n.choice,cont_log_prob,n.choice_log_prob",
                                       "params>cont,n.choice,sample_log_prob", "params>cont,n.choice,x,cont_log_prob"};
    cr_assert_str_eq(keys_of(m), keys[kind]);
    td_dict *data = params_of_two();
    forward(m, data);
    expect_full(peek(data, TD_KEY("cont")), 1, 0, "cont");
    expect_full(peek(data, TD_KEY("n", "choice")), 0, 0, "choice");
    if (kind == CUSTOM_KEYS) {
      cr_assert(!has(data, "n.choice_log_prob"));
      expect_full(peek(data, TD_KEY("x")), each, 1e-6, "x");
      expect_full(peek(data, TD_KEY("cont_log_prob")), choice, 1e-6, "the choice");
    } else {
      expect_shape(peek(data, TD_KEY("cont_log_prob")), TD_SHAPE(3, 4));
      expect_full(peek(data, TD_KEY("n", "choice_log_prob")), choice, 1e-6, "the choice");
      cr_assert_eq(has(data, "sample_log_prob"), kind == AGGREGATE);
    }
    if (kind == AGGREGATE) {
      expect_shape(peek(data, TD_KEY("sample_log_prob")), TD_SHAPE(3));
      expect_full(peek(data, TD_KEY("sample_log_prob")), 4 * each + choice, 1e-5, "the sum");
    }
    td_dict_release(data);
    td_module_release(m);
  }
}

Test(module_probabilistic_made, a_composite_scores_the_sum_of_its_parts) {
  const double choice = -log(5);
  for (int kind = PLAIN; kind <= CUSTOM_KEYS; ++kind) {
    td_module *m = composite(kind);
    td_dict *data = params_of_two(), *scores;
    forward(m, data);
    td_tensor *sum;
    if (kind == AGGREGATE) must(td_dict_remove(data, TD_KEY("cont_log_prob"), &err));
    must(td_module_log_prob(m, data, NULL, &sum, &err));
    if (kind == AGGREGATE) cr_assert(!has(data, "cont_log_prob")); /* the data stay as they are */
    expect_shape(sum, TD_SHAPE(3));
    expect_full(sum, 4 * each + choice, 1e-5, "the sum");
    td_tensor_release(sum);
    td_log_prob_options how = TD_LOG_PROB_OPTIONS_INIT;
    how.include_sum = 1;
    must(td_module_log_prob_dict(m, data, &how, &scores, &err));
    static const char *const names[] = {"cont_log_prob,n.choice_log_prob,sample_log_prob",
                                        "cont_log_prob,n.choice_log_prob,sample_log_prob",
                                        "cont_log_prob,sample_log_prob,x"};
    cr_assert_str_eq(entries_of(scores), names[kind]);
    expect_full(peek(scores, TD_KEY("sample_log_prob")), 4 * each + choice, 1e-5, "the sum");
    td_dict_release(scores);
    td_dict_release(data);
    td_module_release(m);
  }
}

Test(module_probabilistic_made, a_composite_names_the_parameters_that_it_misses) {
  td_module *m = two_parts(NULL);
  td_dict *data = dict(TD_NO_DIMS);
  expect_error(td_module_forward(m, data, &err), TD_ERR_KEY, NULL, "\"params\"");
  td_dict_release(data);
  td_module_release(m);
}

/* ---- Distributions of a function */
typedef struct maker {
  int fails, calls, destroyed;
} maker;
static td_status independent_normal(void *userdata, const td_dict *params, td_dist **out, td_error **error) {
  maker *m = userdata;
  ++m->calls;
  if (m->fails == 1) {
    *error = td_error_new(TD_ERR_ARGUMENT, TD_STR("no distribution today"));
    return TD_ERR_ARGUMENT;
  }
  if (m->fails == 2) return TD_OK; /* and leaves it NULL */
  td_dist *base;
  td_status s = td_dist_new(TD_STR("td.normal"), params, TD_NO_STR, &base, error);
  if (s != TD_OK) return s;
  s = td_dist_independent(base, 1, out, error);
  td_dist_release(base);
  return s;
}
static void destroy_maker(void *userdata) {
  ++((maker *)userdata)->destroyed;
}

/* ["loc", "scale"] -> out-keys, of what the maker makes. */
static td_module *of_maker(maker *state, const key_list *out, int return_log_prob) {
  key_list in;
  td_probabilistic_options o = prob_options(TD_INTERACTION_DEFAULT, return_log_prob);
  td_module *m;
  keys_from(&in, IN("loc", "scale"));
  must(td_module_probabilistic_function(TD_CALLBACKS(td_dist_function, independent_normal, state, destroy_maker),
                                        in.keys, 2, out->keys, out->n, &o, &m, &err));
  return m;
}

Test(module_probabilistic_made, a_function_makes_any_distribution) {
  maker state = {0};
  key_list a;
  td_module *m = of_maker(&state, keys_from(&a, IN("a")), 1);
  td_dict *data = normal_data();
  forward(m, data);
  expect_full(peek(data, TD_KEY("a")), 2, 0, "a");
  expect_shape(peek(data, TD_KEY("a_log_prob")), TD_SHAPE(3));
  expect_full(peek(data, TD_KEY("a_log_prob")), 4 * (LOG_OF_NORMAL - log(.5)), 1e-5, "the log-probability");
  td_dist *d, *other;
  must(td_module_get_dist(m, data, NULL, &d, &err));
  cr_assert_str_eq(repr_of_dist(d), "Independent(Normal(loc: torch.Size([3, 4]), scale: torch.Size([3, 4])), 1)");
  must(td_module_dist_from_params(m, data, &other, &err));
  cr_assert_str_eq(repr_of_dist(other), repr_of_dist(d));
  td_dist_release(other);
  td_dist_release(d);
  td_dict_release(data);
  td_module_release(m);
  cr_assert_eq(state.destroyed, 1);
}

Test(module_probabilistic_made, a_given_distribution_is_not_made_again) {
  maker state = {0};
  key_list a;
  td_module *m = of_maker(&state, keys_from(&a, IN("a")), 1);
  td_dict *data = normal_data(), *scores;
  td_dist *d;
  forward(m, data);
  must(td_module_get_dist(m, data, NULL, &d, &err));
  int calls = state.calls;
  td_log_prob_options how = TD_LOG_PROB_OPTIONS_INIT;
  how.dist = d;
  must(td_module_log_prob_dict(m, data, &how, &scores, &err));
  cr_assert_eq(state.calls, calls, "a given distribution is not made again");
  cr_assert_str_eq(entries_of(scores), "a_log_prob");
  td_dict_release(scores);
  td_dist_release(d);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic_made, what_a_function_fails_at_writes_nothing) {
  maker state = {0};
  key_list a;
  td_module *m = of_maker(&state, keys_from(&a, IN("a")), 1);
  td_dict *data = normal_data();
  td_tensor *lp;
  expect_error(td_module_log_prob(m, data, NULL, &lp, &err), TD_ERR_KEY, NULL, "");
  state.fails = 1;
  expect_error(td_module_forward(m, data, &err), TD_ERR_CALLBACK, NULL, "no distribution today");
  state.fails = 2;
  expect_error(td_module_forward(m, data, &err), TD_ERR_CALLBACK, NULL, "returned no distribution");
  cr_assert_str_eq(entries_of(data), "loc,scale");
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic_made, userdata_without_a_function_is_given_back) {
  maker state = {0};
  key_list in;
  td_module *none;
  keys_from(&in, IN("loc", "scale"));
  expect_error(td_module_probabilistic_function(TD_CALLBACKS(td_dist_function, NULL, &state, destroy_maker), in.keys, 2,
                                                TD_KEY("a"), 1, NULL, &none, &err),
               TD_ERR_ARGUMENT, NULL, "fn");
  cr_assert_eq(state.destroyed, 1);
}

Test(module_probabilistic_made, one_value_has_one_out_key) {
  maker state = {0};
  key_list two;
  td_module *m = of_maker(&state, keys_from(&two, IN("a", "b")), 0);
  td_dict *data = normal_data();
  expect_error(td_module_forward(m, data, &err), TD_ERR_ARGUMENT, NULL, "returns one value, but there are 2 out-keys");
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic_made, existing_samples_are_overwritten_unless_they_are_skipped) {
  td_probabilistic_options o = prob_options(TD_INTERACTION_DEFAULT, 0);
  td_module *m = normal_module("a", &o);
  td_dict *data = normal_data(), *out;
  put(data, TD_KEY("a"), full(9, TD_SHAPE(3, 4)));
  td_run_options how = TD_RUN_OPTIONS_INIT;
  how.skip_existing = 1;
  must(td_module_run(m, data, &how, &out, &err));
  expect_full(peek(data, TD_KEY("a")), 9, 0, "a");
  td_dict_release(out);
  forward(m, data);
  expect_full(peek(data, TD_KEY("a")), 2, 0, "a");

  td_dict *target = dict(TD_SHAPE(3)); /* another dict gets the outputs */
  how = (td_run_options)TD_RUN_OPTIONS_INIT;
  how.tensordict_out = target;
  must(td_module_run(m, data, &how, &out, &err));
  cr_assert_eq(out, target);
  cr_assert_str_eq(entries_of(target), "a");
  td_dict_release(out);
  td_dict_release(target);

  td_value args[2] = {td_value_tensor(peek(data, TD_KEY("loc"))), td_value_tensor(peek(data, TD_KEY("scale")))}, value;
  size_t n;
  must(td_module_dispatch(m, args, 2, NULL, 0, TD_NO_STR, &value, 1, &n, &err));
  expect_full(value.as.tensor, 2, 0, "a dispatched value");
  td_value_clear(&value);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic_made, gradients_reach_the_parameters_and_vmap_maps_them) {
  td_probabilistic_options o = prob_options(TD_INTERACTION_RANDOM, 1);
  td_module *m = normal_module("a", &o);
  td_dict *data = normal_data(), *states = dict(TD_SHAPE(3)), *out;
  td_tensor *loc = get(data, TD_KEY("loc")), *grad;
  must(td_tensor_requires_grad_(loc, 1, &err));
  forward(m, data);
  td_tensor *sum = apply("sum", peek(data, TD_KEY("a")), NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(loc, &grad, &err));
  expect_full(grad, 1, 0, "the gradient");
  td_tensor_release(grad);
  td_tensor_release(sum);
  td_tensor_release(loc);

  td_vmap_options how = TD_VMAP_OPTIONS_INIT;
  how.map_data = 1;
  td_dict *fresh = normal_data();
  expect_error(td_module_vmap(m, states, fresh, &how, &out, &err), TD_ERR_TORCH, NULL, "random");
  how.randomness = TD_RANDOMNESS_DIFFERENT;
  must(td_module_vmap(m, states, fresh, &how, &out, &err));
  expect_shape(peek(out, TD_KEY("a")), TD_SHAPE(3, 4));
  expect_shape(peek(out, TD_KEY("a_log_prob")), TD_SHAPE(3, 4));
  cr_assert(at(peek(out, TD_KEY("a")), 0) != at(peek(out, TD_KEY("a")), 4));
  td_dict_release(out);
  td_dict_release(fresh);
  td_dict_release(states);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_probabilistic_made, text_says_what_it_is) {
  td_module *m = normal_module("a", NULL);
  td_string *text;
  must(td_module_repr(m, &text, &err));
  cr_assert_str_eq(td_string_view(text).data,
                   "ProbabilisticTensorDictModule(\n    in_keys=['loc', 'scale'],\n    out_keys=['a'],\n"
                   "    distribution_class=td.normal,\n    default_interaction_type=deterministic,\n"
                   "    num_samples=None)");
  td_string_release(text);
  td_module_release(m);
}
