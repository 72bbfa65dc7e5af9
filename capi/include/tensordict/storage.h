/* ==== Storage =======================================================================================================
 * Opens and saves dicts in the formats of Python's tensordict: the memmap directory, with one file per tensor and one
 * meta.json per dict, the consolidated file, the archive (.tdz) and HDF5. It also opens and saves safetensors, and
 * opens files of torch.save (.pt). The library opens what stock Python saves, without a copy if the format allows it,
 * and stock Python opens what the library saves.
 *
 *     td_dict *data;
 *     td_open(TD_STR("digits/memmap"), NULL, &data, &err);     // reads only the meta.json files
 *
 * Stability: stable
 */
#ifndef TENSORDICT_STORAGE_H
#define TENSORDICT_STORAGE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The formats of dicts on disk. A build may lack some of them; td_has_feature says which. */
typedef int32_t td_format;
enum {
  TD_FORMAT_AUTO = 0,         /* open: recognised from the file, but see `trusted`; save: by the ending of the path */
  TD_FORMAT_MEMMAP = 1,       /* a directory; any path without the ending of another format */
  TD_FORMAT_CONSOLIDATED = 2, /* .td */
  TD_FORMAT_ARCHIVE = 3,      /* .tdz */
  TD_FORMAT_HDF5 = 4,         /* .h5, .hdf5 */
  TD_FORMAT_SAFETENSORS = 5,  /* .safetensors */
  TD_FORMAT_TORCH_SAVE = 6    /* .pt, .pth: opened, never saved */
};

/* Returns the name of a format, for instance "memmap directory"; "?" for unknown values and AUTO. The text is static.
 * [any-thread]  Since 0.1 */
TD_API td_str td_format_name(td_format format) TD_NOEXCEPT;

/* Returns the format of the file at `path`, recognised by its first and last bytes. A directory is MEMMAP.
 * Errors: NOT_FOUND; CORRUPT if it has none of the formats; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_format_detect(td_str path, td_format *out, td_error **err) TD_NOEXCEPT;

/* Returns the format in which td_save writes a file of this name, according to its ending; MEMMAP for any other name.
 * The file need not exist.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_format_of_ending(td_str path, td_format *out, td_error **err) TD_NOEXCEPT;

typedef int32_t td_open_mode;
enum {
  TD_OPEN_READ = 0,      /* memory is mapped read-only: writes through this library are LOCKED */
  TD_OPEN_COW = 1,       /* writes stay in this process and never reach the file */
  TD_OPEN_READ_WRITE = 2 /* writes to tensors go to the file immediately; all processes that have it open see them */
};

typedef struct td_open_options {
  size_t struct_size;
  td_open_mode mode;
  td_format format;
  td_bool lenient;     /* 1: accept what the original accepts, if that is safe; see td_open */
  td_bool trusted;     /* 1: recognise HDF5 too, whose library does not validate files; see td_open */
  uint8_t reserved[6]; /* 0 */
  const td_key *part;  /* open only the dict at this key of a directory or an archive; NULL: all */
} td_open_options;
#define TD_OPEN_OPTIONS_INIT \
  { sizeof(td_open_options), TD_OPEN_READ, TD_FORMAT_AUTO, 0, 0, TD_RESERVED, NULL }

