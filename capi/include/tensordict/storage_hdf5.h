/* ==== Dicts in files ================================================================================================
 * An HDF5 file as a dict, without reading it: td_open with TD_FORMAT_HDF5 gives one for what h5py or Python's
 * tensordict wrote. A tensor is read whenever it is asked for, and an index reads only the rows it selects; what is set
 * or written goes to the file. Groups are dicts of the same kind, keys come in alphabetical order, and a lock is in
 * memory only. Operations that make a dict, copies too, make an ordinary one in memory; td_dict_update copies it back.
 * Python's PersistentTensorDict.
 *
 *     td_persistent_create(TD_STR("replay.h5"), &options, &replay, &err);      // options.batch_size is [1000000]
 *     const td_index rows = TD_SLICE(0, 32);
 *     td_dict_set_at(replay, &rows, 1, batch, &err);
 *     td_persistent_close(replay, &err);
 *
 * The batch size and the names are kept in an attribute that Python leaves alone. Without it the batch size is the
 * longest that all entries have in common, as Python infers it. Calls wait for each other, as libhdf5 is not made for
 * threads; a program that also uses libhdf5 itself must not do both at once. Links to other files, and tensors stored
 * in them, are refused; an entry that cannot be read is listed as data, reading it says why, and so does td_dict_repr
 * in its place; td_open with `lenient` leaves it out. What libhdf5 parses, before we can check it, it trusts: files
 * that may have been made to harm are not for this format.
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
  int32_t compression;       /* of tensors that are new in the file: 1 to 9 with gzip, 0 not at all */
  const int64_t *batch_size; /* NULL: what the file says; of a new file [] */
  size_t ndim;               /* of batch_size */
  int64_t batch_dims;        /* if all entries have more in common, only so many; -1: all of them */
  const int64_t *chunks;     /* sizes of the first dims in which new tensors are stored; NULL: chosen where needed */
  size_t n_chunks;
  td_bool shuffle; /* 1: bytes of equal place together before they are compressed */
} td_persistent_options;
#define TD_PERSISTENT_OPTIONS_INIT \
  { sizeof(td_persistent_options), TD_MODE_READ, 0, NULL, 0, -1, NULL, 0, 0 }

/* Opens an HDF5 file as a dict; `options` may be NULL.   Like PersistentTensorDict.from_h5(path, mode, batch_size,
 * batch_dims).
 * Errors: SHAPE naming the entry that does not have the given batch size; ARGUMENT for another mode; NOT_FOUND; CORRUPT
 * if it is no HDF5 file, or a damaged one; UNSUPPORTED in a build without libhdf5; IO, also while another process
 * writes it. [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_persistent_open(td_str path, TD_NULLABLE const td_persistent_options *options, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* Makes an HDF5 file without entries and opens it to be written; `options` may be NULL.   Like
 * PersistentTensorDict(mode="w-").
 * Errors: EXISTS; SHAPE for a negative size; ARGUMENT for an option out of range; UNSUPPORTED in a build without
 * libhdf5; IO. [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_persistent_create(td_str path, TD_NULLABLE const td_persistent_options *options, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

/* Returns the path that the file was opened by.   Errors: UNSUPPORTED if the dict is in no file.
 * [any-thread]  Since 0.1 */
TD_API td_status td_persistent_file(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if the dict is in a file that takes what is written; 0 for all others and for NULL.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_persistent_is_writable(const td_dict *self) TD_NOEXCEPT;

/* Closes the file for this dict and all dicts of it, which then fail with CLOSED; to close again does nothing. Without
 * it the file is closed with the last of them. What was written is in the file before this, and reaches the disk when
 * the system writes it. Like PersistentTensorDict.close.   Errors: UNSUPPORTED if the dict is in no file; NOSPACE; IO.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_persistent_close(td_dict *self, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_HDF5_H */
