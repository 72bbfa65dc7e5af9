/* Hashes by themselves: the bundled types against published values, and functions of the caller's. */
#include "support/query_vectors.h"
#include "support/td.h"

static td_hash *hash_of_type(const char *type, const char *config) {
  td_hash *hash;
  must(td_hash_new(TD_STR(type), TD_STR(config), &hash, &err));
  return hash;
}

static uint64_t hash_one(const td_hash *hash, const void *bytes, size_t size) {
  uint64_t value;
  must(td_hash_rows(hash, bytes, 1, size, size, &value, &err));
  return value;
}

static td_tensor *hashes_of(const td_hash *hash, td_tensor *taken) {
  td_tensor *out;
  must(td_hash_call(hash, taken, &out, &err));
  td_tensor_release(taken);
  check(td_tensor_dtype(out) == TD_DTYPE_INT64);
  return out;
}

static td_tensor *floats(const float *values, const int64_t *dims, size_t ndim) {
  td_tensor *t;
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT32, dims, ndim, &t, &err));
  return t;
}

/* ---- td.siphash ------------------------------------------------------------------------------------------------------ */

LeaklessTest(hash, every_vector_unit_gives_the_same_siphash) {
  static const char *const configs[] = {"", ",\"rounds\":[2,4],\"seed\":42", ",\"rounds\":[3,5],\"cpython\":false"};
  static const char *const units[] = {"avx2", "avx512", "auto"};
  enum { N = 67, WIDEST = 200, GAP = 5 };
  uint8_t *bytes = malloc(N * (WIDEST + GAP) + 8);
  for (size_t i = 0; i < N * (WIDEST + GAP); ++i) bytes[i] = (uint8_t)(i * i * 31 + (i >> 7));
  uint64_t expected[N], got[N];
  for (size_t c = 0; c < 3; ++c)
    for (size_t u = 0; u < 3; ++u) {
      char config[128];
      snprintf(config, sizeof config, "{\"unit\":\"scalar\"%s}", configs[c]);
      td_hash *scalar = hash_of_type("td.siphash", config), *other = NULL;
      snprintf(config, sizeof config, "{\"unit\":\"%s\"%s}", units[u], configs[c]);
      const td_status status = td_hash_new(TD_STR("td.siphash"), TD_STR(config), &other, NULL);
      if (u == 2) check(status == TD_OK); /* the others may not be here */
      for (size_t size = 0; other && size <= WIDEST; size += size < 40 ? 1 : 13)
        for (size_t n = 0; n <= N; n += n < 18 ? 1 : 7) {
          must(td_hash_rows(scalar, bytes, n, size, size + GAP, expected, &err));
          must(td_hash_rows(other, bytes, n, size, size + GAP, got, &err));
          cr_assert_eq(memcmp(expected, got, n * sizeof *got), 0, "%s: %zu rows of %zu bytes", config, n, size);
        }
      td_hash_release(scalar);
      td_hash_release(other);
    }
  free(bytes);
}

LeaklessTest(hash, rows_of_a_tensor_are_what_they_hold) {
  static const float doc[] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f};
  td_hash *hash = hash_of_type("td.siphash", "{}");
  td_tensor *hashes = hashes_of(hash, floats(doc, TD_SHAPE(3, 2)));
  const int64_t *h = address(hashes);
  check(h[0] == INT64_C(-4669941682990263259) && h[1] == INT64_C(-3778166555168484291) &&
        h[2] == INT64_C(-9122128731510687521));
  td_tensor_release(hashes);
  hashes = hashes_of(hash, transposed(floats((const float[]){0.1f, 0.3f, 0.5f, 0.2f, 0.4f, 0.6f}, TD_SHAPE(2, 3))));
  check(((const int64_t *)address(hashes))[1] == INT64_C(-3778166555168484291));
  td_tensor_release(hashes);
  td_tensor *scalar = full_f32(1, TD_NO_DIMS);
  expect_error(td_hash_call(hash, scalar, &hashes, &err), TD_ERR_SHAPE, NULL, "no rows");
  td_tensor_release(scalar);
  td_hash_release(hash);
}

