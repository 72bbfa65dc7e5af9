/* Dicts of parameters: what becomes a leaf that requires grad, what stays one, and writes that autograd does not see. */
#include "support/td.h"

static td_dict *weights(void) {
  td_dict *td = new_dict(TD_NO_DIMS);
  put(td, TD_KEY("w"), range_f32(TD_SHAPE(2)));
  put(td, TD_KEY("n", "b"), full_f32(1, TD_SHAPE(3)));
  put(td, TD_KEY("n", "steps"), counted(TD_DTYPE_INT64, TD_SHAPE(1)));
  return td;
}

static td_dict *params_of(td_dict *td, int lock) {
  td_params_options options = TD_PARAMS_OPTIONS_INIT;
  options.lock = (td_bool)lock;
  td_dict *params;
  must(td_dict_params(td, &options, &params, &err));
  return params;
}

static int requires_grad(const td_dict *td, const td_key *key) {
  td_tensor *t = get(td, key);
  const int requires = td_tensor_requires_grad(t);
  td_tensor_release(t);
  return requires;
}

static void expect_counts(const td_dict *td, size_t parameters, size_t buffers) {
  td_keys *keys;
  td_tensor_list *tensors;
  must(td_dict_parameters(td, &keys, &tensors, &err));
  check(td_keys_size(keys) == parameters && td_tensor_list_size(tensors) == parameters);
  td_keys_release(keys);
  td_tensor_list_release(tensors);
  must(td_dict_buffers(td, &keys, &tensors, &err));
  check(td_keys_size(keys) == buffers && td_tensor_list_size(tensors) == buffers);
  td_keys_release(keys);
  td_tensor_list_release(tensors);
}

LeaklessTest(dict_params, converts_what_is_there_and_what_comes) {
  td_dict *td = weights(), *params = params_of(td, 0);
  check(td_dict_kind_of(params) == TD_DICT_KIND_PARAMS);
  expect_counts(params, 2, 1);
  check(requires_grad(td, TD_KEY("w")) && requires_grad(td, TD_KEY("n", "b"))); /* the wrapped dict's own entries */
  check(same_memory(td, TD_KEY("w"), params, TD_KEY("w")));
  put(params, TD_KEY("n", "v"), range_f32(TD_SHAPE(2)));
  check(requires_grad(params, TD_KEY("n", "v")));
  td_dict *more = weights();
  must(td_dict_set_dict(params, TD_KEY("m"), more, &err));
  check(requires_grad(params, TD_KEY("m", "n", "b")));
  td_dict *fresh = new_dict(TD_NO_DIMS);
  put(fresh, TD_KEY("n", "late"), range_f32(TD_SHAPE(2)));
  must(td_dict_update(params, fresh, NULL, &err));
  check(requires_grad(params, TD_KEY("n", "late")) && !requires_grad(fresh, TD_KEY("n", "late")));
  td_dict *raw = get_dict(params, TD_KEY("n"));
  check(td_dict_kind_of(raw) == TD_DICT_KIND_TENSORDICT);
  td_dict_release(raw);
  td_dict_release(fresh);
  td_dict_release(more);
  td_dict_release(params);
  td_dict_release(td);

  td = weights();
  td_params_options options = TD_PARAMS_OPTIONS_INIT;
  options.no_convert = 1;
  must(td_dict_params(td, &options, &params, &err));
  expect_counts(params, 0, 3);
  td_dict *lazy, *out;
  must(td_dict_lazy_stack(&td, 1, 0, &lazy, &err));
  expect_error(td_dict_params(lazy, NULL, &out, &err), TD_ERR_UNSUPPORTED, NULL, "lazy stack");
  td_dict_release(lazy);
  td_dict_release(params);
  td_dict_release(td);
}

LeaklessTest(dict_params, takes_the_dict_inside_as_a_copy) {
  td_dict *td = weights(), *params = params_of(td, 0);
  must(td_dict_set_dict(params, TD_KEY("w"), td, &err));
  td_dict *inside = get_dict(params, TD_KEY("w"));
  check(same_memory(inside, TD_KEY("n", "b"), td, TD_KEY("n", "b")));
  put(params, TD_KEY("w", "later"), range_f32(TD_SHAPE(2)));
  check(kind_at(td, TD_KEY("later")) == TD_ENTRY_NONE && kind_at(td, TD_KEY("w", "later")) == TD_ENTRY_TENSOR);
  expect_error(td_dict_set_dict(params, TD_KEY("self"), params, &err), TD_ERR_ARGUMENT, NULL, "cannot contain itself");
  td_dict_release(inside), td_dict_release(params), td_dict_release(td);
}

