/* Stores of rows by index, and maps from rows to rows. */
#include "support/files.h"
#include "support/query.h"

static td_tensor *indices_of(const int64_t *values, size_t n) {
  return vector_of(TD_DTYPE_INT64, values, n);
}
#define AT(...) indices_of(INDICES(__VA_ARGS__))

/* `n` rows {"x": [n, 2], ("in", "y"): [n]} that count from `first`. */
static td_dict *values_from(int64_t first, int64_t n) {
  td_dict *rows = new_dict(TD_SHAPE(n));
  float *x = malloc((size_t)(n + 1) * 2 * sizeof *x);
  for (int64_t i = 0; i < 2 * n; ++i) x[i] = (float)(first + i / 2);
  td_tensor *t;
  must(td_tensor_copy_from(x, TD_DTYPE_FLOAT32, TD_SHAPE(n, 2), &t, &err));
  put(rows, TD_KEY("x"), t);
  must(td_tensor_copy_from(x, TD_DTYPE_FLOAT32, TD_SHAPE(n), &t, &err));
  put(rows, TD_KEY("in", "y"), t);
  free(x);
  return rows;
}

static td_status store_set(td_store *store, td_tensor *taken_index, td_dict *taken_rows) {
  const td_status status = td_store_set(store, taken_index, taken_rows, &err);
  td_tensor_release(taken_index);
  td_dict_release(taken_rows);
  return status;
}

static td_store *store_with(int64_t capacity, td_bool preallocate) {
  const td_store_options options = {sizeof options, capacity, preallocate, TD_RESERVED, {NULL, 0}};
  td_store *store;
  must(td_store_new(&options, &store, &err));
  return store;
}

LeaklessTest(row_map, a_store_knows_which_rows_it_holds) {
  for (int preallocate = 0; preallocate < 2; ++preallocate) {
    td_store *store = store_with(10, (td_bool)preallocate);
    must(store_set(store, AT(3, 1, 3), values_from(10, 3))); /* of equal indices the last row stays */
    check(td_store_size(store) == 2);
    must(store_set(store, AT(1, 9), values_from(20, 2)));
    check(td_store_size(store) == 3); /* writing over one counts once */
    td_tensor *asked = AT(0, 1, 3, 9, -1, 99), *there;
    must(td_store_contains(store, asked, &there, &err));
    expect_values(there, VALUES(0, 1, 1, 1, 0, 0));
    td_tensor_release(there);
    td_dict *rows;
    expect_error(td_store_get(store, asked, &rows, &err), TD_ERR_INDEX, NULL, "row 0");
    td_tensor_release(asked);
    asked = AT(9, 3, 1);
    must(td_store_get(store, asked, &rows, &err));
    expect_entry(rows, TD_KEY("x"), VALUES(21, 21, 12, 12, 20, 20));
    check(kind_at(rows, TD_KEY("in", "y")) == TD_ENTRY_TENSOR);
    td_tensor_release(asked);
    td_dict_release(rows);
    must(td_store_clear(store, &err));
    check(td_store_size(store) == 0);
    td_store_release(store);
  }
}

