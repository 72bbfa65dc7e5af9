/* ==== Queries =======================================================================================================
 * Maps rows to dense indices: the first occurrence of a row gets the next free index. Rows are bytes, hashed by a
 * plugin; with the default type the values are those of CPython and torchrl under PYTHONHASHSEED=0.
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

/* What a row that is not in the map gets when the map is not extended. */
typedef int32_t td_query_miss;
enum {
  TD_QUERY_MISS_SIZE = 0, /* the number of indices handed out so far, as in torchrl */
  TD_QUERY_MISS_MINUS_ONE = 1,
  TD_QUERY_MISS_ERROR = 2 /* the call fails with KEY */
};

typedef struct td_query_options {
  size_t struct_size;
  const td_key *index_key; /* NULL: "_index" */
  const td_key *hash_key;  /* NULL: "_hash" */
  td_str hash_type;        /* NULL data: "td.siphash" */
  td_str hash_config;      /* JSON; NULL data: {} */
  /* Instead of hash_type: one for all keys, which is copied if there are several, and hashes their hashes; or one for
   * each key. */
  td_hash *hash;
  td_hash *const *hashes;
  size_t n_hashes;
  td_hash *aggregator;    /* hashes the row of int64 hashes of several keys; NULL: `hash`, else "td.siphash" */
  const td_query *map_of; /* shares the map of another query, by one thread at a time; NULL: a new one */
  int64_t capacity; /* at most so many entries, then the least recently used one gives its index away; 0: no limit */
  td_query_miss miss;
  int32_t threads;   /* that hash and look up; the indices are the same for any number. 0: LibTorch's */
  td_bool clone;     /* td_query_call gives a copy */
  td_bool exact;     /* compare the rows themselves: rows with equal hashes stay apart, and are counted */
  td_bool canonical; /* 0.0 is -0.0 and every NaN the same, when rows are hashed and compared */
} td_query_options;
#define TD_QUERY_OPTIONS_INIT                                                                                        \
  {                                                                                                                  \
    sizeof(td_query_options), NULL, NULL, {NULL, 0}, {NULL, 0}, NULL, NULL, 0, NULL, NULL, 0, TD_QUERY_MISS_SIZE, 1, \
        0, 0, 0                                                                                                      \
  }

/* Makes an empty map over `n` keys. With several keys the rows' hashes are hashed again, in the order of the keys.
 * `options` may be NULL.   Like torchrl's QueryModule.
 * Errors: ARGUMENT for n = 0, a bad config, or another number of hashes than keys; UNSUPPORTED if one hash for several
 * keys cannot be copied; NOT_FOUND for an unknown hash type.   [any-thread]  Since 0.1 */
TD_API td_status td_query_new(const td_key *in_keys, size_t n, TD_NULLABLE const td_query_options *options,
                              td_query **out, td_error **err) TD_NOEXCEPT;

enum {
  TD_QUERY_EXTEND = 1 << 0,     /* rows that are not in the map get new indices; else what the option `miss` says */
  TD_QUERY_WRITE_HASH = 1 << 1, /* also write the int64 hash */
  TD_QUERY_DEFAULT = (1 << 0) | (1 << 1)
};

/* Looks up every row of `data` along the leading dim and writes int64 indices. All checks come first: on failure
 * neither the map nor `data` has changed.   Like QueryModule.forward.
 * Errors: KEY for a missing input; SHAPE unless all inputs have the same number of rows and the results fit the batch
 * size; DTYPE; LOCKED; NOSPACE if a batch has more different rows than the capacity.   [exclusive]  Since 0.1 */
TD_API td_status td_query_forward(td_query *self, TD_WRITES td_dict *data, uint64_t flags, td_error **err) TD_NOEXCEPT;

typedef struct td_query_call_options {
  size_t struct_size;
  uint64_t flags;          /* TD_QUERY_... */
  int32_t clone;           /* 1: write to a copy, 0: to `data`, -1: as the query was made */
  const td_key *found_key; /* where to write a bool for each row: whether it was in the map before; NULL: nowhere */
} td_query_call_options;
#define TD_QUERY_CALL_OPTIONS_INIT \
  { sizeof(td_query_call_options), TD_QUERY_DEFAULT, -1, NULL }

/* The same; `*out` is a new reference to `data`, or the copy: unlocked, with the same tensors. `options` may be NULL.
 * Like calling a QueryModule.
 * Errors: as td_query_forward.   [exclusive]  Since 0.1 */
