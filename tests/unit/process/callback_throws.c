/* An exception of C++ that reaches the library through a callback of any kind ends there, and comes out as a status. */
#include <dlfcn.h>

#include "support/nn_support.h"

TestSuite(callback_throws, .init = count_live, .fini = check_live);

/* `throw 42;`, through the C++ run time that the library has loaded. */
static void throw_int(void) {
  void *(*allocate)(size_t);
  void (*raise)(void *, void *, void (*)(void *));
  *(void **)&allocate = dlsym(RTLD_DEFAULT, "__cxa_allocate_exception");
  *(void **)&raise = dlsym(RTLD_DEFAULT, "__cxa_throw");
  void *type_of_int = dlsym(RTLD_DEFAULT, "_ZTIi");
  cr_assert(allocate && raise && type_of_int);
  int *value = allocate(sizeof *value);
  *value = 42;
  raise(value, type_of_int, NULL);
}

static int calls;

static void throw_from_release(void *owner) {
  (void)owner;
  ++calls;
  throw_int();
}

static td_status throw_from_function(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                     size_t n_outputs, td_error **error) {
  (void)userdata, (void)inputs, (void)n_inputs, (void)outputs, (void)n_outputs;
  *error = td_error_new(TD_ERR_IO, TD_STR("left behind")); /* must not leak */
  ++calls;
  throw_int();
  return TD_OK;
}

Test(callback_throws, from_a_module_function) {
  td_module *fn, *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, throw_from_function, NULL, NULL), &fn, &err));
  td_tensor *x = VEC(1), *y = NULL;
  expect_error(td_module_call(fn, &x, 1, &y, 1, &err), TD_ERR_CALLBACK, NULL, "exception");
  cr_assert_eq(td_module_call(fn, &x, 1, &y, 1, NULL), TD_ERR_CALLBACK);
  cr_assert_null(y);

  m = keyed(fn, "x", "y");
  td_dict *data = dict(TD_NO_DIMS), *states = dict(TD_SHAPE(2)), *out;
  must(td_dict_set(data, TD_KEY("x"), x, &err));
  expect_error(td_module_forward(m, data, &err), TD_ERR_CALLBACK, NULL, "exception");
  expect_error(td_module_vmap(m, states, data, NULL, &out, &err), TD_ERR_CALLBACK, NULL, "exception");
  cr_assert_eq(calls, 4);
  td_tensor *twice = apply("add", x, x); /* no level of vmap is left behind */
  expect_shape(twice, TD_SHAPE(1));
  td_tensor_release(twice);
  td_dict_release(data);
  td_dict_release(states);
  td_tensor_release(x);
  td_module_release(m);
}

Test(callback_throws, from_destroy_and_release) {
  td_module *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, throw_from_function, NULL, throw_from_release), &m,
                               &err));
  td_module_release(m);
  cr_assert_eq(calls, 1);
  expect_error(td_module_from_function(TD_CALLBACKS(td_module_function, NULL, NULL, throw_from_release), &m, &err),
               TD_ERR_ARGUMENT, NULL, "fn");
  cr_assert_eq(calls, 2);

  static float memory[4];
  td_tensor *t;
  must(td_tensor_from_memory(memory, TD_DTYPE_FLOAT32, TD_SHAPE(4), NULL, throw_from_release, memory, &t, &err));
  td_tensor_release(t);
  cr_assert_eq(calls, 3);
  expect_error(td_tensor_from_memory(memory, 99, TD_SHAPE(4), NULL, throw_from_release, memory, &t, &err), TD_ERR_DTYPE,
               NULL, "");
  cr_assert_eq(calls, 4);
}

Test(callback_throws, from_a_plugin) {
  td_module *m;
  expect_error(td_module_new(TD_STR("test.broken"), TD_STR("{\"how\": \"throw from create\"}"), NULL, &m, &err),
               TD_ERR_PLUGIN, NULL, "test.broken");
  must(td_module_new(TD_STR("test.broken"), TD_STR("{\"how\": \"throw\"}"), NULL, &m, &err));
  td_tensor *x = VEC(1), *y;
  expect_error(td_module_call(m, &x, 1, &y, 1, &err), TD_ERR_PLUGIN, NULL, "exception");
  expect_error(td_module_call(m, &x, 1, &y, 1, &err), TD_ERR_PLUGIN, NULL, "test.broken");
  td_tensor_release(x);
  td_module_release(m);
}
