/* ==== Shared segments ===============================================================================================
 * A segment is a dict in named shared memory. Any process of the same user can open it without a copy, also stock
 * Python, with TensorDict.from_consolidated(td_segment_path). Lazy stacks stay lazy. Python sees nested tensors as
 * jagged tensors, or, with snapshots, as lazy stacks of their components.
 *
 *     td_segment_create(TD_STR("digits.predictions"), td, NULL, &seg, &err);      // the owner
 *     td_segment_open(TD_STR("digits.predictions"), NULL, &seg, &err);            // everybody else, read-only
 *     td_segment_dict(seg, &views, &err);
 *     while (td_segment_wait(seg, seen, -1, NULL, &seen, &err) == TD_OK) ...      // after each update
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
  td_bool keep;         /* 1: the name stays after the owner's last reference; 0: it is unlinked then */
  td_bool large_pages;  /* 1: ask the system for large pages, which make large segments faster to fill and read */
  td_bool replace_dead; /* 1: a segment of this name whose owner has ended is replaced; 0: it is an error */
  uint8_t reserved[1];  /* 0 */
  int32_t snapshots;    /* number of buffers for td_segment_snapshot, each as large as all tensors: 0, or 2 to 8 */
} td_segment_options;
#define TD_SEGMENT_OPTIONS_INIT \
  { sizeof(td_segment_options), 0, 0, 0, TD_RESERVED, 0 }

/* Copies `dict` into a new segment, which appears atomically under `name`, readable only by this user (0600). A name
 * has 1 to 200 of the characters A-Z a-z 0-9 _ . - and does not begin with a dot. `options` may be NULL.
 *
 * With `replace_dead` the new segment takes the name of one whose creator has ended, for instance by a kill, also of
 * one with `keep`; processes that have the old one open can still use it. The name of a process that runs is never
 * taken, and of processes that replace concurrently exactly one succeeds. Until the old one is removed there must be
 * memory for both; if the call fails before that, the old one stays.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name; KEY for keys that the format needs for itself; NOSPACE;
 * UNSUPPORTED for tensor layouts without bytes, data of kind BYTES and lazy stacks without members; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_create(td_str name, const td_dict *dict, TD_NULLABLE const td_segment_options *options,
                                   td_segment **out, td_error **err) TD_NOEXCEPT;

typedef struct td_segment_open_options {
  size_t struct_size;
  td_bool populate;        /* 1: map every page now; 0: when it is first read, with a page fault */
  td_bool large_pages;     /* 1: ask the system for large pages */
  uint8_t reserved[6];     /* 0 */
  int64_t timeout_ms;      /* how long to wait for the name; 0: do not wait; negative: without limit */
  const td_cancel *cancel; /* ends this wait; NULL: none */
} td_segment_open_options;
#define TD_SEGMENT_OPEN_OPTIONS_INIT \
  { sizeof(td_segment_open_options), 0, 0, TD_RESERVED, 0, NULL }

/* Opens a segment read-only. Everything in it is checked before use; a file that another user owns or may write to is
 * refused. `options` may be NULL. With `timeout_ms` it waits until the name exists, and notices it within 20 ms. The
 * NUMA node of the memory is that of the process that creates the segment, or follows its policy (numactl); there is no
 * option for it.
 * Errors: NOT_FOUND without `timeout_ms`, TIMEOUT with it; CANCELLED; ARGUMENT for a bad name; CORRUPT; VERSION; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_open(td_str name, TD_NULLABLE const td_segment_open_options *options, td_segment **out,
                                 td_error **err) TD_NOEXCEPT;

/* Returns the dict in the segment, locked. Its tensors are views of the shared memory, writable for the owner and
 * read-only for all others. They keep the memory mapped, even after td_segment_release and td_segment_unlink.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_segment_dict(const td_segment *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Copies the values of `src` into the segment's tensors in place; other processes see them without reopening. Readers
 * that must not see a mixture of old and new values use td_segment_snapshot, or compare td_segment_version before and
 * after. With snapshots the values are copied twice.
 * Errors: LOCKED unless this process created it; KEY, SHAPE or DTYPE if `src` differs in structure, including batch
 * sizes and the members of lazy stacks; UNSUPPORTED if it differs in non-tensor data, which cannot change; NOSPACE if
 * readers hold all older snapshots. On failure nothing is written.   [exclusive]  Since 0.1 */
TD_API td_status td_segment_update(td_segment *self, const td_dict *src, td_error **err) TD_NOEXCEPT;

