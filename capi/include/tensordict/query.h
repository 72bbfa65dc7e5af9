/* ==== Queries =======================================================================================================
 * A query maps rows to dense indices: the first occurrence of a row gets the next free index. The bytes of rows are
 * hashed by a plugin; with the default type, the hashes equal those of CPython and torchrl with PYTHONHASHSEED=0.
 *
 *     td_query_new(TD_KEY("image"), 1, NULL, &query, &err);
 *     td_query_forward(query, td, TD_QUERY_DEFAULT, &err);     // writes "_index" and "_hash"
 *
 * Stability: stable
 */
#ifndef TENSORDICT_QUERY_H
#define TENSORDICT_QUERY_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What a row that is not in the map gets if the map is not extended. */
typedef int32_t td_query_miss;
enum {
  TD_QUERY_MISS_SIZE = 0, /* the number of indices assigned so far, as in torchrl */
  TD_QUERY_MISS_MINUS_ONE = 1,
  TD_QUERY_MISS_ERROR = 2 /* the call fails with KEY */
};

typedef struct td_query_options {
  size_t struct_size;
  const td_key *index_key; /* NULL: "_index" */
  const td_key *hash_key;  /* NULL: "_hash" */
  td_str hash_type;        /* NULL data: "td.siphash" */
  td_str hash_config;      /* JSON; NULL data: {} */
  /* Instead of hash_type: `hash` for all keys (copied if there are several keys, and also used to hash their hashes),
   * or `hashes`, one per key. */
  td_hash *hash;
  td_hash *const *hashes;
  size_t n_hashes;
  td_hash *aggregator;    /* hashes the row of int64 hashes of several keys; NULL: `hash`, else "td.siphash" */
  const td_query *map_of; /* share the map of this query, one thread at a time; NULL: a new map */
  int64_t capacity; /* max entries; beyond it, a new entry takes the index of the least recently used; 0: no limit */
  td_query_miss miss;
  int32_t threads;     /* for hashing and look-up; the indices do not depend on it. 0: one; -1: as LibTorch */
  td_bool clone;       /* td_query_call returns a copy */
  td_bool exact;       /* compare the rows themselves: rows with equal hashes stay distinct and are counted */
  td_bool canonical;   /* 0.0 equals -0.0 and all NaNs are equal when rows are hashed and compared */
  uint8_t reserved[5]; /* 0 */
} td_query_options;
#define TD_QUERY_OPTIONS_INIT                                                                                        \
  {                                                                                                                  \
    sizeof(td_query_options), NULL, NULL, {NULL, 0}, {NULL, 0}, NULL, NULL, 0, NULL, NULL, 0, TD_QUERY_MISS_SIZE, 0, \
        0, 0, 0, TD_RESERVED                                                                                         \
  }

/* Makes a query with an empty map over `n` keys. With several keys, the hashes of a row are hashed again, in the order
 * of the keys. `options` may be NULL.   Like torchrl's QueryModule.
 * Errors: ARGUMENT for n = 0, a bad config, or a number of hashes that differs from the number of keys; UNSUPPORTED if
 * one hash for several keys cannot be copied; NOT_FOUND for an unknown hash type.   [any-thread]  Since 0.1 */
TD_API td_status td_query_new(const td_key *in_keys, size_t n, TD_NULLABLE const td_query_options *options,
                              td_query **out, td_error **err) TD_NOEXCEPT;

typedef uint64_t td_query_flags;
enum {
  TD_QUERY_DEFAULT = 0,        /* every row has an index afterwards, and the hash is written */
  TD_QUERY_NO_EXTEND = 1 << 0, /* rows that are not in the map get what the option `miss` says, and no new index */
  TD_QUERY_NO_HASH = 1 << 1    /* the int64 hash is not written */
};

/* Looks up every row of `data` along the leading dim and writes int64 indices. All checks come first: on failure
 * neither the map nor `data` changes.   Like QueryModule.forward.
 * Errors: KEY for a missing input; SHAPE unless all inputs have the same number of rows and the results fit the batch
 * size; DTYPE; LOCKED; NOSPACE if a batch has more different rows than the capacity.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_query_forward(td_query *self, TD_WRITES td_dict *data, td_query_flags flags,
                                  td_error **err) TD_NOEXCEPT;

/* Where td_query_call writes its results. */
typedef int32_t td_query_target;
enum {
  TD_QUERY_TARGET_DEFAULT = 0, /* as the option `clone` of the query says */
  TD_QUERY_TARGET_DATA = 1,    /* to `data` */
  TD_QUERY_TARGET_COPY = 2     /* to a copy of it */
};

