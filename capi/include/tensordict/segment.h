/* ==== Shared segments ===============================================================================================
 * A dict in named shared memory, which any process of the same user opens without a copy; stock Python too, with
 * TensorDict.from_consolidated(td_segment_path). Lazy stacks stay lazy. Nested tensors are jagged ones for Python; with
 * snapshots they are lazy stacks of their components.
 *
 *     td_segment_create(TD_STR("digits.predictions"), td, NULL, &seg, &err);      // the owner
 *     td_segment_open(TD_STR("digits.predictions"), &seg, &err);                  // everybody else, read-only
 *     td_segment_dict(seg, &views, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_SEGMENT_H
#define TENSORDICT_SEGMENT_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_segment_options {
  size_t struct_size;
  td_bool keep;        /* 1: the name outlives the owner's last reference; 0: it is unlinked then */
  td_bool large_pages; /* 1: ask the system for large pages, which large segments are filled and read faster with */
  int32_t snapshots;   /* buffers for td_segment_snapshot, each of the size of all tensors: 0, or 2 to 8 */
} td_segment_options;
#define TD_SEGMENT_OPTIONS_INIT \
  { sizeof(td_segment_options), 0, 0, 0 }

/* Copies `dict` into a new segment and makes it visible under `name` at one stroke, readable by this user only (0600).
 * Names are 1 to 200 of A-Z a-z 0-9 _ . -, not beginning with a dot. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name; NOSPACE; UNSUPPORTED for layouts without bytes, data of
 * kind BYTES and lazy stacks without members; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_create(td_str name, const td_dict *dict, TD_NULLABLE const td_segment_options *options,
                                   td_segment **out, td_error **err) TD_NOEXCEPT;

/* Opens a segment read-only. Everything in it is checked before use; a file that another user owns or may write is
 * refused.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT; VERSION; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_open(td_str name, td_segment **out, td_error **err) TD_NOEXCEPT;

typedef struct td_segment_open_options {
  size_t struct_size;
  td_bool populate;    /* 1: every page is mapped now; 0: when it is first read, which takes a page fault */
  td_bool large_pages; /* 1: ask the system for large pages */
} td_segment_open_options;
#define TD_SEGMENT_OPEN_OPTIONS_INIT \
  { sizeof(td_segment_open_options), 0, 0 }

/* The same with options, which may be NULL. Memory comes from the NUMA node of the process that creates the segment, or
 * as its policy says (numactl); there is no option for it.   Errors: as td_segment_open.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_open_with(td_str name, TD_NULLABLE const td_segment_open_options *options, td_segment **out,
                                      td_error **err) TD_NOEXCEPT;

/* Returns the dict in the segment, locked. Its tensors are views of the shared memory: the owner's may be written, the
 * others' are read-only. They keep the memory mapped, also after td_segment_release and td_segment_unlink.
 * [any-thread]  Since 0.1 */
TD_API td_status td_segment_dict(const td_segment *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Copies the values of `src` into the segment's tensors in place: other processes see them without reopening. Readers
 * that must not see a mix take td_segment_snapshot, or compare td_segment_version before and after. With snapshots the
 * values are copied twice.
 * Errors: LOCKED unless this process created it; KEY, SHAPE or DTYPE if `src` differs in structure, which batch sizes
 * and the members of lazy stacks are part of; UNSUPPORTED if it differs in non-tensor data, which stays as it is;
 * NOSPACE if readers hold all older snapshots; nothing is written then. [exclusive]  Since 0.1 */
TD_API td_status td_segment_update(td_segment *self, const td_dict *src, td_error **err) TD_NOEXCEPT;

/* Returns the newest complete state as a locked dict of read-only views. No update touches it while one of its tensors
 * lives, so there is nothing torn in it, at any size and any speed of the owner; readers that die hold nothing back.
 * Errors: UNSUPPORTED without the option `snapshots`, and in a forked child; NOSPACE if 62 processes read already;
 * CORRUPT.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_snapshot(const td_segment *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the number of updates begun and ended: it is odd while one is under way. 0 for NULL.
 * [any-thread]  Since 0.1 */
TD_API uint64_t td_segment_version(const td_segment *self) TD_NOEXCEPT;

/* Returns the file that stock Python opens, "/dev/shm/digits.predictions"; what td_segment_import gives has none, and
 * says its descriptor. Lives as long as the segment.   [any-thread]  Since 0.1 */
TD_API td_str td_segment_path(const td_segment *self) TD_NOEXCEPT;

/* Returns the bytes of the whole segment; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_segment_nbytes(const td_segment *self) TD_NOEXCEPT;

/* Removes the name. Processes that have the segment open keep it.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a segment; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* Segments, channels and maps of this user whose names begin with `prefix` (empty: all), as a JSON array of objects:
 * name, kind ("segment", "channel" or "map"), bytes, pid of the owner, alive, keep; or name, kind "damaged" and error.
 * Errors: IO; UNSUPPORTED where there are no segments.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_list(td_str prefix, td_string **out, td_error **err) TD_NOEXCEPT;

/* Removes the names that begin with `prefix` of segments whose owner has ended, of channels that nobody is in, and of
 * maps that nobody writes to, as killed processes leave them; not those with the option `keep`, and nothing that it
 * does not know. `out_removed` gets how many.
 * Errors: IO; TIMEOUT if another process has been removing names for seconds.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_prune(td_str prefix, int64_t *out_removed, td_error **err) TD_NOEXCEPT;

/* Sends a copy of `dict` through a Unix socket, in nameless memory that nobody can change any more, to a process that
 * need not trust this one.
 * Errors: ARGUMENT if it is no Unix socket; CLOSED if nobody is at its other end; TIMEOUT if it is full and does not
 * block; as td_segment_export.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_send(const td_dict *dict, int32_t socket, td_error **err) TD_NOEXCEPT;

/* Opens what td_segment_send sends, checked like td_segment_open, and waits up to `timeout_ms` for it, for ever if that
 * is negative. It lives in no file; who sent it the socket knows (SO_PEERCRED).
 * Errors: TIMEOUT; CLOSED if nobody is at the other end; CORRUPT if something else came; as td_segment_import.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_receive(int32_t socket, int64_t timeout_ms, td_segment **out, td_error **err) TD_NOEXCEPT;

/* Copies `dict` into nameless memory that nobody can change any more, for a process that gets the descriptor in a way
 * of the caller's, who closes it.
 * Errors: NOSPACE; UNSUPPORTED for layouts without bytes and data of kind BYTES; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_export(const td_dict *dict, int32_t *out_fd, td_error **err) TD_NOEXCEPT;

/* Opens what td_segment_export made in another process, checked like td_segment_open; the caller closes `fd`, now or
 * later.
 * Errors: ARGUMENT if it is not sealed against its sender; CORRUPT; VERSION; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_import(int32_t fd, td_segment **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. Dropping the owner's last one unlinks the name, unless `keep`.
 * [any-thread]  Since 0.1 */
TD_API void td_segment_retain(const td_segment *self) TD_NOEXCEPT;
TD_API void td_segment_release(const td_segment *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_SEGMENT_H */
