/* ==== Storage =======================================================================================================
 * The formats of Python's tensordict: the memmap directory, with one file a tensor and one meta.json a dict, the
 * consolidated file, the archive (.tdz) and HDF5; and safetensors. What stock Python saves we open, without a copy
 * where the format allows it, and what we save it opens.
 *
 *     td_dict *data;
 *     td_open(TD_STR("digits/memmap"), NULL, &data, &err);     // nothing is read yet but the meta.json files
 *
 * Stability: stable
 */
#ifndef TENSORDICT_STORAGE_H
#define TENSORDICT_STORAGE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* How a dict is kept on disk. A build may lack one of them: td_has_feature. */
typedef int32_t td_format;
enum {
  TD_FORMAT_AUTO = 0,         /* open: as the file says, but see `trusted`; save: by the ending of the path */
  TD_FORMAT_MEMMAP = 1,       /* a directory; paths with no other format's ending */
  TD_FORMAT_CONSOLIDATED = 2, /* .td */
  TD_FORMAT_ARCHIVE = 3,      /* .tdz */
  TD_FORMAT_HDF5 = 4,         /* .h5, .hdf5 */
  TD_FORMAT_SAFETENSORS = 5   /* .safetensors */
};

/* Returns the name of a format, "memmap directory"; "?" for unknown values and AUTO. Static text.
 * [any-thread]  Since 0.1 */
TD_API const char *td_format_name(td_format format) TD_NOEXCEPT;

/* Returns the format of what lies at `path`, recognised by its first and last bytes. A directory is MEMMAP.
 * Errors: NOT_FOUND; CORRUPT if it is of none; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_format_detect(td_str path, td_format *out, td_error **err) TD_NOEXCEPT;

/* Returns the format that td_save gives a file of this name, by its ending; MEMMAP for any other name. Nothing need be
 * there.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_format_of_ending(td_str path, td_format *out, td_error **err) TD_NOEXCEPT;

typedef int32_t td_open_mode;
enum {
  TD_MODE_READ = 0,      /* memory is mapped read-only: our own writes refuse with LOCKED */
  TD_MODE_COW = 1,       /* writes stay in this process and never reach the file */
  TD_MODE_READ_WRITE = 2 /* writes to tensors are in the file at once, and seen by all who have it open */
};

typedef struct td_open_options {
  size_t struct_size;
  td_open_mode mode;
  int32_t reserved; /* 0 */
  td_format format;
  td_bool lenient;    /* 1: take what the original takes, as far as that is safe; see td_open */
  td_bool trusted;    /* 1: HDF5 is recognised, too, whose library believes what a file says; see td_open */
  const td_key *part; /* the dict at this key, of a directory or an archive; NULL: all */
} td_open_options;
#define TD_OPEN_OPTIONS_INIT \
  { sizeof(td_open_options), TD_MODE_READ, 0, TD_FORMAT_AUTO, 0, 0, NULL }

/* Opens what Python's td.save(path) or td_save wrote. Strict: every size, type and name is checked first, links are
 * not followed, and nothing outside `path` is read. `options` may be NULL.   Like TensorDict.load_memmap, which
 * tolerates more. A tensorclass opens as an ordinary dict that knows its class (td_dict_python_class), and so does a
 * nested tensor: a lazy stack of its components, each under "values". Both are saved again as what they were. Views
 * open as what they show. Pickled data is never run: bytes open as such, everything else as TD_DATA_PICKLE. Metadata
 * may be UTF-8, UTF-16 or UTF-32, as in Python. Many leaves are opened on LibTorch's threads. An archive unpacks to
 * 64 MiB or 1032 times its size at most, whichever is more. With TD_MODE_READ_WRITE the dict of a memmap directory
 * is locked. `lenient` does this, and nothing else: memmap directories and archives leave out entries whose files
 * are missing, or that have no dtype or shape, and end a lazy stack at its first missing member; archives unpack to
 * any size; tensors of a consolidated file may overlap; a safetensors file may have holes, and tensors of unknown
 * dtypes are left out; HDF5 files leave out what cannot be read. Files of strangers may be opened so, in every
 * format but HDF5: libhdf5, which reads it, believes what a file says, and damaged files crash it or keep it busy
 * without an end. An HDF5 file is opened only if `format` is TD_FORMAT_HDF5 or `trusted` is 1, both for files whose
 * maker you trust. Of `part` nothing else is read but the meta.json files on the way. A member of a lazy stack is
 * called by its number, TD_KEY("stack", "0"). Like load_memmap(path, subpath=).
 * Errors: NOT_FOUND, also for a part that is not there or is a tensor; CORRUPT naming the file (missing or short
 * leaf, bad JSON, batch mismatch...); UNSUPPORTED for formats and collection kinds that this build does not open,
 * for archives that unpack to more, for HDF5 files that are neither asked for nor trusted, and for parts of a file
 * in another format; DTYPE; IO. [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_open(td_str path, TD_NULLABLE const td_open_options *options, td_dict **out,
                         td_error **err) TD_NOEXCEPT;

/* Is told, on the thread that saves, that `done` of `total` bytes are written; a status other than TD_OK gives up.
 * `destroy(userdata)` runs once, before the saving call returns. */
