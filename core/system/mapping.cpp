#include "core/system/mapping.h"

#include <cerrno>
#include <fstream>

#include "core/live.h"

namespace td::storage {

namespace {

namespace ipc = boost::interprocess;

// What Boost.Interprocess asks of a mappable object.
struct Mappable {
  int fd;
  ipc::mapping_handle_t get_mapping_handle() const { return ipc::ipcdetail::mapping_handle_from_file_handle(fd); }
};

ipc::mode_t boost_mode(Mapping::Mode mode) {
  if (mode == Mapping::Mode::read) return ipc::read_only;
  return mode == Mapping::Mode::write ? ipc::read_write : ipc::copy_on_write;
}

ipc::mapped_region map(const Fd& file, int64_t size, Mapping::Mode mode, const std::string& where) {
  try {
    return ipc::mapped_region(Mappable{file.get()}, boost_mode(mode), 0, static_cast<size_t>(size));
  } catch (const ipc::interprocess_exception& e) {
    throw_unmapped(e.get_native_error(), size, where);
  }
}

}  // namespace

int64_t mappings_allowed() {
  static const int64_t allowed = [] {
    std::ifstream limit("/proc/sys/vm/max_map_count");
    int64_t n = 0;
    return limit >> n && n > 0 ? n : int64_t{65530};  // the default of Linux
  }();
  return allowed;
}

namespace {

Error with_limit(Error e) {
  return e.hint("a process may have " + std::to_string(mappings_allowed()) +
                " mappings: close other dicts, save in a format of one file, or raise vm.max_map_count with sysctl");
}

}  // namespace

void rethrow_as_out_of_mappings() {
  if (live::count(live::mapping) >= mappings_allowed() / 4 * 3) throw OutOfMappings();
  throw;
}

Error out_of_mappings() {
  return with_limit(Error(Code::oom, "out of memory while many files are mapped"));
}

void throw_unmapped(int error_number, int64_t size, const std::string& where) {
  Error e = os_error(error_number, "map " + std::to_string(size) + " bytes", where);
  if (error_number == ENOMEM) throw with_limit(std::move(e));
  throw e;
}

Mapping::Mapping(const Fd& file, int64_t size, Mode mode, const std::string& where)
    : region_(map(file, size, mode, where)) {
  live::add(live::mapping, 1);
  live::add_mapped_bytes(this->size());
}

Mapping::~Mapping() {
  live::add(live::mapping, -1);
  live::add_mapped_bytes(-size());
}

}  // namespace td::storage
