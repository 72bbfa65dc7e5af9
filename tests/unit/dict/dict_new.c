/* Dicts after the example of another: by operators, of another batch size, and by taking over what another is. */
#include "support/td.h"
#include "support/trees.h"

/* {"a": f32 [2, 3], "n": {"b": i64 [2, 4, 5]} of batch size [2, 4], "s": "hi", "e": {}} of batch size [2], its dim is x. */
static td_dict *sample(void) {
  td_dict *td = new_dict(TD_SHAPE(2)), *n = new_dict(TD_SHAPE(2, 4));
  put(n, TD_KEY("b"), counted(TD_DTYPE_INT64, TD_SHAPE(2, 4, 5)));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put_dict(td, TD_KEY("n"), n);
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("hi"))), &err));
  put_dict(td, TD_KEY("e"), new_dict(TD_SHAPE(2)));
  must(td_dict_set_names(td, (const td_str[]){TD_STR("x")}, 1, &err));
  return td;
}

static td_status calling(const char *name, const td_value *args, size_t n, const td_named_value *kwargs,
                         size_t n_kwargs, td_dict **out) {
  td_op *op = operator_named(name, NULL);
  const td_status status = td_dict_pointwise(op, args, n, kwargs, n_kwargs, NULL, out, &err);
  td_op_release(op);
  return status;
}

LeaklessTest(dict_new, the_like_functions_are_operators) {
  static const char *names[] = {"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"};
  td_dict *td = sample(), *out;
  const td_named_value wide[] = {{TD_STR("dtype"), td_value_dtype(TD_DTYPE_FLOAT64)}};
  for (int locked = 0; locked <= 1; ++locked) {
    if (locked) must(td_dict_lock_(td, &err));
    for (int i = 0; i < 6; ++i) {
      const td_value args[] = {td_value_dict(td), td_value_int(7)};
      must(calling(names[i], args, i == 3 ? 2 : 1, wide, 1, &out));
      check(td_dict_is_locked(out) == locked && td_dict_count(out) == 4);
      expect_names(out, "x");
      td_dict *n = get_dict(out, TD_KEY("n"));
      expect_names(n, "x-");
      expect_batch(n, TD_SHAPE(2, 4));
      td_tensor *a = get(out, TD_KEY("a")), *b = get(n, TD_KEY("b"));
      check(td_tensor_dtype(b) == TD_DTYPE_FLOAT64);
      expect_shape(b, TD_SHAPE(2, 4, 5));
      if (i == 1) expect_values(a, VALUES(1, 1, 1, 1, 1, 1));
      if (i == 3) expect_values(a, VALUES(7, 7, 7, 7, 7, 7));
      td_tensor_release(a), td_tensor_release(b);
      td_dict_release(n), td_dict_release(out);
    }
  }
  out = NULL;
  const td_status status = calling("rand_like", ARGS(td_value_dict(td)), NULL, 0, &out);
  check(status == TD_ERR_DTYPE || status == TD_ERR_UNSUPPORTED); /* integers: which of the two depends on LibTorch */
  check(says(td_error_key(err), "(\"n\", \"b\")"));
  td_error_release(err);
  err = NULL;
  check(out == NULL);
  td_dict *empty = new_dict(TD_SHAPE(3));
  must(calling("zeros_like", ARGS(td_value_dict(empty)), NULL, 0, &out));
  expect_batch(out, TD_SHAPE(3));
  td_dict_release(out), td_dict_release(empty), td_dict_release(td);
}

static td_dict *zeros(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), full_f32(0, TD_SHAPE(2, 3)));
  put(td, TD_KEY("n", "b"), full_f32(0, TD_SHAPE(2)));
  return td;
}

