/* Sequences with probabilistic members: what they run, what their distribution is, and what they score. */
#include "support/probabilistic_support.h"

TestSuite(module_probabilistic_sequence, .init = count_live, .fini = check_live);

/* x + 1 -> loc, N(loc, 1) -> s0 [, s0 + 1 -> loc2, N(loc2, 1) -> s1] */
static td_module *chain_of_two(td_return_composite composite, td_interaction first, td_interaction second) {
  return PROB_SEQ(composite, mod("x", "loc"), unit_normal("loc", "s0", first, 1), mod("s0", "loc2"),
                  unit_normal("loc2", "s1", second, 1));
}

static td_dict *ones(void) {
  td_dict *d = dict(TD_NO_DIMS);
  put(d, TD_KEY("x"), VEC(1, 1, 1));
  return d;
}

static td_dist *dist_from(const td_module *m, td_dict *data) {
  td_dist *d = NULL;
  must(td_module_get_dist(m, data, NULL, &d, &err));
  return d;
}

static const char unit_text[] = "Normal(loc: torch.Size([3]), scale: torch.Size([3]))";

/* The examples of the page of ProbabilisticTensorDictSequential. */
Test(module_probabilistic_sequence, example_of_one_distribution) {
  td_module *s = PROB_SEQ(TD_RETURN_COMPOSITE_DEFAULT, mod("x", "loc"), unit_normal("loc", "sample", 0, 0));
  td_dict *data = ones(), *input = ones();
  forward(s, data);
  cr_assert_str_eq(entries_of(data), "loc,sample,x");
  td_dist *d = dist_from(s, input);
  cr_assert_str_eq(repr_of_dist(d), unit_text);
  cr_assert_str_eq(entries_of(input), "loc,x", "the parameters are written");
  td_tensor *lp;
  must(td_module_log_prob(s, data, NULL, &lp, &err));
  EXPECT(lp, LOG_OF_NORMAL, LOG_OF_NORMAL, LOG_OF_NORMAL);
  td_tensor_release(lp);
  td_dist_release(d);
  td_dict_release(input);
  td_dict_release(data);
  td_module_release(s);
}

Test(module_probabilistic_sequence, example_of_intermediate_distributions) {
  td_module *last = chain_of_two(TD_RETURN_COMPOSITE_FALSE, 0, 0),
            *both = chain_of_two(TD_RETURN_COMPOSITE_DEFAULT, 0, 0),
            *open = PROB_SEQ(TD_RETURN_COMPOSITE_TRUE, mod("x", "loc"), unit_normal("loc", "s0", 0, 0), mod("s0", "y"));
  td_module *all[] = {last, both, open};
  static const char *const keys[] = {"loc,loc2,s0,s0_log_prob,s1,s1_log_prob,x",
                                     "loc,loc2,s0,s0_log_prob,s1,s1_log_prob,x", "loc,s0,x,y"},
                           *const scored[] = {"s1_log_prob", "s0_log_prob,s1_log_prob", "s0_log_prob"},
                           *const after[] = {"loc,loc2,s0,s0_log_prob,x", "x", "x"}, /* of the data of get_dist */
                               *const texts[] = {"Normal",
                                                 "CompositeDistribution({\"s0\": Normal(loc: torch.Size([3]), scale: "
                                                 "torch.Size([3])), \"s1\": Normal",
                                                 "CompositeDistribution({\"s0\": Normal"};
  for (int i = 0; i < 3; ++i) {
    td_dict *data = ones(), *input = ones(), *scores;
    forward(all[i], data);
    cr_assert_str_eq(entries_of(data), keys[i]);
    td_dist *d = dist_from(all[i], input);
    cr_assert_eq(strncmp(repr_of_dist(d), texts[i], strlen(texts[i])), 0, "%s", repr_of_dist(d));
    cr_assert_str_eq(entries_of(input), after[i]);
    must(td_module_log_prob_dict(all[i], data, NULL, &scores, &err));
    cr_assert_str_eq(entries_of(scores), scored[i]);
    if (i < 2) EXPECT(peek(scores, TD_KEY("s1_log_prob")), LOG_OF_NORMAL, LOG_OF_NORMAL, LOG_OF_NORMAL);
    td_dict_release(scores);
    td_dist_release(d);
    td_dict_release(input);
    td_dict_release(data);
    td_module_release(all[i]);
  }
}

