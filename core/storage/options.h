// How dicts are opened and saved, whatever the format.
#pragma once

#include <cstdint>
#include <functional>

#include "core/dict/key.h"
#include "core/torch_compat.h"

namespace td::storage {

// read_write maps the file itself: what is written to a tensor is in the file at once, for every process.
enum class Mode { read, copy_on_write, read_write };

enum class Format { automatic, memmap, consolidated, archive, hdf5, safetensors, torch_save };

enum class Compression { none, deflate, lzma };

struct OpenOptions {
  Mode mode = Mode::read;
  Format format = Format::automatic;
  bool lenient = false;  // what the original tolerates, as far as that is safe
  bool trusted = false;  // its maker is: formats whose library believes what it reads are recognised, too
  Path part = {};        // the dict at this key, of a directory or an archive; empty: all
};

// Told how many bytes of all that are to be written lie in the file, on the thread that saves; throws to give up.
using Progress = std::function<void(int64_t done, int64_t total)>;

struct SaveOptions {
  bool overwrite = false;
  bool sync = false;
  size_t threads = 1;
  Progress progress = nullptr;
  Format format = Format::automatic;
  Compression compression = Compression::none;
};

}  // namespace td::storage
