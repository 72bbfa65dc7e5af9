/* ==== Dicts from a description ======================================================================================
 * Makes dicts of zeros from a description, in memory or in files, to be filled later.
 *
 *     const td_schema_entry entries[] = {{TD_KEY("obs"), TD_DTYPE_UINT8, 0, TD_SHAPE(84, 84)},
 *                                        {TD_KEY("r"), TD_DTYPE_FLOAT32}};
 *     options.storage = TD_STORAGE_MEMMAP, options.path = TD_STR("replay");
 *     td_dict_from_schema(entries, 2, TD_SHAPE(1000000), &options, &replay, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_STORAGE_SCHEMA_H
#define TENSORDICT_STORAGE_SCHEMA_H

#include "handles.h"
#include "storage.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The description of an entry; `dims` are its feature dims. */
typedef struct td_schema_entry {
  const td_key *key;
  td_dtype dtype;
  int32_t reserved;    /* 0 */
  const int64_t *dims; /* NULL for none */
  size_t ndim;
} td_schema_entry;

/* Where the tensors are stored. */
typedef int32_t td_storage;
enum {
  TD_STORAGE_MEMORY = 0, /* an ordinary dict */
  TD_STORAGE_SHARED = 1, /* shared memory as of td_dict_share_memory_, locked */
  TD_STORAGE_MEMMAP = 2, /* a memmap directory as of td_dict_memmap_like */
  TD_STORAGE_HDF5 = 3    /* an HDF5 file, open for writing */
};

typedef struct td_schema_options {
  size_t struct_size;
  td_storage storage;
  int32_t reserved;            /* 0 */
  td_str path;                 /* of the directory or the file; required, unlike in Python */
  td_str device;               /* of tensors in memory; NULL data: "cpu", and the dict has no device */
  const td_save_options *save; /* how the directory or the file is made; NULL: its defaults */
} td_schema_options;
#define TD_SCHEMA_OPTIONS_INIT \
  { sizeof(td_schema_options), TD_STORAGE_MEMORY, 0, {NULL, 0}, {NULL, 0}, NULL }

/* Makes a dict of zeros with one entry for each schema entry, whose shape is the batch size followed by its dims;
 * missing nodes are made. Making a file uses no memory, except for one entry of an HDF5 file at a time. `options` may
 * be NULL.   Like TensorDict.from_schema.
 * Errors: EXISTS for a key that comes twice, and if the path exists; KEY if one key runs through another, or the format
 * cannot hold it; SHAPE for a negative or overflowing size; DTYPE; DEVICE, also for a device other than "cpu" with a
 * file; ARGUMENT for a file without a path; those of td_dict_share_memory_, td_dict_memmap_like and td_save. On failure
 * nothing is made.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_from_schema(const td_schema_entry *entries, size_t n, const int64_t *batch_size, size_t ndim,
                                     TD_NULLABLE const td_schema_options *options, td_dict **out,
                                     td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_SCHEMA_H */