/* ---- td.xxh3 --------------------------------------------------------------------------------------------------------- */

LeaklessTest(hash, xxh3_gives_the_values_of_its_author) {
  td_hash *seeds[3];
  char config[64];
  seeds[0] = hash_of_type("td.xxh3", "{}");
  snprintf(config, sizeof config, "{\"seed\":%lld}", (long long)xxh3_p32);
  seeds[1] = hash_of_type("td.xxh3", config);
  snprintf(config, sizeof config, "{\"seed\":%lld}", (long long)(int64_t)xxh3_p64);
  seeds[2] = hash_of_type("td.xxh3", config);
  uint8_t buffer[4200];
  uint64_t g = 2654435761u;
  for (size_t i = 0; i < sizeof buffer; ++i, g *= UINT64_C(11400714785074694797)) buffer[i] = (uint8_t)(g >> 56);
  for (size_t i = 0; i < sizeof xxh3_vectors / sizeof *xxh3_vectors; ++i) {
    const xxh3_vector *v = &xxh3_vectors[i];
    cr_assert_eq(hash_one(seeds[0], buffer, v->size), v->seed_0, "%zu bytes", v->size);
    cr_assert_eq(hash_one(seeds[1], buffer, v->size), v->seed_p32, "%zu bytes", v->size);
    cr_assert_eq(hash_one(seeds[2], buffer, v->size), v->seed_p64, "%zu bytes", v->size);
  }
  for (size_t i = 0; i < 3; ++i) td_hash_release(seeds[i]);
}

/* ---- Types that compute with tensors --------------------------------------------------------------------------------- */

LeaklessTest(hash, binary_to_decimal_adds_up_groups_of_bits) {
  static const float bits[] = {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0};
  td_hash *hash = hash_of_type("td.binary_to_decimal", "{\"num_bits\":4,\"convert_to_binary\":true}");
  td_tensor *numbers = hashes_of(hash, floats(bits, TD_SHAPE(2, 8)));
  expect_values(numbers, VALUES(3, 2));
  td_tensor_release(numbers);
  td_hash *plain = hash_of_type("td.binary_to_decimal", "{\"num_bits\":3}");
  numbers = hashes_of(plain, counted(TD_DTYPE_BOOL, TD_SHAPE(2, 3))); /* 010, 101 */
  expect_values(numbers, VALUES(2, 5));
  td_tensor_release(numbers);
  td_tensor *odd = range_f32(TD_SHAPE(2, 7));
  expect_error(td_hash_call(hash, odd, &numbers, &err), TD_ERR_SHAPE, NULL, "multiple of num_bits");
  td_tensor_release(odd);
  td_tensor *deep = range_f32(TD_SHAPE(2, 3, 4)); /* 6 numbers for 2 rows */
  expect_error(td_hash_call(hash, deep, &numbers, &err), TD_ERR_PLUGIN, NULL, "[6] for 2 rows");
  td_tensor_release(deep);
  expect_error(td_hash_rows(hash, bits, 1, 4, 4, (uint64_t[]){0}, &err), TD_ERR_UNSUPPORTED, NULL, "tensors");
  td_hash *none = NULL;
  expect_error(td_hash_new(TD_STR("td.binary_to_decimal"), TD_NO_STR, &none, &err), TD_ERR_ARGUMENT, NULL,
               "\"num_bits\" is missing");
  cr_assert_null(none);
  td_hash_release(plain);
  td_hash_release(hash);
}

typedef struct memory {
  char bytes[4096];
  size_t size, at;
} memory;

static td_status append(void *target, const void *bytes, size_t size, td_error **error) {
  memory *m = target;
  if (m->size + size > sizeof m->bytes) {
    *error = td_error_new(TD_ERR_NOSPACE, TD_STR("the memory is full"));
    return TD_ERR_NOSPACE;
  }
  memcpy(m->bytes + m->size, bytes, size);
  m->size += size;
  return TD_OK;
}