/* Opens what Python's td.save(path) or td_save wrote. `options` may be NULL.   Like TensorDict.load_memmap, which
 * tolerates more.
 *
 * Opening is strict: every size, type and name is checked first, links are not followed, and nothing outside `path` is
 * read. A tensorclass opens as an ordinary dict that knows its class (td_dict_python_class). So does a nested tensor,
 * as a lazy stack of its components, each under "values". Both are saved again in their original form. Views open as
 * ordinary tensors with the same contents. Pickles are never run: pickled bytes open as bytes, other pickles as
 * TD_DATA_PICKLE. Metadata may be UTF-8, UTF-16 or UTF-32, as in Python. Leaves may be opened on LibTorch's threads. An
 * archive may unpack to at most 64 MiB or 1032 times its size, whichever is more. With TD_OPEN_READ_WRITE the dict of a
 * memmap directory is locked. A leaf of a dtype that this LibTorch lacks opens as the bytes of its elements, knows its
 * dtype (td_tensor_stored_dtype) and is saved with it again; nested tensors of such a dtype are DTYPE, and entries of
 * HDF5 files UNSUPPORTED.
 *
 * Today all metadata is read on opening. A later release may leave nodes and leaves of a directory, a file or a segment
 * to the first call that needs them. Such a call may block, and returns CORRUPT or IO, with the key and the file, where
 * opening does today; it changes nothing and may be repeated. It reads the save that was opened, even if another save
 * has replaced the directory or the file meanwhile; data that was overwritten in place and no longer fits the metadata
 * is CORRUPT.
 *
 * `lenient` relaxes only this: memmap directories and archives leave out entries whose files are missing or that have
 * no dtype or shape, and end a lazy stack at its first missing member; archives unpack to any size; tensors of a
 * consolidated file may overlap; a safetensors file may have holes, and tensors with unknown dtypes are left out; HDF5
 * files leave out entries that cannot be read, and files of torch.save those that only Python can make. Untrusted files
 * may be opened with `lenient`, in every format except HDF5.
 *
 * libhdf5 does not validate HDF5 files: damaged files crash it or make it loop forever. Therefore an HDF5 file is
 * opened only if `format` is TD_FORMAT_HDF5 or `trusted` is 1. Set them only for files from a source that you trust.
 *
 * With `part`, only the meta.json files on the way to that dict are read besides it. The key of a member of a lazy
 * stack is its number: TD_KEY("stack", "0").   Like load_memmap(path, subpath=).
 * Errors: NOT_FOUND, also for a part that does not exist or is a tensor; CORRUPT naming the file (missing or short
 * leaf, bad JSON, batch mismatch...); UNSUPPORTED for formats and kinds of collection that this build does not open,
 * for archives that unpack to more, for HDF5 files that are neither named nor trusted, and for parts of a file in
 * another format; DTYPE; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_open(td_str path, TD_NULLABLE const td_open_options *options, td_dict **out,
                         td_error **err) TD_NOEXCEPT;

/* A callback for progress: called on the thread that saves when `done` of `total` bytes are written. A status other
 * than TD_OK cancels the save. `destroy(userdata)` runs once, before the saving call returns. */
