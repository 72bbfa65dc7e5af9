/* ==== Live memmap directories =======================================================================================
 * A memmap directory opened with TD_OPEN_READ_WRITE is a live dict: its tensors are the files, and all processes that
 * have it open, including stock Python, see each other's writes. In /dev/shm no disk is involved. As in Python, the
 * dict is locked, because td_dict_set would add entries without files. td_dict_make_memmap adds entries with files, and
 * td_dict_copy_into writes to entries. An entry that is set after unlocking is lost at the next refresh.
 *
 *     td_dict_memmap_like(td, TD_STR("/dev/shm/buffer"), NULL, &buffer, &err);    // zeros, in files
 *     td_dict_make_memmap(buffer, TD_KEY("done"), TD_SHAPE(32), TD_DTYPE_BOOL, &done, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_STORAGE_LIVE_H
#define TENSORDICT_STORAGE_LIVE_H

#include "handles.h"
#include "storage.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a memmap directory with the structure of `self` and zeros in all tensors, and opens it with TD_OPEN_READ_WRITE.
 * If the path ends in .tdz, or the format is ARCHIVE, it makes an archive of zeros, and `out` is a dict of zeros in
 * memory. Non-tensor entries are kept. `options` may be NULL.   Like TensorDict.memmap_like.
 * Errors: UNSUPPORTED for options.format other than AUTO, MEMMAP and ARCHIVE; as td_save and td_open.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_memmap_like(const td_dict *self, td_str path, TD_NULLABLE const td_save_options *options,
                                     td_dict **out, td_error **err) TD_NOEXCEPT;

/* Makes a new entry of zeros in the directory and in the dict, and missing nodes. `out` may be NULL. If two processes
 * make the same key, one of them fails with EXISTS.   Like TensorDict.make_memmap.
 * Errors: UNSUPPORTED unless the directory was opened with TD_OPEN_READ_WRITE; EXISTS; SHAPE unless `shape` begins with
 * the batch size; KEY for names that the format cannot hold, or if the path runs through an entry that is not a dict;
 * NOSPACE; IO.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_make_memmap(td_dict *self, const td_key *key, const int64_t *shape, size_t ndim,
                                     td_dtype dtype, TD_NULLABLE td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Makes a new entry like td_dict_make_memmap, with the elements of `value`.   Like TensorDict.make_memmap_from_tensor.
 * Errors: as td_dict_make_memmap; UNSUPPORTED for layouts without bytes.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_make_memmap_from(td_dict *self, const td_key *key, const td_tensor *value,
                                          TD_NULLABLE td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Opens the directory again in the same mode: entries that other processes added appear, and entries that they removed
 * disappear. Tensors that were returned before stay valid.   Like TensorDict.memmap_refresh_.
 * Errors: UNSUPPORTED if `self` was not opened from a directory; LOCKED unless it was opened for writing; as td_open.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_memmap_refresh_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns 1 if the tensors of the dict itself were mapped from files when it was opened, or if it is a view of such a
 * dict from td_dict_index. Returns 1 for a lazy stack if this holds for all members, and 0 for NULL.   Like
 * TensorDict.is_memmap.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_memmap(const td_dict *self) TD_NOEXCEPT;

/* Returns the absolute path of the directory that the dict was opened from; `*out` is NULL if there is none. A node
 * below has its own path.   Like td.saved_path.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_saved_path(const td_dict *self, TD_OUT_NULLABLE td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns the Python class of a dict that is an ordinary dict here: "module.Class" for a tensorclass, "torch.nested"
 * for a nested tensor, and `*out` is NULL for all others. Copies and operations over leaves keep the class.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_python_class(const td_dict *self, TD_OUT_NULLABLE td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns the fields of a tensorclass that are not entries as a JSON object ("{\"label\":null}"); "{}" for all others.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_python_fields(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Appends rows to a memmap directory and all dicts in it, along the first batch dim. A process that opens the directory
 * during the call, or after a crash, finds either the old rows or all of them. A dict that was opened before keeps the
 * old rows, which stay in the same files; td_dict_memmap_refresh_ shows the new ones. `rows` must have the same keys,
 * dtypes and sizes, except the size of the first dim. A single data value applies to all rows and must be equal. Rows
 * for a tensorclass may be an ordinary dict. With `sync` 1, everything is on the disk before it becomes visible.   Like
 * append_memmap, which leaves dicts of different lengths when killed.
 * Errors: KEY for entries that only one side has, or that have another kind; SHAPE; DTYPE; ARGUMENT for different data,
 * and for rows of another class; UNSUPPORTED for other formats, and for lazy stacks, nested tensors, stacks of data and
 * views, which cannot grow; as td_open of the directory; NOSPACE; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_append_memmap(td_str path, const td_dict *rows, td_bool sync, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_LIVE_H */
