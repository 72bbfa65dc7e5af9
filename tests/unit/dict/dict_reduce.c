/* Reductions along batch dims, over features and altogether. */
#include "support/td.h"

static td_status reduce_with(const td_dict *td, const char *name, const td_named_value *kwargs, size_t n_kwargs,
                             const td_reduce_options *options, td_dict **outs, size_t n_outs) {
  td_op *op = operator_named(name, NULL);
  const td_status status = td_dict_reduce(td, op, kwargs, n_kwargs, options, outs, n_outs, &err);
  td_op_release(op);
  return status;
}

static td_reduce_options over(const int64_t *dims, size_t n) {
  td_reduce_options o = TD_REDUCE_OPTIONS_INIT;
  o.dims = dims;
  o.n_dims = n;
  return o;
}

static td_dict *reduced(const td_dict *td, const char *name, const td_reduce_options *options) {
  td_dict *out = NULL;
  must(reduce_with(td, name, NULL, 0, options, &out, 1));
  return out;
}

/* {a: 0..11 as [2, 3, 2], n: {b: 0..5 as [2, 3]}, empty: {}} with batch size [2, 3] */
static td_dict *tree(void) {
  td_dict *td = new_dict(TD_SHAPE(2, 3));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3, 2)));
  put(td, TD_KEY("n", "b"), range_f32(TD_SHAPE(2, 3)));
  put_dict(td, TD_KEY("empty"), new_dict(TD_SHAPE(2, 3)));
  return td;
}

static const int64_t first_dim[] = {0}, last_dim[] = {-1}, both_dims[] = {1, 0};

static const struct {
  const char *name;
  const int64_t *dims;
  size_t n;
  double b[3];
  size_t n_b;
} reductions[] = {
    {"sum", first_dim, 1, {3, 5, 7}, 3},
    {"sum", last_dim, 1, {3, 12}, 2},
    {"sum", both_dims, 2, {15}, 1},
    {"mean", last_dim, 1, {1, 4}, 2},
    {"mean", both_dims, 2, {2.5}, 1},
    {"prod", last_dim, 1, {0, 60}, 2},
    {"prod", both_dims, 2, {0}, 1},
    {"amax", both_dims, 2, {5}, 1},
    {"amin", last_dim, 1, {0, 3}, 2},
    {"std", last_dim, 1, {1, 1}, 2},
    {"var", last_dim, 1, {1, 1}, 2},
    {"nansum", both_dims, 2, {15}, 1},
    {"nanmean", first_dim, 1, {1.5, 2.5, 3.5}, 3},
    {"all", last_dim, 1, {0, 1}, 2},
    {"any", both_dims, 2, {1}, 1},
    {"argmax", both_dims, 2, {5}, 1},
    {"sum", NULL, 0, {15}, 1},
    {"prod", NULL, 0, {0}, 1},
    {"amax", NULL, 0, {5}, 1},
    {"norm", NULL, 0, {7.416198}, 1},
    {"max", NULL, 0, {5}, 1},
};

