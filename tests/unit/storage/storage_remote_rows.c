/* Dicts on servers: only the rows that an index selects move, and each change is one transaction with a version. */
#include <pthread.h>
#include <stdatomic.h>

#include "support/redis_server.h"

TestSuite(storage_remote_rows, .init = open_server, .fini = close_server);

static td_dict *numbers(const char *id) {
  td_dict *d = create_remote(id, TD_SHAPE(6)), *filled = new_dict(TD_SHAPE(6));
  put(filled, TD_KEY("a"), range_f32(TD_SHAPE(6, 2)));
  put(filled, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(6)));
  must(td_dict_update(d, filled, NULL, &err));
  td_dict_release(filled);
  return d;
}

/* A row of both entries. */
static td_dict *row_of(double value) {
  td_dict *row = new_dict(TD_NO_DIMS);
  put(row, TD_KEY("a"), full_f32(value, TD_SHAPE(2)));
  const int64_t n = (int64_t)value;
  td_tensor *t = NULL;
  must(td_tensor_copy_from(&n, TD_DTYPE_INT64, TD_NO_DIMS, &t, &err));
  put(row, TD_KEY("n", "b"), t);
  return row;
}

/* How often the server was asked for that. */
static long calls_of(const char *command) {
  char name[64];
  long calls = 0;
  snprintf(name, sizeof name, "cmdstat_%s:calls=", command);
  const char *found = strstr(raw("INFO commandstats"), name);
  if (found) calls = atol(found + strlen(name));
  return calls;
}

static void expect_rows_at(const char *file, int line, const td_dict *d, const td_index *index, size_t n,
                           const double *a, size_t n_a, const double *b, size_t n_b) {
  td_dict *rows = NULL;
  must(td_dict_index(d, index, n, &rows, &err));
  expect_entry_at(file, line, rows, TD_KEY("a"), a, n_a);
  expect_entry_at(file, line, rows, TD_KEY("n", "b"), b, n_b);
  td_dict_release(rows);
}
#define expect_rows(d, index, a, b) \
  expect_rows_at(__FILE__, __LINE__, (d), (index), sizeof(index) / sizeof *(index), a, b)

LeaklessTest(storage_remote_rows, an_index_reads_its_rows_only) {
  td_dict *d = numbers("R");
  const int64_t some[] = {4, 1, 4, -1}, truth[] = {1, 0, 0, 0, 1, 1};
  td_tensor *list = vector_of(TD_DTYPE_INT64, some, 4), *mask = vector_of(TD_DTYPE_BOOL, truth, 6);
  const td_index one[] = {TD_INT(2)}, last[] = {TD_INT(-1)}, slice[] = {TD_SLICE(1, 3)}, none[] = {TD_SLICE(3, 3)};
  const td_index steps[] = {TD_STEP_SLICE(1, 6, 2)}, rows[] = {TD_TENSOR(list)}, chosen[] = {TD_TENSOR(mask)};
  expect_rows(d, one, VALUES(4, 5), VALUES(2));
  expect_rows(d, last, VALUES(10, 11), VALUES(5));
  expect_rows(d, slice, VALUES(2, 3, 4, 5), VALUES(1, 2));
  expect_rows(d, steps, VALUES(2, 3, 6, 7, 10, 11), VALUES(1, 3, 5));
  expect_rows(d, rows, VALUES(8, 9, 2, 3, 8, 9, 10, 11), VALUES(4, 1, 4, 5));
  expect_rows(d, chosen, VALUES(0, 1, 8, 9, 10, 11), VALUES(0, 4, 5));
  expect_rows(d, none, NO_VALUES, NO_VALUES);
  td_tensor *t = NULL;
  const td_index element[] = {TD_SLICE(0, 6), TD_INT(1)};
  must(td_dict_get_at(d, TD_KEY("a"), element, 2, &t, &err));
  expect_values(t, VALUES(1, 3, 5, 7, 9, 11));
  td_tensor_release(t);
  const td_index beyond[] = {TD_INT(6)};
  td_dict *got = NULL;
  expect_error(td_dict_index(d, beyond, 1, &got, &err), TD_ERR_INDEX, NULL, NULL);
  td_tensor_release(list), td_tensor_release(mask), td_dict_release(d);
}

LeaklessTest(storage_remote_rows, a_row_of_all_entries_is_one_way_to_the_server) {
  td_dict *d = numbers("W");
  const td_index one[] = {TD_INT(2)};
  expect_rows(d, one, VALUES(4, 5), VALUES(2));
  const long before = calls_of("exec"), ranges = calls_of("getrange");
  expect_rows(d, one, VALUES(4, 5), VALUES(2));
  check(calls_of("exec") == before + 1 && calls_of("getrange") == ranges + 2);
  td_dict_release(d);
}

