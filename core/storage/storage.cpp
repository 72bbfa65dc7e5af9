#include "core/storage/storage.h"

#include <cerrno>

#include <sys/stat.h>

#include "core/error.h"
#include "core/storage/file.h"
#include "core/storage/memmap.h"

namespace td::storage {

NodePtr open(std::string_view given, Mode mode) {
  std::string path = checked_path(given);
  struct stat s;
  if (stat(path.c_str(), &s) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) throw Error(Code::not_found, "there is no such directory").where(path);
    throw os_error(errno, "stat", path);
  }
  if (!S_ISDIR(s.st_mode))
    throw Error(Code::unsupported, "it is not a directory")
        .where(path)
        .hint("this version opens memmap directories: save with TensorDict.memmap(path) or td_save");
  return open_memmap(path, mode);
}

void save(const Node& node, std::string_view path, const SaveOptions& options) {
  save_memmap(node, checked_path(path), options);
}

}  // namespace td::storage