LeaklessTest(dict_new, random_numbers_follow_the_seed_leaf_by_leaf) {
  td_dict *td = zeros(), *out;
  td_tensor *a = get(td, TD_KEY("a")), *b = get(td, TD_KEY("n", "b"));
  must(td_manual_seed(5, &err)); /* in the order of the keys */
  td_tensor *as = call("randn_like", "", ARGS(td_value_tensor(a))),
            *bs = call("randn_like", "", ARGS(td_value_tensor(b)));
  must(td_manual_seed(5, &err));
  must(calling("randn_like", ARGS(td_value_dict(td)), NULL, 0, &out));
  td_tensor *ad = get(out, TD_KEY("a")), *bd = get(out, TD_KEY("n", "b"));
  check(same_values(ad, as) && same_values(bd, bs));
  td_tensor_release(ad), td_tensor_release(bd), td_dict_release(out);

  td_generator *g;
  must(td_generator_new(5, &g, &err)); /* the rehearsal of an operator in place takes no numbers */
  const td_named_value kwargs[] = {{TD_STR("generator"), td_value_generator(g)}};
  must(td_dict_lock_(td, &err));
  must(calling("normal_", ARGS(td_value_dict(td)), kwargs, 1, NULL));
  check(same_values(a, as) && same_values(b, bs));
  td_generator_release(g);
  td_tensor_release(a), td_tensor_release(b), td_tensor_release(as), td_tensor_release(bs);
  td_dict_release(td);
}

LeaklessTest(dict_new, random_numbers_in_place_come_from_the_generator) {
  td_dict *td = zeros();
  td_generator *g;
  must(td_generator_new(5, &g, &err));
  const td_named_value kwargs[] = {{TD_STR("generator"), td_value_generator(g)}};
  td_tensor *a = get(td, TD_KEY("a"));
  must(td_dict_lock_(td, &err));
  must(calling("uniform_", ARGS(td_value_dict(td), td_value_double(2), td_value_double(3)), kwargs, 1, NULL));
  const float *first = address(a);
  check(first[0] >= 2 && first[5] < 3 && first[0] != first[1]);
  td_dict *counts = new_dict(TD_SHAPE(2)), *again;
  put(counts, TD_KEY("c"), counted(TD_DTYPE_INT64, TD_SHAPE(2, 8)));
  must(td_dict_clone(counts, &again, &err));
  const td_dict *both[] = {counts, again};
  for (int i = 0; i < 2; ++i) {
    must(td_generator_seed(g, 9, &err));
    must(calling("random_", ARGS(td_value_dict(both[i]), td_value_int(1000)), kwargs, 1, NULL));
  }
  td_tensor *c = get(counts, TD_KEY("c")), *d = get(again, TD_KEY("c")),
            *plain = counted(TD_DTYPE_INT64, TD_SHAPE(2, 8));
  check(same_values(c, d) && !same_values(c, plain) && ((const int64_t *)address(c))[15] < 1000);
  td_tensor_release(a), td_tensor_release(c), td_tensor_release(d), td_tensor_release(plain);
  td_dict_release(counts), td_dict_release(again), td_dict_release(td);
  td_generator_release(g);
}

/* The data under "s" and the first value of it. */
static td_data_list *data_of(const td_dict *td, td_data *value) {
  td_data_list *s;
  must(td_dict_get_data(td, TD_KEY("s"), &s, &err));
  must(td_data_list_get(s, 0, value, &err));
  return s;
}

