/* ==== Maps in files =================================================================================================
 * The map of a query in shared memory or on disk: one process writes to it, any number read it at the same time,
 * without locks and without a system call. Opening takes the same short time whatever the size.
 *
 *     td_query_share(query, TD_STR("digits.seen"), NULL, &err);               // the writer; td_query_forward as before
 *     td_query_open(reader, TD_STR("digits.seen"), TD_QUERY_MAP_READ, &err);  // a query over the same keys elsewhere
 *     td_query_look_up(reader, td, &indices, &err);
 *
 * What one call of the writer adds becomes visible at one stroke, and one call of a reader sees the map as it was at
 * one instant. Such a map only grows: td_query_erase, td_query_clear and td_query_load_state are UNSUPPORTED. A writer
 * may be killed at any instant: readers go on, and the next writer takes over what was visible. After a loss of power a
 * map on disk that was being written to may be damaged. Whoever truncates a file that others have open does crash them.
 *
 * Stability: preview
 */
#ifndef TENSORDICT_QUERY_FILE_H
#define TENSORDICT_QUERY_FILE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef int32_t td_query_mode;
enum {
  TD_QUERY_MAP_READ = 0, /* rows that are not there cannot be added; others may be adding rows meanwhile */
  TD_QUERY_MAP_COPY = 1, /* as the map is now; rows are added in this process's own memory, behind it */
  TD_QUERY_MAP_WRITE = 2 /* as the one process that adds rows to the file */
};

typedef struct td_query_share_options {
  size_t struct_size;
  int64_t capacity; /* rows at most, for which addresses are set aside but no memory; 0: 67108864, or what there is */
  td_bool keep;     /* 1: the name outlives its writers; 0: it is unlinked when one of them lets go of the map */
  td_bool large_pages; /* 1: ask the system for large pages */
} td_query_share_options;
#define TD_QUERY_SHARE_OPTIONS_INIT \
  { sizeof(td_query_share_options), 0, 0, 0 }

typedef struct td_query_save_options {
  size_t struct_size;
  int64_t capacity; /* rows at most, for those who will write to it; 0: what there is */
  td_bool overwrite;
} td_query_save_options;
#define TD_QUERY_SAVE_OPTIONS_INIT \
  { sizeof(td_query_save_options), 0, 0 }

/* Moves the map to shared memory, visible under `name` to this user only (0600), and writes to it from now on. Names
 * are those of segments; td_segment_list and td_segment_prune know maps, too. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name, a capacity below what there is, and hashes whose state
 * is drawn at their first use, before that; UNSUPPORTED for exact maps; NOSPACE.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_query_share(td_query *self, td_str name, TD_NULLABLE const td_query_share_options *options,
                                td_error **err) TD_NOEXCEPT;

/* Writes the map to a file that td_query_open maps; the path never holds half of it. `options` may be NULL.
 * Errors: EXISTS unless `overwrite`; as td_query_share; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_query_save(const td_query *self, td_str path, TD_NULLABLE const td_query_save_options *options,
                               td_error **err) TD_NOEXCEPT;

/* Takes the map in shared memory called `name`, or in the file `name` if it begins with '/', in place of its own. The
 * hashes must be of the same types and configs; their states come with the map. Nothing in the file is trusted.
 * Errors: NOT_FOUND; CORRUPT; VERSION; ARGUMENT for other hashes; LOCKED if it is to be written and somebody does;
 * UNSUPPORTED for queries with exact keys or a capacity; IO.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_query_open(td_query *self, td_str name, td_query_mode mode, td_error **err) TD_NOEXCEPT;

/* Removes the name of a map in shared memory. Processes that have it open go on with it.
 * Errors: NOT_FOUND; CORRUPT if it is not a map; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_query_unlink(td_str name, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_QUERY_FILE_H */