LeaklessTest(row_map, rows_that_do_not_fit_change_nothing) {
  td_store *store = store_with(4, 0), *none = NULL;
  must(store_set(store, AT(0, 1), values_from(0, 2)));
  td_dict *rows = values_from(5, 1);
  put(rows, TD_KEY("x"), range_f32(TD_SHAPE(1, 3)));
  expect_error(store_set(store, AT(2), rows), TD_ERR_SHAPE, "\"x\"", "[3]");
  rows = values_from(5, 1);
  put(rows, TD_KEY("x"), counted(TD_DTYPE_INT64, TD_SHAPE(1, 2)));
  expect_error(store_set(store, AT(2), rows), TD_ERR_DTYPE, "\"x\"", "Long");
  rows = values_from(5, 1);
  put(rows, TD_KEY("z"), range_f32(TD_SHAPE(1)));
  expect_error(store_set(store, AT(2), rows), TD_ERR_KEY, NULL, "3 entries");
  rows = values_from(5, 1);
  must(td_dict_remove(rows, TD_KEY("x"), &err));
  expect_error(store_set(store, AT(2), rows), TD_ERR_KEY, NULL, NULL);
  expect_error(store_set(store, AT(2, 4), values_from(5, 2)), TD_ERR_NOSPACE, NULL, "index 4");
  expect_error(store_set(store, AT(-1), values_from(5, 1)), TD_ERR_INDEX, NULL, "-1");
  expect_error(store_set(store, AT(2, 3), values_from(5, 1)), TD_ERR_SHAPE, NULL, "2 indices");
  expect_error(store_set(store, range_f32(TD_SHAPE(1)), values_from(5, 1)), TD_ERR_DTYPE, NULL, "int64");
  check(td_store_size(store) == 2);
  td_store_release(store);
  const td_store_options bad = {.struct_size = sizeof bad, .preallocate = 1},
                         negative = {.struct_size = sizeof negative, .capacity = -1};
  expect_error(td_store_new(&bad, &none, &err), TD_ERR_ARGUMENT, NULL, "capacity");
  expect_error(td_store_new(&negative, &none, &err), TD_ERR_ARGUMENT, NULL, "negative");
  check(td_store_size(NULL) == 0 && td_row_map_size(NULL) == 0);

  store =
      store_with(0, 0); /* as large as it needs to be, but not that large; the first rows that fit say what all are */
  expect_error(store_set(store, AT(INT64_MAX), values_from(5, 1)), TD_ERR_INDEX, NULL, "too large");
  must(store_set(store, AT(0), ROWS(1)));
  td_store_release(store);
}

/* Of five rows in the test's directory. */
static td_store_options in_directory(void) {
  td_store_options o = TD_STORE_OPTIONS_INIT;
  o.path = TD_STR(path_of("%s/store", test_dir));
  o.capacity = 5;
  return o;
}

static void fill(td_store *store) {
  must(store_set(store, AT(4, 0, 4), values_from(10, 3)));
  must(store_set(store, AT(0), values_from(20, 1)));
}

/* With the rows 0 and 4, by a store that is gone. */
static td_store *filled_before(const td_store_options *o) {
  td_store *store;
  must(td_store_new(o, &store, &err));
  fill(store);
  td_store_release(store);
  must(td_store_new(o, &store, &err));
  return store;
}

LeaklessTest(row_map, a_directory_holds_as_many_rows_as_were_agreed) {
  make_test_dir();
  td_store_options o = in_directory();
  td_store *store, *none = NULL;
  o.capacity = 0;
  expect_error(td_store_new(&o, &none, &err), TD_ERR_ARGUMENT, NULL, "capacity");
  o.capacity = 5;
  must(td_store_new(&o, &store, &err));
  expect_error(store_set(store, AT(5), values_from(0, 1)), TD_ERR_NOSPACE, NULL, "index 5");
  fill(store);
  expect_error(store_set(store, AT(1), ROWS(1)), TD_ERR_KEY, NULL, NULL);
  check(td_store_size(store) == 2);
  td_store_release(store);
  remove_test_dir();
}

LeaklessTest(row_map, rows_in_a_directory_are_there_again) {
  make_test_dir();
  const td_store_options o = in_directory();
  td_store *store = filled_before(&o);
  check(td_store_size(store) == 2);
  td_tensor *asked = AT(4, 0), *there = AT(0, 1, 2, 3, 4), *present;
  td_dict *rows;
  must(td_store_get(store, asked, &rows, &err));
  expect_entry(rows, TD_KEY("x"), VALUES(12, 12, 20, 20));
  td_dict_release(rows);
  must(td_store_contains(store, there, &present, &err));
  expect_values(present, VALUES(1, 0, 0, 0, 1));
  td_tensor *const tensors[] = {asked, there, present};
  for (int i = 0; i < 3; ++i) td_tensor_release(tensors[i]);
  td_store_release(store);
  remove_test_dir();
}

LeaklessTest(row_map, a_directory_of_rows_opens_like_any_other_and_shows_what_the_store_does) {
  make_test_dir();
  const td_store_options o = in_directory();
  td_store *store = filled_before(&o);
  td_tensor *asked = AT(4, 0);
  td_dict *rows, *all;
  must(td_open(o.path, NULL, &all, &err));
  expect_batch(all, TD_SHAPE(5));
  expect_entry(all, TD_KEY("rows", "in", "y"), VALUES(20, 0, 0, 0, 11));
  must(store_set(store, AT(1), values_from(30, 1)));
  expect_entry(all, TD_KEY("present"), VALUES(1, 1, 0, 0, 1));
  must(td_store_clear(store, &err));
  check(td_store_size(store) == 0);
  expect_entry(all, TD_KEY("present"), VALUES(0, 0, 0, 0, 0));
  expect_error(td_store_get(store, asked, &rows, &err), TD_ERR_INDEX, NULL, "row 0");
  must(store_set(store, AT(2), values_from(40, 1)));
  td_dict_release(all);
  td_tensor_release(asked);
  td_store_release(store);
  remove_test_dir();
}

