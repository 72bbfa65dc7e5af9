/* The deepest dicts and modules fit the stack that tensordict.h names. */
#include <pthread.h>

#include "support/td.h"

enum { DEEPEST = 249, STACK = 512 * 1024 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1 /* frames are several times as large */
#else
#define SANITIZED 0
#endif

static const char *failed;

#define need(ok) \
  if (!(ok)) return failed = #ok, NULL

static void *dicts(void *unused) {
  (void)unused;
  td_dict *inner, *outer, *copy;
  td_tensor *x;
  td_keys *keys;
  td_string *text;
  td_bool equal = 0;
  need(td_dict_new(TD_SHAPE(2), NULL, &inner, NULL) == TD_OK);
  need(td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, &x, NULL) == TD_OK);
  need(td_dict_set(inner, TD_KEY("x"), x, NULL) == TD_OK);
  for (int level = 1; level < DEEPEST; ++level) {
    need(td_dict_new(TD_SHAPE(2), NULL, &outer, NULL) == TD_OK);
    need(td_dict_set_dict(outer, TD_KEY("d"), inner, NULL) == TD_OK);
    td_dict_release(inner);
    inner = outer;
  }
  need(td_dict_keys(inner, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, NULL) == TD_OK && td_keys_size(keys) == 1);
  need(td_dict_clone(inner, &copy, NULL) == TD_OK);
  need(td_dict_equal(inner, copy, NULL, &equal, NULL, NULL) == TD_OK && equal);
  need(td_dict_repr(inner, 0, &text, NULL) == TD_OK);
  need(td_dict_lock_(copy, NULL) == TD_OK);
  td_string_release(text), td_keys_release(keys), td_tensor_release(x);
  td_dict_release(copy), td_dict_release(inner);
  return NULL;
}

static td_status same(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs, size_t n_outputs,
                      td_error **error) {
  (void)userdata, (void)n_inputs, (void)n_outputs;
  return td_tensor_clone(inputs[0], outputs, error);
}

static void *modules(void *unused) {
  (void)unused;
  td_module *module, *outer;
  td_dict *data;
  td_tensor *x;
  td_string *text;
  need(td_module_from_function(TD_CALLBACKS(td_module_function, same, NULL, NULL), &module, NULL) == TD_OK);
  need(td_module_tensordict(module, TD_KEY("x"), 1, TD_KEY("x"), 1, NULL, &outer, NULL) == TD_OK);
  td_module_release(module);
  module = outer;
  int level = 2;
  for (; td_module_sequential(&module, 1, NULL, &outer, NULL) == TD_OK && level < 2 * DEEPEST; ++level) {
    td_module_release(module);
    module = outer;
  }
  need(level == 126); /* 250 levels: the function and its module, then two for each sequence */
  need(td_dict_new(TD_SHAPE(2), NULL, &data, NULL) == TD_OK);
  need(td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, &x, NULL) == TD_OK);
  need(td_dict_set(data, TD_KEY("x"), x, NULL) == TD_OK);
  need(td_module_forward(module, data, NULL) == TD_OK);
  need(td_module_repr(module, &text, NULL) == TD_OK);
  td_string_release(text), td_tensor_release(x), td_dict_release(data), td_module_release(module);
  return NULL;
}

static void on_a_small_stack(void *(*body)(void *)) {
  pthread_t thread;
  pthread_attr_t attributes;
  failed = NULL;
  check(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK) == 0);
  check(pthread_create(&thread, &attributes, body, NULL) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  if (failed) cr_assert_fail("%s", failed);
}

LeaklessTest(border_stack, the_deepest_dicts_need_at_most_512_kib) {
  if (!SANITIZED) on_a_small_stack(dicts);
}

LeaklessTest(border_stack, the_deepest_modules_need_at_most_512_kib) {
  if (!SANITIZED) on_a_small_stack(modules);
}