LeaklessTest(dict_reduce, batch_dims_go_whatever_the_schema_of_the_operator) {
  td_dict *td = tree(), *out;
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; ++i)
    for (td_bool keep = 0; keep <= (reductions[i].n > 0); ++keep) {
      td_reduce_options options = over(reductions[i].dims, reductions[i].n);
      options.keepdim = keep;
      out = reduced(td, reductions[i].name, &options);
      td_dict *n = get_dict(out, TD_KEY("n"));
      td_tensor *b = get(out, TD_KEY("n", "b")), *wide;
      int64_t shape[2];
      const size_t batch_dims = reductions[i].n == 0 ? 0 : keep ? 2 : 2 - reductions[i].n;
      check(td_dict_batch_size(out, NULL, 0) == batch_dims && td_dict_batch_size(n, NULL, 0) == batch_dims);
      check(td_tensor_shape(b, shape, 2) == batch_dims && has_batch(out, shape, batch_dims));
      must(td_tensor_to(b, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
      check(td_tensor_numel(wide) == (int64_t)reductions[i].n_b);
      for (size_t k = 0; k < reductions[i].n_b; ++k) {
        const double difference = ((const double *)address(wide))[k] - reductions[i].b[k];
        check(difference < 1e-5 && difference > -1e-5);
      }
      td_tensor_release(wide);
      td_tensor_release(b);
      td_dict_release(n);
      check(kind_at(out, TD_KEY("empty")) == TD_ENTRY_DICT);
      td_tensor *a = get(out, TD_KEY("a")); /* features stay, unless everything goes */
      check(td_tensor_ndim(a) == (reductions[i].n ? batch_dims + 1 : 0));
      td_tensor_release(a);
      td_dict_release(out);
    }
  td_dict_release(td);
}

LeaklessTest(dict_reduce, what_a_locked_dict_is_reduced_to_is_not_locked) {
  td_dict *td = tree(), *out;
  must(td_dict_lock_(td, &err));
  td_reduce_options first = over(first_dim, 1);
  out = reduced(td, "sum", &first);
  expect_entry(out, TD_KEY("a"), VALUES(6, 8, 10, 12, 14, 16));
  check(!td_dict_is_locked(out));
  td_dict_release(out);
  td_dict_release(td);
}

LeaklessTest(dict_reduce, features_go_and_batch_dims_stay) {
  td_dict *td = tree(), *n = new_dict(TD_SHAPE(2, 3, 1)), *out;
  put(n, TD_KEY("c"), range_f32(TD_SHAPE(2, 3, 1, 2, 2)));
  put_dict(td, TD_KEY("m"), n);
  td_reduce_options options = TD_REDUCE_OPTIONS_INIT;
  options.feature = 1;
  out = reduced(td, "sum", &options);
  expect_batch(out, TD_SHAPE(2, 3));
  expect_entry(out, TD_KEY("a"), VALUES(1, 5, 9, 13, 17, 21));
  expect_entry(out, TD_KEY("n", "b"), VALUES(0, 1, 2, 3, 4, 5)); /* without features: itself */
  expect_entry(out, TD_KEY("m", "c"), VALUES(6, 22, 38, 54, 70, 86));
  td_tensor *c = get(out, TD_KEY("m", "c"));
  expect_shape(c, TD_SHAPE(2, 3, 1));
  td_tensor_release(c);
  td_dict_release(out);
  out = reduced(td, "cumsum", &options); /* keeps the features, counted through */
  c = get(out, TD_KEY("m", "c"));
  expect_shape(c, TD_SHAPE(2, 3, 1, 2, 2));
  td_tensor_release(c);
  td_dict_release(out);
  td_dict_release(td);
}

LeaklessTest(dict_reduce, operators_that_keep_a_dim_and_those_with_two_results) {
  td_dict *td = tree(), *outs[3] = {NULL, NULL, NULL};
  const int64_t last[] = {-1}, both[] = {0, 1};
  td_reduce_options options = over(last, 1);
  for (int keep = 0; keep < 2; ++keep) {
    options.keepdim = keep; /* says nothing to an operator that keeps the dim */
    outs[0] = reduced(td, "cumsum", &options);
    expect_batch(outs[0], TD_SHAPE(2, 3));
    expect_entry(outs[0], TD_KEY("n", "b"), VALUES(0, 1, 3, 3, 7, 12));
    td_dict_release(outs[0]);
  }
  options.keepdim = 0;
  must(reduce_with(td, "max", NULL, 0, &options, outs, 3));
  expect_batch(outs[1], TD_SHAPE(2));
  expect_entry(outs[0], TD_KEY("n", "b"), VALUES(2, 5));
  expect_entry(outs[1], TD_KEY("n", "b"), VALUES(2, 2));
  check(outs[2] == NULL);
  td_dict_release(outs[0]);
  td_dict_release(outs[1]);
  must(reduce_with(td, "cummin", NULL, 0, &options, outs, 2));
  expect_batch(outs[1], TD_SHAPE(2, 3));
  expect_entry(outs[0], TD_KEY("n", "b"), VALUES(0, 0, 0, 3, 3, 3));
  td_dict_release(outs[0]);
  td_dict_release(outs[1]);
  const td_named_value correction = {TD_STR("correction"), td_value_int(0)}, dim = {TD_STR("dim"), td_value_int(0)};
  td_dict *var;
  must(reduce_with(td, "var", &correction, 1, &options, &var, 1));
  expect_entry(var, TD_KEY("n", "b"), VALUES((float)(2. / 3), (float)(2. / 3)));
  td_dict_release(var);

  outs[0] = outs[1] = NULL;
  expect_error(reduce_with(td, "max", NULL, 0, &options, outs, 1), TD_ERR_ARGUMENT, "\"a\"", "2 results");
  expect_error(reduce_with(td, "sum", &dim, 1, &options, outs, 1), TD_ERR_ARGUMENT, NULL, "dim");
  options = over(both, 2);
  expect_error(reduce_with(td, "cumsum", NULL, 0, &options, outs, 1), TD_ERR_ARGUMENT, "\"a\"", "one dim");
  expect_error(reduce_with(td, "cumsum", NULL, 0, NULL, outs, 1), TD_ERR_SHAPE, "\"a\"", "one number");
  check(!outs[0] && !outs[1]);
  td_dict_release(td);
}

LeaklessTest(dict_reduce, options_of_the_operators_go_along) {
  td_dict *td = tree(), *out, *outs[2];
  const int64_t last[] = {-1};
  td_reduce_options none = TD_REDUCE_OPTIONS_INIT, along = over(last, 1), kept = along, feature = none;
  kept.keepdim = 1;
  feature.feature = 1;
  const td_named_value wide = {TD_STR("dtype"), td_value_dtype(TD_DTYPE_FLOAT64)};
  const td_named_value biased = {TD_STR("correction"), td_value_int(0)};
  const td_named_value half = {TD_STR("q"), td_value_double(0.5)};
  const struct {
    const char *method, *op;
    const td_named_value *kwarg;
    const td_reduce_options *options;
    td_dtype dtype;
    double b[6];
    size_t n_b;
  } table[] = {
      {"sum(dtype)", "sum", &wide, &along, TD_DTYPE_FLOAT64, {3, 12}, 2},
      {"mean(dtype)", "mean", &wide, &kept, TD_DTYPE_FLOAT64, {1, 4}, 2},
      {"prod(dtype)", "prod", &wide, &along, TD_DTYPE_FLOAT64, {0, 60}, 2},
      {"nansum(keepdim)", "nansum", &wide, &kept, TD_DTYPE_FLOAT64, {3, 12}, 2},
      {"nanmean", "nanmean", NULL, &feature, TD_DTYPE_FLOAT32, {0, 1, 2, 3, 4, 5}, 6},
      {"std(correction)", "std", &biased, &along, TD_DTYPE_FLOAT32, {0.8164966, 0.8164966}, 2},
      {"var(correction), no dim", "var", &biased, &none, TD_DTYPE_FLOAT32, {35. / 12}, 1},
      {"norm", "linalg_vector_norm", NULL, &none, TD_DTYPE_FLOAT32, {7.416198}, 1},
      {"norm(dtype)", "linalg_vector_norm", &wide, &none, TD_DTYPE_FLOAT64, {7.416198487}, 1},
      {"logsumexp", "logsumexp", NULL, &along, TD_DTYPE_FLOAT32, {2.407606, 5.407606}, 2},
      {"logsumexp(keepdim)", "logsumexp", NULL, &kept, TD_DTYPE_FLOAT32, {2.407606, 5.407606}, 2},
      {"softmax(dtype)",
       "softmax",
       &wide,
       &along,
       TD_DTYPE_FLOAT64,
       {0.0900306, 0.2447285, 0.6652410, 0.0900306, 0.2447285, 0.6652410},
       6},
      {"amin", "amin", NULL, &feature, TD_DTYPE_FLOAT32, {0, 1, 2, 3, 4, 5}, 6},
      {"quantile", "quantile", &half, &along, TD_DTYPE_FLOAT32, {1, 4}, 2},
      {"quantile(keepdim)", "quantile", &half, &kept, TD_DTYPE_FLOAT32, {1, 4}, 2},
      {"min(return_indices=False)", "amin", NULL, &along, TD_DTYPE_FLOAT32, {0, 3}, 2},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (reduce_with(td, table[i].op, table[i].kwarg, table[i].kwarg != NULL, table[i].options, &out, 1) != TD_OK)
      failed_at(__FILE__, __LINE__, table[i].method, err);
    td_tensor *b = get(out, TD_KEY("n", "b")), *values;
    must(td_tensor_to(b, TD_DTYPE_FLOAT64, TD_NO_STR, &values, &err));
    if (td_tensor_dtype(b) != table[i].dtype || td_tensor_numel(b) != (int64_t)table[i].n_b)
      failed_at(__FILE__, __LINE__, table[i].method, NULL);
    for (size_t k = 0; k < table[i].n_b; ++k) {
      const double difference = ((const double *)address(values))[k] - table[i].b[k];
      if (difference > 1e-5 || difference < -1e-5) failed_at(__FILE__, __LINE__, table[i].method, NULL);
    }
    check(kind_at(out, TD_KEY("empty")) == TD_ENTRY_DICT);
    td_tensor_release(values), td_tensor_release(b);
    td_dict_release(out);
  }
  must(reduce_with(td, "min", NULL, 0, &kept, outs, 2));
  expect_batch(outs[1], TD_SHAPE(2, 1));
  expect_entry(outs[1], TD_KEY("n", "b"), VALUES(0, 0));
  td_dict_release(outs[0]), td_dict_release(outs[1]), td_dict_release(td);
}

/* 0, 0.5 and 1 */
static td_tensor *three_quantiles(void) {
  const float numbers[] = {0, 0.5F, 1};
  td_tensor *q;
  must(td_tensor_copy_from(numbers, TD_DTYPE_FLOAT32, TD_SHAPE(3), &q, &err));
  return q;
}

LeaklessTest(dict_reduce, several_quantiles_are_a_first_batch_dim) {
  td_dict *td = tree(), *inner = new_dict(TD_SHAPE(2, 3, 1)), *out;
  put(inner, TD_KEY("c"), range_f32(TD_SHAPE(2, 3, 1)));
  put_dict(td, TD_KEY("m"), inner);
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("hi"))), &err));
  must(td_dict_set_names(td, (const td_str[]){TD_STR("x"), TD_STR("y")}, 2, &err));
  td_tensor *q = three_quantiles();
  const td_named_value kwarg = {TD_STR("q"), td_value_tensor(q)};
  static const char *const names[] = {"quantile", "nanquantile"};
  for (int i = 0; i < 2; ++i)
    for (td_bool keep = 0; keep <= 1; ++keep) {
      td_reduce_options options = over(last_dim, 1);
      options.keepdim = keep;
      must(reduce_with(td, names[i], &kwarg, 1, &options, &out, 1));
      check(keep ? has_batch(out, TD_SHAPE(3, 2, 1)) : has_batch(out, TD_SHAPE(3, 2)));
      expect_entry(out, TD_KEY("n", "b"), VALUES(0, 3, 1, 4, 2, 5));
      td_dict *m = get_dict(out, TD_KEY("m"));
      check(keep ? has_batch(m, TD_SHAPE(3, 2, 1, 1)) : has_batch(m, TD_SHAPE(3, 2, 1)));
      td_string *name[2];
      must(td_dict_name(out, 0, &name[0], &err));
      must(td_dict_name(m, 1, &name[1], &err));
      check(!name[0] && says(td_string_view(name[1]), "x"));
      td_string_release(name[1]);
      td_data_list *s;
      must(td_dict_get_data(out, TD_KEY("s"), &s, &err));
      check(td_data_list_shape(s, NULL, 0) == 2U + keep);
      td_data_list_release(s);
      td_dict_release(m), td_dict_release(out);
    }
  td_tensor_release(q), td_dict_release(td);
}

