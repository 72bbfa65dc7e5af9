/* Rows to dense indices, as torchrl's QueryModule does it; and that a failing call changes nothing. */
#include "support/query.h"
#include "support/query_vectors.h"

static td_query *query_over(const td_key *keys, size_t n) {
  td_query *query;
  must(td_query_new(keys, n, NULL, &query, &err));
  return query;
}

/* ---- Vectors of torchrl -------------------------------------------------------------------------------------------- */

/* How the elements lie in memory; the rows are the same. */
typedef enum layout { ROW_MAJOR, COLUMN_MAJOR, WITH_GAPS, LAYOUTS } layout;

/* The input as a tensor over `memory`. */
static td_tensor *input_in(layout how, const query_input *input, char *memory) {
  const size_t digits = strlen(input->hex);
  int64_t n = numel_of(input->dims, input->ndim), strides[3], step = how == WITH_GAPS ? 3 : 1;
  for (size_t i = 0; i < input->ndim; ++i) {
    const size_t d = how == COLUMN_MAJOR ? i : input->ndim - 1 - i;
    strides[d] = step;
    step *= input->dims[d] > 0 ? input->dims[d] : 1;
  }
  const size_t itemsize = n > 0 ? digits / 2 / (size_t)n : 1;
  for (int64_t i = 0; i < n; ++i) {
    int64_t offset = 0, rest = i;
    for (size_t d = input->ndim; d-- > 0; rest /= input->dims[d]) offset += rest % input->dims[d] * strides[d];
    for (size_t b = 0; b < itemsize; ++b) {
      unsigned byte;
      cr_assert_eq(sscanf(input->hex + 2 * ((size_t)i * itemsize + b), "%2x", &byte), 1);
      memory[(size_t)offset * itemsize + b] = (char)byte;
    }
  }
  td_tensor *t;
  must(td_tensor_from_memory(memory, input->dtype, input->dims, input->ndim, strides, NULL, NULL, &t, &err));
  return t;
}

static void replay(const query_case *c, layout how) {
  td_str parts[4];
  td_key keys[4];
  for (size_t i = 0; i < c->n_keys; ++i) parts[i] = TD_STR(c->keys[i]), keys[i] = (td_key){&parts[i], 1};
  td_query *query = query_over(keys, c->n_keys);
  for (size_t s = 0; s < c->n_steps; ++s) {
    const query_step *step = &c->steps[s];
    td_dict *data = new_dict(TD_SHAPE((int64_t)step->n_rows));
    char *memory[4];
    for (size_t i = 0; i < step->n_inputs; ++i) {
      memory[i] = aligned_alloc(64, (strlen(step->inputs[i].hex) * 2 + 127) / 64 * 64);
      put(data, TD_KEY(step->inputs[i].key), input_in(how, &step->inputs[i], memory[i]));
    }
    must(td_query_forward(query, data, step->extend ? TD_QUERY_DEFAULT : TD_QUERY_NO_EXTEND, &err));
    expect_int64(data, TD_KEY("_hash"), step->hash, step->n_rows);
    expect_int64(data, TD_KEY("_index"), step->index, step->n_rows);
    cr_assert_eq(td_query_size(query), step->size_after, "%s, step %zu", c->name, s);
    td_dict_release(data);
    for (size_t i = 0; i < step->n_inputs; ++i) free(memory[i]);
  }
  td_query_release(query);
}

LeaklessTest(query, gives_what_torchrl_gives_however_the_rows_lie_in_memory) {
  for (size_t i = 0; i < sizeof query_cases / sizeof *query_cases; ++i)
    for (layout how = ROW_MAJOR; how < LAYOUTS; ++how) replay(&query_cases[i], how);
}

/* ---- Indices --------------------------------------------------------------------------------------------------------- */

LeaklessTest(query, the_first_occurrence_of_a_row_gets_the_next_index) {
  td_query *query = query_with(NULL);
  td_dict *first = ROWS(7, 5, 7, 9, 5), *second = ROWS(9, 1, 7);
  must(td_query_forward(query, first, TD_QUERY_DEFAULT, &err));
  expect_int64(first, TD_KEY("_index"), INDICES(0, 1, 0, 2, 1));
  must(td_query_forward(query, second, TD_QUERY_DEFAULT, &err));
  expect_int64(second, TD_KEY("_index"), INDICES(2, 3, 0));
  check(td_query_size(query) == 4);
  td_dict_release(first);
  td_dict_release(second);
  td_query_release(query);
}

