/* Sequences: their options, members and subsequences; the examples of the page of TensorDictSequential. */
#include "support/sequence_support.h"

TestSuite(module_sequence, .init = count_live, .fini = check_live);

static const struct {
  const char *spec, *in, *out; /* NULL: those of the sequence */
  const char *members;         /* NULL: nothing is left */
} selections[] = {
    {"a>b b>c c>d a>e", "a", NULL, "a>b b>c c>d a>e "},
    {"a>b b>c c>d a>e", "c", NULL, "c>d "},
    {"a>b b>c c>d a>e", NULL, "c", "a>b b>c "},
    {"a>b b>c c>d a>e", NULL, "e", "a>e "},
    {"a>b b>c c>d a>e", "b", "d", "b>c c>d "},
    {"a>b b>c c>d a>e", "b", "e", NULL},
    {"a>b b>c c>d a>e", "d", NULL, NULL},
    {"a>b b>c c>d a>e", "", NULL, NULL},
    {"a>b b>c c>d a>e", NULL, "", NULL},
    {"a>b b>c c>d a>e", "c", "db", "c>d "},
    {"a,x>b b,y>c >k", "a", NULL, ">k "},
    {"a,x>b b,y>c >k", "ax", NULL, "a,x>b >k "},
    {"a>b q>b b>c", NULL, "c", "a>b q>b b>c "},
    {"a>b b>", "a", NULL, "a>b "},
};

/* Keys of one letter each. */
static td_status select_letters(const td_module *s, const char *in, const char *out, td_module **result) {
  td_key keys[2][4];
  td_str parts[2][4];
  char names[2][4][2];
  const char *wanted[] = {in, out};
  size_t n[2] = {0, 0};
  for (int side = 0; side < 2; ++side)
    for (const char *c = wanted[side]; c && *c; ++c) {
      size_t at = n[side]++;
      names[side][at][0] = *c, names[side][at][1] = '\0';
      parts[side][at] = TD_STR(names[side][at]);
      keys[side][at] = (td_key){&parts[side][at], 1};
    }
  return td_module_select_subsequence(s, in ? keys[0] : NULL, n[0], out ? keys[1] : NULL, n[1], result, &err);
}

Test(module_sequence, select_subsequence_examples) {
  for (size_t i = 0; i < sizeof selections / sizeof *selections; ++i) {
    td_module *s = seq(selections[i].spec, NULL), *result, *member;
    td_status status = select_letters(s, selections[i].in, selections[i].out, &result);
    if (!selections[i].members) {
      expect_error(status, TD_ERR_ARGUMENT, NULL, "No modules left after selection");
    } else {
      must(status);
      char text[128] = "";
      for (size_t m = 0; m < td_module_size(result); ++m) {
        must(td_module_member(result, (int64_t)m, &member, &err));
        strcat(text, keys_of(member));
        strcat(text, " ");
        td_module_release(member);
      }
      cr_assert_str_eq(text, selections[i].members, "case %d: %s", (int)i, text);
      td_module_release(result);
    }
    td_module_release(s);
  }
}

Test(module_sequence, only_sequences_have_subsequences) {
  td_module *plain = mod("a", "b"), *result;
  expect_error(td_module_select_subsequence(plain, NULL, 0, NULL, 0, &result, &err), TD_ERR_ARGUMENT, NULL,
               "not a sequence");
  td_module_release(plain);
}

Test(module_sequence, results_go_where_the_options_say) {
  static const struct {
    td_inplace inplace;
    const char *result, *input; /* what each then holds, of input {a, z} through a>b b>c */
    int same;
  } cases[] = {{TD_INPLACE_NONE, "a,b,c,z", "a,b,c,z", 1},
               {TD_INPLACE_TRUE, "a,b,c,z", "a,b,c,z", 1},
               {TD_INPLACE_FALSE, "b,c", "a,z", 0},
               {TD_INPLACE_EMPTY, "b,c", "a,z", 0}};
  td_dict *out;
  for (size_t i = 0; i < 4; ++i) {
    td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
    options.inplace = cases[i].inplace;
    td_module *s = seq("a>b b>c", &options);
    td_dict *data = data_of("az");
    must(td_module_run(s, data, NULL, &out, &err));
    cr_assert_eq(out == data, cases[i].same);
    cr_assert_str_eq(entries_of(out), cases[i].result);
    cr_assert_str_eq(entries_of(data), cases[i].input);
    td_dict_release(out);
    td_dict_release(data);
    td_module_release(s);
  }
}

