// How dicts are kept on disk: the formats, and the choices at opening and saving.
#ifndef TENSORDICT_FORMAT_HPP
#define TENSORDICT_FORMAT_HPP

#include <functional>

#include "dtype.hpp"
#include "key.hpp"
#include "span.hpp"

namespace tensordict {

enum class Format : td_format {
  automatic = TD_FORMAT_AUTO,  // open: as the file says; save: by the ending of the path
  memmap = TD_FORMAT_MEMMAP,
  consolidated = TD_FORMAT_CONSOLIDATED,
  archive = TD_FORMAT_ARCHIVE,
  hdf5 = TD_FORMAT_HDF5,
  safetensors = TD_FORMAT_SAFETENSORS,
  torch_save = TD_FORMAT_TORCH_SAVE,  // .pt, .pth: opened and not saved
};

enum class Mode : td_open_mode {
  read = TD_OPEN_READ,              // memory is mapped read-only
  copy_on_write = TD_OPEN_COW,      // writes stay in this process
  read_write = TD_OPEN_READ_WRITE,  // writes to tensors are in the file at once
};

enum class Compression : td_compression {
  none = TD_COMPRESSION_NONE,
  deflate = TD_COMPRESSION_DEFLATE,  // archives and HDF5
  lzma = TD_COMPRESSION_LZMA,        // archives
};

struct OpenOptions {
  Mode mode = Mode::read;
  Format format = Format::automatic;
  bool lenient = false;  // take what the original takes, as far as that is safe
  bool trusted = false;  // the maker of the file is: then HDF5 too is opened by what the file says
};

struct SaveOptions {
  bool overwrite = false;   // replace an earlier save as a whole
  bool sync = false;        // fsync before the new save becomes visible
  std::size_t threads = 0;  // that compress and write
  Format format = Format::automatic;
  Compression compression = Compression::none;
  // Is told how many of all bytes are written. What it throws gives up, and arrives at the caller.
  std::function<void(std::int64_t done, std::int64_t total)> progress = nullptr;
};

struct PersistentOptions {
  Mode mode = Mode::read;                          // of an open: read or read_write
  std::int32_t compression = 0;                    // of tensors that are new in the file: 1 to 9 with gzip
  std::optional<Shape> batch_size = std::nullopt;  // none: what the file says; of a new file []
  std::int64_t max_batch_dims = 0;                 // if all entries have more in common, only so many; 0: all
  Shape chunks = {};                               // sizes of the first dims in which new tensors are stored
  bool shuffle = false;
};

// The name of a format, "memmap directory".
inline std::string_view format_name(Format format) noexcept {
  return detail::view(td_format_name(static_cast<td_format>(format)));
}

// An entry that is to be; `dims` are those after the batch dims.
struct SchemaEntry {
  Key key;
  DType dtype;
  Shape dims = {};
};

enum class Storage : td_storage {
  memory = TD_STORAGE_MEMORY,
  shared = TD_STORAGE_SHARED,  // with forked processes
  memmap = TD_STORAGE_MEMMAP,
  hdf5 = TD_STORAGE_HDF5,
};

struct SchemaOptions {
  Storage storage = Storage::memory;
  std::string path = {};    // of the directory or the file
  std::string device = {};  // of tensors in memory; "": "cpu", and the dict has none
  SaveOptions save = {};    // how the directory or the file is made
};

// The format of what lies at `path`.
inline Format detect_format(std::string_view path) {
  return static_cast<Format>(detail::got<td_format>(td_format_detect, detail::str(path)));
}

// The format that `save` gives a file of this name, by its ending.
inline Format format_of_ending(std::string_view path) {
  return static_cast<Format>(detail::got<td_format>(td_format_of_ending, detail::str(path)));
}

// Reads all of an archive and compares every checksum; or makes them again, after writes with Mode::read_write.
inline void verify_archive(std::string_view path) {
  detail::call(td_archive_verify, detail::str(path));
}
inline void refresh_archive_checksums(std::string_view path) {
  detail::call(td_archive_refresh_checksums, detail::str(path));
}

namespace detail {

class RawSaveOptions {
 public:
  explicit RawSaveOptions(const SaveOptions& options) {
    raw_.overwrite = options.overwrite;
    raw_.sync = options.sync;
    raw_.threads = options.threads;
    raw_.format = static_cast<td_format>(options.format);
    raw_.compression = static_cast<td_compression>(options.compression);
    if (!options.progress) return;
    progress_ = td_progress{sizeof(td_progress), told, keep(options.progress), destroy<Told>};
    raw_.progress = &progress_;
  }
  RawSaveOptions(const RawSaveOptions&) = delete;
  const td_save_options* get() const noexcept { return &raw_; }

 private:
  using Told = std::function<void(std::int64_t, std::int64_t)>;
  static td_status told(void* userdata, std::int64_t done, std::int64_t total, td_error** err) noexcept {
    return guard(err, [&] { (*static_cast<Told*>(userdata))(done, total); });
  }

  td_save_options raw_ = TD_SAVE_OPTIONS_INIT;
  td_progress progress_ = TD_PROGRESS_INIT;
};

inline td_open_options raw(const OpenOptions& options) {
  td_open_options out = TD_OPEN_OPTIONS_INIT;
  out.mode = static_cast<td_open_mode>(options.mode);
  out.format = static_cast<td_format>(options.format);
  out.lenient = options.lenient;
  out.trusted = options.trusted;
  return out;
}

// Points into `options`.
inline td_persistent_options raw(const PersistentOptions& options) {
  static constexpr std::int64_t none = 0;
  td_persistent_options out = TD_PERSISTENT_OPTIONS_INIT;
  out.mode = static_cast<td_open_mode>(options.mode);
  out.compression = options.compression;
  if (options.batch_size) {
    out.batch_size = options.batch_size->empty() ? &none : options.batch_size->data();
    out.ndim = options.batch_size->size();
  }
  out.max_batch_dims = options.max_batch_dims;
  out.chunks = options.chunks.empty() ? nullptr : options.chunks.data();
  out.n_chunks = options.chunks.size();
  out.shuffle = options.shuffle;
  return out;
}

}  // namespace detail
}  // namespace tensordict

#endif
