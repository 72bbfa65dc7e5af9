// In place of the folder hdf5, where libhdf5 is missing.
#include "core/error.h"
#include "core/storage/hdf5.h"

namespace td::storage {

namespace {

[[noreturn]] void no_hdf5(const std::string& path) {
  throw Error(Code::unsupported, "this build cannot read or write HDF5 files")
      .where(path)
      .hint("install libhdf5 with its headers (libhdf5-dev) and build the library again");
}

}  // namespace

bool has_hdf5() {
  return false;
}

NodePtr open_hdf5(const std::string& path, const OpenOptions&) {
  no_hdf5(path);
}

NodePtr open_hdf5(const std::string& path, const Hdf5Options&) {
  no_hdf5(path);
}

void save_hdf5(const Node&, const std::string& path, const SaveOptions&) {
  no_hdf5(path);
}

NodePtr create_hdf5(const std::string& path, const Hdf5Options&) {
  no_hdf5(path);
}

}  // namespace td::storage
