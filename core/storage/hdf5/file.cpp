#include "core/storage/hdf5/file.h"

#include <fcntl.h>

namespace td::storage::hdf5 {

namespace {

herr_t refuse_link(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) {
  return -1;
}

// The library leaves its descriptor open for programs that this one starts.
void close_on_exec(hid_t file, hid_t access) {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, access, &handle) < 0 || !handle) return;
  int fd = *static_cast<int*>(handle), flags = fcntl(fd, F_GETFD);
  if (flags >= 0) fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
}

}  // namespace

File::File(const std::string& path, How how, DatasetOptions datasets, bool lenient)
    : path_(path), writable_(how != How::read), lenient_(lenient), datasets_(std::move(datasets)) {
  Section section;
  Hid access = opened(H5Pcreate(H5P_FILE_ACCESS), Code::oom, "open", path);
  done(H5Pset_fapl_sec2(access.get()), Code::internal, "open", path);
  links_ = opened(H5Pcreate(H5P_LINK_ACCESS), Code::oom, "open", path);
  done(H5Pset_elink_cb(links_.get(), refuse_link, nullptr), Code::internal, "open", path);
  bool create = how == How::create || how == How::fill;
  if (how == How::fill) done(H5Pset_file_locking(access.get(), false, true), Code::internal, "create", path);
  hid_t id = create
                 ? H5Fcreate(path.c_str(), how == How::fill ? H5F_ACC_TRUNC : H5F_ACC_EXCL, H5P_DEFAULT, access.get())
                 : H5Fopen(path.c_str(), how == How::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR, access.get());
  if (id < 0) {
    Error e = failure(create ? Code::io : Code::corrupt, create ? "create" : "open", path);
    auto says = [&](const char* words) { return e.message().find(words) != std::string::npos; };
    if (says("unable to lock") || says("unavailable") || says("already open"))
      e.hint("another process, or another dict of this one, has the file open to write");
    throw e;
  }
  id_ = id;
  close_on_exec(id_, access.get());
}

File::~File() {
  Section section;
  links_ = Hid();
  if (id_ < 0) return;
  for (hid_t group : groups_) H5Gclose(group);
  H5Fclose(id_);
}

hid_t File::id() const {
  if (id_ < 0) throw Error(Code::closed, "the file is closed").where(path_).hint("open it again");
  return id_;
}

hid_t File::links() const {
  id();
  return links_.get();
}

Hid File::root() const {
  return opened(H5Gopen2(id(), "/", H5P_DEFAULT), Code::corrupt, "open the root", path_);
}

int64_t File::size() const {
  hsize_t size = 0;
  done(H5Fget_filesize(id(), &size), Code::io, "measure the file", path_);
  return static_cast<int64_t>(size);
}

hid_t File::keep(Hid group) {
  groups_.insert(group.get());
  return group.release();
}

void File::drop(hid_t group) noexcept {
  if (groups_.erase(group)) H5Gclose(group);
}

void File::flush() {
  done(H5Fflush(id(), H5F_SCOPE_LOCAL), Code::io, "write the file", path_);
}

void File::close() {
  if (id_ < 0) return;
  if (writable_) flush();
  for (hid_t group : groups_) H5Gclose(group);
  groups_.clear();
  hid_t id = std::exchange(id_, H5I_INVALID_HID);
  done(H5Fclose(id), Code::io, "close", path_);
}

}  // namespace td::storage::hdf5