/* The second example of the page of TensorDictSequential, forwards and under vmap; that page's "sample_log_prob" is the
 * aggregated key. */
Test(module_probabilistic_sequence, example_of_a_sequence_in_a_sequence) {
  for (int aggregate = 0; aggregate < 2; ++aggregate) {
    td_module *linear = module("td.linear", "{\"in_features\": 4, \"out_features\": 8}", 0),
              *extractor = module("td.normal_param_extractor", "{}", 0), *split, *inner, *outer;
    key_list in;
    keys_from(&in, IN("loc", "scale"));
    must(td_module_tensordict(extractor, TD_KEY("params"), 1, in.keys, 2, NULL, &split, &err));
    td_module_release(extractor);
    td_probabilistic_options o = prob_options(0, 1);
    o.aggregate = aggregate != 0;
    inner = PROB_SEQ(0, keyed(linear, "input", "params"), split, normal_module("hidden", &o));
    td_module *members[] = {
        inner, keyed(module("td.linear", "{\"in_features\": 4, \"out_features\": 8}", 1), "hidden", "output")};
    must(td_module_sequential(members, 2, NULL, &outer, &err));
    td_dict *data = dict(TD_SHAPE(3)), *params, *states, *out;
    put(data, TD_KEY("input"), full(1, TD_SHAPE(3, 4)));
    must(td_dict_from_module(outer, &params, &err));
    must(td_module_forward_with_state(outer, params, data, &err));
    cr_assert_str_eq(entries_of(data), aggregate ? "hidden,input,loc,output,params,sample_log_prob,scale"
                                                 : "hidden,hidden_log_prob,input,loc,output,params,scale");
    expect_shape(peek(data, aggregate ? TD_KEY("sample_log_prob") : TD_KEY("hidden_log_prob")), TD_SHAPE(3, 4));
    expect_shape(peek(data, TD_KEY("output")), TD_SHAPE(3, 8));
    must(td_dict_expand(params, TD_SHAPE(4), &states, &err));
    td_dict *input = dict(TD_SHAPE(3));
    put(input, TD_KEY("input"), full(1, TD_SHAPE(3, 4)));
    must(td_module_vmap(outer, states, input, NULL, &out, &err));
    expect_shape(peek(out, TD_KEY("hidden")), TD_SHAPE(4, 3, 4));
    expect_shape(peek(out, aggregate ? TD_KEY("sample_log_prob") : TD_KEY("hidden_log_prob")), TD_SHAPE(4, 3, 4));
    expect_shape(peek(out, TD_KEY("output")), TD_SHAPE(4, 3, 8));
    td_dict_release(out);
    td_dict_release(input);
    td_dict_release(states);
    td_dict_release(params);
    td_dict_release(data);
    td_module_release(outer);
    td_module_release(members[0]);
    td_module_release(members[1]);
  }
}