LeaklessTest(dict_new, another_batch_size_keeps_keys_features_and_names_on_the_right) {
  static const struct {
    int64_t batch[3];
    size_t ndim;
    const char *names, *inner;
  } table[] = {{{5}, 1, "x", "x-"}, {{5, 1}, 2, "-x", "-x-"}, {{0}, 1, "x", "x-"}, {{0}, 0, "", "-"}};
  td_dict *td = sample(), *out = NULL;
  must(td_dict_lock_(td, &err));
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    for (int filled = 0; filled <= 1; ++filled) {
      if (filled)
        must(td_dict_new_full(td, table[i].batch, table[i].ndim, TD_VALUE(td_value_double(2.5)), TD_DTYPE_NONE, &out,
                              &err));
      else
        must(td_dict_new_empty(td, table[i].batch, table[i].ndim, TD_DTYPE_NONE, &out, &err));
      check(has_batch(out, table[i].batch, table[i].ndim) && !td_dict_is_locked(out));
      expect_names(out, table[i].names);
      td_dict *n = get_dict(out, TD_KEY("n")), *e = get_dict(out, TD_KEY("e"));
      expect_names(n, table[i].inner);
      check(has_batch(e, table[i].batch, table[i].ndim));
      td_tensor *a = get(out, TD_KEY("a")), *b = get(n, TD_KEY("b"));
      check(td_tensor_dtype(a) == TD_DTYPE_FLOAT32 && td_tensor_dtype(b) == TD_DTYPE_INT64);
      check(td_tensor_ndim(a) == table[i].ndim + 1 && td_tensor_ndim(b) == table[i].ndim + 2);
      if (filled && td_tensor_numel(a) > 0)
        check(*(const float *)address(a) == 2.5f && *(const int64_t *)address(b) == 2);
      td_data value;
      td_data_list *s = data_of(out, &value);
      check(says(value.text, "hi") && td_data_list_shape(s, NULL, 0) == table[i].ndim);
      td_data_list_release(s), td_tensor_release(a), td_tensor_release(b);
      td_dict_release(n), td_dict_release(e), td_dict_release(out);
    }
  td_dict_release(td);
}

LeaklessTest(dict_new, a_dtype_that_is_given_is_that_of_all_tensors) {
  td_dict *td = sample(), *out;
  must(td_dict_new_full(td, TD_SHAPE(1), TD_VALUE(td_value_double(1)), TD_DTYPE_INT8, &out, &err));
  td_tensor *a = get(out, TD_KEY("a"));
  check(td_tensor_dtype(a) == TD_DTYPE_INT8);
  expect_values(a, VALUES(1, 1, 1));
  td_tensor_release(a), td_dict_release(out), td_dict_release(td);
}

LeaklessTest(dict_new, different_values_have_no_meaning_in_another_batch_size) {
  td_dict *td = sample(), *out;
  const td_data two[] = {td_data_str(TD_STR("p")), td_data_str(TD_STR("q"))};
  must(td_dict_set_data_stack(td, TD_KEY("s"), two, 2, &err));
  must(td_dict_new_empty(td, TD_SHAPE(2), TD_DTYPE_NONE, &out, &err));
  td_data value;
  td_data_list *s = data_of(out, &value);
  check(value.kind == TD_DATA_NONE && td_data_list_size(s) == 1);
  td_data_list_release(s), td_dict_release(out), td_dict_release(td);
}

