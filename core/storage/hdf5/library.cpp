#include "core/storage/hdf5/library.h"

#include <cstdlib>
#include <cstring>

namespace td::storage::hdf5 {

namespace {

ProcessMutex library_mutex;

// The innermost entry comes first, and tells most.
herr_t keep_first(unsigned n, const H5E_error2_t* entry, void* out) {
  if (n == 0 && entry->desc) try {
      *static_cast<std::string*>(out) = entry->desc;
    } catch (...) {
      return -1;
    }
  return 0;
}

}  // namespace

Section::Section() : lock_(library_mutex) {
  silence();
}

Section::~Section() {
  restore();
}

Section::Outside::Outside(Section& section) : section_(section) {
  section_.restore();
  depth_ = library_mutex.give_up();
}

Section::Outside::~Outside() {
  library_mutex.take_back(depth_);
  section_.silence();
}

void Section::silence() {
  unsigned new_style = 1;
  H5Eauto_is_v2(H5E_DEFAULT, &new_style);
  old_style_ = new_style == 0;
  if (old_style_) {
    H5Eget_auto1(&print1_, &data_);
    H5Eset_auto1(nullptr, nullptr);
  } else {
    H5Eget_auto2(H5E_DEFAULT, &print2_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
}

void Section::restore() {
  if (old_style_)
    H5Eset_auto1(print1_, data_);
  else
    H5Eset_auto2(H5E_DEFAULT, print2_, data_);
}

Hid::~Hid() {
  if (id_ >= 0) H5Idec_ref(id_);
}

Error failure(Code code, const std::string& action, const std::string& file) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  constexpr const char* says_errno = "errno = ";
  if (size_t at = reason.find(says_errno); at != std::string::npos)
    if (int number = std::atoi(reason.c_str() + at + std::strlen(says_errno)); number > 0)
      return os_error(number, action, file);
  return Error(code, action + ": " + (reason.empty() ? "HDF5 gives no reason" : reason)).where(file);
}

Hid opened(hid_t id, Code code, const char* action, const std::string& file) {
  if (id < 0) throw failure(code, action, file);
  return Hid(id);
}

void done(herr_t status, Code code, const char* action, const std::string& file) {
  if (status < 0) throw failure(code, action, file);
}

}  // namespace td::storage::hdf5