Test(module_sequence, results_go_into_a_dict_that_is_given_for_them) {
  static const td_inplace modes[] = {TD_INPLACE_NONE, TD_INPLACE_TRUE, TD_INPLACE_FALSE, TD_INPLACE_EMPTY};
  for (size_t i = 0; i < 4; ++i) {
    td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
    options.inplace = modes[i];
    td_module *s = seq("a>b b>c", &options);
    td_dict *data = data_of("az"), *target = dict(TD_NO_DIMS), *out;
    put(target, TD_KEY("kept"), VEC(1));
    td_run_options how = TD_RUN_OPTIONS_INIT;
    how.tensordict_out = target;
    must(td_module_run(s, data, &how, &out, &err));
    cr_assert_eq(out, target);
    cr_assert_str_eq(entries_of(target), "b,c,kept");
    cr_assert_str_eq(entries_of(data), "a,z", "the input keeps its keys");
    td_dict_release(out);
    td_dict_release(target);
    td_dict_release(data);
    td_module_release(s);
  }
}

Test(module_sequence, a_selection_drops_intermediate_results_only_and_inputs_that_were_overwritten_are_new) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.selected_out_keys = TD_KEY("c");
  options.n_selected = 1;
  td_module *s = seq("a>b a>a b>c", &options);
  td_dict *data = data_of("az"), *out;
  must(td_module_run(s, data, NULL, &out, &err));
  cr_assert_eq(out, data);
  cr_assert_str_eq(entries_of(data), "a,c,z");
  EXPECT(peek(data, TD_KEY("a")), 1);
  td_dict_release(out);
  td_dict_release(data);
  must(td_module_reset_out_keys(s, &err));
  cr_assert_str_eq(keys_of(s), "a>b,a,c");
  td_module_release(s);
}

Test(module_sequence, only_out_keys_can_be_selected) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.selected_out_keys = TD_KEY("q");
  options.n_selected = 1;
  td_module *m = mod("a", "b"), *bad;
  expect_error(td_module_sequential(&m, 1, &options, &bad, &err), TD_ERR_KEY, NULL, "All keys in selected_out_keys");
  td_module_release(m);
}

Test(module_sequence, partial_tolerant_runs_what_it_can) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.partial_tolerant = 1;
  td_module *s = seq("a>b q>c b,c>d", &options), *strict = seq("a>b q>c b,c>d", NULL);
  td_dict *parts[] = {data_of("a"), data_of("q"), data_of("aq")}, *lazy, *out;
  must(td_dict_lazy_stack(parts, 3, 0, &lazy, &err));
  must(td_module_run(s, lazy, NULL, &out, &err));
  cr_assert_eq(out, lazy);
  td_dict_release(out);
  static const char *const expected[] = {"a,b", "c,q", "a,b,c,d,q"};
  for (int i = 0; i < 3; ++i) cr_assert_str_eq(entries_of(parts[i]), expected[i]);

  td_dict *data = data_of("q");
  must(td_module_run(s, data, NULL, &out, &err));
  cr_assert_str_eq(entries_of(out), "c,q");
  td_dict_release(out);
  expect_error(td_module_run(strict, data, NULL, &out, &err), TD_ERR_KEY, NULL, "module 0");
  td_value arg = td_value_double(1), outs[4];
  size_t n;
  td_named_value named = {TD_STR("q"), arg};
  expect_error(td_module_dispatch(s, NULL, 0, &named, 1, TD_NO_STR, outs, 4, &n, &err), TD_ERR_KEY, NULL, "\"b\"");
  td_dict_release(data);
  for (int i = 0; i < 3; ++i) td_dict_release(parts[i]);
  td_dict_release(lazy);
  td_module_release(s);
  td_module_release(strict);
}