LeaklessTest(dict_new, a_batch_size_dtype_or_value_that_cannot_be_is_refused) {
  td_dict *td = sample(), *out = NULL;
  expect_error(td_dict_new_full(td, TD_SHAPE(-1), TD_VALUE(td_value_double(1)), TD_DTYPE_NONE, &out, &err),
               TD_ERR_SHAPE, NULL, "-1");
  expect_error(td_dict_new_empty(td, TD_SHAPE(INT64_MAX / 8, 2), TD_DTYPE_NONE, &out, &err), TD_ERR_SHAPE, "\"a\"",
               NULL);
  expect_error(td_dict_new_full(td, TD_SHAPE(1), TD_VALUE(td_value_double(300)), TD_DTYPE_UINT8, &out, &err),
               TD_ERR_ARGUMENT, "\"a\"", "hold");
  expect_error(td_dict_new_full(td, TD_SHAPE(1), TD_VALUE(td_value_double(1)), 99, &out, &err), TD_ERR_DTYPE, NULL,
               NULL);
  expect_error(td_dict_new_full(td, NULL, 1, TD_VALUE(td_value_double(1)), TD_DTYPE_NONE, &out, &err), TD_ERR_ARGUMENT,
               NULL, "NULL");
  expect_error(td_dict_new_empty(NULL, TD_SHAPE(1), TD_DTYPE_NONE, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_new_full(td, TD_SHAPE(1), TD_VALUE(td_value_double(1)), TD_DTYPE_NONE, NULL, &err),
               TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  td_dict_release(td);
}

LeaklessTest(dict_new, a_deep_copy_shares_nothing_and_is_unlocked) {
  td_dict *td = sample(), *out = NULL;
  must(td_dict_lock_(td, &err));
  must(td_dict_to_tensordict(td, &out, &err));
  check(!td_dict_is_locked(out) && !same_memory(td, TD_KEY("a"), out, TD_KEY("a")));
  expect_names(out, "x");
  td_string *text;
  must(td_dict_repr(td, 0, &text, &err));
  expect_repr(out, td_string_view(text).data);
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  td_string_release(text);
  td_dict *n = get_dict(out, TD_KEY("n"));
  expect_names(n, "x-");
  expect_batch(n, TD_SHAPE(2, 4));
  td_dict_release(n), td_dict_release(out);
  out = NULL;
  expect_error(td_dict_to_tensordict(NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_to_tensordict(td, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  td_dict_release(td);
}

LeaklessTest(dict_new, lazy_stacks_and_parameters_give_plain_dicts) {
  td_dict *one = sample(), *two = sample(), *wide = new_dict(TD_SHAPE(3)), *stack, *ragged, *params, *out = NULL;
  put(wide, TD_KEY("a"), range_f32(TD_SHAPE(3, 3)));
  must(td_dict_lazy_stack((td_dict *const[]){one, two}, 2, 1, &stack, &err));
  must(td_dict_lazy_stack((td_dict *const[]){one, wide}, 2, 0, &ragged, &err));
  must(td_dict_to_tensordict(stack, &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT && has_batch(out, TD_SHAPE(2, 2)));
  expect_names(out, "x-");
  td_dict *n = get_dict(out, TD_KEY("n"));
  check(td_dict_kind_of(n) == TD_DICT_KIND_TENSORDICT && has_batch(n, TD_SHAPE(2, 2, 4)));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5));
  td_dict_release(n), td_dict_release(out);
  must(td_dict_new_full(stack, TD_SHAPE(1), TD_VALUE(td_value_double(3)), TD_DTYPE_NONE, &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT && has_batch(out, TD_SHAPE(1)));
  expect_entry(out, TD_KEY("a"), VALUES(3, 3, 3));
  td_dict_release(out);
  out = NULL;
  expect_error(td_dict_to_tensordict(ragged, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_new_empty(ragged, TD_SHAPE(1), TD_DTYPE_NONE, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  check(out == NULL);
  must(td_dict_params(wide, NULL, &params, &err));
  must(td_dict_to_tensordict(params, &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT && td_dict_requires_grad(out)); /* with its history */
  td_dict_release(out);
  must(td_dict_new_empty(params, TD_SHAPE(2), TD_DTYPE_NONE, &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT && !td_dict_requires_grad(out));
  td_dict_release(out), td_dict_release(params), td_dict_release(ragged), td_dict_release(stack);
  td_dict_release(one), td_dict_release(two), td_dict_release(wide);
}

LeaklessTest(dict_new, a_node_may_have_got_fewer_batch_dims) {
  td_dict *td = new_dict(TD_SHAPE(2, 2)), *n = new_dict(TD_SHAPE(2, 2)), *out = NULL;
  must(td_dict_set_data(n, TD_KEY("word"), TD_DATA(td_data_str(TD_STR("text"))), &err));
  must(td_dict_set_dict(td, TD_KEY("n"), n, &err));
  must(td_dict_set_batch_size(n, TD_NO_DIMS, &err)); /* which the dict around it is not told */
  must(td_dict_new_full(td, TD_SHAPE(3), TD_VALUE(td_value_double(1)), TD_DTYPE_NONE, &out, &err));
  check(has_batch(out, TD_SHAPE(3)));
  td_data_list *word;
  must(td_dict_get_data(out, TD_KEY("n", "word"), &word, &err));
  td_data_list_release(word);
  td_dict_release(out), td_dict_release(n), td_dict_release(td);
}