typedef struct td_progress {
  td_status (*fn)(void *userdata, int64_t done, int64_t total, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_progress;

/* How a save may be squeezed. Memmap directories are not. */
typedef int32_t td_compression;
enum {
  TD_COMPRESSION_NONE = 0,
  TD_COMPRESSION_DEFLATE = 1, /* archives and HDF5 */
  TD_COMPRESSION_LZMA = 2     /* archives, in a build with the feature "lzma": smaller, and many times slower */
};

typedef struct td_save_options {
  size_t struct_size;
  td_bool overwrite;           /* 1: replace an earlier save as a whole; 0: EXISTS but for an empty directory */
  td_bool sync;                /* 1: fsync before the new save becomes visible */
  size_t threads;              /* that compress and write, the same bytes; 0, 1 and for HDF5: the caller's only */
  const td_progress *progress; /* NULL: none */
  td_format format;
  td_compression compression;
} td_save_options;
#define TD_SAVE_OPTIONS_INIT \
  { sizeof(td_save_options), 0, 0, 0, NULL, TD_FORMAT_AUTO, TD_COMPRESSION_NONE }

/* Saves byte for byte as Python's tensordict 0.15 does with orjson, which writes no spaces. It is built beside
 * `path` and renamed: a crash leaves the old or the new, never half, and so does giving up. What is overwritten
 * hands on its mode: to a file its own; in a directory that of the old directory to all directories and that of its
 * meta.json to all files, and its group as far as this process may. Else the umask decides. `options` may be NULL.
 * Like TensorDict.save. A stack of JSON lists of one length opens again as a deeper stack, as it does in Python.
 * Errors: EXISTS; KEY for names that the format cannot hold; UNSUPPORTED for formats and compressions that this
 * build does not write, layouts without bytes, data that the format cannot hold and parts of a pickled list;
 * CALLBACK if the progress function gives up; NOSPACE; IO. [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_save(const td_dict *self, td_str path, TD_NULLABLE const td_save_options *options,
                         td_error **err) TD_NOEXCEPT;

/* ---- Files of one piece ---------------------------------------------------------------------------------------------
 * A consolidated file (.td) keeps names, locks, lazy stacks and jagged tensors; an archive (.tdz) is a memmap directory
 * in a zip file, and can be compressed; a safetensors file (.safetensors) is what other programs read, with keys joined
 * by dots. One of theirs opens as a tree of its names, taken apart at each dot but those behind the name of a tensor:
 * "a" and "a.b" are two entries of one dict. All tensors of a file lie in one mapping. A jagged or nested tensor of N
 * components opens as a lazy stack of N dicts with one tensor each, "values"; td_dict_python_class says "torch.nested"
 * of it, and td_save writes it as it was. N may be 0, and the dict may have more batch dims if all components have them
 * in front of the ragged one: [3, n] below [2, 3]. As in Python, a ragged dim is no batch dim of a file (CORRUPT in
 * td_open, UNSUPPORTED in td_save), directories and archives hold no tensor of 0 components, and HDF5 and safetensors
 * no nested tensor at all (UNSUPPORTED).
 *
 *     options.compression = TD_COMPRESSION_DEFLATE;
 *     td_save(td, TD_STR("run.tdz"), &options, &err);
 */

/* Reads all of an archive and compares every checksum; td_open does so only for what it unpacks or copies. The features
 * "archive", "bzip2" and "lzma" say what this build knows.
 * Errors: NOT_FOUND; CORRUPT naming the entry; UNSUPPORTED for methods of compression that this build lacks; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_archive_verify(td_str path, td_error **err) TD_NOEXCEPT;

/* Makes the checksums of an archive again, in place, after writes under TD_MODE_READ_WRITE: other tools compare them.
 * Like refresh_archive_checksums.
 * Errors: NOT_FOUND; CORRUPT if it is no archive; UNSUPPORTED in a build without archives; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_archive_refresh_checksums(td_str path, td_error **err) TD_NOEXCEPT;

/* Returns a locked copy of all tensors in one allocation, which is cheaper to make than one for each. The copies
 * require no grad; lazy stacks stay lazy. td_save with TD_FORMAT_CONSOLIDATED writes the same into a file.   Like
 * TensorDict.consolidate.
 * Errors: DEVICE for tensors that are not on the CPU; UNSUPPORTED for tensors that are not dense.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_consolidate(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_H */