LeaklessTest(dict_reduce, quantiles_along_several_dims_and_over_features) {
  td_dict *td = tree(), *out;
  td_tensor *q = three_quantiles();
  const td_named_value kwarg = {TD_STR("q"), td_value_tensor(q)};
  const int64_t both[] = {0, 1};
  td_reduce_options options = over(both, 2);
  must(reduce_with(td, "quantile", &kwarg, 1, &options, &out, 1));
  expect_batch(out, TD_SHAPE(3));
  expect_entry(out, TD_KEY("n", "b"), VALUES(0, 2.5, 5));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 5, 6, 10, 11));
  td_dict_release(out);
  options = over(NULL, 0);
  must(reduce_with(td, "quantile", &kwarg, 1, NULL, &out, 1)); /* features, as nothing is left of the batch */
  expect_batch(out, TD_NO_DIMS);
  expect_entry(out, TD_KEY("n", "b"), VALUES(0, 2.5, 5));
  td_dict_release(out);
  options.feature = 1;
  must(reduce_with(td, "quantile", &kwarg, 1, &options, &out, 1));
  expect_batch(out, TD_SHAPE(3, 2, 3));
  expect_entry(out, TD_KEY("a"), VALUES(0, 2, 4, 6, 8, 10, 0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 1, 3, 5, 7, 9, 11));
  td_tensor_release(q), td_dict_release(out), td_dict_release(td);
}