typedef struct td_progress {
  size_t struct_size;
  td_status (*fn)(void *userdata, int64_t done, int64_t total, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_progress;
#define TD_PROGRESS_INIT \
  { sizeof(td_progress), NULL, NULL, NULL }

/* The compression of a save. Memmap directories are not compressed. */
typedef int32_t td_compression;
enum {
  TD_COMPRESSION_NONE = 0,
  TD_COMPRESSION_DEFLATE = 1, /* archives and HDF5 */
  TD_COMPRESSION_LZMA = 2     /* archives, if the build has the feature "lzma": smaller and much slower */
};

typedef struct td_save_options {
  size_t struct_size;
  td_bool overwrite;           /* 1: replace an earlier save completely; 0: EXISTS, except for an empty directory */
  td_bool sync;                /* 1: fsync before the new save becomes visible */
  uint8_t reserved[6];         /* 0 */
  size_t threads;              /* for writing; the bytes do not depend on it. 0 or 1, and HDF5: only the caller's */
  const td_progress *progress; /* NULL: none */
  td_format format;
  td_compression compression;
} td_save_options;
#define TD_SAVE_OPTIONS_INIT \
  { sizeof(td_save_options), 0, 0, TD_RESERVED, 0, NULL, TD_FORMAT_AUTO, TD_COMPRESSION_NONE }

/* Saves the dict, byte for byte as Python's tensordict 0.15 does with orjson, which writes no spaces. `options` may be
 * NULL. The save is written beside `path` and renamed, so a crash or a cancelled save leaves the old or the new save,
 * never a partial one. A new file gets the mode of the file that it replaces. In a directory, all directories get the
 * mode of the old directory, all files get the mode of its meta.json, and all get its group if this process may set it.
 * Otherwise the umask decides.   Like TensorDict.save. A stack of JSON lists with the same length opens again as a
 * deeper stack, as in Python.
 * Errors: EXISTS; NOT_FOUND without the directory; KEY for names that the format cannot hold; UNSUPPORTED for formats
 * and compressions that this build does not write, tensor layouts without bytes, data that the format cannot hold, and
 * parts of a pickled list; CALLBACK if the progress callback cancels; NOSPACE; IO.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_save(const td_dict *self, td_str path, TD_NULLABLE const td_save_options *options,
                         td_error **err) TD_NOEXCEPT;

/* ---- Single files ---------------------------------------------------------------------------------------------------
 * A consolidated file (.td) keeps names, locks, lazy stacks and jagged tensors. An archive (.tdz) is a memmap directory
 * in a zip file and can be compressed. A safetensors file (.safetensors) can be read by other programs; its keys are
 * joined by dots. A safetensors file of another program opens as a tree: names are split at each dot, except dots after
 * the name of a tensor: "a" and "a.b" are two entries of one dict. All tensors of a file are in one mapping. A jagged
 * or nested tensor of N components opens as a lazy stack of N dicts with one tensor each, "values"; its
 * td_dict_python_class is "torch.nested", and td_save writes it as it was. N may be 0. The dict may have more batch
 * dims if all components have them before the ragged one: [3, n] below [2, 3]. As in Python, a ragged dim cannot be a
 * batch dim of a file (CORRUPT in td_open, UNSUPPORTED in td_save), directories and archives cannot hold a tensor of 0
 * components, and HDF5 and safetensors cannot hold nested tensors (UNSUPPORTED).
 *
 *     options.compression = TD_COMPRESSION_DEFLATE;
 *     td_save(td, TD_STR("run.tdz"), &options, &err);
 */

/* ---- Files of torch.save --------------------------------------------------------------------------------------------
 * A state dict or another dict of tensors that torch.save of PyTorch 1.6 or later wrote (.pt, .pth) opens as a dict
 * without batch dims, with the keys that Python has: "0.weight" is one key. The pickle is read as data and never run.
 * Numbers as keys become text. Tensors that share a storage share its memory here, whatever their strides and their
 * device were; parameters and buffers are tensors like others, and none requires grad. Lists of numbers, text, lists
 * and dicts are JSON data; lists with tensors are dicts with the keys "0", "1"... A dtype, a device and a size are text
 * or JSON. Everything else that would need a class of Python, for instance an array of numpy or a sparse tensor, is
 * UNSUPPORTED and is named with its key; `lenient` leaves out both it and tensors of unknown dtypes. TorchScript files
 * and files from before PyTorch 1.6 are UNSUPPORTED, and so is saving in this format.   Like torch.load(path,
 * weights_only=True).
 *
 *     td_open(TD_STR("model.pt"), NULL, &state, &err);
 *     td_module_load_state_dict(module, state, NULL, NULL, NULL, &err);
 */

/* Reads all of an archive and compares every checksum; td_open does so only for entries that it unpacks or copies. The
 * features "archive", "bzip2" and "lzma" say what this build supports.
 * Errors: NOT_FOUND; CORRUPT naming the entry; UNSUPPORTED for compression methods that this build lacks; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_archive_verify(td_str path, td_error **err) TD_NOEXCEPT;

/* Updates the checksums of an archive in place after writes with TD_OPEN_READ_WRITE; other tools compare them.   Like
 * refresh_archive_checksums.
 * Errors: NOT_FOUND; CORRUPT if the file is not an archive; UNSUPPORTED in a build without archives; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_archive_refresh_checksums(td_str path, td_error **err) TD_NOEXCEPT;

/* Returns a locked copy with all tensors in one allocation, which is cheaper than one allocation per tensor. The copies
 * do not require grad; lazy stacks stay lazy. td_save with TD_FORMAT_CONSOLIDATED writes the same to a file.   Like
 * TensorDict.consolidate.
 * Errors: DEVICE for tensors that are not on the CPU; UNSUPPORTED for tensors that are not dense.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_consolidate(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_H */