LeaklessTest(row_map, a_directory_of_something_else_is_refused) {
  make_test_dir();
  const td_store_options o = in_directory();
  td_store *store = filled_before(&o), *none = NULL;
  td_store_options other = o;
  other.capacity = 6;
  expect_error(td_store_new(&other, &none, &err), TD_ERR_SHAPE, NULL, "[5]");
  other = o, other.path = TD_STR(path_of("%s/plain", test_dir));
  td_dict *plain = values_from(0, 5);
  must(td_save(plain, other.path, NULL, &err));
  expect_error(td_store_new(&other, &none, &err), TD_ERR_CORRUPT, NULL, "does not hold a row store");
  td_dict_release(plain);
  td_store_release(store);
  remove_test_dir();
}

static td_row_map *map_of(td_query *taken_query, td_store *taken_store) {
  td_row_map *map;
  must(td_row_map_new(taken_query, taken_store, &map, &err));
  td_query_release(taken_query);
  td_store_release(taken_store);
  return map;
}

static td_status map_set(td_row_map *map, td_dict *taken_keys, td_dict *taken_rows) {
  const td_status status = td_row_map_set(map, taken_keys, taken_rows, &err);
  td_dict_release(taken_keys);
  td_dict_release(taken_rows);
  return status;
}

static void expect_rows(const td_row_map *map, td_dict *taken_keys, const double *values, size_t n) {
  td_dict *rows;
  must(td_row_map_get(map, taken_keys, &rows, &err));
  expect_entry_at(__FILE__, __LINE__, rows, TD_KEY("in", "y"), values, n);
  td_dict_release(rows);
  td_dict_release(taken_keys);
}

/* From 7 to 0, from 8 to 3 and from 9 to 2. */
static td_row_map *map_of_three(void) {
  td_row_map *map = map_of(query_with(NULL), store_with(0, 0));
  td_dict *keys = ROWS(7, 8, 9, 8), *rows = values_from(0, 4);
  put(rows, TD_KEY("in", "y"), counted(TD_DTYPE_FLOAT32, TD_SHAPE(4)));
  must(td_row_map_set(map, keys, rows, &err));
  check(kind_at(keys, TD_KEY("_index")) == TD_ENTRY_NONE);
  td_dict_release(keys);
  td_dict_release(rows);
  return map;
}

LeaklessTest(row_map, rows_are_found_under_the_rows_they_were_stored_under) {
  td_row_map *map = map_of_three();
  check(td_row_map_size(map) == 3);
  expect_rows(map, ROWS(8, 9, 7, 7), VALUES(3, 2, 0, 0));
  must(td_row_map_clear(map, &err));
  check(td_row_map_size(map) == 0);
  td_row_map_release(map);
}

LeaklessTest(row_map, rows_that_were_never_stored_are_not_there) {
  td_row_map *map = map_of_three();
  td_dict *keys = ROWS(9, 5, 7), *got = NULL;
  td_tensor *there;
  must(td_row_map_contains(map, keys, &there, &err));
  expect_values(there, VALUES(1, 0, 1));
  td_tensor_release(there);
  expect_error(td_row_map_get(map, keys, &got, &err), TD_ERR_INDEX, NULL, "row 1");
  td_dict_release(keys);
  td_row_map_release(map);
}

LeaklessTest(row_map, rows_that_do_not_fit_leave_no_hole) {
  td_row_map *map = map_of_three();
  td_dict *rows = values_from(1, 1);
  put(rows, TD_KEY("x"), range_f32(TD_SHAPE(1, 9)));
  expect_error(map_set(map, ROWS(5), rows), TD_ERR_SHAPE, "\"x\"", NULL);
  must(map_set(map, ROWS(6), values_from(1, 1))); /* 5 left no hole */
  check(td_row_map_size(map) == 4);
  expect_error(map_set(map, ROWS(1, 2), values_from(1, 1)), TD_ERR_SHAPE, NULL, "batch mismatch");
  td_row_map_release(map);
}