LeaklessTest(query, without_extend_an_unseen_row_gets_the_size_of_the_map) {
  td_query *query = query_with(NULL);
  td_dict *known = ROWS(1, 2), *asked = ROWS(3, 2, 4);
  must(td_query_forward(query, asked, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, &err));
  expect_int64(asked, TD_KEY("_index"), INDICES(0, 0, 0));
  must(td_query_forward(query, known, TD_QUERY_DEFAULT, &err));
  must(td_query_forward(query, asked, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, &err));
  expect_int64(asked, TD_KEY("_index"), INDICES(2, 1, 2));
  check(td_query_size(query) == 2);
  check(kind_at(asked, TD_KEY("_hash")) == TD_ENTRY_NONE);
  td_dict_release(known);
  td_dict_release(asked);
  td_query_release(query);
}

LeaklessTest(query, an_old_hash_stays_when_none_is_written) {
  td_query *query = query_with(NULL);
  td_dict *data = ROWS(1, 2);
  put(data, TD_KEY("_hash"), vector_of(TD_DTYPE_INT64, (const int64_t[]){10, 20}, 2));
  must(td_query_forward(query, data, TD_QUERY_NO_HASH, &err));
  expect_int64(data, TD_KEY("_hash"), INDICES(10, 20));
  expect_int64(data, TD_KEY("_index"), INDICES(0, 1));
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query, no_rows_are_no_error) {
  td_query *query = query_over((const td_key[]){*TD_KEY("a"), *TD_KEY("a")}, 2);
  td_dict *data = new_dict(TD_SHAPE(0));
  put(data, TD_KEY("a"), range_f32(TD_SHAPE(0, 3)));
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  td_tensor *indices = get(data, TD_KEY("_index"));
  expect_shape(indices, TD_SHAPE(0));
  check(td_query_size(query) == 0);
  td_tensor_release(indices);
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query, keys_may_be_nested_and_named) {
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.index_key = TD_KEY("out", "index");
  options.hash_key = TD_KEY("out", "hash");
  td_query *query;
  must(td_query_new(TD_KEY("in", "x.y"), 1, &options, &query, &err));
  td_dict *data = new_dict(TD_SHAPE(3));
  put(data, TD_KEY("in", "x.y"), requiring_grad(range_f32(TD_SHAPE(3, 2))));
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  expect_int64(data, TD_KEY("out", "index"), INDICES(0, 1, 2));
  td_tensor *hash = get(data, TD_KEY("out", "hash"));
  check(!td_tensor_requires_grad(hash));
  td_tensor_release(hash);
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query, many_rows_keep_the_order_of_their_first_occurrence) {
  enum { ROWS_N = 20000, DIFFERENT = 3001 };
  int64_t *values = malloc(ROWS_N * sizeof *values), *expected = malloc(ROWS_N * sizeof *expected);
  int64_t seen[DIFFERENT], n_seen = 0;
  for (int i = 0; i < DIFFERENT; ++i) seen[i] = -1;
  for (int64_t i = 0; i < ROWS_N; ++i) {
    values[i] = i * i * 7 % DIFFERENT;
    int64_t *at = &seen[values[i]];
    if (*at < 0) *at = n_seen++;
    expected[i] = *at;
  }
  td_query *query = query_with(NULL);
  td_dict *data = rows_of(values, ROWS_N);
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  expect_int64(data, TD_KEY("_index"), expected, ROWS_N);
  check(td_query_size(query) == n_seen);
  td_dict_release(data);
  td_query_release(query);
  free(values);
  free(expected);
}

/* ---- What fails changes nothing ---------------------------------------------------------------------------------- */

