/* ==== Rows under keys ===============================================================================================
 * A store holds rows of dicts by index; with a query, which gives rows their indices, it becomes a map from rows to
 * rows.
 *
 *     td_store_new(NULL, &store, &err);
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
  int64_t capacity;    /* rows at most; 0: no limit */
  td_bool preallocate; /* take the memory of all rows at the first write, instead of as they come */
  td_str path;         /* keep the rows in this directory, which needs a capacity; NULL data: in memory */
} td_store_options;
#define TD_STORE_OPTIONS_INIT         \
  {                                   \
    sizeof(td_store_options), 0, 0, { \
      NULL, 0                         \
    }                                 \
  }

/* Makes an empty store, or one of the rows that are in the directory at `path` already. That is a memmap directory of
 * "rows" and "present", made at the first write, which td_open and stock Python open, too. `options` may be NULL.
 * Like torchrl's LazyTensorStorage, LazyMemmapStorage.
 * Errors: ARGUMENT for a negative capacity, and for preallocate or a path without one; CORRUPT if the directory holds
 * no store; SHAPE if it is one of another capacity; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_store_new(TD_NULLABLE const td_store_options *options, td_store **out, td_error **err) TD_NOEXCEPT;

/* Copies row i of `rows` (batch size [n]) to the int64 index[i]; of equal indices the last row stays. The first write
 * decides about keys, dtypes and shapes.   Like TensorStorage.set.
 * Errors: INDEX for a negative index; NOSPACE past the capacity; SHAPE; DTYPE; KEY for other keys than before;
 * UNSUPPORTED for non-tensor entries. Nothing has changed then.   [exclusive]  Since 0.1 */
TD_API td_status td_store_set(td_store *self, const td_tensor *index, const td_dict *rows, td_error **err) TD_NOEXCEPT;

/* Returns a new dict with the rows at `index`.   Like TensorStorage.get.
 * Errors: INDEX naming the first that holds nothing.   [any-thread]  Since 0.1 */
TD_API td_status td_store_get(const td_store *self, const td_tensor *index, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a bool for each int64 index: whether it holds a row.   Errors: SHAPE; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_store_contains(const td_store *self, const td_tensor *index, td_tensor **out,
                                   td_error **err) TD_NOEXCEPT;

/* Drops all rows, and what the first write decided; rows in a directory keep their keys, dtypes and shapes.
 * [exclusive]  Since 0.1 */
TD_API td_status td_store_clear(td_store *self, td_error **err) TD_NOEXCEPT;

/* Returns the number of rows that hold something; writing over one counts once.   [any-thread]  Since 0.1 */
TD_API int64_t td_store_size(const td_store *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_store_retain(const td_store *self) TD_NOEXCEPT;
TD_API void td_store_release(const td_store *self) TD_NOEXCEPT;

/* Makes a map of a query and a store, and keeps both.   Like torchrl's TensorDictMap.   [any-thread]  Since 0.1 */
TD_API td_status td_row_map_new(TD_KEEPS td_query *query, TD_KEEPS td_store *store, td_row_map **out,
                                td_error **err) TD_NOEXCEPT;

/* Stores each row of `rows` under that of `keys`; of equal keys the last row stays. Dicts without batch dims are one
 * row. With a query of limited capacity new rows take the place of those used least recently.   Like TensorDictMap.set.
 * Errors: those of td_query_forward and td_store_set; neither map nor store has changed then.
 * [exclusive]  Since 0.1 */
TD_API td_status td_row_map_set(td_row_map *self, const td_dict *keys, const td_dict *rows, td_error **err) TD_NOEXCEPT;

/* Returns the rows under those of `keys`.   Like TensorDictMap.get.
 * Errors: INDEX naming the first that is not there.   [any-thread]  Since 0.1 */
TD_API td_status td_row_map_get(const td_row_map *self, const td_dict *keys, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a bool for each row of `keys`; without dims for a dict without batch dims.   Like TensorDictMap.contains.
 * [any-thread]  Since 0.1 */
TD_API td_status td_row_map_contains(const td_row_map *self, const td_dict *keys, td_tensor **out,
                                     td_error **err) TD_NOEXCEPT;

/* Drops everything, also from the query and the store.   [exclusive]  Since 0.1 */
TD_API td_status td_row_map_clear(td_row_map *self, td_error **err) TD_NOEXCEPT;

/* Returns the number of rows in the store.   [any-thread]  Since 0.1 */
TD_API int64_t td_row_map_size(const td_row_map *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_row_map_retain(const td_row_map *self) TD_NOEXCEPT;
TD_API void td_row_map_release(const td_row_map *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_ROW_MAP_H */
