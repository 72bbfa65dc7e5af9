/* ==== Dicts in files ================================================================================================
 * Dicts that stay in an HDF5 file, also one that h5py or Python's tensordict wrote; td_open with TD_FORMAT_HDF5 returns
 * one too. Each get reads the tensor, and an index reads only the rows that it selects; sets and writes go to the file.
 * Groups are dicts of the same kind, keys are in alphabetical order, and a lock exists only in memory. Operations that
 * make a dict, including copies, make an ordinary dict in memory; td_dict_update copies it back. In Python:
 * PersistentTensorDict.
 *
 *     td_persistent_create(TD_STR("replay.h5"), &options, &replay, &err);      // options.batch_size is [1000000]
 *     const td_index rows = TD_SLICE(0, 32);
 *     td_dict_set_at(replay, &rows, 1, batch, &err);
 *     td_persistent_close(replay, &err);
 *
 * The batch size and the names are stored in an attribute that Python ignores. Without it, the batch size is the
 * longest that all entries share, as Python infers it. Calls wait for each other, because libhdf5 is not thread-safe; a
 * program that also uses libhdf5 itself must not do both concurrently. Links to other files, and tensors stored in
 * them, are refused. An entry that cannot be read is listed as data; reading it returns the reason, and td_dict_repr
 * prints it; td_open with `lenient` leaves the entry out. libhdf5 parses a file before the library can check it, and
 * trusts the file: do not use this format for untrusted files.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_STORAGE_HDF5_H
#define TENSORDICT_STORAGE_HDF5_H

#include "handles.h"
#include "storage.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_persistent_options {
  size_t struct_size;
  td_open_mode mode;         /* of td_persistent_open: READ or READ_WRITE */
  int32_t compression;       /* of new tensors in the file: 1 to 9 for gzip, 0 for none */
  const int64_t *batch_size; /* NULL: as the file says; [] for a new file */
  size_t ndim;               /* of batch_size */
  int64_t max_batch_dims;    /* of an inferred batch size; 0: all dims that the entries share */
  const int64_t *chunks;     /* chunk sizes of the first dims of new tensors; NULL: chosen if needed */
  size_t n_chunks;
  td_bool shuffle;     /* 1: group bytes of equal significance before compression */
  uint8_t reserved[7]; /* 0 */
} td_persistent_options;
#define TD_PERSISTENT_OPTIONS_INIT \
  { sizeof(td_persistent_options), TD_OPEN_READ, 0, NULL, 0, 0, NULL, 0, 0, TD_RESERVED }

/* Opens an HDF5 file as a dict; `options` may be NULL.   Like PersistentTensorDict.from_h5(path, mode, batch_size,
 * batch_dims).
 * Errors: SHAPE naming the entry that does not have the given batch size; ARGUMENT for another mode; NOT_FOUND; CORRUPT
 * if it is not an HDF5 file or is damaged; UNSUPPORTED in a build without libhdf5; IO, also while another process
 * writes to it.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_persistent_open(td_str path, TD_NULLABLE const td_persistent_options *options, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* Makes an HDF5 file without entries and opens it for writing; `options` may be NULL.   Like
 * PersistentTensorDict(mode="w-").
 * Errors: EXISTS; SHAPE for a negative size; ARGUMENT for an option out of range; UNSUPPORTED in a build without
 * libhdf5; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_persistent_create(td_str path, TD_NULLABLE const td_persistent_options *options, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

/* Returns the path with which the file was opened.   Errors: UNSUPPORTED if the dict is not in a file.
 * [any-thread]  Since 0.1 */
TD_API td_status td_persistent_file(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if the dict is in a file that is open for writing; 0 for all others and for NULL.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_persistent_is_writable(const td_dict *self) TD_NOEXCEPT;

/* Closes the file for this dict and all dicts in the file; calls on them then fail with CLOSED. Closing again does
 * nothing. Without this call the file is closed when the last of these dicts is released. Writes are in the file before
 * this call; they reach the disk when the system writes them.   Like PersistentTensorDict.close.   Errors: UNSUPPORTED
 * if the dict is not in a file; NOSPACE; IO.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_persistent_close(td_dict *self, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_HDF5_H */