LeaklessTest(dict_params, values_are_written_without_autograd) {
  td_dict *td = weights(), *params = params_of(td, 0);
  td_tensor *value = full_f32(9, TD_SHAPE(2)), *w = get(params, TD_KEY("w"));
  must(td_dict_copy_into(params, TD_KEY("w"), value, &err));
  expect_values(w, VALUES(9, 9));
  check(td_tensor_requires_grad(w));
  must(td_dict_fill_(params, TD_KEY("n", "b"), TD_VALUE(td_value_double(3)), &err));
  must(td_dict_zero_(params, &err));
  expect_values(w, VALUES(0, 0));
  td_dict *src = weights();
  must(td_dict_update_(params, src, &err));
  expect_values(w, VALUES(0, 1));
  td_dict_release(src);
  expect_error(td_dict_copy_into(td, TD_KEY("w"), value, &err), TD_ERR_TORCH, "\"w\"", "requires grad");
  td_tensor_release(value);
  td_tensor_release(w);
  td_dict_release(params);
  td_dict_release(td);
}

LeaklessTest(dict_params, copies_are_parameters_and_results_have_history) {
  td_dict *td = weights(), *params = params_of(td, 0), *clone, *copy, *wide, *doubled;
  must(td_dict_clone(params, &clone, &err));
  check(td_dict_kind_of(clone) == TD_DICT_KIND_PARAMS && !same_memory(clone, TD_KEY("w"), params, TD_KEY("w")));
  expect_counts(clone, 2, 1);
  must(td_dict_copy(params, &copy, &err));
  check(td_dict_kind_of(copy) == TD_DICT_KIND_PARAMS && same_memory(copy, TD_KEY("w"), params, TD_KEY("w")));
  must(td_dict_to(params, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
  check(td_dict_kind_of(wide) == TD_DICT_KIND_PARAMS);
  td_op *mul = operator_named("mul", "Scalar");
  must(td_dict_pointwise(mul, ARGS(td_value_dict(params), td_value_int(2)), NULL, 0, NULL, &doubled, &err));
  check(td_dict_kind_of(doubled) == TD_DICT_KIND_TENSORDICT && requires_grad(doubled, TD_KEY("w")));
  td_op_release(mul);
  td_optimizer *sgd;
  must(td_optimizer_sgd(params, NULL, &sgd, &err));
  td_optimizer_release(sgd);
  td_dict_release(doubled);
  td_dict_release(wide);
  td_dict_release(copy);
  td_dict_release(clone);
  td_dict_release(params);
  td_dict_release(td);
}

LeaklessTest(dict_params, a_locked_inside_changes_through_the_parameters_only) {
  td_dict *td = weights(), *params = params_of(td, 1), *fresh = new_dict(TD_NO_DIMS);
  check(td_dict_is_locked(td) && !td_dict_is_locked(params));
  td_tensor *t = range_f32(TD_SHAPE(2));
  expect_error(td_dict_set(td, TD_KEY("x"), t, &err), TD_ERR_LOCKED, "\"x\"", NULL);
  must(td_dict_set(params, TD_KEY("n", "x"), t, &err));
  must(td_dict_remove(params, TD_KEY("n", "x"), &err));
  put(fresh, TD_KEY("n", "y"), range_f32(TD_SHAPE(2)));
  must(td_dict_update(params, fresh, NULL, &err));
  check(requires_grad(params, TD_KEY("n", "y")) && td_dict_is_locked(td));
  td_dict *whole = new_dict(TD_NO_DIMS);
  put(whole, TD_KEY("made", "z"), range_f32(TD_SHAPE(2)));
  must(td_dict_set_at(params, NULL, 0, whole, &err));
  td_dict *made = get_dict(td, TD_KEY("made"));
  check(td_dict_is_locked(td) && td_dict_is_locked(made));
  td_dict_release(made), td_dict_release(whole);
  must(td_dict_lock_(params, &err));
  expect_error(td_dict_set(params, TD_KEY("x"), t, &err), TD_ERR_LOCKED, "\"x\"", NULL);
  must(td_dict_unlock_(params, &err));
  check(td_dict_is_locked(td)); /* as it was made */
  td_tensor_release(t);
  td_dict_release(fresh);
  td_dict_release(params);
  td_dict_release(td);
}

LeaklessTest(dict_params, a_parameter_under_two_keys_is_one_in_a_clone) {
  td_dict *td = new_dict(TD_NO_DIMS), *params, *clone, *again;
  td_tensor *w = requiring_grad(range_f32(TD_SHAPE(3)));
  must(td_dict_set(td, TD_KEY("c"), w, &err));
  must(td_dict_set(td, TD_KEY("a", "b"), w, &err));
  put(td, TD_KEY("other"), requiring_grad(range_f32(TD_SHAPE(3))));
  params = params_of(td, 0);
  must(td_dict_clone(params, &clone, &err));
  must(td_dict_clone(clone, &again, &err));
  td_dict *const all[] = {params, clone, again};
  for (int i = 0; i < 3; ++i) {
    check(td_dict_param_count(all[i], 0) == 6 && td_dict_param_count(all[i], 1) == 9);
    check(same_memory(all[i], TD_KEY("c"), all[i], TD_KEY("a", "b")));
    check(requires_grad(all[i], TD_KEY("a", "b")));
    check(i == 0 || !same_memory(all[i], TD_KEY("c"), all[i - 1], TD_KEY("c")));
  }
  td_tensor_release(w);
  td_dict_release(again), td_dict_release(clone), td_dict_release(params), td_dict_release(td);
}

LeaklessTest(dict_params, a_dict_that_is_set_stays_what_it_is) {
  td_dict *td = weights(), *params = params_of(td, 0), *given = weights();
  must(td_dict_set_dict(params, TD_KEY("m"), given, &err));
  check(requires_grad(params, TD_KEY("m", "n", "b")) && same_memory(params, TD_KEY("m", "w"), given, TD_KEY("w")));
  check(!requires_grad(given, TD_KEY("w")) && !requires_grad(given, TD_KEY("n", "b")));
  put(given, TD_KEY("late"), range_f32(TD_SHAPE(2)));
  check(kind_at(params, TD_KEY("m", "late")) == TD_ENTRY_NONE);
  td_dict_release(given);
  td_dict_release(params);
  td_dict_release(td);
}

LeaklessTest(dict_params, what_leaves_a_locked_inside_is_locked_no_more) {
  td_dict *td = weights(), *params = params_of(td, 1), *n = get_dict(params, TD_KEY("n")), *other = weights();
  check(td_dict_is_locked(n));
  must(td_dict_rename_key_(params, TD_KEY("n"), TD_KEY("m"), 0, &err));
  check(td_dict_is_locked(n)); /* it is still inside */
  must(td_dict_set_dict(params, TD_KEY("m"), other, &err));
  check(!td_dict_is_locked(n) && td_dict_is_locked(td));
  must(td_dict_set_dict(params, TD_KEY("m"), n, &err));
  check(!td_dict_is_locked(n)); /* a copy of it came in */
  td_dict_release(n);
  n = get_dict(params, TD_KEY("m"));
  check(td_dict_is_locked(n));
  must(td_dict_remove(params, TD_KEY("m"), &err));
  check(!td_dict_is_locked(n) && td_dict_is_locked(td));
  td_dict_release(n);
  must(td_dict_set_dict(params, TD_KEY("m"), other, &err));
  n = get_dict(params, TD_KEY("m"));
  const td_key w[] = {*TD_KEY("w")};
  must(td_dict_select_(params, w, 1, 1, &err));
  check(!td_dict_is_locked(n) && td_dict_is_locked(td));
  td_dict_release(n);
  td_dict_release(other);
  td_dict_release(params);
  td_dict_release(td);
}

LeaklessTest(dict_params, parameters_of_parameters_are_a_copy_of_the_same_tensors) {
  td_dict *td = weights(), *params = params_of(td, 0), *again = params_of(params, 1);
  check(same_memory(again, TD_KEY("w"), params, TD_KEY("w")) && !td_dict_is_locked(td));
  put(again, TD_KEY("n", "late"), range_f32(TD_SHAPE(2)));
  check(kind_at(params, TD_KEY("n", "late")) == TD_ENTRY_NONE);
  expect_counts(again, 3, 1);
  td_dict_release(again), td_dict_release(params), td_dict_release(td);
}

LeaklessTest(dict_params, part_of_a_locked_dict_is_refused) {
  td_dict *td = weights(), *n = get_dict(td, TD_KEY("n")), *out = NULL;
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_params(n, NULL, &out, &err), TD_ERR_LOCKED, NULL, "part of a locked one");
  check(out == NULL && !requires_grad(n, TD_KEY("b")));
  must(td_dict_params(td, NULL, &out, &err)); /* the whole may be: it stays locked */
  check(td_dict_is_locked(td) && requires_grad(n, TD_KEY("b")));
  td_dict_release(out), td_dict_release(n), td_dict_release(td);
}

LeaklessTest(dict_params, a_tensor_under_two_keys_is_listed_once) {
  td_dict *td = weights(), *params = params_of(td, 0);
  td_tensor *w = get(params, TD_KEY("w")), *steps = get(params, TD_KEY("n", "steps"));
  must(td_dict_set(params, TD_KEY("n", "w"), w, &err));
  must(td_dict_set(params, TD_KEY("steps"), steps, &err));
  expect_counts(params, 2, 1);
  td_dict *copy;
  must(td_dict_clone(params, &copy, &err));
  expect_counts(copy, 2, 1); /* and is one in a copy */
  check(same_memory(copy, TD_KEY("steps"), copy, TD_KEY("n", "steps")));
  check(!same_memory(copy, TD_KEY("steps"), params, TD_KEY("steps")));
  td_tensor_release(w), td_tensor_release(steps);
  td_dict_release(copy), td_dict_release(params), td_dict_release(td);
}

LeaklessTest(dict_params, what_is_left_after_exclude_is_an_ordinary_dict) {
  td_dict *td = weights(), *params = params_of(td, 0), *some, *all;
  must(td_dict_exclude(params, TD_KEY("w"), 1, &some, &err));
  must(td_dict_exclude(params, NULL, 0, &all, &err));
  check(td_dict_kind_of(some) == TD_DICT_KIND_TENSORDICT && td_dict_kind_of(all) == TD_DICT_KIND_TENSORDICT);
  expect_counts(all, 2, 1);
  td_dict_release(some), td_dict_release(all), td_dict_release(params), td_dict_release(td);
}

LeaklessTest(dict_params, an_update_from_the_dict_inside_changes_nothing) {
  td_dict *td = weights(), *params = params_of(td, 0), *n = get_dict(td, TD_KEY("n"));
  must(td_dict_lock_(n, &err));
  must(td_dict_update(params, td, NULL, &err));
  expect_counts(params, 2, 1);
  check(td_dict_is_locked(n));
  td_dict_release(n), td_dict_release(params), td_dict_release(td);
}

LeaklessTest(dict_params, what_comes_to_a_locked_dict_inside_is_locked) {
  td_dict *td = weights(), *more = weights();
  must(td_dict_lock_(td, &err));
  td_dict *params = params_of(td, 0);
  must(td_dict_set_dict(params, TD_KEY("m"), more, &err));
  put(params, TD_KEY("n", "late"), range_f32(TD_SHAPE(2)));
  td_dict *m = get_dict(td, TD_KEY("m"));
  check(td_dict_is_locked(m) && td_dict_is_locked(td) && !td_dict_is_locked(more));
  td_dict_release(m), td_dict_release(params), td_dict_release(more), td_dict_release(td);
}

/* The first key is taken out before the second one is missed. */
LeaklessTest(dict_params, what_a_failed_call_took_out_comes_back_locked) {
  td_dict *td = weights(), *params = params_of(td, 1), *apart = NULL;
  const td_key keys[] = {*TD_KEY("n"), *TD_KEY("n")};
  td_dict *n = get_dict(params, TD_KEY("n"));
  check(td_dict_is_locked(n));
  expect_error(td_dict_separate(params, keys, 2, NULL, &apart, &err), TD_ERR_KEY, "\"n\"", NULL);
  td_dict *again = get_dict(params, TD_KEY("n"));
  check(!apart && td_dict_is_locked(n) && td_dict_is_locked(again));
  td_dict_release(again), td_dict_release(n), td_dict_release(params), td_dict_release(td);
}

LeaklessTest(dict_params, parameters_grow_with_the_dict_that_takes_them) {
  td_dict *empty = new_dict(TD_SHAPE(3)), *params = params_of(empty, 0), *td = new_dict(TD_SHAPE(3, 2));
  const td_str names[] = {TD_NO_STR, TD_STR("time")};
  must(td_dict_set_names(td, names, 2, &err));
  must(td_dict_set_dict(td, TD_KEY("p"), params, &err));
  td_dict *grown = get_dict(td, TD_KEY("p"));
  int64_t sizes[3];
  check(td_dict_batch_size(grown, sizes, 3) == 2 && sizes[1] == 2);
  put(grown, TD_KEY("w"), range_f32(TD_SHAPE(3, 2)));
  check(requires_grad(td, TD_KEY("p", "w")) && td_dict_batch_size(params, sizes, 3) == 1);
  td_dict_release(grown), td_dict_release(td), td_dict_release(params), td_dict_release(empty);
}

LeaklessTest(dict_params, a_dict_that_does_not_fit_stays_without_gradients) {
  td_dict *inner = new_dict(TD_SHAPE(2)), *other = new_dict(TD_SHAPE(3));
  put(inner, TD_KEY("w"), range_f32(TD_SHAPE(2)));
  put(other, TD_KEY("w"), range_f32(TD_SHAPE(3)));
  td_dict *params = params_of(inner, 0);
  expect_error(td_dict_set_dict(params, TD_KEY("n"), other, &err), TD_ERR_SHAPE, NULL, "batch");
  check(!requires_grad(other, TD_KEY("w")));
  td_dict_release(params), td_dict_release(inner), td_dict_release(other);
}
