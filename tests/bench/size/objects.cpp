#include "tests/bench/size/objects.h"

#include <filesystem>
#include <fstream>

#include <elf.h>
#include <link.h>

namespace bench {

Object object_at(const std::string& path) {
  Object o;
  o.file = static_cast<double>(std::filesystem::file_size(path));
  std::ifstream in(path, std::ios::binary);
  ElfW(Ehdr) head{};
  in.read(reinterpret_cast<char*>(&head), sizeof head);
  for (int i = 0; in && i < head.e_phnum; ++i) {
    ElfW(Phdr) part{};
    in.seekg(static_cast<std::streamoff>(head.e_phoff) + i * static_cast<std::streamoff>(sizeof part));
    in.read(reinterpret_cast<char*>(&part), sizeof part);
    if (part.p_type == PT_LOAD) (part.p_flags & PF_W ? o.writable : o.read_only) += static_cast<double>(part.p_memsz);
  }
  return o;
}

std::vector<std::string> loaded_objects() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        if (std::filesystem::is_regular_file(info->dlpi_name))
          static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

}  // namespace bench