LeaklessTest(query, a_key_that_is_missing_or_in_the_way_changes_nothing) {
  td_query *two = query_over((const td_key[]){*TD_KEY("a"), *TD_KEY("b")}, 2);
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.index_key = TD_KEY("ok");
  options.hash_key = TD_KEY("a", "below");
  td_query *below_a_leaf = query_with(&options);
  td_dict *data = ROWS(1, 2, 3);
  expect_unchanged(two, data, (failure){TD_ERR_KEY, "\"b\"", NULL});
  expect_unchanged(below_a_leaf, data, (failure){TD_ERR_KEY, NULL, "runs through a tensor"});
  options.index_key = TD_KEY("word", "below");
  td_query *below_data = query_with(&options);
  must(td_dict_set_data(data, TD_KEY("word"), TD_DATA(td_data_int(1)), &err));
  expect_unchanged(below_data, data, (failure){TD_ERR_KEY, NULL, "runs through data"});
  td_dict_release(data);
  td_query *const all[] = {two, below_a_leaf, below_data};
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

LeaklessTest(query, a_locked_dict_changes_nothing) {
  td_query *query = query_with(NULL);
  td_dict *data = ROWS(1, 2, 3);
  must(td_dict_lock_(data, &err));
  expect_unchanged(query, data, (failure){TD_ERR_LOCKED, "\"_index\"", "locked"});
  must(td_dict_unlock_(data, &err));
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  must(td_dict_lock_(data, &err)); /* also when the keys are there already */
  expect_unchanged(query, data, (failure){TD_ERR_LOCKED, NULL, NULL});
  td_dict_release(data);
  td_query_release(query);
}

LeaklessTest(query, rows_that_are_none_or_uneven_change_nothing) {
  td_query *one = query_with(NULL), *two = query_over((const td_key[]){*TD_KEY("a"), *TD_KEY("b")}, 2);
  td_dict *uneven = new_dict(TD_NO_DIMS);
  put(uneven, TD_KEY("a"), range_f32(TD_SHAPE(3, 2)));
  put(uneven, TD_KEY("b"), range_f32(TD_SHAPE(4)));
  expect_unchanged(two, uneven, (failure){TD_ERR_SHAPE, "\"b\"", "4 rows"});
  put(uneven, TD_KEY("a"), full_f32(1, TD_NO_DIMS));
  expect_unchanged(one, uneven, (failure){TD_ERR_SHAPE, "\"a\"", "no rows"});
  put(uneven, TD_KEY("a"), counted(TD_DTYPE_COMPLEX32, TD_SHAPE(2)));
  expect_unchanged(one, uneven, (failure){TD_ERR_DTYPE, "\"a\"", NULL});
  td_dict_release(uneven);

  td_dict *wide = new_dict(TD_SHAPE(2, 3));
  put(wide, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  expect_unchanged(one, wide, (failure){TD_ERR_SHAPE, "\"_index\"", "[2, 3]"});
  td_dict_release(wide);
  td_query_release(one);
  td_query_release(two);
}

LeaklessTest(query, bad_arguments_are_named) {
  td_query *query = NULL;
  expect_error(td_query_new(NULL, 0, NULL, &query, &err), TD_ERR_ARGUMENT, NULL, "at least one key");
  expect_error(td_query_new(NULL, 1, NULL, &query, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.hash_type = TD_STR("org.nobody.knows");
  expect_error(td_query_new(TD_KEY("a"), 1, &options, &query, &err), TD_ERR_NOT_FOUND, NULL, "td.siphash");
  options.hash_type = TD_STR("td.linear");
  expect_error(td_query_new(TD_KEY("a"), 1, &options, &query, &err), TD_ERR_NOT_FOUND, NULL, "no hash type");
  options = (td_query_options)TD_QUERY_OPTIONS_INIT;
  options.index_key = TD_KEY("_hash", "index");
  expect_error(td_query_new(TD_KEY("a"), 1, &options, &query, &err), TD_ERR_ARGUMENT, NULL,
               "overlap: one is part of the other");
  cr_assert_null(query);

  query = query_with(NULL);
  td_dict *data = ROWS(1);
  expect_error(td_query_forward(query, data, 1 << 2, &err), TD_ERR_ARGUMENT, NULL, "flags");
  expect_error(td_query_forward(NULL, data, 0, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_query_forward(query, NULL, 0, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(td_query_size(NULL) == 0);
  td_dict_release(data);
  td_query_release(query);
}
