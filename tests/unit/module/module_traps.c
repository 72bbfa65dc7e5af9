/* What is most likely done wrong, one test for each: keys, sequences, dispatch. The other two thirds are in
 * module_traps_state.c and module_traps_dist.c. */
#include "support/probabilistic_support.h"

TestSuite(module_traps, .init = count_live, .fini = check_live);

static td_module *with_keys(td_module *inner, const char *const *in, size_t n_in, const char *const *out, size_t n_out,
                            const td_tensordict_options *options) {
  key_list from, to;
  td_module *m;
  keys_from(&from, in, n_in);
  keys_from(&to, out, n_out);
  must(td_module_tensordict(inner, from.keys, n_in, to.keys, n_out, options, &m, &err));
  td_module_release(inner);
  return m;
}

static const char *members_of(const td_module *s) {
  static char text[256];
  text[0] = '\0';
  for (size_t i = 0; i < td_module_size(s); ++i) {
    td_module *m;
    must(td_module_member(s, (int64_t)i, &m, &err));
    strcat(strcat(text, i ? " " : ""), keys_of(m));
    td_module_release(m);
  }
  return text;
}

Test(module_traps, trap_01_a_subsequence_needs_all_inputs_and_never_forgets_a_wanted_key) {
  static const struct {
    const char *spec, *in[2], *out, *left; /* NULL: nothing */
  } cases[] = {{"a,x>b b,y>c >k", {"a"}, NULL, ">k"},
               {"a,x>b b,y>c >k", {"a", "x"}, NULL, "a,x>b >k"},
               {"a>b q>b b>c", {NULL}, "c", "a>b q>b b>c"},
               {"a>b b>c c>d a>e", {"b"}, "d", "b>c c>d"},
               {"a>b b>c c>d a>e", {"b"}, "e", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_module *s = seq(cases[i].spec, NULL), *part;
    key_list in;
    const size_t n = cases[i].in[0] ? 1 + (cases[i].in[1] != NULL) : 0;
    keys_from(&in, cases[i].in, n);
    td_status status = td_module_select_subsequence(
        s, n ? in.keys : NULL, n, cases[i].out ? TD_KEY(cases[i].out) : NULL, cases[i].out != NULL, &part, &err);
    if (cases[i].left) {
      must(status);
      cr_assert_str_eq(members_of(part), cases[i].left);
      td_module_release(part);
    } else {
      expect_error(status, TD_ERR_ARGUMENT, NULL, "No modules left after selection");
    }
    td_module_release(s);
  }
}

Test(module_traps, trap_02_a_sequence_keeps_the_last_output_and_the_first_input_of_a_name) {
  static const char *const cases[][2] = {{"a>b b>b c>a", "a,c>b,a"}, {"a>b a>c a>b", "a>c,b"}};
  for (int i = 0; i < 2; ++i) {
    td_module *s = seq(cases[i][0], NULL);
    cr_assert_str_eq(keys_of(s), cases[i][1]);
    td_module_release(s);
  }
  td_module *members[] = {with_keys(function_module(&plus_one), IN("a"), IN("n.b"), NULL), mod("n", "c")}, *s;
  must(td_module_sequential(members, 2, NULL, &s, &err)); /* ("n", "b") does not produce "n" */
  cr_assert_str_eq(keys_of(s), "a,n>n.b,c");
  td_module_release(s);
  td_module_release(members[0]);
  td_module_release(members[1]);
}

Test(module_traps, trap_03_a_subsequence_is_a_new_sequence_of_plain_options) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.partial_tolerant = 1;
  options.inplace = TD_INPLACE_FALSE;
  options.selected_out_keys = TD_KEY("c");
  options.n_selected = 1;
  td_module *s = seq("a>b b>c", &options), *part, *none;
  must(td_module_select_subsequence(s, NULL, 0, TD_KEY("c"), 1, &part, &err));
  cr_assert_str_eq(keys_of(part), "a>b,c", "the selection is lost");
  td_dict *data = data_of("a"), *empty = dict(TD_NO_DIMS), *out;
  must(td_module_run(part, data, NULL, &out, &err));
  cr_assert_eq(out, data, "inplace is lost");
  td_dict_release(out);
  cr_assert_eq(td_module_run(part, empty, NULL, &out, NULL), TD_ERR_KEY, "partial_tolerant is lost");
  expect_error(td_module_select_subsequence(s, NULL, 0, TD_KEY("q"), 1, &none, &err), TD_ERR_ARGUMENT, NULL,
               "No modules left");
  td_dict_release(empty);
  td_dict_release(data);
  td_module_release(part);
  td_module_release(s);
}