TD_API td_status td_query_call(td_query *self, TD_WRITES td_dict *data,
                               TD_NULLABLE const td_query_call_options *options, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* A module that runs the query, for td_module_sequential and all else that takes modules. In-keys and out-keys are the
 * query's; the map is shared with it, and grows one call at a time.   Like torchrl's QueryModule.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_query(TD_KEEPS td_query *query, td_module **out, td_error **err) TD_NOEXCEPT;

/* For each row: whether it is in the map; its index, or -1; its int64 hash. Nothing changes, and nothing counts as
 * used.
 * Errors: KEY; SHAPE; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_query_contains(const td_query *self, const td_dict *data, td_tensor **out,
                                   td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_look_up(const td_query *self, const td_dict *data, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_hash(const td_query *self, const td_dict *data, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Forgets the rows of `data`; new rows get their indices, the smallest first. `out` (may be NULL) receives how many
 * there were.
 * Errors: as td_query_contains.   [exclusive]  Since 0.1 */
TD_API td_status td_query_erase(td_query *self, const td_dict *data, TD_NULLABLE int64_t *out,
                                td_error **err) TD_NOEXCEPT;

/* Forgets everything; the next index is 0.   [exclusive]  Since 0.1 */
TD_API td_status td_query_clear(td_query *self, td_error **err) TD_NOEXCEPT;

/* Restricts which of the out-keys forward leaves in the dict, until it is reset; calls can only narrow. Like
 * TensorDictModule.select_out_keys, reset_out_keys.   Errors: KEY for one that is not an out-key now.
 * [exclusive]  Since 0.1 */
TD_API td_status td_query_select_out_keys(td_query *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_reset_out_keys(td_query *self, td_error **err) TD_NOEXCEPT;

/* What it reads and what it writes: the index key, then the hash key.   [any-thread]  Since 0.1 */
TD_API td_status td_query_in_keys(const td_query *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_out_keys(const td_query *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Returns the map as a dict without batch dims: "keys" and "values" (int64, in the order of the indices), "next",
 * "identity" (the hash types and their configs) and the state of the hashes. Save it with td_save and open it with
 * td_open.   Like HashToInt.state_dict.   [any-thread]  Since 0.1 */
TD_API td_status td_query_state(const td_query *self, td_dict **out, td_error **err) TD_NOEXCEPT;

enum { TD_QUERY_LOAD_ANY_HASH = 1 << 0 }; /* take hashes of other types for our own */

/* Replaces the map by what td_query_state gave; without "next" the next index is one more than the largest. A state
 * that does not load changes nothing.   Like HashToInt.load_state_dict.
 * Errors: KEY for a missing entry; ARGUMENT for other hash types, hashes or indices that are there twice, indices out
 * of range, and entries of other dtypes or shapes; CORRUPT, VERSION for the state of a hash.
 * [exclusive]  Since 0.1 */
TD_API td_status td_query_load_state(td_query *self, const td_dict *state, uint64_t flags, td_error **err) TD_NOEXCEPT;

/* Numbers of a map. */
typedef struct td_query_statistics {
  size_t struct_size;
  int64_t size;       /* rows in the map */
  int64_t next;       /* one more than the largest index so far */
  int64_t collisions; /* different rows with equal hashes, in exact maps */
  int64_t evictions;  /* entries that gave their index away */
  int64_t nbytes;     /* of the map's memory */
} td_query_statistics;
#define TD_QUERY_STATISTICS_INIT \
  { sizeof(td_query_statistics), 0, 0, 0, 0, 0 }

/* Fills `out`, whose struct_size the caller has set (TD_QUERY_STATISTICS_INIT).
 * Errors: ARGUMENT for a bad struct_size.   [any-thread]  Since 0.1 */
TD_API td_status td_query_stats(const td_query *self, td_query_statistics *out, td_error **err) TD_NOEXCEPT;

/* Returns the number of rows in the map; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_query_size(const td_query *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_query_retain(const td_query *self) TD_NOEXCEPT;
TD_API void td_query_release(const td_query *self) TD_NOEXCEPT;

/* ---- Maps of the caller's -------------------------------------------------------------------------------------------
 * The map from hashes to indices may be the caller's: a table of its own language, a database, the index of a storage
 * that it has already. The query makes the hashes, and asks the map for their indices, one batch at a time.
 */

/* A map from int64 hashes to indices from 0 up. Each function fails with another status than TD_OK, and has changed
 * nothing then; `erase`, `clear`, `state` and `load` may be NULL, and what needs them is UNSUPPORTED. They run on the
 * thread that calls the query: `look_up`, `size` and `state` on several at once where several call it, the others
 * alone. They may call this library, but for queries over this very map: that is UNSUPPORTED. Two hashes may have the
 * same index. `destroy` runs once, when the last query over the map dies or before td_query_new_with_map returns if it
 * fails. A forked child has the map as the memory of its process has it. */
typedef struct td_index_map {
  /* Writes the index of each hash, or -1 for one that is not there. */
  td_status (*look_up)(void *userdata, const int64_t *hashes, size_t n, TD_LEN(n) int64_t *indices, td_error **err);
  /* Adds hashes, all different and none of them there, and writes their indices. */
  td_status (*insert)(void *userdata, const int64_t *hashes, size_t n, TD_LEN(n) int64_t *indices, td_error **err);
  /* Forgets those of the hashes that are there. Also called when an `insert` failed, gave indices that cannot be, or is
   * taken back as the call fails later. */
  TD_NULLABLE td_status (*erase)(void *userdata, const int64_t *hashes, size_t n, td_error **err);
  /* Writes how many hashes there are, and one more than the largest index so far. */
  td_status (*size)(void *userdata, int64_t *out_size, int64_t *out_next, td_error **err);
  TD_NULLABLE td_status (*clear)(void *userdata, td_error **err);
  /* Writes all that is there to the empty dict `state`, under any names but "identity" and "hashes", which the query
   * adds. With those of td_query_state a query with a map of the library's own can load it. */
  TD_NULLABLE td_status (*state)(void *userdata, td_dict *state, td_error **err);
  /* Takes what `state` wrote in place of all that is there. */
  TD_NULLABLE td_status (*load)(void *userdata, const td_dict *state, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_index_map;

/* td_query_new over a map of the caller's, which need not be empty. What a map gets wrong is CALLBACK in every call
 * that uses it: a function that fails, an index that is negative or not below the next one. Rows that such a call has
 * added are erased again; without `erase`, or if that fails too, they keep the indices that the map gave them. In
 * td_query_stats `size` and `next` are the map's, the others 0; td_query_size is 0 if the map fails. td_query_share,
 * td_query_save and td_query_open are UNSUPPORTED.   Like QueryModule(hash_to_int=...).
 * Errors: as td_query_new; ARGUMENT for a map without `look_up`, `insert` or `size`, and for `exact`, a capacity or
 * `map_of` in the options.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_query_new_with_map(const td_key *in_keys, size_t n, TD_NULLABLE const td_query_options *options,
                                       td_index_map map, td_query **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_QUERY_H */