typedef struct td_query_call_options {
  size_t struct_size;
  td_query_flags flags;    /* TD_QUERY_... */
  td_query_target target;  /* of the results */
  uint8_t reserved[4];     /* 0 */
  const td_key *found_key; /* the key for a bool per row: whether it was in the map before; NULL: none */
} td_query_call_options;
#define TD_QUERY_CALL_OPTIONS_INIT \
  { sizeof(td_query_call_options), 0, TD_QUERY_TARGET_DEFAULT, TD_RESERVED, NULL }

/* Looks up rows like td_query_forward. `*out` is a new reference to `data`, or an unlocked copy with the same tensors.
 * `options` may be NULL.   Like calling a QueryModule.
 * Errors: as td_query_forward.   [exclusive] [may-alias] [may-call-back]  Since 0.1 */
TD_API td_status td_query_call(td_query *self, TD_WRITES td_dict *data,
                               TD_NULLABLE const td_query_call_options *options, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Makes a module that runs the query, for td_module_sequential and other functions that take modules. Its in-keys and
 * out-keys are the query's. It shares the map with the query; calls that add rows run one at a time.   Like torchrl's
 * QueryModule.   [any-thread]  Since 0.1 */
TD_API td_status td_module_query(TD_KEEPS td_query *query, td_module **out, td_error **err) TD_NOEXCEPT;

/* Returns for each row whether it is in the map, its index (or -1), or its int64 hash. The map does not change, and the
 * rows do not count as used.
 * Errors: KEY; SHAPE; DTYPE.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_query_contains(const td_query *self, const td_dict *data, td_tensor **out,
                                   td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_look_up(const td_query *self, const td_dict *data, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_hash(const td_query *self, const td_dict *data, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Removes the rows of `data` from the map; new rows get their indices, the smallest first. `out` (may be NULL) receives
 * the number of removed rows.
 * Errors: as td_query_contains; UNSUPPORTED for a map in shared memory or a file, which only grows, and a map without
 * `erase`.   [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_query_remove(td_query *self, const td_dict *data, TD_NULLABLE int64_t *out,
                                 td_error **err) TD_NOEXCEPT;

/* Removes all rows; the next index is 0.
 * Errors: UNSUPPORTED for a map in shared memory or a file, and a map without `clear`.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_query_clear(td_query *self, td_error **err) TD_NOEXCEPT;

/* Restricts the out-keys that forward leaves in the dict, until they are reset. Further calls can only restrict them
 * more.   Like TensorDictModule.select_out_keys, reset_out_keys.   Errors: KEY for a key that is not an out-key now.
 * [exclusive]  Since 0.1 */
TD_API td_status td_query_select_out_keys(td_query *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_reset_out_keys(td_query *self, td_error **err) TD_NOEXCEPT;

/* Returns the keys that the query reads, or the keys that it writes: the index key, then the hash key.
 * [any-thread]  Since 0.1 */
TD_API td_status td_query_in_keys(const td_query *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_out_keys(const td_query *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Returns the map as a dict without batch dims: "keys" and "values" (int64, in the order of the indices), "next",
 * "identity" (the hash types and their configs) and the state of the hashes. Save it with td_save and open it with
 * td_open.   Like HashToInt.state_dict.
 * Errors: UNSUPPORTED for a map without `state`.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_query_state(const td_query *self, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef uint64_t td_query_load_any_flags;
enum { TD_QUERY_LOAD_ANY_HASH = 1 << 0 }; /* treat hashes of other types as the query's own */

/* Replaces the map by a state from td_query_state; without "next" the next index is one more than the largest. If the
 * state cannot be loaded, nothing changes.   Like HashToInt.load_state_dict.
 * Errors: KEY for a missing entry; ARGUMENT for other hash types, duplicate hashes or indices, indices out of range,
 * and entries of other dtypes or shapes; CORRUPT, VERSION for the state of a hash; UNSUPPORTED for a map in shared
 * memory or a file, and a map without `load`.   [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_query_load_state(td_query *self, const td_dict *state, td_query_load_any_flags flags,
                                     td_error **err) TD_NOEXCEPT;

/* Statistics of a map. */
typedef struct td_query_statistics {
  size_t struct_size;
  int64_t size;       /* rows in the map */
  int64_t next;       /* one more than the largest index so far */
  int64_t collisions; /* different rows with equal hashes, in exact maps */
  int64_t evictions;  /* entries whose index was given to another row */
  int64_t nbytes;     /* of the map's memory */
} td_query_statistics;
#define TD_QUERY_STATISTICS_INIT \
  { sizeof(td_query_statistics), 0, 0, 0, 0, 0 }

/* Fills `out`, whose struct_size the caller has set (TD_QUERY_STATISTICS_INIT).
 * Errors: ARGUMENT for a bad struct_size.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_query_stats(const td_query *self, td_query_statistics *out, td_error **err) TD_NOEXCEPT;

/* Fills `out`, whose struct_size the caller has set (TD_QUERY_OPTIONS_INIT), with the options of the query: hash_type
 * and hash_config, which live as long as the query, capacity, miss, threads, clone, exact and canonical. The other
 * members are NULL or 0; td_query_out_keys has the keys.
 * Errors: ARGUMENT for a bad struct_size.   [any-thread]  Since 0.2 */
TD_API td_status td_query_get_options(const td_query *self, td_query_options *out, td_error **err) TD_NOEXCEPT;

/* Returns the number of rows in the map; 0 for NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API int64_t td_query_size(const td_query *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_query_retain(const td_query *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_query_release(const td_query *self) TD_NOEXCEPT;

/* ---- Maps that the caller implements --------------------------------------------------------------------------------
 * The caller may implement the map from hashes to indices: with a table of its own language, a database, or the index
 * of an existing storage. The query computes the hashes and asks the map for their indices, one batch at a time.
 */

/* Callbacks for a map from int64 hashes to indices from 0 up. A callback that fails returns a status other than TD_OK
 * and must change nothing. `erase`, `clear`, `state` and `load` may be NULL; functions that need them are then
 * UNSUPPORTED. Callbacks run on the thread that calls the query. `look_up`, `size` and `state` may run concurrently if
 * several threads call the query; the others run alone. Callbacks may call this library, except queries over this map,
 * which are UNSUPPORTED. Two hashes may have the same index. `destroy` runs once: when the last query over the map is
 * freed, or before td_query_new_with_map returns if it fails. A forked child has a copy of the map's memory, like of
 * any memory of the process. */
typedef struct td_index_map {
  size_t struct_size;
  /* Writes the index of each hash, or -1 if the hash is not in the map. */
  td_status (*look_up)(void *userdata, const int64_t *hashes, size_t n, TD_LEN(n) int64_t *indices, td_error **err);
  /* Adds hashes and writes their indices. The hashes are distinct and not in the map. */
  td_status (*insert)(void *userdata, const int64_t *hashes, size_t n, TD_LEN(n) int64_t *indices, td_error **err);
  /* Removes those of the hashes that are in the map. It is also called if an `insert` failed, returned invalid indices,
   * or is undone because the call fails later. */
  TD_NULLABLE td_status (*erase)(void *userdata, const int64_t *hashes, size_t n, td_error **err);
  /* Writes how many hashes there are, and one more than the largest index so far. */
  td_status (*size)(void *userdata, int64_t *out_size, int64_t *out_next, td_error **err);
  TD_NULLABLE td_status (*clear)(void *userdata, td_error **err);
  /* Writes the contents to the empty dict `state`, under any keys except "identity" and "hashes", which the query adds.
   * If it uses the keys of td_query_state, a query with the library's own map can load the state. */
  TD_NULLABLE td_status (*state)(void *userdata, td_dict *state, td_error **err);
  /* Replaces the contents by what `state` wrote. */
  TD_NULLABLE td_status (*load)(void *userdata, const td_dict *state, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_index_map;
#define TD_INDEX_MAP_INIT \
  { sizeof(td_index_map), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/* Makes a query like td_query_new over a map of the caller's, which need not be empty. In every call that uses the map,
 * CALLBACK is returned if a callback fails or returns an index that is negative or not below the next one. Rows that
 * such a call added are erased again; without `erase`, or if it fails too, they keep the indices that the map gave
 * them. In td_query_stats, `size` and `next` are the map's and the other numbers are 0; td_query_size is 0 if the map
 * fails. td_query_share, td_query_save and td_query_attach are UNSUPPORTED.   Like QueryModule(hash_to_int=...).
 * Errors: as td_query_new; ARGUMENT for a map without `look_up`, `insert` or `size`, and for `exact`, a capacity or
 * `map_of` in the options.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_query_new_with_map(const td_key *in_keys, size_t n, TD_NULLABLE const td_query_options *options,
                                       const td_index_map *map, td_query **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_QUERY_H */
