/* ==== Dicts on a server =============================================================================================
 * Dicts whose entries are on a Redis or Valkey server, for many processes on many machines, in the layout of Python's
 * TensorDictStore: both can have a dict open concurrently. Each get reads the tensor, an index reads only the rows that
 * it selects, and sets and writes go to the server. Keys are in alphabetical order, and a lock exists only in memory.
 * Operations that make a dict, including copies, make an ordinary dict in memory. td_dict_kind_of is PERSISTENT, and
 * the functions of td_persistent_... work.
 *
 *     options.batch_size = rows, options.ndim = 1;
 *     td_remote_create(TD_STR("redis://10.0.0.1:6379/0?id=replay"), &options, &replay, &err);
 *     td_dict_update(replay, batch, NULL, &err);           // one transaction: readers see all of it or nothing
 *     td_remote_open(TD_STR("redis://10.0.0.1:6379/0?id=replay"), NULL, &replay, &err);     // in another process
 *
 * A URL is redis://[[USER]:PASSWORD@]HOST[:PORT][/DB] or unix://[[USER]:PASSWORD@]/PATH, followed by ?id=ID, the td_id
 * of Python. Further options after & are prefix=PREFIX (without it "tensordict"), db=, username= and password=. Spaces
 * and other special characters are written as %20.
 *
 * All changes of one call arrive as one transaction, and all that one call reads from one dict is of one moment. Each
 * transaction of this library raises the version of the dict. Python changes entries one by one and does not raise it.
 * Python cannot write some dtypes, for instance bfloat16, but reads them. It does not see names, the batch sizes of
 * nodes, or nodes without entries. Keys must not contain a '.', and an entry must not be larger than proto-max-bulk-len
 * of the server, which is 512 MiB unless it was raised.
 *
 * An id may also be that of a lazy stack, in the layout of Python's LazyStackedTensorDictStore, where one string has an
 * entry of all members. It opens as a lazy stack of members that are PERSISTENT, with at most 2^20 of them. Values are
 * read and written where they are, of one member or of all, in one transaction. The members have their entries in
 * common: one of them cannot get or lose an entry, or give it another shape or dtype; such calls are UNSUPPORTED.
 * Python makes such stacks, this library does not.
 *
 * If the server cannot be reached or disconnects, calls fail with CLOSED; if it does not answer, with TIMEOUT. Later
 * calls connect again. A change that fails in this way may have arrived: td_remote_version tells. BUSY means that other
 * processes change the same entries faster than they can be read or written; nothing is changed then.
 *
 * All answers of the server are checked, and pickles are never run. But nothing is authenticated or encrypted beyond
 * the server's password: use servers only in networks that you trust.
 *
 * Stability: preview
 */
#ifndef TENSORDICT_REMOTE_H
#define TENSORDICT_REMOTE_H

#include "handles.h"
#include "storage.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_remote_options {
  size_t struct_size;
  const int64_t *batch_size; /* of a new dict; NULL: [] */
  size_t ndim;               /* of batch_size */
  int64_t timeout_ms;        /* of each wait for the server; 0: 10000 */
  td_open_mode mode;         /* of td_remote_open: READ or READ_WRITE */
  uint8_t reserved[4];       /* 0 */
} td_remote_options;
#define TD_REMOTE_OPTIONS_INIT \
  { sizeof(td_remote_options), NULL, 0, 0, TD_OPEN_READ, TD_RESERVED }

/* Opens a dict or a lazy stack on a server, without writing to it; `options` may be NULL.   Like
 * TensorDictStore.from_store(td_id=), which writes, and LazyStackedTensorDictStore.from_store.
 * Errors: ARGUMENT for a bad URL or option; NOT_FOUND; CORRUPT if the id is not that of a dict; CLOSED; TIMEOUT;
 * UNSUPPORTED for a lazy stack of too many members, and in a build without the feature "redis"; IO, also for a wrong
 * password.
 * [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_remote_open(td_str url, TD_NULLABLE const td_remote_options *options, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Makes a dict without entries and opens it for writing; `options` may be NULL.   Like TensorDictStore(td_id=,
 * batch_size=), which takes over what exists.
 * Errors: EXISTS; SHAPE for a negative size; as td_remote_open.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_remote_create(td_str url, TD_NULLABLE const td_remote_options *options, td_dict **out,
                                  td_error **err) TD_NOEXCEPT;

/* Returns the ids of the dicts and lazy stacks that the server has under the prefix, in alphabetical order, each as a
 * key with one part. The URL has no id; of the options, which may be NULL, only the timeout counts.
 * Errors: as td_remote_open.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_remote_list(td_str url, TD_NULLABLE const td_remote_options *options, td_keys **out,
                                td_error **err) TD_NOEXCEPT;

/* Removes a dict or a lazy stack with all its entries; of the options, which may be NULL, only the timeout counts.
 * Like TensorDictStore.clear_redis.
 * Errors: NOT_FOUND; BUSY; as td_remote_open.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_remote_remove(td_str url, TD_NULLABLE const td_remote_options *options, td_error **err) TD_NOEXCEPT;

/* Returns how often this library has changed the dict; nodes have the version of the root.
 * Errors: UNSUPPORTED if the dict is not on a server; CLOSED; TIMEOUT; CORRUPT.
 * [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_remote_version(const td_dict *self, int64_t *out, td_error **err) TD_NOEXCEPT;

/* Updates like td_dict_update, in one transaction, if the dict still has the given version. So several processes can
 * read, compute and write without losing each other's changes. Changes by Python do not count.
 * Errors: BUSY if it has another version, or other processes change it meanwhile; nothing is written then; UNSUPPORTED
 * if the dict is not on a server; LOCKED; CLOSED; TIMEOUT; as td_dict_update.   [exclusive] [may-block]  Since 0.2 */
TD_API td_status td_remote_update_if(td_dict *self, const td_dict *src, int64_t version, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_REMOTE_H */