Test(module_sequence, members_have_places_and_names) {
  td_module *s = seq("a>b b>c c>d", NULL), *part, *m;
  cr_assert_eq(td_module_size(s), 3);
  must(td_module_slice(s, 1, 100, 1, &part, &err));
  cr_assert_str_eq(keys_of(part), "b>c,d");
  td_module_release(part);
  must(td_module_slice(s, -1, -100, -2, &part, &err)); /* backwards: c>d, a>b */
  cr_assert_str_eq(keys_of(part), "c,a>d,b");
  td_module_release(part);
  expect_error(td_module_slice(s, 0, 3, 0, &part, &err), TD_ERR_ARGUMENT, NULL, "step");
  must(td_module_member(s, -1, &m, &err));
  cr_assert_str_eq(keys_of(m), "c>d");
  td_module_release(m);
  expect_error(td_module_member(s, 3, &m, &err), TD_ERR_INDEX, NULL, "3");

  td_module *other = mod("x", "c"), *bare = function_module(&plus_one);
  expect_error(td_module_set_member(s, 1, bare, &err), TD_ERR_ARGUMENT, NULL, "has no keys");
  expect_error(td_module_set_member(s, 1, s, &err), TD_ERR_ARGUMENT, NULL, "contain itself");
  must(td_module_set_member(s, 1, other, &err));
  cr_assert_str_eq(keys_of(s), "a,x>b,c,d");
  must(td_module_remove_member(s, 0, &err));
  cr_assert_str_eq(keys_of(s), "x>c,d");
  td_module_release(bare);

  td_str names[] = {TD_STR("first"), TD_STR("se.cond")};
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.names = names;
  td_module *members[] = {other, other}, *named;
  expect_error(td_module_sequential(members, 2, &options, &named, &err), TD_ERR_KEY, NULL,
               "must not be empty or contain");
  names[1] = TD_STR("second");
  must(td_module_sequential(members, 2, &options, &named, &err)); /* one module may stand at two places */
  td_module *found;
  must(td_module_get_submodule(named, TD_KEY("module", "second"), &found, &err));
  cr_assert_eq(found, other);
  td_module_release(found);
  td_module_release(named);
  td_module_release(other);
  td_module_release(s);
}

/* The first example of the page: x -> x+1 -> w*(x+1)+b, on a dict, by position and by name. */
Test(module_sequence, example_of_a_sequence) {
  td_module *first = mod("x", "x+1"), *second = keyed(known_linear(), "x+1", "w*(x+1)+b"), *both[] = {first, second},
            *s;
  must(td_module_sequential(both, 2, NULL, &s, &err));
  td_dict *data = dict(TD_NO_DIMS), *out;
  put(data, TD_KEY("x"), floats((const float[]){0, 0, 0}, TD_SHAPE(3)));
  must(td_module_run(s, data, NULL, &out, &err));
  cr_assert_str_eq(entries_of(out), "w*(x+1)+b,x,x+1");
  EXPECT(peek(out, TD_KEY("x+1")), 1, 1, 1);
  EXPECT(peek(out, TD_KEY("w*(x+1)+b")), 16, 35);
  td_tensor *x = get(data, TD_KEY("x"));
  td_named_value named = {TD_STR("x"), td_value_tensor(x)};
  for (int by_name = 0; by_name < 2; ++by_name) {
    td_value outs[4];
    size_t n;
    must(td_module_dispatch(s, by_name ? NULL : &named.value, !by_name, by_name ? &named : NULL, (size_t)by_name,
                            TD_NO_STR, outs, 4, &n, &err));
    cr_assert_eq(n, 2);
    EXPECT(outs[0].as.tensor, 1, 1, 1);
    EXPECT(outs[1].as.tensor, 16, 35);
    td_value_clear(&outs[0]);
    td_value_clear(&outs[1]);
  }
  td_tensor_release(x);
  td_dict_release(out);
  td_dict_release(data);
  td_module_release(first);
  td_module_release(second);
  td_module_release(s);
}
