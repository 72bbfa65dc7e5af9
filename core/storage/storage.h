// Dicts on disk: one interface for all formats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/dict/node.h"

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

// Recognises the format by what lies at `path`, unless one is given. HDF5 must be given, or the file be trusted.
NodePtr open(std::string_view path, const OpenOptions& options);

// The format is that given, or that of the ending of `path`: .tdz, .h5 .hdf5, .safetensors, .td; else a directory. That
// of .pt .pth is not written: Error(unsupported).
void save(const Node& node, std::string_view path, const SaveOptions& options);

// Throws Error(not_found), or Error(corrupt) if nothing is recognised.
Format format_of(std::string_view path);

const char* format_name(Format format);  // "memmap directory"

}  // namespace td::storage
