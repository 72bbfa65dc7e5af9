/* td.siphash against the values of CPython and of the published tables. */
#include "support/query_vectors.h"
#include "support/td.h"

static td_query *hashing_query(const char *config) {
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.hash_config = TD_STR(config);
  td_query *query;
  must(td_query_new(TD_KEY("row"), 1, &options, &query, &err));
  return query;
}

/* The hashes of `n` equal rows; all must be the same. */
static int64_t hash_of(td_query *query, const uint8_t *bytes, size_t size, int64_t n) {
  uint8_t *rows = malloc((size_t)n * size + 1);
  for (int64_t i = 0; i < n; ++i) memcpy(rows + (size_t)i * size, bytes, size);
  td_tensor *t;
  must(td_tensor_copy_from(rows, TD_DTYPE_UINT8, TD_SHAPE(n, (int64_t)size), &t, &err));
  td_dict *data = new_dict(TD_SHAPE(n));
  put(data, TD_KEY("row"), t);
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &err));
  td_tensor *hashes = get(data, TD_KEY("_hash"));
  const int64_t *values = address(hashes), first = values[0];
  for (int64_t i = 1; i < n; ++i) cr_assert_eq(values[i], first, "row %lld of %zu bytes", (long long)i, size);
  td_tensor_release(hashes);
  td_dict_release(data);
  free(rows);
  return first;
}

static size_t from_hex(const char *hex, uint8_t *bytes) {
  size_t n = strlen(hex) / 2;
  for (size_t i = 0; i < n; ++i) {
    unsigned byte;
    cr_assert_eq(sscanf(hex + 2 * i, "%2x", &byte), 1);
    bytes[i] = (uint8_t)byte;
  }
  return n;
}

LeaklessTest(siphash, gives_what_python_gives_for_bytes) {
  td_query *of_13 = hashing_query("{}"), *of_24 = hashing_query("{\"rounds\":[2,4]}"),
           *of_13_42 = hashing_query("{\"seed\":42}"), *of_24_42 = hashing_query("{\"seed\":42,\"rounds\":[2,4]}");
  uint8_t bytes[4096];
  for (size_t i = 0; i < sizeof bytes_vectors / sizeof *bytes_vectors; ++i) {
    const bytes_vector *v = &bytes_vectors[i];
    const size_t n = from_hex(v->hex, bytes);
    for (int64_t rows = 1; rows <= 9; rows += 8) { /* one by one, and eight side by side and one */
      cr_assert_eq(hash_of(of_13, bytes, n, rows), v->siphash13_seed0, "%zu bytes", n);
      cr_assert_eq(hash_of(of_24, bytes, n, rows), v->siphash24_seed0, "%zu bytes", n);
      cr_assert_eq(hash_of(of_13_42, bytes, n, rows), v->siphash13_seed42, "%zu bytes", n);
      cr_assert_eq(hash_of(of_24_42, bytes, n, rows), v->siphash24_seed42, "%zu bytes", n);
    }
  }
  td_query_release(of_13);
  td_query_release(of_24);
  td_query_release(of_13_42);
  td_query_release(of_24_42);
}

LeaklessTest(siphash, gives_the_published_tables_without_the_rules_of_python) {
#define PUBLISHED "{\"key\":\"000102030405060708090a0b0c0d0e0f\",\"cpython\":false,\"rounds\":"
  td_query *of_24 = hashing_query(PUBLISHED "[2,4]}"), *of_13 = hashing_query(PUBLISHED "[1,3]}");
  uint8_t bytes[64];
  for (size_t n = 0; n < 64; ++n) {
    bytes[n] = (uint8_t)n;
    cr_assert_eq((uint64_t)hash_of(of_24, bytes, n, 1), siphash24_published[n], "%zu bytes", n);
    cr_assert_eq((uint64_t)hash_of(of_13, bytes, n, 1), siphash13_published[n], "%zu bytes", n);
    cr_assert_eq((uint64_t)hash_of(of_13, bytes, n, 9), siphash13_published[n], "%zu bytes", n);
  }
  td_query_release(of_24);
  td_query_release(of_13);
}

LeaklessTest(siphash, refuses_configs_that_mean_nothing) {
  static const char *const configs[] = {
      "{\"seed\":-1}",
      "{\"seed\":4294967296}",
      "{\"seed\":1.5}",
      "{\"seed\":\"x\"}",
      "{\"rounds\":[1]}",
      "{\"rounds\":[0,3]}",
      "{\"rounds\":[1,17]}",
      "{\"rounds\":[1,\"3\"]}",
      "{\"cpython\":1}",
      "{\"key\":\"00\"}",
      "{\"key\":\"zz0102030405060708090a0b0c0d0e0f\"}",
      "{\"seed\":1,\"key\":\"000102030405060708090a0b0c0d0e0f\"}",
      "{\"sede\":1}",
      "[]",
      "{",
      "1",
      "{} {}",
      "{\"rounds\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}",
  };
  for (size_t i = 0; i < sizeof configs / sizeof *configs; ++i) {
    td_query_options options = TD_QUERY_OPTIONS_INIT;
    options.hash_config = TD_STR(configs[i]);
    td_query *query = NULL;
    const td_status status = td_query_new(TD_KEY("a"), 1, &options, &query, NULL);
    cr_assert_eq(status, TD_ERR_ARGUMENT, "%s gave %s", configs[i], td_status_name(status).data);
    cr_assert_null(query);
  }
}
