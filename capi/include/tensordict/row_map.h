/* ==== Rows under keys ===============================================================================================
 * A store holds rows of dicts by index. A row map combines a store with a query, which gives rows their indices, and
 * maps rows to rows.
 *
 *     td_store_new(NULL, &store, &err);
 *     td_store_set(store, index, rows, &err);
 *     td_store_sample(store, 32, NULL, NULL, &batch, NULL, &err);
 *
 *     td_row_map_new(query, store, &map, &err);
 *     td_row_map_set(map, observations, values, &err);
 *     td_row_map_get(map, observations, &values, &err);
 *
 * Stability: preview
 */
#ifndef TENSORDICT_ROW_MAP_H
#define TENSORDICT_ROW_MAP_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_store td_store;
typedef struct td_row_map td_row_map;

typedef struct td_store_options {
  size_t struct_size;
  int64_t capacity;    /* max rows; 0: no limit */
  td_bool preallocate; /* allocate memory for all rows at the first write, not as rows are added */
  uint8_t reserved[7]; /* 0 */
  td_str path;         /* store the rows in this directory; needs a capacity. NULL data: in memory */
} td_store_options;
#define TD_STORE_OPTIONS_INIT                      \
  {                                                \
    sizeof(td_store_options), 0, 0, TD_RESERVED, { \
      NULL, 0                                      \
    }                                              \
  }

/* Makes an empty store, or opens a store with the rows in the directory at `path`. The directory is a memmap directory
 * with "rows" and "present", made at the first write; td_open and stock Python can open it. `options` may be NULL.
 * Like torchrl's LazyTensorStorage, LazyMemmapStorage.
 * Errors: ARGUMENT for a negative capacity, and for preallocate or a path without a capacity; CORRUPT if the directory
 * is not a store; SHAPE if the store has another capacity; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_store_new(TD_NULLABLE const td_store_options *options, td_store **out, td_error **err) TD_NOEXCEPT;

/* Copies row i of `rows` (batch size [n]) to the int64 index[i]; among equal indices the last row wins. The first write
 * determines keys, dtypes and shapes.   Like TensorStorage.set.
 * Errors: INDEX for a negative index; NOSPACE past the capacity; SHAPE; DTYPE; KEY for other keys than before;
 * UNSUPPORTED for non-tensor entries. On failure nothing changes.   [exclusive]  Since 0.1 */
TD_API td_status td_store_set(td_store *self, const td_tensor *index, const td_dict *rows, td_error **err) TD_NOEXCEPT;

/* Returns a new dict with the rows at `index`.   Like TensorStorage.get.
 * Errors: INDEX naming the first index without a row.   [any-thread]  Since 0.1 */
TD_API td_status td_store_get(const td_store *self, const td_tensor *index, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a bool for each int64 index: whether it holds a row.   Errors: SHAPE; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_store_contains(const td_store *self, const td_tensor *index, td_tensor **out,
                                   td_error **err) TD_NOEXCEPT;

typedef struct td_sample_options {
  size_t struct_size;
  td_bool without_replacement; /* 1: all rows of the sample are different; 0: a row may come more than once */
  uint8_t reserved[7];         /* 0 */
} td_sample_options;
#define TD_SAMPLE_OPTIONS_INIT \
  { sizeof(td_sample_options), 0, TD_RESERVED }

/* Draws `batch_size` of the rows in the store, each with the same probability, with `generator` (NULL: the default
 * one). `out` receives a new dict with these rows, and `out_index` their int64 indices; each may be NULL. The same
 * seed draws the same rows; with replacement, of rows 0 to size - 1, those of torch.randint(size, (batch_size,)). For
 * epochs, draw all indices once without replacement and get them in parts. `options` may be NULL.   Like torchrl's
 * ReplayBuffer.sample with RandomSampler, SamplerWithoutReplacement.
 * Errors: ARGUMENT for a negative size, or more different rows than the store has; INDEX if the store is empty.
 * [any-thread]  Since 0.2 */
TD_API td_status td_store_sample(const td_store *self, int64_t batch_size, TD_NULLABLE const td_sample_options *options,
                                 TD_NULLABLE TD_WRITES td_generator *generator, TD_NULLABLE td_dict **out,
                                 TD_NULLABLE td_tensor **out_index, td_error **err) TD_NOEXCEPT;

/* Removes all rows, and the keys, dtypes and shapes that the first write determined; a store in a directory keeps
 * these.   [exclusive]  Since 0.1 */
TD_API td_status td_store_clear(td_store *self, td_error **err) TD_NOEXCEPT;

/* Fills `out`, whose struct_size the caller has set (TD_STORE_OPTIONS_INIT), with the options of the store. `path`
 * lives as long as the store.   Errors: ARGUMENT for a bad struct_size.   [any-thread]  Since 0.2 */
TD_API td_status td_store_get_options(const td_store *self, td_store_options *out, td_error **err) TD_NOEXCEPT;

/* Returns the number of rows in the store; a row that was overwritten counts once.   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_store_size(const td_store *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_store_retain(const td_store *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_store_release(const td_store *self) TD_NOEXCEPT;

/* Makes a row map from a query and a store, and keeps references to both.   Like torchrl's TensorDictMap.
 * [any-thread]  Since 0.1 */
TD_API td_status td_row_map_new(TD_KEEPS td_query *query, TD_KEEPS td_store *store, td_row_map **out,
                                td_error **err) TD_NOEXCEPT;

/* Stores each row of `rows` under the corresponding row of `keys`; among equal keys the last row wins. A dict without
 * batch dims is one row. If the query has a limited capacity, new rows replace the least recently used ones.   Like
 * TensorDictMap.set.
 * Errors: those of td_query_forward and td_store_set. On failure neither map nor store changes.
 * [exclusive]  Since 0.1 */
TD_API td_status td_row_map_set(td_row_map *self, const td_dict *keys, const td_dict *rows, td_error **err) TD_NOEXCEPT;

/* Returns the rows stored under the rows of `keys`.   Like TensorDictMap.get.   Errors: INDEX naming the first row of
 * `keys` that is missing.   [any-thread]  Since 0.1 */
TD_API td_status td_row_map_get(const td_row_map *self, const td_dict *keys, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns for each row of `keys` whether it is in the map, as a bool tensor; without dims for a dict without batch
 * dims.   Like TensorDictMap.contains.   [any-thread]  Since 0.1 */
TD_API td_status td_row_map_contains(const td_row_map *self, const td_dict *keys, td_tensor **out,
                                     td_error **err) TD_NOEXCEPT;

/* Removes all rows, also from the query and the store.   [exclusive]  Since 0.1 */
TD_API td_status td_row_map_clear(td_row_map *self, td_error **err) TD_NOEXCEPT;

/* Returns the number of rows in the store.   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_row_map_size(const td_row_map *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_row_map_retain(const td_row_map *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_row_map_release(const td_row_map *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_ROW_MAP_H */
