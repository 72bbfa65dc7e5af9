/* Queries over a map from hashes to indices that is the caller's. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "support/index_map.h"

TestSuite(query_map, .init = make_test_dir, .fini = remove_test_dir);

static void expect_look_up(const td_query *query, td_dict *taken, const double *indices, size_t n) {
  td_tensor *t;
  must(td_query_look_up(query, taken, &t, &err));
  expect_values_at(__FILE__, __LINE__, t, indices, n);
  td_tensor_release(t);
  td_dict_release(taken);
}

static void expect_refused(td_query *query, td_dict *taken, td_status code, const char *says) {
  expect_error(td_query_forward(query, taken, TD_QUERY_DEFAULT, &err), code, NULL, says);
  check(kind_at(taken, TD_KEY("_index")) == TD_ENTRY_NONE && kind_at(taken, TD_KEY("_hash")) == TD_ENTRY_NONE);
  td_dict_release(taken);
}

LeaklessTest(query_map, gives_the_indices_of_the_built_in_map) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m)), *builtin = query_with(NULL);
  td_query *const both[] = {query, builtin};
  for (int i = 0; i < 2; ++i) {
    expect_forward(both[i], ROWS(5, 7, 5, 9), INDICES(0, 1, 0, 2));
    expect_forward(both[i], ROWS(9, 1, 1, 5), INDICES(2, 3, 3, 0));
    expect_look_up(both[i], ROWS(7, 6), VALUES(1, -1));
    check(td_query_size(both[i]) == 4);
    td_dict *asked = ROWS(9, 8);
    must(td_query_forward(both[i], asked, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH,
                          &err)); /* a miss is the number of indices handed out */
    expect_int64(asked, TD_KEY("_index"), INDICES(2, 4));
    td_dict_release(asked);
  }
  check(m.inserts == 2 && m.n == 4 && m.erases == 0);
  td_query_statistics s = TD_QUERY_STATISTICS_INIT;
  must(td_query_stats(query, &s, &err));
  check(s.size == 4 && s.next == 4 && s.evictions == 0 && s.nbytes == 0);
  td_query_release(query);
  check(m.destroyed == 1);
  td_query_release(builtin);
}

LeaklessTest(query_map, forgets_and_is_cleared) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  expect_forward(query, ROWS(1, 2, 3), INDICES(0, 1, 2));
  td_dict *gone = ROWS(3, 3, 8);
  int64_t n;
  must(td_query_remove(query, gone, &n, &err));
  check(n == 1 && td_query_size(query) == 2 && m.erases == 1);
  must(td_query_remove(query, gone, &n, &err)); /* nothing of it is there, and the map is not asked */
  check(n == 0 && m.erases == 1);
  td_dict_release(gone);
  must(td_query_clear(query, &err));
  expect_forward(query, ROWS(3, 1), INDICES(0, 1));
  td_query_release(query);
}

LeaklessTest(query_map, writes_its_state_and_a_built_in_map_can_load_it) {
  array_map m = {.n = 0}, other = {.n = 0};
  td_query *query = query_over_map(functions_of(&m)), *second = query_over_map(functions_of(&other)),
           *builtin = query_with(NULL);
  expect_forward(query, ROWS(4, 2, 3), INDICES(0, 1, 2));
  td_dict *state;
  must(td_query_state(query, &state, &err));
  check(kind_at(state, TD_KEY("identity")) == TD_ENTRY_TENSOR && kind_at(state, TD_KEY("keys")) == TD_ENTRY_TENSOR);
  must(td_query_load_state(second, state, 0, &err));
  must(td_query_load_state(builtin, state, 0, &err));
  expect_forward(second, ROWS(3, 9), INDICES(2, 3));
  expect_forward(builtin, ROWS(3, 9), INDICES(2, 3));
  must(td_dict_remove(state, TD_KEY("keys"), &err));
  expect_error(td_query_load_state(second, state, 0, &err), TD_ERR_CALLBACK, "\"keys\"", "no such key");
  expect_look_up(second, ROWS(3, 9), VALUES(2, 3));
  td_dict_release(state);
  m.fails = "state";
  expect_error(td_query_state(query, &state, &err), TD_ERR_CALLBACK, NULL, "gone");
  m.fails = "state writes identity";
  expect_error(td_query_state(query, &state, &err), TD_ERR_CALLBACK, "\"identity\"", "belongs to the query");
  td_query_release(query);
  td_query_release(second);
  td_query_release(builtin);
}