LeaklessTest(storage_remote_rows, rows_are_written_where_they_stand) {
  td_dict *d = numbers("S"), *row = row_of(-7);
  const int64_t some[] = {5, 0};
  td_tensor *list = vector_of(TD_DTYPE_INT64, some, 2);
  const td_index one[] = {TD_INT(1)}, rows[] = {TD_TENSOR(list)}, steps[] = {TD_STEP_SLICE(2, 6, 2)};
  const int64_t version = version_of(d);
  const long sets = calls_of("set");
  must(td_dict_set_at(d, one, 1, row, &err));
  check(version_of(d) == version + 1 && calls_of("set") == sets);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, -7, -7, 4, 5, 6, 7, 8, 9, 10, 11));
  must(td_dict_set_at_value(d, rows, 1, TD_VALUE(td_value_double(9)), &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(9, -7, 2, 3, 4, 9));
  must(td_dict_set_at_value(d, steps, 1, TD_VALUE(td_value_double(1)), &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(9, -7, 1, 3, 1, 9));
  expect_entry(d, TD_KEY("a"), VALUES(9, 9, -7, -7, 1, 1, 6, 7, 1, 1, 9, 9));
  check(version_of(d) == version + 3);
  td_tensor_release(list), td_dict_release(row), td_dict_release(d);
}

LeaklessTest(storage_remote_rows, what_others_change_is_seen_at_once) {
  td_dict *d = numbers("O");
  const td_index one[] = {TD_INT(0)};
  expect_rows(d, one, VALUES(0, 1), VALUES(0));
  raw("HSET tensordict:{O}:m:n.b dtype torch.int32 shape \"[6, 2]\"");
  td_tensor *b = get(d, TD_KEY("n", "b"));
  check(td_tensor_dtype(b) == TD_DTYPE_INT32 && has_shape(b, TD_SHAPE(6, 2)));
  td_tensor_release(b);
  raw("SADD tensordict:{O}:__keys__ c");
  raw("SET tensordict:{O}:d:c \"\\x01\\x02\\x03\\x04\\x05\\x06\"");
  raw("HSET tensordict:{O}:m:c dtype torch.uint8 shape \"[6]\"");
  expect_entry(d, TD_KEY("c"), VALUES(1, 2, 3, 4, 5, 6));
  raw("SREM tensordict:{O}:__keys__ n.b");
  check(kind_at(d, TD_KEY("n")) == TD_ENTRY_NONE);
  td_dict_release(d);
}

LeaklessTest(storage_remote_rows, an_update_that_fails_changes_nothing) {
  td_dict *d = numbers("F"), *bad = new_dict(TD_SHAPE(6));
  put(bad, TD_KEY("a"), full_f32(1, TD_SHAPE(6, 2)));
  put(bad, TD_KEY("x.y"), full_f32(1, TD_SHAPE(6)));
  const int64_t version = version_of(d);
  expect_error(td_dict_update(d, bad, NULL, &err), TD_ERR_KEY, NULL, "'.'");
  check(version_of(d) == version);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  td_dict_release(bad), td_dict_release(d);
}

LeaklessTest(storage_remote_rows, an_update_is_refused_if_the_version_is_another) {
  td_dict *d = numbers("V"), *other = open_remote("V", TD_OPEN_READ_WRITE), *plain = new_dict(TD_SHAPE(6));
  put(plain, TD_KEY("a"), full_f32(1, TD_SHAPE(6, 2)));
  const int64_t version = version_of(d);
  must(td_dict_fill_(other, TD_KEY("n", "b"), TD_VALUE(td_value_int(0)), &err));
  expect_error(td_remote_update_if(d, plain, version, &err), TD_ERR_BUSY, NULL, "version");
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  must(td_remote_update_if(d, plain, version + 1, &err));
  check(version_of(other) == version + 2);
  expect_entry(other, TD_KEY("a"), VALUES(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
  expect_error(td_remote_update_if(plain, d, 0, &err), TD_ERR_UNSUPPORTED, NULL, "server");
  int64_t none = 0;
  expect_error(td_remote_version(plain, &none, &err), TD_ERR_UNSUPPORTED, NULL, "server");
  td_dict_release(plain), td_dict_release(other), td_dict_release(d);
}

/* ---- Several at once --------------------------------------------------------------------------------------------- */

enum { WRITERS = 3, ROUNDS = 40 };
static atomic_int ended;
static const char *url; /* for threads */

static void *write_all(void *from) {
  td_dict *d = open_url(url, TD_OPEN_READ_WRITE), *value = new_dict(TD_SHAPE(6));
  for (int i = 0; i < ROUNDS; ++i) {
    const double v = *(const int *)from * 1000 + i;
    const int64_t n[] = {(int64_t)v, (int64_t)v, (int64_t)v, (int64_t)v, (int64_t)v, (int64_t)v};
    put(value, TD_KEY("a"), full_f32(v, TD_SHAPE(6, 2)));
    put(value, TD_KEY("n", "b"), vector_of(TD_DTYPE_INT64, n, 6));
    must(td_dict_update(d, value, NULL, &err));
  }
  ++ended;
  td_dict_release(value), td_dict_release(d);
  return NULL;
}

LeaklessTest(storage_remote_rows, a_reader_never_sees_half_of_an_update) {
  td_dict *d = numbers("T");
  must(td_dict_zero_(d, &err));
  const int64_t version = version_of(d);
  url = url_of("T");
  pthread_t writers[WRITERS];
  int numbers_of[WRITERS];
  for (int i = 0; i < WRITERS; ++i) {
    numbers_of[i] = i;
    check(pthread_create(&writers[i], NULL, write_all, &numbers_of[i]) == 0);
  }
  const td_index third[] = {TD_INT(3)};
  for (int half = 0; ended < WRITERS; half = !half) {
    td_dict *copy = NULL;
    if (half)
      must(td_dict_index(d, third, 1, &copy, &err));
    else
      must(td_dict_clone(d, &copy, &err));
    td_tensor *a = get(copy, TD_KEY("a")), *b = get(copy, TD_KEY("n", "b"));
    const float *x = address(a);
    const int64_t *y = address(b);
    check(x[0] == (float)y[0] && x[td_tensor_numel(a) - 1] == x[0]);
    td_tensor_release(a), td_tensor_release(b), td_dict_release(copy);
  }
  for (int i = 0; i < WRITERS; ++i) check(pthread_join(writers[i], NULL) == 0);
  check(version_of(d) == version + WRITERS * ROUNDS);
  td_dict_release(d);
}

/* Each adds one as often as it says, and nothing is lost. */
static void *count_up(void *unused) {
  td_dict *d = open_url(url, TD_OPEN_READ_WRITE);
  for (int done = 0; done < ROUNDS;) {
    int64_t n = 0, version = version_of(d);
    td_tensor *t = get(d, TD_KEY("n")), *next = NULL;
    n = *(const int64_t *)address(t) + 1;
    must(td_tensor_copy_from(&n, TD_DTYPE_INT64, TD_NO_DIMS, &next, &err));
    td_dict *value = new_dict(TD_NO_DIMS);
    put(value, TD_KEY("n"), next);
    const td_status status = td_remote_update_if(d, value, version, &err);
    if (status == TD_OK)
      ++done;
    else
      expect_error(status, TD_ERR_BUSY, NULL, NULL);
    td_tensor_release(t), td_dict_release(value);
  }
  td_dict_release(d);
  return unused;
}

LeaklessTest(storage_remote_rows, what_is_based_on_the_version_builds_on_what_others_wrote) {
  td_dict *d = create_remote("C", TD_NO_DIMS);
  const int64_t zero = 0;
  td_tensor *t = NULL;
  must(td_tensor_copy_from(&zero, TD_DTYPE_INT64, TD_NO_DIMS, &t, &err));
  put(d, TD_KEY("n"), t);
  url = url_of("C");
  pthread_t counters[WRITERS];
  for (int i = 0; i < WRITERS; ++i) check(pthread_create(&counters[i], NULL, count_up, NULL) == 0);
  for (int i = 0; i < WRITERS; ++i) check(pthread_join(counters[i], NULL) == 0);
  expect_entry(d, TD_KEY("n"), VALUES(WRITERS * ROUNDS));
  td_dict_release(d);
}

/* Processes add different entries at once; a forked child makes a connection of its own. */
LeaklessTest(storage_remote_rows, processes_add_entries_at_once) {
  td_dict *d = create_remote("A", TD_SHAPE(2));
  put(d, TD_KEY("first"), range_f32(TD_SHAPE(2)));
  pid_t children[WRITERS];
  for (int i = 0; i < WRITERS; ++i) {
    children[i] = fork();
    if (children[i]) continue;
    td_after_fork();
    for (int k = 0; k < 10; ++k) {
      char key[20];
      snprintf(key, sizeof key, "k%d_%d", i, k);
      put(d, TD_KEY(key), range_f32(TD_SHAPE(2)));
    }
    _exit(0);
  }
  for (int i = 0; i < WRITERS; ++i) {
    int status = -1;
    check(waitpid(children[i], &status, 0) == children[i] && status == 0);
  }
  check(td_dict_count(d) == 1 + WRITERS * 10);
  expect_entry(d, TD_KEY("k2_9"), VALUES(0, 1));
  td_dict_release(d);
}