LeaklessTest(dict_reduce, quantiles_of_all_leaves_and_of_none_have_the_same_dims) {
  td_dict *td = tree(), *out;
  td_tensor *q = three_quantiles(), *t;
  const td_named_value kwarg = {TD_STR("q"), td_value_tensor(q)};
  td_op *op = operator_named("quantile", NULL);
  must(td_dict_remove(td, TD_KEY("a"), &err));
  td_reduce_options options = over(last_dim, 1);
  options.keepdim = 1;
  must(td_dict_reduce_all(td, op, &kwarg, 1, &options, &t, &err));
  expect_shape(t, TD_SHAPE(3, 2, 1));
  td_tensor_release(t);
  must(td_dict_remove(td, TD_KEY("n"), &err));
  must(reduce_with(td, "quantile", &kwarg, 1, &options, &out, 1));
  expect_batch(out, TD_SHAPE(3, 2, 1));
  td_op_release(op);
  td_dict_release(out), td_tensor_release(q), td_dict_release(td);
}

LeaklessTest(dict_reduce, dims_that_are_no_batch_dims_and_leaves_that_refuse) {
  td_dict *td = tree(), *out = NULL;
  const int64_t tables[][2] = {{2, 0}, {-3, 0}, {0, -2}};
  const td_status codes[] = {TD_ERR_INDEX, TD_ERR_INDEX, TD_ERR_ARGUMENT};
  for (int i = 0; i < 3; ++i) {
    td_reduce_options options = over(tables[i], i == 2 ? 2 : 1);
    expect_error(reduce_with(td, "sum", NULL, 0, &options, &out, 1), codes[i], NULL, "dim");
  }
  td_reduce_options options = TD_REDUCE_OPTIONS_INIT;
  options.keepdim = 1;
  expect_error(reduce_with(td, "sum", NULL, 0, &options, &out, 1), TD_ERR_ARGUMENT, NULL, "keepdim");
  options.feature = 1;
  expect_error(reduce_with(td, "sum", NULL, 0, &options, &out, 1), TD_ERR_ARGUMENT, NULL, "feature");
  put(td, TD_KEY("n", "int"), counted(TD_DTYPE_INT64, TD_SHAPE(2, 3)));
  expect_error(reduce_with(td, "mean", NULL, 0, NULL, &out, 1), TD_ERR_DTYPE, "(\"n\", \"int\")", NULL);
  td_op *sum = operator_named("sum", NULL);
  expect_error(td_dict_reduce(NULL, sum, NULL, 0, NULL, &out, 1, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_reduce(td, NULL, NULL, 0, NULL, &out, 1, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_reduce(td, sum, NULL, 0, NULL, NULL, 1, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_reduce(td, sum, NULL, 0, NULL, NULL, 0, &err), TD_ERR_ARGUMENT, NULL, "room");
  td_op_release(sum);
  check(out == NULL);
  td_dict_release(td);

  td_dict *leafless = new_dict(TD_SHAPE(2, 0));
  options = over(tables[2], 1);
  out = reduced(leafless, "amax", &options);
  expect_batch(out, TD_SHAPE(0));
  td_dict_release(out);
  out = reduced(leafless, "sum", NULL);
  expect_batch(out, TD_NO_DIMS);
  td_dict_release(out);
  out = reduced(leafless, "softmax", &options);
  expect_batch(out, TD_SHAPE(2, 0));
  td_dict_release(out);
  td_dict_release(leafless);
}

LeaklessTest(dict_reduce, an_operator_in_place_is_refused_before_it_writes) {
  td_dict *td = tree(), *out;
  td_tensor *t;
  td_op *zero;
  td_bool any = 0;
  must(td_op_find(TD_STR("zero_"), TD_NO_STR, &zero, &err));
  expect_error(td_dict_reduce(td, zero, NULL, 0, NULL, &out, 1, &err), TD_ERR_SHAPE, NULL, "in place");
  expect_error(td_dict_reduce_all(td, zero, NULL, 0, NULL, &t, &err), TD_ERR_SHAPE, NULL, "in place");
  must(td_dict_any(td, &any, &err));
  check(any);
  td_op_release(zero);
  td_dict_release(td);
}

LeaklessTest(dict_reduce, all_leaves_together_are_one_tensor) {
  td_dict *td = tree();
  td_op *sum = operator_named("sum", NULL), *max = operator_named("max", NULL);
  td_tensor *t = NULL;
  must(td_dict_reduce_all(td, sum, NULL, 0, NULL, &t, &err));
  expect_values(t, VALUES(66 + 15));
  td_tensor_release(t);
  td_reduce_options options = TD_REDUCE_OPTIONS_INIT;
  options.feature = 1;
  must(td_dict_reduce_all(td, sum, NULL, 0, &options, &t, &err));
  expect_values(t, VALUES(1, 6, 11, 16, 21, 26));
  td_tensor_release(t);
  options = over(first_dim, 1);
  t = NULL;
  expect_error(td_dict_reduce_all(td, sum, NULL, 0, &options, &t, &err), TD_ERR_SHAPE, "(\"n\", \"b\")", "joined");
  must(td_dict_remove(td, TD_KEY("a"), &err));
  put(td, TD_KEY("c"), full_f32(10, TD_SHAPE(2, 3)));
  options.keepdim = 1;
  must(td_dict_reduce_all(td, sum, NULL, 0, &options, &t, &err));
  expect_shape(t, TD_SHAPE(1, 3));
  expect_values(t, VALUES(23, 25, 27));
  td_tensor_release(t);
  t = NULL;
  expect_error(td_dict_reduce_all(td, max, NULL, 0, &options, &t, &err), TD_ERR_ARGUMENT, NULL, "2 results");
  td_dict *leafless = new_dict(TD_NO_DIMS);
  expect_error(td_dict_reduce_all(leafless, sum, NULL, 0, NULL, &t, &err), TD_ERR_ARGUMENT, NULL, "no tensors");
  expect_error(td_dict_reduce_all(td, sum, NULL, 0, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(t == NULL);
  td_dict_release(leafless);
  td_op_release(sum);
  td_op_release(max);
  td_dict_release(td);
}

LeaklessTest(dict_reduce, all_and_any_are_one_truth) {
  td_dict *td = tree(), *leafless = new_dict(TD_NO_DIMS);
  td_bool truth;
  must(td_dict_all(leafless, &truth, &err));
  check(truth == 1);
  must(td_dict_any(leafless, &truth, &err));
  check(truth == 0);
  must(td_dict_remove(td, TD_KEY("a"), &err));
  must(td_dict_all(td, &truth, &err)); /* one element of n.b is 0 */
  check(truth == 0);
  must(td_dict_any(td, &truth, &err));
  check(truth == 1);
  expect_error(td_dict_all(NULL, &truth, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_any(td, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_dict_release(leafless);
  td_dict_release(td);
}
