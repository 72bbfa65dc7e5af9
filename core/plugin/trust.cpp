#include "core/plugin/trust.h"

#include <cerrno>

#include <string>
#include <vector>

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#include <boost/dll/runtime_symbol_info.hpp>

#include "core/error.h"
#include "core/plugin/elf.h"
#include "core/system/private_group.h"
#include "core/torch_compat.h"

namespace td::plugin {

namespace {

namespace fs = std::filesystem;

struct stat look_up(const fs::path& path) {
  struct stat s;
  if (::stat(path.c_str(), &s) != 0) throw os_error(errno, "stat", path.string());
  return s;
}

uid_t owner_of_this_library() {
  std::error_code failed;
  struct stat s;
  fs::path self = boost::dll::this_line_location(failed);
  return !failed && ::stat(self.c_str(), &s) == 0 ? s.st_uid : ::geteuid();
}

bool trusted_owner(const struct stat& s) {
  static const uid_t library = owner_of_this_library();
  return s.st_uid == 0 || s.st_uid == ::geteuid() || s.st_uid == library;
}

[[noreturn]] void refuse(const std::string& why, const fs::path& file, const char* hint) {
  throw Error(Code::plugin, why).where(file.string()).hint(hint);
}

// Refuses what other users may write. Every group counts but one that is this user's alone: who is in it cannot be
// known for sure, and where a file has an access control list the group's bits say what the users named there may do at
// most.
void check_writers(const struct stat& s, const fs::path& path, const std::string& which, const fs::path& file,
                   const char* hint) {
  if (s.st_mode & S_IWOTH) refuse("other users may write to " + which, file, hint);
  if ((s.st_mode & S_IWGRP) && !only_this_user(s, path))
    refuse("a group, or others in its access control list, may write to " + which, file, hint);
}

// In a directory like /tmp, whose sticky bit is set, names belong to those who made them.
void check_directory(const fs::path& directory, const fs::path& file) {
  struct stat s = look_up(directory);
  std::string which =
      directory == file.parent_path() ? "its directory" : "the directory '" + directory.string() + "' above it";
  if (!(s.st_mode & S_ISVTX)) check_writers(s, directory, which, file, "chmod go-w the directory");
  if (!trusted_owner(s)) refuse("another user owns " + which, file, "copy the file elsewhere");
}

// Two LibTorch in one process crash it, so one that is not the host's own must not even be opened.
void check_libtorch(const fs::path& file, const std::vector<std::string>& libraries) {
  optional<std::string> built = section_text(file.string(), "td_libtorch");
  if (built && *built != TORCH_VERSION)
    throw Error(Code::version,
                "the plugin was built with LibTorch " + *built + ", but this library with " TORCH_VERSION)
        .hint("build the plugin with the LibTorch that this library uses");
  for (const std::string& library : libraries) {
    if (library.rfind("libtorch", 0) != 0 && library.rfind("libc10", 0) != 0) continue;
    if (!built)
      throw Error(Code::plugin, "it links " + library)
          .hint(
              "a plugin links no LibTorch, but calls operators through td_host; see TD_PLUGIN_LIBTORCH for those that "
              "must");
    void* loaded = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!loaded)
      throw Error(Code::version, "it links " + library + ", which is not part of the LibTorch in this process")
          .hint("build the plugin with the LibTorch that this library uses");
    ::dlclose(loaded);
  }
}

}  // namespace

FileId check_trusted(const fs::path& file) {
  struct stat self = look_up(file);
  if (!S_ISREG(self.st_mode)) refuse("not a regular file", file, "");
  check_writers(self, file, "the file", file, "chmod go-w the file");
  if (!trusted_owner(self)) refuse("another user owns the file", file, "copy it elsewhere");
  for (fs::path d = file.parent_path();; d = d.parent_path()) {
    check_directory(d, file);
    if (d == d.parent_path()) break;
  }
  return {self.st_dev, self.st_ino};
}

bool is_set_id_process() {
#if defined(AT_SECURE)
  if (::getauxval(AT_SECURE) != 0) return true;
#endif
  return ::getuid() != ::geteuid() || ::getgid() != ::getegid();
}

void check_libraries(const fs::path& file) {
  std::vector<std::string> libraries = needed_libraries(file.string());
  for (const std::string& library : libraries)
    for (const char* refused : {"libgomp", "libomp", "libiomp"})
      if (library.rfind(refused, 0) == 0)
        throw Error(Code::plugin, "it links " + library).hint("a plugin must use td_host.parallel_for for threads");
  check_libtorch(file, libraries);
}

}  // namespace td::plugin
