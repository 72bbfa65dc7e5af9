// An open HDF5 file, which all its levels share, and how new datasets in it are laid out.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/dict/node.h"
#include "core/storage/hdf5/library.h"
#include "core/storage/hdf5/options.h"

namespace td::storage::hdf5 {

class File {
 public:
  // `create` fails where something is; `fill` takes an empty file, which its caller has locked.
  enum class How { read, read_write, create, fill };
  File(const std::string& path, How how, DatasetOptions datasets, bool lenient = false);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const { return path_; }
  bool writable() const { return writable_; }
  bool lenient() const { return lenient_; }  // what cannot be read is left out
  const DatasetOptions& datasets() const { return datasets_; }

  // Inside a Section; all throw Error(closed) once it is closed.
  hid_t id() const;
  hid_t links() const;  // for look-ups: no link leads out of the file
  Hid root() const;
  int64_t size() const;   // in bytes
  hid_t keep(Hid group);  // until drop, or until the file is closed
  void drop(hid_t group) noexcept;
  void flush();
  void close();

 private:
  std::string path_;
  bool writable_, lenient_;
  DatasetOptions datasets_;
  Hid links_;
  hid_t id_ = H5I_INVALID_HID;
  std::set<hid_t> groups_;
};
using FilePtr = std::shared_ptr<File>;

}  // namespace td::storage::hdf5
