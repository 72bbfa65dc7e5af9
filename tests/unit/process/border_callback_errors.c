/* The error of a callback comes back whole: the very object, with its code and the caller's object in it, however many
 * calls of the library lie between, and on whichever thread it comes out. */
#include <pthread.h>

#include "support/nn_support.h"

/* What a language would put into an error: its exception. */
typedef struct thrown {
  int number, destroyed;
} thrown;

static void destroy_thrown(void *userdata) {
  ((thrown *)userdata)->destroyed++;
}

static void destroy_other(void *userdata) {
  (void)userdata;
}

static thrown one;
static td_error *made; /* a reference of its own */

static void begin(void) {
  count_live();
  one = (thrown){7, 0};
}

static void end(void) {
  cr_assert_eq(one.destroyed, 1, "destroyed %d times", one.destroyed);
  check_live();
}

TestSuite(border_callback_errors, .init = begin, .fini = end);

/* Every callback below fails with this. */
static td_status fail(td_error **error) {
  *error = made = td_error_new_with(TD_ERR_TIMEOUT, TD_STR("the sensor is off"), &one, destroy_thrown);
  td_error_retain(made);
  return TD_ERR_TIMEOUT;
}

/* The failure of a call that ran such a callback, `depth` callbacks deep. */
static void expect_whole(td_status status, int depth) {
  check(status == TD_ERR_CALLBACK && td_error_code(err) == TD_ERR_CALLBACK);
  check(strstr(td_error_message(err).data, "the sensor is off"));
  check(!td_error_userdata(err, destroy_thrown));
  const td_error *cause = td_error_cause(err);
  for (int i = 1; i < depth; ++i) {
    check(cause && td_error_code(cause) == TD_ERR_CALLBACK);
    cause = td_error_cause(cause);
  }
  check(cause == made && td_error_code(cause) == TD_ERR_TIMEOUT && !td_error_cause(cause));
  check(!strcmp(td_error_message(cause).data, "the sensor is off"));
  check(td_error_userdata(cause, destroy_thrown) == &one && td_error_userdata(cause, NULL) == &one);
  check(!td_error_userdata(cause, destroy_other));
  td_error_release(made);
  check(one.destroyed == 0);
  td_error_release(err);
  err = NULL;
  check(one.destroyed == 1);
}

static td_status fail_on_tensors(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                 size_t n_outputs, td_error **error) {
  (void)userdata, (void)inputs, (void)n_inputs, (void)outputs, (void)n_outputs;
  return fail(error);
}

static td_module *failing(void) {
  td_module *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, fail_on_tensors, NULL, NULL), &m, &err));
  return m;
}

static td_dict *with_x(void) {
  td_dict *data = dict(TD_SHAPE(2));
  put(data, TD_KEY("x"), floats((const float[]){1, 2}, TD_SHAPE(2)));
  return data;
}

Test(border_callback_errors, of_a_module_function) {
  td_module *m = failing();
  td_tensor *x = VEC(1), *y;
  expect_whole(td_module_call(m, &x, 1, &y, 1, &err), 1);
  td_tensor_release(x);
  td_module_release(m);
}

Test(border_callback_errors, through_sequences) {
  td_module *inner = keyed(failing(), "x", "y"), *middle, *outer;
  must(td_module_sequential(&inner, 1, NULL, &middle, &err));
  must(td_module_sequential(&middle, 1, NULL, &outer, &err));
  td_dict *data = with_x();
  expect_whole(td_module_forward(outer, data, &err), 1);
  td_dict_release(data);
  td_module_release(inner), td_module_release(middle), td_module_release(outer);
}

Test(border_callback_errors, through_an_ensemble) {
  td_module *inner = keyed(failing(), "x", "y"), *ensemble;
  must(td_module_ensemble(inner, 2, 0, NULL, &ensemble, &err));
  td_dict *data = with_x();
  expect_whole(td_module_forward(ensemble, data, &err), 1);
  td_dict_release(data);
  td_module_release(inner), td_module_release(ensemble);
}

Test(border_callback_errors, through_a_module_that_is_mapped) {
  td_module *m = keyed(failing(), "x", "y");
  td_dict *data = dict(TD_NO_DIMS), *states = dict(TD_SHAPE(2)), *out;
  put(data, TD_KEY("x"), VEC(1));
  expect_whole(td_module_vmap(m, states, data, NULL, &out, &err), 1);
  td_dict_release(data), td_dict_release(states);
  td_module_release(m);
}

/* A callback that runs a module, and hands on what that fails with. */
static td_status call_on(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                         size_t n_outputs, td_error **error) {
  return td_module_call(userdata, inputs, n_inputs, outputs, n_outputs, error);
}

Test(border_callback_errors, through_callbacks_that_hand_it_on) {
  td_module *inner = failing(), *middle, *outer;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, call_on, inner, NULL), &middle, &err));
  must(td_module_from_function(TD_CALLBACKS(td_module_function, call_on, middle, NULL), &outer, &err));
  td_tensor *x = VEC(1), *y;
  expect_whole(td_module_call(outer, &x, 1, &y, 1, &err), 3);
  td_tensor_release(x);
  td_module_release(inner), td_module_release(middle), td_module_release(outer);
}

static td_status fail_in_hook(void *userdata, const td_module *m, td_hook_call *call, td_error **error) {
  (void)userdata, (void)m, (void)call;
  return fail(error);
}

