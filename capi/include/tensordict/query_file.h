/* ==== Maps in files =================================================================================================
 * The map of a query can be in shared memory or on disk. One process writes to it; any number of processes read it
 * concurrently, without locks and without system calls. Opening takes the same short time whatever the size.
 *
 *     td_query_share(query, TD_STR("digits.seen"), NULL, &err);               // the writer; td_query_forward as before
 *     td_query_attach(reader, TD_STR("digits.seen"), TD_QUERY_MAP_READ, &err);  // a query over the same keys elsewhere
 *     td_query_look_up(reader, td, &indices, &err);
 *
 * The rows that one call of the writer adds become visible atomically, and one call of a reader sees the map at one
 * moment. Such a map only grows: td_query_remove, td_query_clear and td_query_load_state are UNSUPPORTED. If a writer
 * is killed at any moment, readers continue, and the next writer takes over the visible rows. After a power failure, a
 * map on disk that was being written may be damaged. Truncating a file crashes the processes that have it open.
 *
 * Stability: preview
 */
#ifndef TENSORDICT_QUERY_FILE_H
#define TENSORDICT_QUERY_FILE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef int32_t td_query_map_mode;
enum {
  TD_QUERY_MAP_READ = 0, /* rows cannot be added; another process may add rows meanwhile */
  TD_QUERY_MAP_COPY = 1, /* the map as it is now; new rows are kept in the memory of this process */
  TD_QUERY_MAP_WRITE = 2 /* the only process that adds rows to the file */
};

typedef struct td_query_share_options {
  size_t struct_size;
  int64_t capacity;    /* max rows; reserves addresses but no memory. 0: 67108864, or the current number */
  td_bool keep;        /* 1: the name stays after its writers; 0: it is unlinked when a writer releases the map */
  td_bool large_pages; /* 1: ask the system for large pages */
  uint8_t reserved[6]; /* 0 */
} td_query_share_options;
#define TD_QUERY_SHARE_OPTIONS_INIT \
  { sizeof(td_query_share_options), 0, 0, 0, TD_RESERVED }

typedef struct td_query_save_options {
  size_t struct_size;
  int64_t capacity; /* max rows for later writers; 0: the current number */
  td_bool overwrite;
  uint8_t reserved[7]; /* 0 */
} td_query_save_options;
#define TD_QUERY_SAVE_OPTIONS_INIT \
  { sizeof(td_query_save_options), 0, 0, TD_RESERVED }

/* Moves the map to shared memory under `name`, visible only to this user (0600), and writes to it from now on. Names
 * follow the rules of segments; td_segment_list and td_segment_prune include maps. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name, a capacity below the current number of rows, and hashes
 * that draw their state at the first use, before that use; UNSUPPORTED for exact maps; NOSPACE.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_query_share(td_query *self, td_str name, TD_NULLABLE const td_query_share_options *options,
                                td_error **err) TD_NOEXCEPT;

/* Writes the map to a file for td_query_attach. The file appears atomically. `options` may be NULL.
 * Errors: EXISTS unless `overwrite`; NOT_FOUND without the directory; as td_query_share; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_query_save(const td_query *self, td_str path, TD_NULLABLE const td_query_save_options *options,
                               td_error **err) TD_NOEXCEPT;

/* Replaces the query's map by the one in shared memory with this name, or in the file `name` if it begins with '/'. The
 * hashes must have the same types and configs; their states come with the map. The file is not trusted: everything in
 * it is checked.
 * Errors: NOT_FOUND; CORRUPT; VERSION; ARGUMENT for other hashes; LOCKED for TD_QUERY_MAP_WRITE if another process is
 * the writer; UNSUPPORTED for queries with exact keys or a capacity; IO.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_query_attach(td_query *self, td_str name, td_query_map_mode mode, td_error **err) TD_NOEXCEPT;

/* Removes the name of a map in shared memory. Processes that have it open can still use it.
 * Errors: NOT_FOUND; CORRUPT if it is not a map; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_query_unlink(td_str name, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_QUERY_FILE_H */