static td_status take(void *source, void *bytes, size_t size, size_t *got, td_error **error) {
  memory *m = source;
  (void)error;
  *got = size < m->size - m->at ? size : m->size - m->at;
  memcpy(bytes, m->bytes + m->at, *got);
  m->at += *got;
  return TD_OK;
}

static td_tensor *projected(const td_hash *hash) {
  return hashes_of(hash, range_f32(TD_SHAPE(5, 20)));
}

LeaklessTest(hash, projections_of_one_seed_are_equal) {
  td_hash *first = hash_of_type("td.random_projection", "{\"n_components\":4,\"seed\":7}");
  td_hash *same_seed = hash_of_type("td.random_projection", "{\"n_components\":4,\"seed\":7}");
  td_tensor *a = projected(first), *b = projected(same_seed);
  check(same_values(a, b));
  expect_shape(a, TD_SHAPE(5));
  td_tensor_release(a);
  td_tensor_release(b);
  td_hash_release(first);
  td_hash_release(same_seed);
}

LeaklessTest(hash, a_projection_keeps_its_matrix_through_copies_and_saves) {
  td_hash *drawn = hash_of_type("td.random_projection", "{\"n_components\":4}"), *loaded, *copy;
  td_tensor *a = projected(drawn), *b;
  memory state = {{0}, 0, 0};
  must(td_hash_save(drawn, TD_CALLBACKS(td_writer, append, &state), &err));
  must(td_hash_clone(drawn, &copy, &err));
  loaded = hash_of_type("td.random_projection", "{\"n_components\":4}");
  must(td_hash_load(loaded, TD_CALLBACKS(td_reader, take, &state), &err));
  b = projected(copy);
  check(same_values(a, b));
  td_tensor_release(b);
  b = projected(loaded);
  check(same_values(a, b));
  td_tensor_release(b);
  td_tensor_release(a);

  td_tensor *wider = range_f32(TD_SHAPE(5, 21)), *flat = range_f32(TD_SHAPE(5));
  expect_error(td_hash_call(loaded, wider, &a, &err), TD_ERR_SHAPE, NULL, "features");
  expect_error(td_hash_call(loaded, flat, &a, &err), TD_ERR_SHAPE, NULL, "two dims");
  td_tensor_release(wider);
  td_tensor_release(flat);
  td_hash *const all[] = {drawn, loaded, copy};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_hash_release(all[i]);
}

LeaklessTest(hash, a_saved_projection_that_does_not_fit_or_is_damaged_is_refused) {
  td_hash *drawn = hash_of_type("td.random_projection", "{\"n_components\":4}");
  td_hash *wide = hash_of_type("td.random_projection", "{\"n_components\":5}");
  td_tensor_release(projected(drawn));
  memory state = {{0}, 0, 0};
  must(td_hash_save(drawn, TD_CALLBACKS(td_writer, append, &state), &err));
  expect_error(td_hash_load(wide, TD_CALLBACKS(td_reader, take, &state), &err), TD_ERR_CORRUPT, NULL, "n_components");
  state.at = 0, state.size = 40;
  expect_error(td_hash_load(drawn, TD_CALLBACKS(td_reader, take, &state), &err), TD_ERR_CORRUPT, NULL, "truncated");
  state.at = 0, state.bytes[4] = 9;
  expect_error(td_hash_load(drawn, TD_CALLBACKS(td_reader, take, &state), &err), TD_ERR_VERSION, NULL, "version 9");
  memory full = {{0}, sizeof full.bytes, 0};
  expect_error(td_hash_save(drawn, TD_CALLBACKS(td_writer, append, &full), &err), TD_ERR_NOSPACE, NULL, "full");
  td_hash_release(drawn);
  td_hash_release(wide);
}

/* ---- Functions ------------------------------------------------------------------------------------------------------- */

static int destroyed;
static void count_destroyed(void *userdata) {
  (void)userdata;
  ++destroyed;
}

