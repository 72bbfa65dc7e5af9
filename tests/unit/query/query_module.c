/* Queries among modules, and over dicts that are not one piece. */
#include "support/query.h"

static td_query *query_writing(const char *index, td_bool clone) {
  td_query_options o = TD_QUERY_OPTIONS_INIT;
  o.index_key = TD_KEY(index), o.clone = clone;
  return query_with(&o);
}

static size_t keys_of(td_status (*list)(const td_module *, td_keys **, td_error **), const td_module *module) {
  td_keys *keys;
  must(list(module, &keys, &err));
  const size_t n = td_keys_size(keys);
  td_keys_release(keys);
  return n;
}

static td_module *module_of(td_query *query) {
  td_module *module;
  must(td_module_query(query, &module, &err));
  return module;
}

LeaklessTest(query_module, a_query_is_a_member_of_a_sequence) {
  td_query *rows = query_writing("i", 0);
  td_query_options o = TD_QUERY_OPTIONS_INIT;
  o.index_key = TD_KEY("j"), o.hash_key = TD_KEY("again");
  td_query *indices;
  must(td_query_new(TD_KEY("i"), 1, &o, &indices, &err));
  td_module *members[] = {module_of(rows), module_of(indices)}, *sequence;
  must(td_module_sequential(members, 2, NULL, &sequence, &err));
  check(keys_of(td_module_in_keys, sequence) == 1 && keys_of(td_module_out_keys, sequence) == 4);
  td_dict *data = ROWS(9, 8, 9);
  must(td_module_forward(sequence, data, &err));
  expect_int64(data, TD_KEY("i"), INDICES(0, 1, 0));
  expect_int64(data, TD_KEY("j"), INDICES(0, 1, 0));
  check(td_query_size(rows) == 2 && td_query_size(indices) == 2); /* theirs, not copies */
  expect_error(td_module_query(NULL, &members[0], &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_dict_release(data);
  const td_module *const modules[] = {members[0], members[1], sequence};
  for (int i = 0; i < 3; ++i) td_module_release(modules[i]);
  td_query_release(rows);
  td_query_release(indices);
}

LeaklessTest(query_module, its_out_keys_can_be_selected) {
  td_query *query = query_writing("i", 0);
  td_module *module = module_of(query);
  td_dict *data = ROWS(9, 8, 9);
  must(td_module_forward(module, data, &err));
  must(td_module_select_out_keys(module, TD_KEY("i"), 1, &err));
  put(data, TD_KEY("other"), range_f32(TD_SHAPE(3)));
  must(td_module_forward(module, data, &err));
  check(kind_at(data, TD_KEY("other")) == TD_ENTRY_TENSOR && kind_at(data, TD_KEY("_hash")) == TD_ENTRY_NONE);
  expect_error(td_module_select_out_keys(module, TD_KEY("_hash"), 1, &err), TD_ERR_KEY, "\"_hash\"", NULL);
  must(td_module_reset_out_keys(module, &err));
  td_dict_release(data);
  td_module_release(module);
  td_query_release(query);
}

LeaklessTest(query_module, a_run_may_name_the_dict_that_it_writes_and_skip_what_is_there) {
  td_query *query = query_writing("i", 0);
  td_module *module = module_of(query);
  td_run_options run = TD_RUN_OPTIONS_INIT;
  td_dict *data = ROWS(9, 8, 9), *source = ROWS(7, 8), *out = new_dict(TD_SHAPE(2)), *result;
  must(td_module_forward(module, data, &err));
  run.tensordict_out = out;
  must(td_module_run(module, source, &run, &result, &err));
  check(result == out && kind_at(source, TD_KEY("i")) == TD_ENTRY_NONE);
  expect_int64(out, TD_KEY("i"), INDICES(2, 1));
  td_dict_release(result);
  run.tensordict_out = NULL, run.skip_existing = 1;
  must(td_module_run(module, out, &run, &result, &err)); /* has no "a": it did not run */
  check(result == out);
  const td_dict *const dicts[] = {data, source, out, result};
  for (int i = 0; i < 4; ++i) td_dict_release(dicts[i]);
  td_module_release(module);
  td_query_release(query);
}

LeaklessTest(query_module, a_failing_member_leaves_map_and_data_as_they_were) {
  td_query *query = query_writing("i", 1);
  td_module *module;
  must(td_module_query(query, &module, &err));
  td_dict *data = ROWS(1, 2), *copy;
  must(td_module_run(module, data, NULL, &copy, &err)); /* the query makes copies */
  check(copy != data && kind_at(data, TD_KEY("i")) == TD_ENTRY_NONE);
  expect_int64(copy, TD_KEY("i"), INDICES(0, 1));
  td_dict *none = new_dict(TD_SHAPE(2)), *out = NULL;
  expect_error(td_module_run(module, none, NULL, &out, &err), TD_ERR_KEY, "\"a\"", NULL);
  td_run_options run = TD_RUN_OPTIONS_INIT;
  td_dict *narrow = new_dict(TD_SHAPE(3)), *more = ROWS(3, 4);
  run.tensordict_out = narrow;
  expect_error(td_module_run(module, more, &run, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  check(kind_at(narrow, TD_KEY("i")) == TD_ENTRY_NONE && kind_at(narrow, TD_KEY("_hash")) == TD_ENTRY_NONE);
  const td_dict *const dicts[] = {data, copy, none, narrow, more};
  for (int i = 0; i < 5; ++i) td_dict_release(dicts[i]);
  td_module_release(module);
  td_query_release(query);
}

LeaklessTest(query_module, each_dict_of_a_lazy_stack_gets_its_own_index) {
  td_dict *items[3], *stack;
  static const int64_t rows[3][2] = {{5, 6}, {7, 8}, {5, 6}};
  for (int i = 0; i < 3; ++i) {
    items[i] = new_dict(TD_NO_DIMS);
    put(items[i], TD_KEY("a"), vector_of(TD_DTYPE_INT64, rows[i], 2));
  }
  must(td_dict_lazy_stack(items, 3, 0, &stack, &err));
  td_query *query = query_with(NULL);
  must(td_query_forward(query, stack, TD_QUERY_DEFAULT, &err));
  expect_int64(stack, TD_KEY("_index"), INDICES(0, 1, 0));
  expect_entry(items[2], TD_KEY("_index"), VALUES(0));
  expect_entry(items[1], TD_KEY("_index"), VALUES(1));
  td_tensor *there;
  must(td_query_contains(query, stack, &there, &err));
  expect_values(there, VALUES(1, 1, 1));
  td_tensor_release(there);
  for (int i = 0; i < 3; ++i) td_dict_release(items[i]);
  td_dict_release(stack);
  td_query_release(query);
}