/* Returns the newest complete state as a locked dict of read-only views. No update changes it while one of its tensors
 * lives, so it is never torn, whatever its size and the speed of the owner. Readers that die do not block updates.
 * Errors: UNSUPPORTED without the option `snapshots`, and in a forked child; NOSPACE if 62 processes already read;
 * CORRUPT.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_snapshot(const td_segment *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the number of beginnings and ends of updates, which is odd during an update; 0 for NULL.
 * [any-thread] [leaf]  Since 0.1 */
TD_API uint64_t td_segment_version(const td_segment *self) TD_NOEXCEPT;

/* Waits until an update has ended that td_segment_version did not count yet when it returned `seen`. `out_version`
 * receives the version then, even and greater than `seen`, for the next call. Returns at once if there was such an
 * update already; of several updates only the last one is noticed. Waits up to `timeout_ms`, without limit if that is
 * negative, or until `cancel` is requested. A thread that waits needs its own handle if another thread updates.
 *
 * td_segment_update wakes waiting calls. Waiting calls do not notice writes that leave the version unchanged: those
 * into tensors of td_segment_dict, or into the file, as stock Python writes. Such a writer announces its values by
 * adding 2 to the version, the 8 bytes at offset 256 of the file, in the byte order of the machine. It need not wake
 * anybody: waiting calls check the version every 20 ms.
 * Errors: CANCELLED; TIMEOUT; CLOSED once the process that created the segment has ended, also by a kill in the middle
 * of an update, if no complete update is left to report (noticed within 250 ms); UNSUPPORTED for memory from
 * td_segment_receive and td_segment_import, which never changes.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_segment_wait(const td_segment *self, uint64_t seen, int64_t timeout_ms,
                                 TD_NULLABLE const td_cancel *cancel, uint64_t *out_version,
                                 td_error **err) TD_NOEXCEPT;

/* Returns the file that stock Python opens, for instance "/dev/shm/digits.predictions". A segment from
 * td_segment_import has no file; for it the text names the descriptor. The text lives as long as the segment.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_segment_path(const td_segment *self) TD_NOEXCEPT;

/* Returns the size of the whole segment in bytes; 0 for NULL.   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_segment_nbytes(const td_segment *self) TD_NOEXCEPT;

/* Removes the name. Processes that have the segment open can still use it.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a segment; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* Returns the segments, channels and maps of this user whose names begin with `prefix` (empty: all), as a JSON array of
 * objects with name, kind ("segment", "channel" or "map"), bytes, pid of the owner, alive, keep; or with name, kind
 * "damaged" and error.
 * Errors: IO; UNSUPPORTED on platforms without segments.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_list(td_str prefix, td_string **out, td_error **err) TD_NOEXCEPT;

/* Removes names that begin with `prefix` and that killed processes left: of segments whose owner has ended, of channels
 * without members, and of maps without a writer. Names with the option `keep` and unknown files stay. `out_removed`
 * receives the number of removed names.
 * Errors: IO; TIMEOUT if another process is removing names and does not finish within seconds.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_prune(td_str prefix, int64_t *out_removed, td_error **err) TD_NOEXCEPT;

/* Sends a copy of `dict` through a Unix socket, in sealed memory without a name that no process can change, to a
 * process that need not trust this one.
 * Errors: ARGUMENT if `socket` is not a Unix socket; CLOSED if the other end is closed; TIMEOUT if it is full and
 * non-blocking; as td_segment_export.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_send(const td_dict *dict, int32_t socket, td_error **err) TD_NOEXCEPT;

/* Receives a segment that td_segment_send sends, checked like td_segment_open. Waits up to `timeout_ms` for it, without
 * limit if that is negative. The segment has no file; SO_PEERCRED on the socket says who sent it.
 * Errors: TIMEOUT; CLOSED if the other end is closed; CORRUPT if something else was received; as td_segment_import.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_receive(int32_t socket, int64_t timeout_ms, td_segment **out, td_error **err) TD_NOEXCEPT;

/* Copies `dict` into sealed memory without a name that no process can change. The caller sends the descriptor to
 * another process by any means and closes it.
 * Errors: NOSPACE; UNSUPPORTED for layouts without bytes and data of kind BYTES; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_export(const td_dict *dict, int32_t *out_fd, td_error **err) TD_NOEXCEPT;

/* Opens memory that td_segment_export made in another process, checked like td_segment_open. The caller closes `fd`, at
 * any time after this call.
 * Errors: ARGUMENT if it is not sealed against its sender; CORRUPT; VERSION; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_import(int32_t fd, td_segment **out, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_segment_retain(const td_segment *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed. Dropping the owner's last reference unlinks the name, unless `keep` is
 * set.   [any-thread]  Since 0.1 */
TD_API void td_segment_release(const td_segment *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_SEGMENT_H */