Test(module_probabilistic_sequence, the_last_members_type_rules_unless_all_have_distributions) {
  static const struct {
    td_return_composite composite;
    td_interaction first, second, set;
    int draws[2];
  } cases[] = {
      {TD_RETURN_COMPOSITE_FALSE, TD_INTERACTION_RANDOM, TD_INTERACTION_MEAN, 0, {0, 0}},
      {TD_RETURN_COMPOSITE_FALSE, TD_INTERACTION_MEAN, TD_INTERACTION_RANDOM, 0, {1, 1}},
      {TD_RETURN_COMPOSITE_TRUE, TD_INTERACTION_RANDOM, TD_INTERACTION_MEAN, 0, {1, 0}},
      {TD_RETURN_COMPOSITE_TRUE, TD_INTERACTION_MEAN, TD_INTERACTION_RANDOM, 0, {0, 1}},
      {TD_RETURN_COMPOSITE_TRUE, TD_INTERACTION_MEAN, TD_INTERACTION_MEAN, TD_INTERACTION_RANDOM, {1, 1}},
      {TD_RETURN_COMPOSITE_FALSE, TD_INTERACTION_RANDOM, TD_INTERACTION_RANDOM, TD_INTERACTION_MODE, {0, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_module *s = chain_of_two(cases[i].composite, cases[i].first, cases[i].second);
    cr_assert_eq(td_module_default_interaction(s), cases[i].second);
    td_dict *data = ones();
    must(td_interaction_set(cases[i].set, NULL, &err));
    forward(s, data);
    cr_assert_eq(td_interaction_get(), cases[i].set, "the thread's type is as it was");
    must(td_interaction_set(TD_INTERACTION_DEFAULT, NULL, &err));
    for (int k = 0; k < 2; ++k) {
      td_tensor *value = peek(data, k ? TD_KEY("s1") : TD_KEY("s0")),
                *loc = peek(data, k ? TD_KEY("loc2") : TD_KEY("loc"));
      cr_assert_eq(at(value, 0) != at(loc, 0), cases[i].draws[k], "case %d, sample %d", (int)i, k);
    }
    td_dict_release(data);
    td_module_release(s);
  }
}

Test(module_probabilistic_sequence, samples_that_the_members_before_write_are_kept) {
  for (int composite = TD_RETURN_COMPOSITE_FALSE; composite <= TD_RETURN_COMPOSITE_TRUE; ++composite) {
    td_module *s =
        PROB_SEQ(composite, mod("x", "loc"), mod("loc", "a"), unit_normal("loc", "a", TD_INTERACTION_RANDOM, 1));
    td_dict *data = ones();
    forward(s, data);
    EXPECT(peek(data, TD_KEY("a")), 3, 3, 3);
    EXPECT(peek(data, TD_KEY("a_log_prob")), LOG_OF_NORMAL - .5, LOG_OF_NORMAL - .5, LOG_OF_NORMAL - .5);
    td_dict_release(data);

    td_module *other = unit_normal("loc", "b", TD_INTERACTION_MEAN, 0); /* another key: it draws again */
    must(td_module_set_member(s, 2, other, &err));
    data = ones();
    forward(s, data);
    EXPECT(peek(data, TD_KEY("b")), 2, 2, 2);
    td_module_release(other);
    td_dict_release(data);
    td_module_release(s);
  }
  /* Only the last member may keep what it finds. */
  td_module *s =
      PROB_SEQ(TD_RETURN_COMPOSITE_TRUE, mod("x", "a"), unit_normal("x", "b", 0, 0), unit_normal("b", "a", 0, 0));
  td_dict *data = ones();
  forward(s, data);
  EXPECT(peek(data, TD_KEY("b")), 1, 1, 1);
  EXPECT(peek(data, TD_KEY("a")), 2, 2, 2);
  td_dict_release(data);
  td_module_release(s);
}

Test(module_probabilistic_sequence, scores_are_of_new_samples_between_or_of_those_given) {
  td_module *s = chain_of_two(TD_RETURN_COMPOSITE_TRUE, TD_INTERACTION_MEAN, TD_INTERACTION_MEAN);
  td_dict *data = ones(), *scores;
  forward(s, data);
  put(data, TD_KEY("s0"), VEC(5, 5, 5)); /* its members would give 2 */
  put(data, TD_KEY("s1"), VEC(6, 6, 6));
  for (int given = 0; given < 2; ++given) {
    td_log_prob_options how = TD_LOG_PROB_OPTIONS_INIT;
    how.given_samples = given != 0;
    how.include_sum = 1;
    must(td_module_log_prob_dict(s, data, &how, &scores, &err));
    double first = LOG_OF_NORMAL - 4.5, second = LOG_OF_NORMAL - (given ? 0 : 4.5); /* around 6, or 3 */
    EXPECT(peek(scores, TD_KEY("s0_log_prob")), first, first, first);
    EXPECT(peek(scores, TD_KEY("s1_log_prob")), second, second, second);
    td_tensor *sum;
    must(td_module_log_prob(s, data, &how, &sum, &err));
    EXPECT(sum, 3 * (first + second));
    EXPECT(peek(scores, TD_KEY("sample_log_prob")), 3 * (first + second));
    td_tensor_release(sum);
    td_dict_release(scores);
  }
  td_dict_release(data);
  td_module_release(s);
}

Test(module_probabilistic_sequence, keys_and_samples_are_those_of_the_last_member_first) {
  int64_t two = 2, five = 5;
  td_probabilistic_options o = prob_options(TD_INTERACTION_RANDOM, 1);
  td_str name = TD_STR("param");
  o.param_names = &name;
  o.num_samples = &two, o.n_num_samples = 1;
  td_module *first, *second;
  must(td_module_probabilistic(TD_NO_STR, TD_NO_STR, TD_KEY("x"), 1, TD_KEY("a"), 1, &o, &first, &err));
  o.num_samples = &five;
  o.log_prob_keys = TD_KEY("n", "lp"), o.n_log_prob_keys = 1;
  must(td_module_probabilistic(TD_NO_STR, TD_NO_STR, TD_KEY("a"), 1, TD_KEY("b"), 1, &o, &second, &err));
  td_module *s = PROB_SEQ(0, first, second);
  cr_assert_str_eq(list_of(td_module_dist_sample_keys, s), "b,a");
  cr_assert_str_eq(list_of(td_module_dist_params_keys, s), "a,x");
  cr_assert_str_eq(list_of(td_module_log_prob_keys, s), "n.lp,a_log_prob");
  cr_assert_str_eq(keys_of(s), "x>a,a_log_prob,b,n.lp");
  int64_t sizes[4];
  cr_assert_eq(td_module_num_samples(s, sizes, 4), 2);
  cr_assert(sizes[0] == 5 && sizes[1] == 2);
  td_dict *data = dict(TD_SHAPE(3)), *scores, *out;
  put(data, TD_KEY("x"), full(1, TD_SHAPE(3, 4)));
  out = run_module(s, data);
  expect_shape(peek(out, TD_KEY("b")), TD_SHAPE(5, 2, 3, 4));
  expect_shape(peek(out, TD_KEY("a")), TD_SHAPE(5, 2, 3, 4));
  expect_error(td_module_log_prob_dict(s, data, NULL, &scores, &err), TD_ERR_KEY, NULL, ""); /* no samples yet */
  td_dict_release(out);
  td_dict_release(data);
  td_module_release(s);
}

Test(module_probabilistic_sequence, parameters_are_made_by_all_members_but_the_last) {
  td_module *s = chain_of_two(TD_RETURN_COMPOSITE_FALSE, TD_INTERACTION_RANDOM, TD_INTERACTION_MEAN);
  td_dict *data = ones(), *target = dict(TD_NO_DIMS), *out;
  must(td_module_get_dist_params(s, data, target, &out, &err));
  cr_assert_eq(out, target);
  cr_assert_str_eq(entries_of(target), "loc,loc2,s0,s0_log_prob");
  cr_assert_str_eq(entries_of(data), "x");
  td_dict_release(out);
  must(td_module_get_dist_params(s, data, NULL, &out, &err));
  cr_assert_eq(out, data);
  cr_assert_str_eq(entries_of(data), "loc,loc2,s0,s0_log_prob,x");
  EXPECT(peek(data, TD_KEY("loc2")), 3, 3, 3); /* the mean, as the last member would take */
  td_dist *d, *same;
  must(td_module_dist_from_params(s, data, &d, &err));
  cr_assert_str_eq(repr_of_dist(d), unit_text);
  td_dict *fresh = ones(), *into = dict(TD_NO_DIMS);
  must(td_module_get_dist(s, fresh, into, &same, &err));
  cr_assert_str_eq(entries_of(fresh), "x");
  cr_assert_str_eq(entries_of(into), "loc,loc2,s0,s0_log_prob");
  cr_assert_str_eq(repr_of_dist(same), unit_text);
  td_dist_release(same);
  td_dist_release(d);
  td_dict_release(into);
  td_dict_release(fresh);
  td_dict_release(out);
  td_dict_release(target);
  td_dict_release(data);
  td_module_release(s);
}

static const char *class_of(const td_module *m) {
  static char text[64];
  td_string *s;
  must(td_module_repr(m, &s, &err));
  snprintf(text, sizeof text, "%.*s", (int)strcspn(td_string_view(s).data, "("), td_string_view(s).data);
  td_string_release(s);
  return text;
}

Test(module_probabilistic_sequence, parts_keep_the_class_as_far_as_they_can) {
  td_module *s = chain_of_two(TD_RETURN_COMPOSITE_DEFAULT, 0, 0), *last = chain_of_two(TD_RETURN_COMPOSITE_FALSE, 0, 0),
            *part;
  static const struct {
    int composite;
    int64_t start, stop;
    const char *class_name;
  } cases[] = {{1, 0, 3, "ProbabilisticTensorDictSequential"},
               {1, 0, 1, "TensorDictSequential"},
               {0, 0, 2, "ProbabilisticTensorDictSequential"},
               {0, 0, 3, "TensorDictSequential"},
               {0, 2, 4, "ProbabilisticTensorDictSequential"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    must(td_module_slice(cases[i].composite ? s : last, cases[i].start, cases[i].stop, 1, &part, &err));
    cr_assert_str_eq(class_of(part), cases[i].class_name);
    td_module_release(part);
  }
  must(td_module_select_subsequence(s, NULL, 0, TD_KEY("s0"), 1, &part, &err));
  cr_assert_str_eq(class_of(part), "ProbabilisticTensorDictSequential");
  cr_assert_str_eq(keys_of(part), "x>loc,s0,s0_log_prob");
  td_module_release(part);
  td_module_release(last);
  td_module_release(s);
}

Test(module_probabilistic_sequence, the_last_member_has_a_distribution_if_it_gives_that_of_the_sequence) {
  td_module *last = chain_of_two(TD_RETURN_COMPOSITE_FALSE, 0, 0), *plain = mod("x", "y"), *none;
  expect_error(td_module_remove_member(last, 3, &err), TD_ERR_ARGUMENT, NULL, "the last member has no distribution");
  cr_assert_eq(td_module_size(last), 4);
  expect_error(td_module_probabilistic_sequential(&plain, 1, TD_RETURN_COMPOSITE_FALSE, NULL, &none, &err),
               TD_ERR_ARGUMENT, NULL, "the last member has no distribution");
  expect_error(td_module_probabilistic_sequential(&plain, 0, 0, NULL, &none, &err), TD_ERR_ARGUMENT, NULL,
               "must have a member");
  expect_error(td_module_probabilistic_sequential(&plain, 1, 3, NULL, &none, &err), TD_ERR_ARGUMENT, NULL,
               "return_composite");
  td_module_release(plain);
  td_module_release(last);
}

Test(module_probabilistic_sequence, a_sequence_without_a_distribution_runs_and_says_so_when_it_is_asked_for_it) {
  td_module *plain = mod("x", "y"), *none;
  must(td_module_probabilistic_sequential(&plain, 1, 0, NULL, &none, &err));
  td_dict *data = ones();
  td_dist *d;
  forward(none, data);
  cr_assert_str_eq(entries_of(data), "x,y");
  expect_error(td_module_get_dist(none, data, NULL, &d, &err), TD_ERR_UNSUPPORTED, NULL, "no member of the sequence");
  expect_error(td_module_get_dist(plain, data, NULL, &d, &err), TD_ERR_UNSUPPORTED, NULL, "has no distribution");
  td_dict_release(data);
  td_module_release(none);
  td_module_release(plain);
}

Test(module_probabilistic_sequence, results_go_where_the_options_say) {
  td_module *members[] = {mod("x", "loc"), unit_normal("loc", "a", 0, 0)}, *s;
  for (int inplace = TD_INPLACE_TRUE; inplace <= TD_INPLACE_NONE; ++inplace) {
    td_sequential_options o = TD_SEQUENTIAL_OPTIONS_INIT;
    o.inplace = inplace;
    must(td_module_probabilistic_sequential(members, 2, 0, &o, &s, &err));
    td_dict *data = ones(), *target = dict(TD_NO_DIMS), *out;
    td_run_options how = TD_RUN_OPTIONS_INIT;
    how.tensordict_out = target;
    must(td_module_run(s, data, &how, &out, &err)); /* `inplace` goes first here */
    cr_assert_eq(out == target, inplace == TD_INPLACE_NONE);
    cr_assert_eq(out == data, inplace == TD_INPLACE_TRUE);
    cr_assert_str_eq(entries_of(out), inplace == TD_INPLACE_TRUE ? "a,loc,x" : "a,loc");
    td_dict_release(out);
    td_dict_release(target);
    td_dict_release(data);
    td_module_release(s);
  }
  td_module_release(members[0]);
  td_module_release(members[1]);
}

Test(module_probabilistic_sequence, null_handles_are_refused) {
  td_dict *data = dict(TD_NO_DIMS), *out_dict;
  td_module *m = normal_module("a", NULL), *out;
  td_dist *d;
  td_keys *keys;
  td_tensor *t;
  const td_status codes[] = {
      td_module_get_dist(NULL, data, NULL, &d, NULL),
      td_module_get_dist(m, NULL, NULL, &d, NULL),
      td_module_get_dist(m, data, NULL, NULL, NULL),
      td_module_get_dist_params(NULL, data, NULL, &out_dict, NULL),
      td_module_get_dist_params(m, data, NULL, &out_dict, NULL), /* no sequence */
      td_module_dist_from_params(NULL, data, &d, NULL),
      td_module_dist_from_params(m, NULL, &d, NULL),
      td_module_log_prob(NULL, data, NULL, &t, NULL),
      td_module_log_prob(m, NULL, NULL, &t, NULL),
      td_module_log_prob_dict(m, data, NULL, NULL, NULL),
      td_module_log_prob_keys(NULL, &keys, NULL),
      td_module_dist_sample_keys(m, NULL, NULL),
      td_module_dist_params_keys(NULL, &keys, NULL),
      td_module_probabilistic(TD_NO_STR, TD_NO_STR, NULL, 1, NULL, 0, NULL, &out, NULL),
      td_module_probabilistic(TD_NO_STR, TD_NO_STR, TD_KEY("param"), 1, NULL, 0, NULL, NULL, NULL),
      td_module_probabilistic_composite(NULL, NULL, 0, NULL, &out, NULL),
      td_module_probabilistic_composite(TD_KEY("p"), NULL, 1, NULL, &out, NULL),
      td_module_probabilistic_composite(TD_KEY("p"), NULL, 0, NULL, &out, NULL), /* no parts */
      td_module_probabilistic_sequential(NULL, 1, 0, NULL, &out, NULL),
  };
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    cr_assert_eq(codes[i], TD_ERR_ARGUMENT, "call %d gave %s", (int)i, td_status_name(codes[i]).data);
  cr_assert_eq(td_module_num_samples(NULL, NULL, 0), 0);
  cr_assert_eq(td_module_default_interaction(NULL), TD_INTERACTION_DEFAULT);
  td_module_release(m);
  td_dict_release(data);
}

/* Of a sequence without samples nobody knows which entry a distribution of the caller's is of. */
Test(module_probabilistic_sequence, a_log_probability_needs_a_sample) {
  td_module *plain = mod("loc", "y"), *s;
  must(td_module_probabilistic_sequential(&plain, 1, TD_RETURN_COMPOSITE_DEFAULT, NULL, &s, &err));
  td_dict *data = normal_data(), *scores = NULL;
  td_dist *dist;
  must(td_dist_new(TD_STR("td.normal"), data, TD_NO_STR, &dist, &err));
  td_log_prob_options o = TD_LOG_PROB_OPTIONS_INIT;
  td_tensor *t = NULL;
  for (int given = 0; given < 2; ++given) {
    o.dist = given ? dist : NULL;
    expect_error(td_module_log_prob(s, data, &o, &t, &err), TD_ERR_UNSUPPORTED, NULL, "no member of the sequence has");
    expect_error(td_module_log_prob_dict(s, data, &o, &scores, &err), TD_ERR_UNSUPPORTED, NULL,
                 given ? "no distribution" : "no member of the sequence has");
  }
  td_dist_release(dist);
  td_dict_release(data);
  td_module_release(s);
  td_module_release(plain);
}
