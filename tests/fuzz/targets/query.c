/* Saved maps and hashes. Entries of the state follow one another in the input: a count, and so many numbers or bytes. */
#include "support/fuzz.h"

static void set(td_dict *state, const td_key *key, td_dtype dtype, const void *values, const int64_t *dims,
                size_t ndim) {
  td_tensor *t = NULL;
  hold(td_tensor_copy_from(values, dtype, dims, ndim, &t, NULL) == TD_OK, "a tensor can be made");
  hold(td_dict_set(state, key, t, NULL) == TD_OK, "an entry can be set");
  td_tensor_release(t);
}

static void set_numbers(td_dict *state, const char *key, bytes_left *from) {
  int64_t values[256], n = (int64_t)take_number(from, 1);
  /* Small numbers take one byte, so that they are often indices. */
  for (int64_t i = 0; i < n; ++i) {
    values[i] = (int64_t)take_number(from, 1);
    if (values[i] == 0xFE) values[i] = (int64_t)take_number(from, 8);
  }
  set(state, TD_KEY(key), TD_DTYPE_INT64, values, &n, 1);
}

static void set_bytes(td_dict *state, const td_key *key, bytes_left *from) {
  const uint64_t asked = take_number(from, 2);
  const int64_t n = (int64_t)(asked < from->size ? asked : from->size);
  set(state, key, TD_DTYPE_UINT8, n > 0 ? from->at : (const uint8_t *)"", &n, 1);
  from->at += n, from->size -= (size_t)n;
}

enum { EXACT = 1, BOUNDED = 2, WITH_NEXT = 4, WITH_HASHES = 8, OWN_IDENTITY = 16, TWO_KEYS = 32, PROJECTED = 64 };

static void run(const uint8_t *bytes, size_t size) {
  bytes_left left = {bytes, size};
  const uint64_t how = take_number(&left, 1);
  const td_key keys[] = {*TD_KEY("a"), *TD_KEY("b")};
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.exact = (how & EXACT) != 0;
  options.capacity = how & BOUNDED ? 100 : 0;
  if (how & PROJECTED) { /* a hash that has a state */
    options.hash_type = TD_STR("td.random_projection");
    options.hash_config = TD_STR("{\"n_components\":2}");
  }
  td_query *query = NULL;
  td_dict *state = NULL, *again = NULL;
  td_error *error = NULL;
  hold(td_query_new(keys, how & TWO_KEYS ? 2 : 1, &options, &query, NULL) == TD_OK, "a query can be made");
  hold(td_query_state(query, &state, NULL) == TD_OK, "a query has a state");
  set_numbers(state, "keys", &left);
  set_numbers(state, "values", &left);
  if (how & WITH_NEXT) {
    int64_t next = (int64_t)take_number(&left, 8);
    set(state, TD_KEY("next"), TD_DTYPE_INT64, &next, NULL, 0);
  } else {
    hold(td_dict_remove(state, TD_KEY("next"), NULL) == TD_OK, "there was a next index");
  }
  set_numbers(state, "row_sizes", &left);
  set_bytes(state, TD_KEY("rows"), &left);
  if (how & WITH_HASHES) set_bytes(state, TD_KEY("hashes", "0"), &left);
  if (!(how & OWN_IDENTITY)) set_bytes(state, TD_KEY("identity"), &left);
  if (typed(td_query_load_state(query, state, how & OWN_IDENTITY ? 0 : TD_QUERY_LOAD_ANY_HASH, &error), error)) {
    error = NULL;
    if (typed(td_query_state(query, &again, &error), error)) look_at(again);
  }
  td_dict_release(again), td_dict_release(state), td_query_release(query);
}
const fuzz_target fuzz_query_state = {"query_state", run, NULL, NULL, 0};
