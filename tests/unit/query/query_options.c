/* What queries do beyond torchrl's: other hashes, masks, exact keys, a capacity, forgetting, threads, a state that loads. */
#include "support/files.h"
#include "support/query.h"

TestSuite(query_options, .init = make_test_dir, .fini = remove_test_dir);

#define with(...) (&(td_query_options){.struct_size = sizeof(td_query_options), __VA_ARGS__})

static td_query_statistics stats_of(const td_query *query) {
  td_query_statistics s = TD_QUERY_STATISTICS_INIT;
  must(td_query_stats(query, &s, &err));
  return s;
}

static int64_t erase(td_query *query, td_dict *taken) {
  int64_t n;
  must(td_query_remove(query, taken, &n, &err));
  td_dict_release(taken);
  return n;
}

LeaklessTest(query_options, rows_that_are_missing_get_what_was_agreed) {
  td_query *size = query_with(NULL), *minus = query_with(with(.miss = TD_QUERY_MISS_MINUS_ONE)),
           *error = query_with(with(.miss = TD_QUERY_MISS_ERROR)), *const all[] = {size, minus, error};
  for (int i = 0; i < 3; ++i) expect_forward(all[i], ROWS(1, 2), INDICES(0, 1));
  td_dict *asked = ROWS(2, 3);
  must(td_query_forward(size, asked, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, &err));
  expect_int64(asked, TD_KEY("_index"), INDICES(1, 2));
  must(td_query_forward(minus, asked, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, &err));
  expect_int64(asked, TD_KEY("_index"), INDICES(1, -1));
  expect_error(td_query_forward(error, asked, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, &err), TD_ERR_KEY, NULL,
               "row 1 is not in the map");
  expect_int64(asked, TD_KEY("_index"), INDICES(1, -1));
  td_dict_release(asked);
  td_query *none = NULL;
  expect_error(td_query_new(TD_KEY("a"), 1, with(.miss = 3), &none, &err), TD_ERR_ARGUMENT, NULL, "3");
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

LeaklessTest(query_options, a_mask_says_what_was_known_and_a_copy_leaves_the_input_alone) {
  td_query *query = query_with(with(.clone = 1));
  expect_forward(query, ROWS(5), INDICES(0)); /* td_query_forward writes in place all the same */
  td_query_call_options call = TD_QUERY_CALL_OPTIONS_INIT;
  call.found_key = TD_KEY("known");
  td_dict *data = ROWS(4, 5, 4), *out;
  must(td_dict_lock_(data, &err));
  must(td_query_call(query, data, &call, &out, &err));
  check(out != data && !td_dict_is_locked(out) && kind_at(data, TD_KEY("_index")) == TD_ENTRY_NONE);
  expect_int64(out, TD_KEY("_index"), INDICES(1, 0, 1));
  expect_entry(out, TD_KEY("known"), VALUES(0, 1, 0));
  check(same_memory(out, TD_KEY("a"), data, TD_KEY("a")));
  td_dict_release(out);
  call.target = TD_QUERY_TARGET_DATA;
  expect_error(td_query_call(query, data, &call, &out, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(data, &err));
  must(td_query_call(query, data, &call, &out, &err));
  check(out == data);
  td_dict_release(out);
  td_tensor *known;
  must(td_query_contains(query, data, &known, &err));
  expect_values(known, VALUES(1, 1, 1));
  td_tensor_release(known);
  call.target = 3;
  expect_error(td_query_call(query, data, &call, &out, &err), TD_ERR_ARGUMENT, NULL, "target 3");
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query_options, erased_indices_are_given_again_smallest_first) {
  td_query *query = query_with(NULL);
  expect_forward(query, ROWS(10, 11, 12, 13, 14), INDICES(0, 1, 2, 3, 4));
  check(erase(query, ROWS(13, 11, 11, 99)) == 2);
  check(td_query_size(query) == 3 && stats_of(query).next == 5);
  td_dict *asked = ROWS(13, 12);
  td_tensor *indices;
  must(td_query_look_up(query, asked, &indices, &err));
  expect_values(indices, VALUES(-1, 2));
  td_tensor_release(indices);
  td_dict_release(asked);
  expect_forward(query, ROWS(20, 12, 21, 22, 20), INDICES(1, 2, 3, 5, 1));
  must(td_query_clear(query, &err));
  check(td_query_size(query) == 0);
  expect_forward(query, ROWS(22, 20), INDICES(0, 1));
  td_query_release(query);
}

LeaklessTest(query_options, a_full_map_reuses_the_index_that_was_used_least_recently) {
  td_query *query = query_with(with(.capacity = 3));
  expect_forward(query, ROWS(1, 2, 3), INDICES(0, 1, 2));
  expect_forward(query, ROWS(1), INDICES(0));       /* 2 is the oldest now */
  expect_forward(query, ROWS(4, 3), INDICES(1, 2)); /* takes its place */
  expect_forward(query, ROWS(2), INDICES(0));       /* 1 was the oldest */
  check(td_query_size(query) == 3 && stats_of(query).evictions == 2);
  td_dict *many = ROWS(7, 8, 7, 9, 10);
  expect_unchanged(query, many, (failure){TD_ERR_NOSPACE, NULL, "4 different rows, but the capacity of the map is 3"});
  td_dict_release(many);
  expect_forward(query, ROWS(4, 3, 2), INDICES(1, 2, 0)); /* nothing was lost */
  expect_forward(query, ROWS(5, 5, 6, 6, 5), INDICES(1, 1, 2, 2, 1));
  td_query_release(query);
  expect_error(td_query_new(TD_KEY("a"), 1, with(.capacity = -1), &query, &err), TD_ERR_ARGUMENT, NULL, "-1");
}

/* Everything hashes to its last bit. */
static td_status one_bit(void *userdata, const td_tensor *rows, td_tensor **out, td_error **error) {
  (void)userdata, (void)error;
  *out = call("bitwise_and", "Scalar", ARGS(td_value_tensor(rows), td_value_int(1)));
  return TD_OK;
}

LeaklessTest(query_options, exact_maps_keep_rows_apart_that_hash_alike) {
  td_hash *bad;
  must(td_hash_from_function(TD_CALLBACKS(td_hash_function, one_bit, NULL, NULL), &bad, &err));
  td_query *merging = query_with(with(.hash = bad)), *exact = query_with(with(.hash = bad, .exact = 1));
  expect_forward(merging, ROWS(0, 1, 2, 3, 0), INDICES(0, 1, 0, 1, 0));
  expect_forward(exact, ROWS(0, 1, 2, 3, 0), INDICES(0, 1, 2, 3, 0));
  check(stats_of(exact).collisions == 2 && stats_of(merging).collisions == 0);
  check(erase(exact, ROWS(2)) == 1);
  expect_forward(exact, ROWS(0, 6, 3), INDICES(0, 2, 3));

  td_dict *state, *asked = ROWS(6, 4, 1);
  must(td_query_state(exact, &state, &err));
  td_query *again = query_with(with(.hash = bad, .exact = 1));
  must(td_query_load_state(again, state, 0, &err));
  must(td_query_forward(again, asked, TD_QUERY_DEFAULT, &err));
  expect_int64(asked, TD_KEY("_index"), INDICES(2, 4, 1));
  expect_error(td_query_load_state(merging, state, 0, &err), TD_ERR_ARGUMENT, NULL, "twice");
  td_dict_release(asked);
  td_dict_release(state);
  td_hash_release(bad);
  td_query *const all[] = {merging, exact, again};
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

LeaklessTest(query_options, canonical_rows_know_one_zero_and_one_nan) {
  static const uint32_t bits[] = {0x00000000, 0x80000000, 0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x3f800000};
  enum { N = sizeof bits / sizeof *bits };
  td_query *plain = query_with(NULL), *canonical = query_with(with(.canonical = 1));
  td_tensor *t;
  must(td_tensor_copy_from(bits, TD_DTYPE_FLOAT32, TD_SHAPE(N), &t, &err));
  td_dict *data = new_dict(TD_SHAPE(N));
  put(data, TD_KEY("a"), t);
  must(td_query_forward(plain, data, TD_QUERY_DEFAULT, &err));
  expect_int64(data, TD_KEY("_index"), INDICES(0, 1, 2, 3, 4, 5, 6));
  must(td_query_forward(canonical, data, TD_QUERY_DEFAULT, &err));
  expect_int64(data, TD_KEY("_index"), INDICES(0, 0, 1, 1, 2, 3, 4));
  t = get(data, TD_KEY("a"));
  check(memcmp(address(t), bits, sizeof bits) == 0);
  td_tensor_release(t);
  td_dict_release(data);
  td_query_release(plain);
  td_query_release(canonical);
}

LeaklessTest(query_options, threads_change_no_index) {
  enum { ROWS_N = 150000 };
  int64_t *values = malloc(ROWS_N * sizeof *values);
  for (int64_t i = 0; i < ROWS_N; ++i) values[i] = i * i % 70001;
  td_query *one = query_with(NULL), *many = query_with(with(.threads = 0)); /* as many as LibTorch has */
  td_dict *a = rows_of(values, ROWS_N), *b = rows_of(values, ROWS_N);
  for (int round = 0; round < 2; ++round) {
    must(td_query_forward(one, a, round ? 0 : TD_QUERY_DEFAULT, &err));
    must(td_query_forward(many, b, round ? 0 : TD_QUERY_DEFAULT, &err));
    td_tensor *x = get(a, TD_KEY("_index")), *y = get(b, TD_KEY("_index"));
    check(same_values(x, y));
    td_tensor_release(x);
    td_tensor_release(y);
  }
  td_dict_release(a);
  td_dict_release(b);
  td_query_release(one);
  td_query_release(many);
  free(values);
}

LeaklessTest(query_options, hashes_are_given_one_by_one_or_one_for_all) {
  const td_key keys[] = {*TD_KEY("a"), *TD_KEY("b")};
  td_hash *sip, *sip42, *projection;
  must(td_hash_new(TD_STR("td.siphash"), TD_NO_STR, &sip, &err));
  must(td_hash_new(TD_STR("td.siphash"), TD_STR("{\"seed\":42}"), &sip42, &err));
  must(td_hash_new(TD_STR("td.binary_to_decimal"), TD_STR("{\"num_bits\":1}"), &projection, &err));
  td_dict *data = ROWS(1, 2, 1);
  put(data, TD_KEY("b"), counted(TD_DTYPE_INT64, TD_SHAPE(3, 1)));
  td_query *by_default, *all_one, *one_each, *mixed, *none = NULL;
  must(td_query_new(keys, 2, NULL, &by_default, &err));
  must(td_query_new(keys, 2, with(.hash = sip), &all_one, &err));
  must(td_query_new(keys, 2, with(.hashes = (td_hash *[]){sip, sip}, .n_hashes = 2), &one_each, &err));
  must(td_query_new(keys, 2, with(.hashes = (td_hash *[]){sip42, projection}, .n_hashes = 2, .aggregator = sip42),
                    &mixed, &err));
  td_tensor *expected, *got;
  must(td_query_hash(by_default, data, &expected, &err));
  td_query *const same[] = {all_one, one_each};
  for (int i = 0; i < 2; ++i) {
    must(td_query_hash(same[i], data, &got, &err));
    check(same_values(expected, got));
    td_tensor_release(got);
  }
  must(td_query_hash(mixed, data, &got, &err));
  check(!same_values(expected, got));
  td_tensor_release(got);
  td_tensor_release(expected);
  expect_error(td_query_new(keys, 2, with(.hashes = (td_hash *[]){sip}, .n_hashes = 1), &none, &err), TD_ERR_ARGUMENT,
               NULL, "1 hashes were given for 2 keys");
  td_query *const all[] = {by_default, all_one, one_each, mixed};
  for (int i = 0; i < 4; ++i) td_query_release(all[i]);
  td_hash_release(sip);
  td_hash_release(sip42);
  td_hash_release(projection);
  td_dict_release(data);
}

LeaklessTest(query_options, only_selected_out_keys_stay) {
  td_query *query = query_with(NULL);
  td_dict *data = ROWS(1, 2);
  put(data, TD_KEY("other"), range_f32(TD_SHAPE(2)));
  must(td_query_select_out_keys(query, TD_KEY("_index"), 1, &err));
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  check(kind_at(data, TD_KEY("other")) == TD_ENTRY_TENSOR && kind_at(data, TD_KEY("_hash")) == TD_ENTRY_NONE);
  check(kind_at(data, TD_KEY("a")) == TD_ENTRY_TENSOR && kind_at(data, TD_KEY("_index")) == TD_ENTRY_TENSOR);
  expect_error(td_query_select_out_keys(query, TD_KEY("_hash"), 1, &err), TD_ERR_KEY, "\"_hash\"", NULL);
  td_keys *keys;
  must(td_query_out_keys(query, &keys, &err));
  check(td_keys_size(keys) == 1);
  td_keys_release(keys);
  must(td_query_reset_out_keys(query, &err));
  must(td_query_in_keys(query, &keys, &err));
  check(td_keys_size(keys) == 1);
  td_keys_release(keys);
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  check(kind_at(data, TD_KEY("_hash")) == TD_ENTRY_TENSOR);
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query_options, two_queries_may_share_a_map) {
  td_query *first = query_with(NULL), *second = query_with(with(.map_of = first));
  expect_forward(first, ROWS(1, 2), INDICES(0, 1));
  expect_forward(second, ROWS(3, 2), INDICES(2, 1));
  check(td_query_size(first) == 3);
  td_query_release(first);
  expect_forward(second, ROWS(1), INDICES(0));
  td_query_release(second);
}

/* ---- State ----------------------------------------------------------------------------------------------------------- */

LeaklessTest(query_options, a_state_survives_the_disk) {
  td_query *query = query_with(NULL), *loaded = query_with(NULL);
  expect_forward(query, ROWS(7, 8, 9), INDICES(0, 1, 2));
  check(erase(query, ROWS(8)) == 1);
  td_dict *state, *opened;
  must(td_query_state(query, &state, &err));
  must(td_save(state, TD_STR(path_of("%s/map", test_dir)), NULL, &err));
  must(td_open(TD_STR(path_of("%s/map", test_dir)), NULL, &opened, &err));
  must(td_query_load_state(loaded, opened, 0, &err));
  check(td_query_size(loaded) == 2);
  expect_forward(loaded, ROWS(9, 8, 7), INDICES(2, 3, 0)); /* the next is one more than the largest */
  td_dict_release(opened);
  td_dict_release(state);
  td_query_release(query);
  td_query_release(loaded);
}

LeaklessTest(query_options, a_state_of_other_hashes_loads_on_request_only) {
  td_query *query = query_with(NULL), *seeded = query_with(with(.hash_config = TD_STR("{\"seed\":1}")));
  expect_forward(query, ROWS(7, 8), INDICES(0, 1));
  td_dict *state;
  must(td_query_state(query, &state, &err));
  expect_error(td_query_load_state(seeded, state, 0, &err), TD_ERR_ARGUMENT, NULL, "other hash types");
  must(td_query_load_state(seeded, state, TD_QUERY_LOAD_ANY_HASH, &err));
  expect_error(td_query_load_state(query, state, 2, &err), TD_ERR_ARGUMENT, NULL, "flags");
  td_dict_release(state);
  td_query_release(query);
  td_query_release(seeded);
}

LeaklessTest(query_options, a_state_that_does_not_fit_changes_nothing) {
  td_query *query = query_with(NULL);
  expect_forward(query, ROWS(7, 8), INDICES(0, 1));
  td_dict *state;
  must(td_query_state(query, &state, &err));
  static const struct {
    const char *key;
    int64_t values[3];
    size_t n;
    const char *says;
  } cases[] = {
      {"keys", {1, 2, 3}, 3, "3 hashes and 2 indices"},
      {"keys", {5, 5}, 2, "a hash appears twice"},
      {"values", {1, 1}, 2, "the index 1 appears twice"},
      {"values", {0, 2}, 2, "not below the next one, 2"},
      {"values", {-1, 0}, 2, "the index -1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *bad;
    must(td_query_state(query, &bad, &err));
    put(bad, TD_KEY(cases[i].key), vector_of(TD_DTYPE_INT64, cases[i].values, cases[i].n));
    expect_error(td_query_load_state(query, bad, 0, &err), TD_ERR_ARGUMENT, NULL, cases[i].says);
    td_dict_release(bad);
  }
  put(state, TD_KEY("keys"), range_f32(TD_SHAPE(2)));
  expect_error(td_query_load_state(query, state, 0, &err), TD_ERR_ARGUMENT, "\"keys\"", "Float");
  must(td_dict_remove(state, TD_KEY("keys"), &err));
  expect_error(td_query_load_state(query, state, 0, &err), TD_ERR_KEY, NULL, NULL);
  expect_forward(query, ROWS(8, 9), INDICES(1, 2));
  td_dict_release(state);
  td_query_release(query);
}

LeaklessTest(query_options, a_state_without_the_next_index_goes_on_after_the_largest) {
  td_query *query = query_with(NULL);
  expect_forward(query, ROWS(7, 8, 9), INDICES(0, 1, 2));
  td_dict *sparse = new_dict(TD_NO_DIMS); /* as torchrl's HashToInt would give it, without "next" */
  put(sparse, TD_KEY("keys"), vector_of(TD_DTYPE_INT64, (const int64_t[]){5, 6}, 2));
  put(sparse, TD_KEY("values"), vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 7}, 2));
  must(td_query_load_state(query, sparse, TD_QUERY_LOAD_ANY_HASH, &err));
  expect_forward(query, ROWS(8), INDICES(8));
  td_dict_release(sparse);
  td_query_release(query);
}

LeaklessTest(query_options, statistics_fit_callers_of_other_versions) {
  td_query *query = query_with(NULL);
  expect_forward(query, ROWS(1, 2), INDICES(0, 1));
  struct {
    td_query_statistics known;
    int64_t of_later;
  } longer = {TD_QUERY_STATISTICS_INIT, 7};
  longer.known.struct_size = sizeof longer;
  must(td_query_stats(query, &longer.known, &err));
  check(longer.known.size == 2 && longer.of_later == 0 && longer.known.struct_size == sizeof longer);
  td_query_statistics shorter = TD_QUERY_STATISTICS_INIT;
  shorter.struct_size = offsetof(td_query_statistics, next);
  shorter.next = 7;
  must(td_query_stats(query, &shorter, &err));
  check(shorter.size == 2 && shorter.next == 7);
  shorter.struct_size = 3;
  expect_error(td_query_stats(query, &shorter, &err), TD_ERR_ARGUMENT, NULL, "struct_size 3");
  td_query_release(query);
}
