/* Structs of callbacks grow as options do: of any size that is understood, and what they own is destroyed once. */
#include "support/calls.h"
#include "support/nn_support.h"

static int destroyed, heard;

static void count_destroyed(void *userdata) {
  cr_assert_eq(userdata, &destroyed);
  ++destroyed;
}

static td_status first_input(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                             size_t n_outputs, td_error **error) {
  (void)userdata, (void)n_inputs, (void)n_outputs, (void)error;
  td_tensor_retain(outputs[0] = inputs[0]);
  return TD_OK;
}

static void hear(void *userdata, td_str text, td_str where) {
  (void)userdata, (void)text, (void)where;
  ++heard;
}

/* What a caller with a newer header gives: members that this library does not know. */
typedef struct newer_function {
  td_module_function known;
  size_t unknown[2];
} newer_function;

static newer_function made_newer(size_t size, size_t unknown) {
  destroyed = 0;
  return (newer_function){{size, first_input, &destroyed, count_destroyed}, {0, unknown}};
}

LeaklessTest(callback_sizes, members_that_nobody_set_may_be_unknown) {
  newer_function f = made_newer(sizeof f, 0);
  td_module *m;
  must(td_module_from_function(&f.known, &m, &err));
  memset(&f, 0xFF, sizeof f); /* it was copied */
  td_tensor *x = VEC(3), *y;
  must(td_module_call(m, &x, 1, &y, 1, &err));
  cr_assert(destroyed == 0);
  td_tensor_release(x), td_tensor_release(y), td_module_release(m);
  cr_assert_eq(destroyed, 1);
}

LeaklessTest(callback_sizes, a_struct_that_is_not_understood_is_not_read) {
  const struct {
    size_t size, unknown;
  } table[] = {{sizeof(newer_function), 1}, {0, 0}, {sizeof(td_module_function) - 1, 0}, {(size_t)1 << 40, 0}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    const newer_function f = made_newer(table[i].size, table[i].unknown);
    td_module *m = NULL;
    expect_error(td_module_from_function(&f.known, &m, &err), TD_ERR_ARGUMENT, NULL, "struct_size");
    cr_assert(!m && destroyed == 0, "%zu", i);
  }
}

LeaklessTest(callback_sizes, members_that_an_older_header_lacks_are_null) {
  newer_function f = made_newer(offsetof(td_module_function, destroy), 0);
  td_module *m = NULL;
  must(td_module_from_function(&f.known, &m, &err));
  td_module_release(m);
  cr_assert_eq(destroyed, 0, "it has no destroy");
  f.known.struct_size = sizeof(size_t);
  expect_error(td_module_from_function(&f.known, &m, &err), TD_ERR_ARGUMENT, NULL, "fn");
}

LeaklessTest(callback_sizes, both_functions_of_a_call_are_destroyed_if_one_of_them_is_wrong) {
  destroyed = 0;
  td_dict *td = dict(TD_SHAPE(2)), *out = NULL;
  const td_map_data_function data = {sizeof data, NULL, &destroyed, count_destroyed};
  td_map_options options = TD_MAP_OPTIONS_INIT;
  options.data = &data;
  expect_error(td_dict_map(td, NULL, NULL, 0, &options, &out, &err), TD_ERR_ARGUMENT, NULL, "function");
  cr_assert_eq(destroyed, 1);
  expect_error(
      td_dict_map(td, TD_CALLBACKS(td_map_function, NULL, &destroyed, count_destroyed), NULL, 0, &options, &out, &err),
      TD_ERR_ARGUMENT, NULL, "fn");
  cr_assert_eq(destroyed, 3);
  options.struct_size = 3;
  expect_error(
      td_dict_map(td, TD_CALLBACKS(td_map_function, NULL, &destroyed, count_destroyed), NULL, 0, &options, &out, &err),
      TD_ERR_ARGUMENT, NULL, NULL);
  cr_assert_eq(destroyed, 4, "options that are not understood are not read");
  td_dict_release(td);
}

LeaklessTest(callback_sizes, a_warning_callback_goes_when_it_is_replaced) {
  destroyed = heard = 0;
  expect_error(td_set_warning_callback(TD_CALLBACKS(td_warning_function, NULL, &destroyed, count_destroyed), &err),
               TD_ERR_ARGUMENT, NULL, "fn");
  cr_assert_eq(destroyed, 1);
  must(td_set_warning_callback(TD_CALLBACKS(td_warning_function, hear, &destroyed, count_destroyed), &err));
  cr_assert_eq(destroyed, 1);
  must(td_set_warning_callback(TD_CALLBACKS(td_warning_function, hear, &destroyed, count_destroyed), &err));
  cr_assert_eq(destroyed, 2);
  must(td_set_warning_callback(NULL, &err));
  cr_assert_eq(destroyed, 3);
}

LeaklessTest(callback_sizes, readers_and_writers_have_a_size_too) {
  td_hash *hash;
  must(td_hash_new(TD_STR("td.xxh3"), TD_NO_STR, &hash, &err));
  const td_writer odd = {sizeof odd - 1, NULL, NULL}, no_write = TD_WRITER_INIT;
  const td_reader no_read = TD_READER_INIT;
  expect_error(td_hash_save(hash, &odd, &err), TD_ERR_ARGUMENT, NULL, "struct_size");
  expect_error(td_hash_save(hash, &no_write, &err), TD_ERR_ARGUMENT, NULL, "writer");
  expect_error(td_hash_save(hash, NULL, &err), TD_ERR_ARGUMENT, NULL, "writer");
  expect_error(td_hash_load(hash, &no_read, &err), TD_ERR_ARGUMENT, NULL, "reader");
  td_hash_release(hash);
}