Test(module_traps, trap_04_modules_and_sequences_that_select_keep_what_they_do_not_know) {
  td_module *m = with_keys(function_module(&plus_one), IN("a", "b"), IN("c", "d"), NULL), *s = seq("a>b a>a b>c", NULL);
  td_dict *data = data_of("abz");
  must(td_module_select_out_keys(m, TD_KEY("d"), 1, &err));
  forward(m, data);
  cr_assert_str_eq(entries_of(data), "a,b,d,z");
  td_dict_release(data);
  data = data_of("az");
  must(td_module_select_out_keys(s, TD_KEY("c"), 1, &err));
  forward(s, data);
  cr_assert_str_eq(entries_of(data), "a,c,z");
  EXPECT(peek(data, TD_KEY("a")), 1); /* an input that a member has overwritten */
  td_dict_release(data);
  td_module_release(s);
  td_module_release(m);
}

static td_status one_value(void *userdata, const td_value *args, size_t n_args, const td_named_value *kwargs,
                           size_t n_kwargs, td_value *outs, size_t capacity, size_t *n_outs, td_error **error) {
  (void)args, (void)n_args, (void)kwargs, (void)n_kwargs, (void)capacity, (void)error;
  const char *what = userdata;
  *n_outs = 1;
  if (!strcmp(what, "none")) {
    if (n_args && args[0].kind == TD_VALUE_NONE) {
      *error = td_error_new(TD_ERR_ARGUMENT, TD_STR("None is no tensor"));
      return TD_ERR_ARGUMENT;
    }
    outs[0] = td_value_double(1);
  } else if (!strcmp(what, "dict")) {
    td_dict *d = dict(TD_NO_DIMS);
    put(d, TD_KEY("c"), VEC(1));
    put(d, TD_KEY("more"), VEC(2));
    outs[0] = td_value_dict(d);
  } else {
    outs[0] = td_value_double(7);
  }
  return TD_OK;
}
static td_module *values_module(const char *what) {
  td_module *m;
  must(td_module_from_values(TD_CALLBACKS(td_values_function, one_value, (void *)what, NULL), &m, &err));
  return m;
}

Test(module_traps, trap_05_a_module_writes_all_its_outputs_before_it_prunes) {
  td_module *m = with_keys(values_module("number"), IN("a"), IN("c", "d"), NULL);
  must(td_module_select_out_keys(m, TD_KEY("c"), 1, &err));
  td_dict *data = data_of("a");
  expect_error(td_module_forward(m, data, &err), TD_ERR_ARGUMENT, NULL, "out"); /* of all, not of those selected */
  td_dict_release(data);
  td_module_release(m);
}

Test(module_traps, trap_06_without_an_inplace_mode_a_module_makes_a_dict_and_a_sequence_does_not) {
  td_tensordict_options alone = TD_TENSORDICT_OPTIONS_INIT;
  alone.inplace = TD_INPLACE_NONE;
  td_sequential_options fresh = TD_SEQUENTIAL_OPTIONS_INIT;
  fresh.inplace = TD_INPLACE_FALSE;
  td_module *m = with_keys(function_module(&plus_one), IN("a"), IN("b"), &alone), *s = seq("a>b", NULL),
            *apart = seq("a>b b>c", &fresh);
  td_dict *data = data_of("a"), *out = run_module(m, data);
  cr_assert(out != data && !has(data, "b"));
  td_dict_release(out);
  out = run_module(s, data);
  cr_assert_eq(out, data);
  td_dict_release(out);
  td_dict_release(data);
  data = data_of("a");
  out = run_module(apart, data);
  cr_assert_str_eq(entries_of(out), "b,c");
  cr_assert_str_eq(entries_of(data), "a", "the members do not write there");
  td_dict_release(out);
  td_dict_release(data);
  td_module_release(apart);
  td_module_release(s);
  td_module_release(m);
}

Test(module_traps, trap_07_a_missing_input_is_none_unless_the_module_is_strict) {
  td_tensordict_options strict = TD_TENSORDICT_OPTIONS_INIT;
  strict.strict = 1;
  td_module *lax = with_keys(values_module("number"), IN("a"), IN("y"), NULL),
            *picky = with_keys(values_module("none"), IN("a"), IN("y"), NULL),
            *hard = with_keys(values_module("number"), IN("a"), IN("y"), &strict);
  td_dict *data = dict(TD_NO_DIMS);
  forward(lax, data);
  EXPECT(peek(data, TD_KEY("y")), 7);
  expect_error(td_module_forward(picky, data, &err), TD_ERR_KEY, NULL, "may be missing");
  expect_error(td_module_forward(hard, data, &err), TD_ERR_KEY, NULL, "key not found in TensorDict with keys");
  td_dict_release(data);
  td_module_release(hard);
  td_module_release(picky);
  td_module_release(lax);
}

