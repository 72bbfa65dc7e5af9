#include "core/storage/hdf5.h"
#include "core/dict/any_node.h"

#include <sys/stat.h>

#include "core/dict/data/plain.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/storage/hdf5/group.h"
#include "core/storage/hdf5/tree.h"
#include "core/storage/staged_file.h"
#include "core/storage/storage.h"

namespace td::storage {

namespace {

using hdf5::File;
using hdf5::Section;

// As Python does; what is dense of one would come back as something else.
void refuse_nested(const Node& node, const Path& path) {
  if (node.python_class() && node.python_class()->name == nested_tensor)
    throw Error(Code::unsupported, "the format cannot hold nested tensors")
        .key(path.size() ? to_string(path) : "")
        .hint("a consolidated file holds them");
  if (node.each_member([&](const NodePtr& m, size_t) { refuse_nested(*m, path); }) || !node.lends()) return;
  node.visit(Detail::shape, [&](const Key& key, const Entry& e) {
    if (e.is_node()) refuse_nested(*e.node(), path + key);
  });
}

NodePtr opened_root(const hdf5::FilePtr& file, const Persistent::Batch& batch) {
  StorePtr root;
  {
    Section section;
    root = std::make_shared<hdf5::Group>(file, file->root(), 1);
  }
  return Persistent::make(std::move(root), batch);
}

bool is_hdf5(const std::string& path, const struct stat& s) {
  if (!S_ISREG(s.st_mode)) return false;
  try {
    return format_of(path) == Format::hdf5;
  } catch (const Error& e) {
    if (e.code() != Code::corrupt) throw;  // of no format that is known
    return false;
  }
}

void check_target(const std::string& path, bool overwrite) {
  struct stat s;
  if (lstat(path.c_str(), &s) != 0) return;
  if (!overwrite)
    throw Error(Code::exists, "something exists at this path").where(path).hint("choose another path, or overwrite");
  if (!is_hdf5(path, s))
    throw Error(Code::exists, "this path holds something that is not an earlier save")
        .where(path)
        .hint("overwrite replaces HDF5 files only; remove it yourself, or choose another path");
}

}  // namespace

bool has_hdf5() {
  return true;
}

NodePtr open_hdf5(const std::string& path, const Hdf5Options& options) {
  if (format_of(path) != Format::hdf5) throw Error(Code::corrupt, "it is not an HDF5 file").where(path);
  auto file = std::make_shared<File>(path, options.write ? File::How::read_write : File::How::read, options.datasets,
                                     options.lenient);
  return opened_root(file, {options.batch, options.batch_dims, true});
}

NodePtr open_hdf5(const std::string& path, const OpenOptions& options) {
  Hdf5Options how;
  how.write = options.mode == Mode::read_write;
  how.lenient = options.lenient;
  NodePtr node = open_hdf5(path, how);
  return options.mode == Mode::copy_on_write ? plain_copy(*node) : node;
}

void save_hdf5(const Node& given, const std::string& path, const SaveOptions& options) {
  if (options.compression == Compression::lzma)
    throw Error(Code::unsupported, "HDF5 files are compressed with deflate, and not with lzma").where(path);
  check_target(path, options.overwrite);
  refuse_nested(given, Path());
  if (has_unbatched(given)) warn_saved_as_ordinary();
  NodePtr node = has_lazy(given) || has_persistent(given) ? plain_copy(given) : dense(given);
  StagedFile staged(path, options.overwrite);
  check_size_limit(node->nbytes(), path);  // libhdf5 writes by itself
  hdf5::DatasetOptions datasets;
  if (options.compression == Compression::deflate) datasets.compression = 6;
  {
    File file(staged.path(), File::How::fill, datasets);
    Section section;
    int64_t total = node->nbytes(), written = 0;
    hdf5::write_entries(file.root().get(), *node, file, Path(), [&](int64_t bytes) {
      written += bytes;
      if (options.progress) section.outside([&] { options.progress(written, total); });
    });
    file.close();
  }
  staged.publish(options.sync);
}

NodePtr create_hdf5(const std::string& path, const Hdf5Options& options) {
  check_target(path, false);
  auto file = std::make_shared<File>(path, File::How::create, options.datasets);
  Dims batch = options.batch.value_or(Dims());
  {
    Section section;
    hdf5::write_labels(file->root().get(), {batch, {}}, path);
    file->flush();
  }
  return opened_root(file, {batch, SIZE_MAX, true});
}

}  // namespace td::storage