static td_status row_numbers(void *userdata, const td_tensor *rows, td_tensor **out, td_error **error) {
  int64_t dims[8], values[64];
  td_tensor_shape(rows, dims, 8);
  const int64_t n = dims[0] + *(int *)userdata;
  for (int64_t i = 0; i < n; ++i) values[i] = i;
  return td_tensor_copy_from(values, TD_DTYPE_INT64, &n, 1, out, error);
}

LeaklessTest(hash, a_function_may_hash_and_is_destroyed_once) {
  int extra = 0;
  td_hash *hash, *copy = NULL;
  must(td_hash_from_function(TD_CALLBACKS(td_hash_function, row_numbers, &extra, count_destroyed), &hash, &err));
  td_tensor *out = hashes_of(hash, range_f32(TD_SHAPE(3, 2)));
  expect_values(out, VALUES(0, 1, 2));
  td_tensor_release(out);
  extra = 1;
  td_tensor *rows = range_f32(TD_SHAPE(3, 2));
  expect_error(td_hash_call(hash, rows, &out, &err), TD_ERR_PLUGIN, NULL, "[4] for 3 rows");
  td_tensor_release(rows);
  expect_error(td_hash_clone(hash, &copy, &err), TD_ERR_UNSUPPORTED, NULL, "copied");
  td_string *text;
  must(td_hash_describe(hash, &text, &err));
  expect_text(text, "{\"type\":null}");
  check(destroyed == 0);
  td_hash_release(hash);
  check(destroyed == 1);
  expect_error(td_hash_from_function(TD_CALLBACKS(td_hash_function, NULL, &extra, count_destroyed), &hash, &err),
               TD_ERR_ARGUMENT, NULL, NULL);
  check(destroyed == 2);
}

LeaklessTest(hash, bad_arguments_are_named) {
  td_hash *hash = NULL, *xxh3 = hash_of_type("td.xxh3", "{}");
  uint64_t out;
  static const struct {
    const char *config, *says;
  } cases[] = {
      {"{\"seed\":\"x\"}", "\"seed\" is \"x\", not of type integer"},
      {"{\"seed\":-1}", "below the minimum 0"},
      {"{\"seed\":4294967296}", "above the maximum 4294967295"},
      {"{\"rounds\":[1]}", "\"rounds\" has 1 elements, at least 2"},
      {"{\"rounds\":[1,17]}", "\"rounds[1]\" is 17, above the maximum 16"},
      {"{\"unit\":\"abacus\"}", "\"unit\" is \"abacus\", not one of"},
      {"{\"sede\":1}", "unknown member \"sede\""},
      {"{\"key\":\"00\"}", "at least 32"},
      {"[1]", "not a JSON object"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect_error(td_hash_new(TD_STR("td.siphash"), TD_STR(cases[i].config), &hash, &err), TD_ERR_ARGUMENT, NULL,
                 cases[i].says);
  expect_error(td_hash_new(TD_STR("td.sip"), TD_NO_STR, &hash, &err), TD_ERR_NOT_FOUND, NULL, "td.siphash");
  expect_error(td_hash_rows(NULL, "a", 1, 1, 1, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_hash_rows(xxh3, NULL, 1, 1, 1, &out, &err), TD_ERR_ARGUMENT, NULL, "rows");
  expect_error(td_hash_rows(xxh3, "a", 1, 1, 1, NULL, &err), TD_ERR_ARGUMENT, NULL, "out");
  must(td_hash_rows(xxh3, NULL, 0, 8, 8, NULL, &err));
  must(td_hash_rows(xxh3, NULL, 1, 0, 0, &out, &err));
  check(out == UINT64_C(0x2D06800538D394C2));
  expect_error(td_hash_save(xxh3, TD_CALLBACKS(td_writer, NULL, NULL), &err), TD_ERR_ARGUMENT, NULL, NULL);
  cr_assert_null(hash);
  td_hash_release(NULL), td_hash_retain(NULL);
  td_hash_release(xxh3);
}