LeaklessTest(query_map, a_failure_of_the_map_is_told_and_loses_nothing) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  m.fails = "look_up";
  expect_refused(query, ROWS(1), TD_ERR_CALLBACK, "gone");
  check(m.n == 2 && m.erases == 0);
  m.fails = "insert"; /* has taken half of the rows in */
  expect_refused(query, ROWS(3, 4, 5, 6), TD_ERR_CALLBACK, "gone");
  check(m.n == 2 && m.erases == 1);
  m.fails = "size";
  expect_refused(query, ROWS(3), TD_ERR_CALLBACK, "gone");
  check(td_query_size(query) == 0); /* has no way to say so */
  td_query_statistics s = TD_QUERY_STATISTICS_INIT;
  expect_error(td_query_stats(query, &s, &err), TD_ERR_CALLBACK, NULL, "gone");
  m.fails = "clear";
  expect_error(td_query_clear(query, &err), TD_ERR_CALLBACK, NULL, "gone");
  m.fails = "erase";
  td_dict *two = ROWS(2);
  expect_error(td_query_remove(query, two, NULL, &err), TD_ERR_CALLBACK, NULL, "gone");
  td_dict_release(two);
  m.fails = NULL, m.n = 2, m.hashes[1] = m.hashes[0] + 1;
  expect_forward(query, ROWS(1, 7), INDICES(0, 2));
  td_query_release(query);
}

LeaklessTest(query_map, indices_that_cannot_be_are_refused) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  m.shift = 5;
  expect_refused(query, ROWS(1), TD_ERR_CALLBACK, "`look_up` of a custom map returned the index 5");
  td_tensor *out;
  td_dict *asked = ROWS(1);
  expect_error(td_query_look_up(query, asked, &out, &err), TD_ERR_CALLBACK, NULL, "below 2");
  td_dict_release(asked);
  expect_refused(query, ROWS(3, 4), TD_ERR_CALLBACK, "`insert` of a custom map returned the index 7");
  check(m.n == 2);
  m.shift = -9;
  expect_refused(query, ROWS(3), TD_ERR_CALLBACK, "the index -7");
  check(m.n == 2);
  m.shift = 0;
  expect_look_up(query, ROWS(1, 2, 3), VALUES(0, 1, -1));
  td_query_release(query);
}

LeaklessTest(query_map, rows_of_a_call_that_fails_later_are_taken_back) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  td_store_options o = TD_STORE_OPTIONS_INIT;
  o.capacity = 2;
  td_store *store;
  td_row_map *rows;
  must(td_store_new(&o, &store, &err));
  must(td_row_map_new(query, store, &rows, &err));
  td_dict *keys = ROWS(1, 2), *more = ROWS(2, 3, 4);
  must(td_row_map_set(rows, keys, keys, &err));
  expect_error(td_row_map_set(rows, more, more, &err), TD_ERR_NOSPACE, NULL, NULL);
  check(m.n == 2 && m.erases == 1 && td_query_size(query) == 2);
  td_dict_release(keys);
  td_dict_release(more);
  td_row_map_release(rows);
  td_store_release(store);

  td_index_map only_grows = functions_of(&m);
  only_grows.erase = NULL;
  td_query *grows = query_over_map(only_grows);
  m.fails = "insert";
  expect_refused(grows, ROWS(7, 8), TD_ERR_CALLBACK, "gone");
  m.fails = NULL;
  expect_forward(grows, ROWS(8, 7), INDICES(3, 2)); /* it had kept the first, and gives the same index again */
  td_query_release(grows);
  td_query_release(query);
  check(m.destroyed == 2);
}

LeaklessTest(query_map, its_functions_cannot_come_back) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  expect_forward(query, ROWS(1), INDICES(0));
  m.enters = query;
  expect_refused(query, ROWS(1, 2), TD_ERR_CALLBACK, "uses the same map");
  check(m.look_ups == 2 && m.n == 1);
  td_query_options shares = TD_QUERY_OPTIONS_INIT;
  shares.map_of = query;
  td_query *other = query_with(&shares);
  m.enters = other;
  expect_refused(query, ROWS(1, 2), TD_ERR_CALLBACK, "uses the same map");
  m.enters = NULL;
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  td_query_release(query);
  check(m.destroyed == 0);
  expect_forward(other, ROWS(2, 3), INDICES(1, 2));
  td_query_release(other);
  check(m.destroyed == 1);
}

static td_index_map least_functions_of(array_map *m) {
  td_index_map least = functions_of(m);
  least.erase = NULL, least.clear = NULL, least.state = NULL, least.load = NULL;
  return least;
}

