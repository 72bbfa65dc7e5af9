/* ==== Dicts that live in a directory ================================================================================
 * A memmap directory that is opened with TD_MODE_READ_WRITE is the dict: tensors are its files, and all processes that
 * have it open, stock Python too, see each other's writes to them. In /dev/shm no disk is involved. As in Python it is
 * locked, for what td_dict_set puts into a dict is in no file: td_dict_make_memmap makes entries nevertheless,
 * td_dict_copy_into writes them, and what is set into a dict that was unlocked is lost with a refresh.
 *
 *     td_dict_memmap_like(td, TD_STR("/dev/shm/buffer"), NULL, &buffer, &err);    // zeros, in files
 *     td_dict_make_memmap(buffer, TD_KEY("done"), TD_SHAPE(32), TD_BOOL, &done, &err);
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

/* Makes a memmap directory with the structure of `self` and zeros in all tensors, and opens it with TD_MODE_READ_WRITE.
 * A path that ends in .tdz, or that format, makes an archive of zeros, and `out` is a dict of zeros in memory.
 * Non-tensor entries are kept. `options` may be NULL.   Like TensorDict.memmap_like.
 * Errors: UNSUPPORTED for options.format other than AUTO, MEMMAP and ARCHIVE; as td_save and td_open.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_memmap_like(const td_dict *self, td_str path, TD_NULLABLE const td_save_options *options,
                                     td_dict **out, td_error **err) TD_NOEXCEPT;

/* Makes a new entry of zeros in the directory and in the dict; missing nodes are made. `out` may be NULL. A key is made
 * once: of two processes that try, one fails with EXISTS.   Like TensorDict.make_memmap.
 * Errors: UNSUPPORTED unless the directory was opened with TD_MODE_READ_WRITE; EXISTS; SHAPE unless `shape` begins with
 * the batch size; KEY for names that the format cannot hold, or if the path runs through an entry that is no dict;
 * NOSPACE; IO.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_make_memmap(td_dict *self, const td_key *key, const int64_t *shape, size_t ndim,
                                     td_dtype dtype, TD_NULLABLE td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same with the elements of `value`.   Like TensorDict.make_memmap_from_tensor.
 * Errors: as td_dict_make_memmap; UNSUPPORTED for layouts without bytes.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_make_memmap_from(td_dict *self, const td_key *key, const td_tensor *value,
                                          TD_NULLABLE td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Opens the directory anew, in the same mode: entries that others made appear, and those that are gone there are gone
 * here. Tensors that were taken out before stay valid.   Like TensorDict.memmap_refresh_.
 * Errors: UNSUPPORTED if `self` was not opened from a directory; LOCKED unless that was for writing; as td_open.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_memmap_refresh(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns 1 if the tensors of the dict itself were mapped from files when it was opened, or it is a view of such a dict
 * by td_dict_index; for a lazy stack, if that holds for all members; 0 for NULL.   Like TensorDict.is_memmap.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_memmap(const td_dict *self) TD_NOEXCEPT;

/* Returns the absolute path of the directory that the dict was opened from, empty if there is none. A node below it has
 * a path of its own.   Like td.saved_path.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_saved_path(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns the class that the dict has in Python where it is an ordinary dict here: "module.Class" for a tensorclass,
 * "torch.nested" for a nested tensor; empty for all others. Copies and operations over leaves keep it.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_python_class(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* What a tensorclass has beside its entries, as a JSON object of its fields ("{\"label\":null}"); "{}" for all others.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_python_fields(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Adds rows to a memmap directory, along the first batch dim, and to all dicts in it. What reads the directory
 * meanwhile, or after a crash, finds the old rows or all of them; what was mapped before keeps the old ones, whose
 * files the new ones share: td_dict_memmap_refresh shows the others. `rows` has the same keys, dtypes and sizes but
 * for the first dim. One value of data stands for all rows, and must be equal. Rows for a tensorclass may be an
 * ordinary dict. With `sync` 1 all is on the disk before it becomes visible.   Like append_memmap, which leaves
 * dicts of different lengths when killed.
 * Errors: KEY for entries that only one side has, or of another kind; SHAPE; DTYPE; ARGUMENT for other data, and for
 * rows of another class; UNSUPPORTED for other formats, and for lazy stacks, nested tensors, stacks of data and
 * views, which cannot grow; as td_open of the directory; NOSPACE; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_append_memmap(td_str path, const td_dict *rows, td_bool sync, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_LIVE_H */