Test(border_callback_errors, of_hooks) {
  td_module *m = known_linear();
  must(td_module_add_forward_hook(m, TD_CALLBACKS(td_forward_hook, fail_in_hook, NULL, NULL), 0, NULL, &err));
  td_tensor *x = VEC(1, 2, 3), *y;
  expect_whole(td_module_call(m, &x, 1, &y, 1, &err), 1);
  td_tensor_release(x);
  td_module_release(m);
}

static td_status fail_in_backward(void *userdata, const td_module *m, td_backward_call *call, td_error **error) {
  (void)userdata, (void)m, (void)call;
  return fail(error);
}

Test(border_callback_errors, of_backward_hooks_which_the_autograd_engine_runs) {
  td_module *m = known_linear();
  must(td_module_add_backward_hook(m, TD_CALLBACKS(td_backward_hook, fail_in_backward, NULL, NULL), 0, NULL, &err));
  td_tensor *x = VEC(1, 2, 3), *y;
  must(td_module_call(m, &x, 1, &y, 1, &err));
  td_tensor *sum = apply("sum", y, NULL);
  expect_whole(td_tensor_backward(sum, NULL, 0, &err), 1);
  td_tensor_release(x), td_tensor_release(y), td_tensor_release(sum);
  td_module_release(m);
}

static td_status fail_in_map(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                             td_error **error) {
  (void)userdata, (void)key, (void)tensors, (void)n, (void)out;
  return fail(error);
}

Test(border_callback_errors, of_map_functions_whose_place_the_outer_error_names) {
  td_dict *data = with_x(), *out;
  const td_status status =
      td_dict_map(data, TD_CALLBACKS(td_map_function, fail_in_map, NULL, NULL), NULL, 0, NULL, &out, &err);
  check(!strcmp(td_error_key(err).data, "\"x\""));
  expect_whole(status, 1);
  td_dict_release(data);
}

static td_status fail_in_hash(void *userdata, const td_tensor *rows, td_tensor **out, td_error **error) {
  (void)userdata, (void)rows, (void)out;
  return fail(error);
}

Test(border_callback_errors, of_hash_functions) {
  td_hash *hash;
  must(td_hash_from_function(TD_CALLBACKS(td_hash_function, fail_in_hash, NULL, NULL), &hash, &err));
  td_tensor *rows = VEC(1, 2), *out;
  expect_whole(td_hash_call(hash, rows, &out, &err), 1);
  td_tensor_release(rows);
  td_hash_release(hash);
}

static td_status fail_in_writer(void *target, const void *bytes, size_t size, td_error **error) {
  (void)target, (void)bytes, (void)size;
  return fail(error);
}

/* The plugin hands it up with its code, which is then that of the call. */
Test(border_callback_errors, of_a_writer_through_a_plugin) {
  td_hash *hash;
  must(td_hash_new(TD_STR("td.siphash"), TD_NO_STR, &hash, &err));
  const td_status status = td_hash_save(hash, TD_CALLBACKS(td_writer, fail_in_writer, NULL), &err);
  check(status == TD_ERR_TIMEOUT && td_error_code(err) == status && td_error_cause(err) == made);
  check(td_error_userdata(td_error_cause(err), destroy_thrown) == &one);
  td_error_release(made), td_error_release(err);
  err = NULL;
  td_hash_release(hash);
}

static void *run_and_keep(void *userdata) {
  td_module *m = failing();
  td_tensor *x = VEC(1), *y;
  check(td_module_call(m, &x, 1, &y, 1, userdata) == TD_ERR_CALLBACK);
  td_tensor_release(x);
  td_module_release(m);
  return NULL;
}

Test(border_callback_errors, on_another_thread) {
  pthread_t thread;
  check(!pthread_create(&thread, NULL, run_and_keep, &err) && !pthread_join(thread, NULL));
  expect_whole(td_error_code(err), 1);
}

static td_status fail_without_error(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                    size_t n_outputs, td_error **error) {
  (void)userdata, (void)inputs, (void)n_inputs, (void)outputs, (void)n_outputs, (void)error;
  return TD_ERR_NOSPACE;
}

Test(border_callback_errors, a_status_alone_is_the_code_of_the_cause) {
  td_module *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, fail_without_error, &one, destroy_thrown), &m, &err));
  td_tensor *x = VEC(1), *y;
  check(td_module_call(m, &x, 1, &y, 1, &err) == TD_ERR_CALLBACK);
  check(td_error_code(td_error_cause(err)) == TD_ERR_NOSPACE);
  check(strstr(td_error_message(err).data, "TD_ERR_NOSPACE"));
  td_error_release(err);
  err = NULL;
  td_tensor_release(x);
  td_module_release(m);
}

Test(border_callback_errors, an_error_keeps_its_object_until_the_last_reference_goes) {
  td_error *e = td_error_new_with(TD_ERR_IO, TD_STR("x"), &one, destroy_thrown);
  td_error_retain(e);
  td_error_release(e);
  check(one.destroyed == 0 && td_error_userdata(e, NULL) == &one);
  td_error_release(e);
  check(one.destroyed == 1);
  e = td_error_new(TD_ERR_IO, TD_STR("x"));
  check(!td_error_userdata(e, NULL) && !td_error_userdata(NULL, NULL));
  td_error_release(e);
}
