#include "core/storage/formats.h"

#include <array>
#include <string>

#include "core/error.h"

namespace td::storage {

namespace {

struct Facts {
  Format format;
  const char* name;
  std::array<std::string_view, 2> endings;
};

constexpr Facts formats[] = {
    {Format::memmap, "memmap directory", {}},
    {Format::consolidated, "consolidated file", {".td"}},
    {Format::archive, "archive", {".tdz"}},
    {Format::hdf5, "HDF5 file", {".h5", ".hdf5"}},
    {Format::safetensors, "safetensors file", {".safetensors"}},
    {Format::torch_save, "torch.save file", {".pt", ".pth"}},
};

bool ends_with(std::string_view text, std::string_view ending) {
  return !ending.empty() && text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending;
}

Format format_of_ending(std::string_view path) {
  for (const Facts& f : formats)
    for (std::string_view ending : f.endings)
      if (ends_with(path, ending)) return f.format;
  return Format::memmap;
}

}  // namespace

const char* format_name(Format format) {
  for (const Facts& f : formats)
    if (f.format == format) return f.name;
  throw Error(Code::argument, "no such format: " + std::to_string(static_cast<int>(format)));
}

Format format_to_save(std::string_view path, Format given) {
  return given == Format::automatic ? format_of_ending(path) : given;
}

}  // namespace td::storage
