/* A map from hashes to indices as a caller may have one: an array, and what it gets wrong on purpose. */
#ifndef TESTS_INDEX_MAP_H
#define TESTS_INDEX_MAP_H

#include "query.h"

enum { MOST_HASHES = 64 };

typedef struct array_map {
  int64_t hashes[MOST_HASHES]; /* the hash of each index */
  int64_t n;
  _Atomic int look_ups; /* by several threads at once */
  int inserts, erases, destroyed;
  const char *fails; /* the function that fails, an insert half-way */
  int64_t shift;     /* is added to each index that it gives */
  td_query *enters;  /* the query that look_up uses */
} array_map;

static inline td_status array_map_fails(const array_map *m, const char *function, td_error **error) {
  if (!m->fails || strcmp(m->fails, function) != 0) return TD_OK;
  *error = td_error_new(TD_ERR_IO, TD_STR("the table is gone"));
  return TD_ERR_IO;
}

static inline int64_t array_map_find(const array_map *m, int64_t hash) {
  int64_t i = m->n;
  while (--i >= 0 && m->hashes[i] != hash) continue;
  return i;
}

static inline td_status array_map_look_up(void *userdata, const int64_t *hashes, size_t n, int64_t *indices,
                                          td_error **error) {
  array_map *m = userdata;
  ++m->look_ups;
  if (m->enters) {
    td_dict *data = ROWS(1);
    td_tensor *out;
    const td_status status = td_query_look_up(m->enters, data, &out, error);
    td_dict_release(data);
    return status;
  }
  for (size_t i = 0; i < n; ++i) {
    indices[i] = array_map_find(m, hashes[i]);
    if (indices[i] >= 0) indices[i] += m->shift;
  }
  return array_map_fails(m, "look_up", error);
}

static inline td_status array_map_insert(void *userdata, const int64_t *hashes, size_t n, int64_t *indices,
                                         td_error **error) {
  array_map *m = userdata;
  ++m->inserts;
  for (size_t i = 0; i < n; ++i) {
    if (i == n / 2 && array_map_fails(m, "insert", error) != TD_OK) return TD_ERR_IO;
    m->hashes[m->n] = hashes[i];
    indices[i] = m->n++ + m->shift;
  }
  return TD_OK;
}

static inline td_status array_map_erase(void *userdata, const int64_t *hashes, size_t n, td_error **error) {
  array_map *m = userdata;
  ++m->erases;
  for (size_t i = n; i-- > 0;) {
    const int64_t index = array_map_find(m, hashes[i]);
    if (index >= 0 && index == m->n - 1) --m->n;
    if (index >= 0 && index < m->n) m->hashes[index] = INT64_MIN + index; /* a hole */
  }
  return array_map_fails(m, "erase", error);
}

static inline td_status array_map_size(void *userdata, int64_t *out_size, int64_t *out_next, td_error **error) {
  const array_map *m = userdata;
  *out_size = *out_next = m->n;
  return array_map_fails(m, "size", error);
}

static inline td_status array_map_clear(void *userdata, td_error **error) {
  array_map *m = userdata;
  if (array_map_fails(m, "clear", error) != TD_OK) return TD_ERR_IO;
  m->n = 0;
  return TD_OK;
}

static inline td_tensor *of_int64(const int64_t *values, int64_t n) {
  td_tensor *t;
  must(td_tensor_copy_from(values, TD_DTYPE_INT64, TD_SHAPE(n), &t, &err));
  return t;
}

/* As td_query_state writes it. */
static inline td_status array_map_state(void *userdata, td_dict *state, td_error **error) {
  const array_map *m = userdata;
  if (m->fails && strcmp(m->fails, "state writes identity") == 0) {
    put(state, TD_KEY("identity"), of_int64(&m->n, 1));
    return TD_OK;
  }
  int64_t values[MOST_HASHES];
  for (int64_t i = 0; i < m->n; ++i) values[i] = i;
  put(state, TD_KEY("keys"), of_int64(m->hashes, m->n));
  put(state, TD_KEY("values"), of_int64(values, m->n));
  return array_map_fails(m, "state", error);
}

static inline td_status array_map_load(void *userdata, const td_dict *state, td_error **error) {
  array_map *m = userdata;
  td_tensor *keys;
  const td_status status = td_dict_get(state, TD_KEY("keys"), &keys, error);
  if (status != TD_OK) return status;
  m->n = td_tensor_numel(keys);
  memcpy(m->hashes, address(keys), (size_t)m->n * sizeof(int64_t));
  td_tensor_release(keys);
  return TD_OK;
}

static inline void array_map_destroy(void *userdata) {
  ++((array_map *)userdata)->destroyed;
}

static inline td_index_map functions_of(array_map *m) {
  return (td_index_map){sizeof(td_index_map), array_map_look_up, array_map_insert,
                        array_map_erase,      array_map_size,    array_map_clear,
                        array_map_state,      array_map_load,    m,
                        array_map_destroy};
}

static inline td_query *query_over_map(td_index_map map) {
  td_query *query;
  must(td_query_new_with_map(TD_KEY("a"), 1, NULL, &map, &query, &err));
  return query;
}

#endif