Test(module_traps, trap_08_a_dict_is_spread_only_if_it_has_every_out_key) {
  td_module *all = with_keys(values_module("dict"), IN("a"), IN("c"), NULL),
            *lacks = with_keys(values_module("dict"), IN("a"), IN("q"), NULL),
            *two = with_keys(values_module("dict"), IN("a"), IN("c", "q"), NULL);
  td_dict *data = data_of("a");
  forward(all, data);
  cr_assert_str_eq(entries_of(data), "a,c");
  forward(lacks, data);
  cr_assert_str_eq(entries_of(data), "a,c,q.c,q.more");
  expect_error(td_module_forward(two, data, &err), TD_ERR_ARGUMENT, NULL, "There are more out_keys");
  td_dict_release(data);
  td_module_release(two);
  td_module_release(lacks);
  td_module_release(all);
}

Test(module_traps, trap_09_an_output_replaces_the_entry_and_a_locked_dict_refuses_it) {
  td_module *m = mod("a", "a");
  td_dict *data = data_of("a");
  td_tensor *before = get(data, TD_KEY("a"));
  forward(m, data);
  cr_assert_neq(peek(data, TD_KEY("a")), before);
  EXPECT(before, 0);
  must(td_dict_lock_(data, &err));
  expect_error(td_module_forward(m, data, &err), TD_ERR_LOCKED, NULL, "");
  EXPECT(peek(data, TD_KEY("a")), 1);
  td_tensor_release(before);
  td_dict_release(data);
  td_module_release(m);
}

Test(module_traps, trap_10_dispatch_takes_a_first_dict_as_the_data_and_detects_no_missing_argument) {
  td_module *m = with_keys(values_module("number"), IN("a", "b"), IN("y"), NULL),
            *drops = with_keys(values_module("number"), IN("a"), IN("_"), NULL);
  td_dict *data = data_of("ab");
  td_value arg = td_value_dict(data), one = td_value_double(1), outs[2];
  size_t n;
  must(td_module_dispatch(m, &arg, 1, NULL, 0, TD_NO_STR, outs, 2, &n, &err));
  cr_assert(n == 1 && outs[0].kind == TD_VALUE_DICT && outs[0].as.dict == data);
  td_value_clear(&outs[0]);
  must(td_module_dispatch(m, &one, 1, NULL, 0, TD_NO_STR, outs, 2, &n, &err)); /* "b" is none */
  cr_assert(n == 1 && outs[0].kind == TD_VALUE_TENSOR);
  td_value_clear(&outs[0]);
  expect_error(td_module_dispatch(drops, &one, 1, NULL, 0, TD_NO_STR, outs, 2, &n, &err), TD_ERR_KEY, NULL,
               "has not written");
  td_dict_release(data);
  td_module_release(drops);
  td_module_release(m);
}

Test(module_traps, a_step_beyond_the_members_takes_the_first_only) {
  td_module *s = seq("a>b b>c c>d", NULL), *part;
  static const int64_t steps[][3] = {{1, 3, INT64_MAX}, {2, 0, INT64_MIN}, {INT64_MIN, INT64_MAX, 3}};
  static const char *const left[] = {"b>c", "c>d", "a>b"};
  for (int i = 0; i < 3; ++i) {
    must(td_module_slice(s, steps[i][0], steps[i][1], steps[i][2], &part, &err));
    cr_assert_str_eq(members_of(part), left[i]);
    td_module_release(part);
  }
  td_module_release(s);
}

/* A tuple is a td_key of several parts here, and a list of modules an array: neither can be taken for the other. */
Test(module_traps, trap_11_a_key_of_two_parts_is_one_key) {
  td_module *m = with_keys(function_module(&plus_one), IN("a.b"), IN("c"), NULL), *s;
  td_keys *keys;
  must(td_module_in_keys(m, &keys, &err));
  cr_assert_eq(td_keys_size(keys), 1);
  td_keys_release(keys);
  td_module *members[] = {m, mod("c", "d")};
  must(td_module_sequential(members, 2, NULL, &s, &err));
  cr_assert_eq(td_module_size(s), 2);
  td_module_release(s);
  td_module_release(members[1]);
  td_module_release(m);
}

Test(module_traps, trap_12_of_a_lazy_stack_each_part_runs_what_it_can) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.partial_tolerant = 1;
  td_module *s = seq("a>b q>c b,c>d", &options);
  td_dict *parts[] = {data_of("a"), data_of("q"), data_of("aq")}, *lazy;
  must(td_dict_lazy_stack(parts, 3, 0, &lazy, &err));
  td_dict *out = run_module(s, lazy);
  cr_assert_eq(out, lazy);
  static const char *const expected[] = {"a,b", "c,q", "a,b,c,d,q"};
  for (int i = 0; i < 3; ++i) {
    cr_assert_str_eq(entries_of(parts[i]), expected[i]);
    td_dict_release(parts[i]);
  }
  td_dict_release(out);
  td_dict_release(lazy);
  td_module_release(s);
}