LeaklessTest(query_map, what_it_lacks_is_refused) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(least_functions_of(&m));
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  td_dict *data = ROWS(1), *state;
  expect_error(td_query_remove(query, data, NULL, &err), TD_ERR_UNSUPPORTED, NULL, "`erase`");
  expect_error(td_query_clear(query, &err), TD_ERR_UNSUPPORTED, NULL, "`clear`");
  expect_error(td_query_state(query, &state, &err), TD_ERR_UNSUPPORTED, NULL, "`state`");
  td_query *builtin = query_with(NULL);
  must(td_query_state(builtin, &state, &err));
  expect_error(td_query_load_state(query, state, 0, &err), TD_ERR_UNSUPPORTED, NULL, "`load`");
  td_dict_release(state);
  td_dict_release(data);
  check(td_query_size(query) == 2);
  td_query_release(query);
  td_query_release(builtin);
  check(m.destroyed == 1);
}

LeaklessTest(query_map, it_has_no_file) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(least_functions_of(&m));
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  expect_error(td_query_share(query, TD_STR("map.of.callers"), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "custom map");
  expect_error(td_query_save(query, TD_STR("/nonexistent/map"), NULL, &err), TD_ERR_UNSUPPORTED, NULL, "custom map");
  expect_error(td_query_attach(query, TD_STR("map.of.callers"), TD_QUERY_MAP_READ, &err), TD_ERR_UNSUPPORTED, NULL,
               "custom map");
  check(td_query_size(query) == 2);
  td_query_release(query);
}

LeaklessTest(query_map, a_map_that_is_refused_is_destroyed) {
  array_map m = {.n = 0};
  td_query *builtin = query_with(NULL), *none = NULL;
  td_query_options with = TD_QUERY_OPTIONS_INIT;
  with.exact = 1;
  const char *why = "capacity";
  for (int i = 0; i < 3; ++i) {
    expect_error(td_query_new_with_map(TD_KEY("a"), 1, &with, (td_index_map[]){functions_of(&m)}, &none, &err),
                 TD_ERR_ARGUMENT, NULL, why);
    with.exact = 0, with.capacity = i == 0 ? 4 : 0, with.map_of = i == 1 ? builtin : NULL;
    if (i == 1) why = "another query";
  }
  check(m.destroyed == 3);
  td_index_map least = least_functions_of(&m);
  least.insert = NULL;
  expect_error(td_query_new_with_map(TD_KEY("a"), 1, NULL, &least, &none, &err), TD_ERR_ARGUMENT, NULL, "insert");
  expect_error(td_query_new_with_map(TD_KEY("a"), 0, NULL, (td_index_map[]){functions_of(&m)}, &none, &err),
               TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_query_new_with_map(TD_KEY("a"), 1, NULL, (td_index_map[]){functions_of(&m)}, NULL, &err),
               TD_ERR_ARGUMENT, NULL, NULL);
  check(m.destroyed == 6 && none == NULL);
  td_query_release(builtin);
}

LeaklessTest(query_map, a_module_over_it_cannot_be_entered_again) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  td_module *module;
  must(td_module_query(query, &module, &err));
  td_dict *data = ROWS(4, 5);
  must(td_module_forward(module, data, &err));
  expect_int64(data, TD_KEY("_index"), INDICES(0, 1));
  m.enters = query;
  expect_error(td_module_forward(module, data, &err), TD_ERR_CALLBACK, NULL, "uses the same map");
  td_dict_release(data);
  td_module_release(module);
  td_query_release(query);
}

/* Every thread looks up; what it got wrong is what it returns. */
static void *look_up_often(void *query) {
  for (int round = 0; round < 50; ++round) {
    td_dict *data = ROWS(1, 2, 9);
    td_tensor *t = NULL;
    const td_status status = td_query_look_up(query, data, &t, NULL);
    td_dict_release(data);
    if (status != TD_OK) return "the call failed";
    const int64_t *indices = address(t);
    const int wrong = indices[0] != 0 || indices[1] != 1 || indices[2] != -1;
    td_tensor_release(t);
    if (wrong) return "another index";
  }
  return NULL;
}

LeaklessTest(query_map, several_threads_may_look_up) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) check(pthread_create(&threads[i], NULL, look_up_often, query) == 0);
  for (int i = 0; i < 4; ++i) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    check(wrong == NULL);
  }
  td_query_release(query);
}

LeaklessTest(query_map, a_child_has_it_as_it_was) {
  array_map m = {.n = 0};
  td_query *query = query_over_map(functions_of(&m));
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  const pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    td_dict *data = ROWS(2, 3);
    const int good = td_query_forward(query, data, TD_QUERY_DEFAULT, NULL) == TD_OK && m.n == 3;
    _exit(good ? 0 : 1);
  }
  int status;
  check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  check(m.n == 2);
  td_query_release(query);
}