LeaklessTest(row_map, a_row_by_itself_has_no_batch_dims) {
  td_row_map *map = map_of_three();
  td_dict *one = new_dict(TD_NO_DIMS), *value = new_dict(TD_NO_DIMS), *got = NULL;
  put(one, TD_KEY("a"), counted(TD_DTYPE_INT64, TD_NO_DIMS));
  put(value, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  put(value, TD_KEY("in", "y"), full_f32(42, TD_NO_DIMS));
  must(td_row_map_set(map, one, value, &err));
  must(td_row_map_get(map, one, &got, &err));
  expect_batch(got, TD_NO_DIMS);
  expect_entry(got, TD_KEY("in", "y"), VALUES(42));
  td_dict_release(got);
  td_dict_release(one);
  td_dict_release(value);
  td_row_map_release(map);
}

LeaklessTest(row_map, a_query_with_a_capacity_makes_room) {
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.capacity = 2;
  td_row_map *bounded = map_of(query_with(&options), store_with(2, 1)),
             *full = map_of(query_with(NULL), store_with(2, 1));
  td_row_map *const both[] = {bounded, full};
  for (int i = 0; i < 2; ++i) must(map_set(both[i], ROWS(1, 2), values_from(0, 2)));
  must(map_set(bounded, ROWS(3), values_from(7, 1)));
  expect_rows(bounded, ROWS(3), VALUES(7));
  check(td_row_map_size(bounded) == 2);
  expect_error(map_set(full, ROWS(3), values_from(7, 1)), TD_ERR_NOSPACE, NULL, "2 rows");
  td_dict *asked = ROWS(3);
  td_tensor *there;
  must(td_row_map_contains(full, asked, &there, &err));
  expect_values(there, VALUES(0));
  td_tensor_release(there);
  td_dict_release(asked);
  for (int i = 0; i < 2; ++i) td_row_map_release(both[i]);
}

/* ---- Samples -------------------------------------------------------------------------------------------------------- */

/* Draws, checks that the rows are those at the indices, and gives the indices. */
static void sample(const td_store *store, int64_t n, td_bool distinct, td_generator *generator, int64_t *indices) {
  const td_sample_options options = {sizeof options, distinct, TD_RESERVED};
  td_dict *rows;
  td_tensor *index;
  must(td_store_sample(store, n, &options, generator, &rows, &index, &err));
  check(td_tensor_dtype(index) == TD_DTYPE_INT64 && td_tensor_numel(index) == n && td_dict_len(rows) == n);
  td_tensor *x = get(rows, TD_KEY("x"));
  const int64_t *at = address(index);
  const float *values = address(x);
  for (int64_t i = 0; i < n; ++i) check(values[2 * i] == (float)at[i]), indices[i] = at[i];
  td_tensor_release(x);
  td_tensor_release(index);
  td_dict_release(rows);
}

LeaklessTest(row_map, samples_are_uniform_and_follow_from_the_seed) {
  td_store *store = store_with(0, 0);
  must(store_set(store, AT(0, 1, 2, 3, 4), values_from(0, 5)));
  td_generator *a, *b;
  must(td_generator_new(7, &a, &err));
  must(td_generator_new(7, &b, &err));
  int64_t first[1000], second[1000];
  for (td_bool distinct = 0; distinct < 2; ++distinct) {
    int seen[5] = {0};
    for (int round = 0; round < 400; ++round) {
      const int64_t n = 1 + round % 5;
      sample(store, n, distinct, a, first);
      sample(store, n, distinct, b, second);
      check(memcmp(first, second, (size_t)n * sizeof *first) == 0);
      int here[5] = {0};
      for (int64_t i = 0; i < n; ++i) ++here[first[i]], ++seen[first[i]];
      for (int i = 0; distinct && i < 5; ++i) check(here[i] <= 1);
    }
    for (int i = 0; i < 5; ++i) check(seen[i] > 180 && seen[i] < 300); /* 240 of 1200 are expected */
  }
  sample(store, 1000, 0, a, first);
  sample(store, 5, 1, a, first);
  must(td_store_sample(store, 3, NULL, NULL, NULL, NULL, &err));
  td_generator_release(a);
  td_generator_release(b);
  td_store_release(store);
}

LeaklessTest(row_map, samples_with_replacement_are_those_of_randint) {
  td_store *store = store_with(0, 0);
  must(store_set(store, AT(0, 1, 2, 3, 4, 5, 6), values_from(0, 7)));
  td_generator *generator;
  must(td_generator_new(3, &generator, &err));
  int64_t drawn[20];
  sample(store, 20, 0, generator, drawn);
  must(td_generator_seed(generator, 3, &err));
  const int64_t shape[] = {20};
  td_value args[] = {td_value_int(7), td_value_ints(shape, 1)}, out;
  const td_named_value kwargs[] = {{TD_STR("generator"), td_value_generator(generator)},
                                   {TD_STR("dtype"), td_value_dtype(TD_DTYPE_INT64)}};
  must(td_op_run(TD_STR("randint"), args, 2, kwargs, 2, &out, 1, &err));
  check(memcmp(address(out.as.tensor), drawn, sizeof drawn) == 0);
  td_value_clear(&out);
  td_generator_release(generator);
  td_store_release(store);
}

LeaklessTest(row_map, samples_come_from_rows_that_exist) {
  td_store *store = store_with(0, 0);
  td_dict *rows = NULL;
  td_tensor *index = NULL;
  expect_error(td_store_sample(store, 1, NULL, NULL, &rows, &index, &err), TD_ERR_INDEX, NULL, "no rows");
  must(store_set(store, AT(2), values_from(2, 1)));
  must(store_set(store, AT(9), values_from(9, 1)));
  must(store_set(store, AT(40), values_from(40, 1)));
  int64_t drawn[64];
  sample(store, 64, 0, NULL, drawn);
  for (int i = 0; i < 64; ++i) check(drawn[i] == 2 || drawn[i] == 9 || drawn[i] == 40);
  sample(store, 3, 1, NULL, drawn);
  check(drawn[0] + drawn[1] + drawn[2] == 51);
  sample(store, 0, 1, NULL, drawn);
  td_sample_options distinct = {sizeof distinct, 1, TD_RESERVED};
  expect_error(td_store_sample(store, 4, &distinct, NULL, &rows, &index, &err), TD_ERR_ARGUMENT, NULL, "4 different");
  expect_error(td_store_sample(store, -1, NULL, NULL, &rows, &index, &err), TD_ERR_ARGUMENT, NULL, "-1");
  distinct.struct_size = 9;
  expect_error(td_store_sample(store, 1, &distinct, NULL, &rows, &index, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!rows && !index);
  td_store_release(store);
}

/* ---- Options -------------------------------------------------------------------------------------------------------- */

LeaklessTest(row_map, stores_and_queries_know_their_options) {
  td_store *store = store_with(12, 1);
  td_store_options o = TD_STORE_OPTIONS_INIT;
  must(td_store_get_options(store, &o, &err));
  check(o.struct_size == sizeof o && o.capacity == 12 && o.preallocate == 1 && !o.path.data);
  o.struct_size = 3;
  expect_error(td_store_get_options(store, &o, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_store_release(store);

  td_query_options given = TD_QUERY_OPTIONS_INIT, got = TD_QUERY_OPTIONS_INIT;
  given.hash_type = TD_STR("td.siphash"), given.hash_config = TD_STR("{\"seed\": 3}");
  given.capacity = 7, given.miss = TD_QUERY_MISS_MINUS_ONE, given.threads = -1, given.clone = given.exact = 1;
  td_query *query, *plain, *like;
  must(td_query_new(TD_KEY("x"), 1, &given, &query, &err));
  must(td_query_get_options(query, &got, &err));
  check(got.hash_type.size == 10 && memcmp(got.hash_type.data, "td.siphash", 10) == 0);
  check(got.hash_config.size == 11 && memcmp(got.hash_config.data, "{\"seed\": 3}", 11) == 0);
  check(got.capacity == 7 && got.miss == TD_QUERY_MISS_MINUS_ONE && got.threads == -1);
  check(got.clone == 1 && got.exact == 1 && got.canonical == 0 && !got.hash && !got.map_of);
  must(td_query_new(TD_KEY("x"), 1, &got, &like, &err)); /* a like query */
  must(td_query_new(TD_KEY("x"), 1, NULL, &plain, &err));
  must(td_query_get_options(plain, &got, &err));
  check(got.threads == 1 && got.capacity == 0 && got.miss == TD_QUERY_MISS_SIZE && !got.hash_config.data);
  td_query_release(query);
  td_query_release(plain);
  td_query_release(like);
}
