#include "core/storage/memmap/tensor_file.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>

#include "core/error.h"
#include "core/storage/formats.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/mapped_file.h"
#include "core/storage/staged_file.h"
#include "core/storage/staged_writer.h"
#include "core/system/file.h"
#include "core/tensor/factory.h"
#include "core/tensor/memory.h"
#include "core/tensor/origin.h"
#include "core/tensor/scalar.h"
#include "core/torch_compat.h"

namespace td::storage {

namespace {

LeafType checked_type(at::IntArrayRef sizes, at::ScalarType type) {
  if (sizes.size() > 64) throw Error(Code::shape, "more than 64 dims");
  auto itemsize = static_cast<int64_t>(c10::elementSize(type));
  return {type, Dims(sizes.begin(), sizes.end()), checked_numel(sizes, c10::elementSize(type)) * itemsize};
}

std::string path_for(std::string_view given, const SaveOptions& options) {
  std::string path = checked_path(given);
  if (options.format != Format::automatic && options.format != Format::memmap)
    throw Error(Code::unsupported, std::string("a ") + format_name(options.format) + " is not a file of one tensor")
        .where(path)
        .hint_naming("leave the format to {FORMAT_AUTO}, or save a dict");
  return path;
}

at::Tensor opened(const std::string& path, const LeafType& leaf, Mode mode) {
  MappedFile file(path, mode);
  if (file.size() < leaf.bytes)
    throw Error(Code::corrupt, "the file has " + std::to_string(file.size()) + " bytes, but a tensor of shape " +
                                   to_string(leaf.sizes) + " and dtype " + python_dtype(leaf.dtype) + " needs " +
                                   std::to_string(leaf.bytes))
        .where(path)
        .hint("give the shape and the dtype that the file was made with");
  file.map(leaf.bytes);
  return file.whole(leaf);
}

// `write` gives the file its bytes.
template <class Write>
at::Tensor made(const std::string& path, const LeafType& leaf, const SaveOptions& options, Write write) {
  StagedFile staged(path, options.overwrite);
  write(staged);
  at::Tensor t = opened(staged.path(), leaf, Mode::read_write);  // before all can see it, for this may fail
  staged.publish(options.sync);
  try {
    return opened(path, leaf, Mode::read_write);  // the system calls the file by the name that it was opened by
  } catch (const Error&) {
    return t;
  }
}

// As the kernel writes them into its lists: a new line is the only letter that it replaces.
std::string unescaped(std::string path) {
  for (size_t at = 0; (at = path.find("\\012", at)) != path.npos; ++at) path.replace(at, 4, "\n");
  return path;
}

}  // namespace

at::Tensor full_file(std::string_view given, at::IntArrayRef sizes, const c10::Scalar& value, at::ScalarType type,
                     const SaveOptions& options) {
  constexpr int64_t max_at_once = int64_t{1} << 20;
  std::string path = path_for(given, options);
  LeafType leaf = checked_type(sizes, type);
  auto itemsize = static_cast<int64_t>(c10::elementSize(type));
  at::Tensor block = full({std::min(leaf.bytes / itemsize, max_at_once)}, value, type, "cpu");
  return made(path, leaf, options, [&](const StagedFile& staged) {
    if (is_zero(value)) {
      allocate(staged.file(), leaf.bytes, path);
      if (options.progress) options.progress(leaf.bytes, leaf.bytes);
      return;
    }
    StagedWriter out(staged, leaf.bytes, options);
    for (int64_t left = leaf.bytes / itemsize; left > 0; left -= std::min(left, max_at_once))
      out.write(block.narrow(0, 0, std::min(left, max_at_once)));
    out.finish();
  });
}

at::Tensor save_tensor(const at::Tensor& value, std::string_view given, const SaveOptions& options) {
  std::string path = path_for(given, options);
  LeafType leaf = leaf_type(value, PathView(nullptr, 0));
  return made(path, leaf, options, [&](const StagedFile& staged) {
    StagedWriter out(staged, leaf.bytes, options);
    out.write(dense(value));
    out.finish();
  });
}

at::Tensor open_tensor(std::string_view path, at::ScalarType type, at::IntArrayRef sizes, Mode mode) {
  return opened(checked_path(path), checked_type(sizes, type), mode);
}

std::string file_of(const at::Tensor& t) {
  constexpr std::string_view gone = " (deleted)";
  if (!from_file(t)) return {};
  auto at = reinterpret_cast<uintptr_t>(storage_data(t.storage()));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t from = 0, to = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &from, &to, &path) != 2) continue;
    if (at < from || at >= to || path <= 0) continue;
    std::string found = line.substr(static_cast<size_t>(path));
    bool lost = found.size() > gone.size() && found.compare(found.size() - gone.size(), gone.size(), gone) == 0;
    return lost ? std::string() : unescaped(std::move(found));
  }
  return {};
}

}  // namespace td::storage
