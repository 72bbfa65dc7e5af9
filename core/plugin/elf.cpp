#include "core/plugin/elf.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <link.h>

#include "core/error.h"

namespace td::plugin {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Dynamic = ElfW(Dyn);

#if defined(__x86_64__)
constexpr int host_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int host_machine = EM_AARCH64;
#else
constexpr int host_machine = 0;  // not compared
#endif

constexpr size_t dynamic_limit = 4096, strings_limit = size_t{1} << 24, section_limit = 256;

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : path_(path), stream_(path, std::ios::binary | std::ios::ate) {
    if (!stream_) throw os_error(errno, "open", path);
    size_ = static_cast<uint64_t>(stream_.tellg());
    char magic[SELFMAG] = {};
    stream_.seekg(0);
    stream_.read(magic, SELFMAG);
    if (!stream_ || std::memcmp(magic, ELFMAG, SELFMAG) != 0) refuse("not a shared library: it is not an ELF file");
    header_ = read<Header>(0, 1)[0];
    const unsigned char* id = header_.e_ident;
    constexpr int host_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    constexpr int host_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    if (id[EI_CLASS] != host_class || id[EI_DATA] != host_order ||
        (host_machine != 0 && header_.e_machine != host_machine))
      refuse("the library was built for another machine (ELF machine " + std::to_string(header_.e_machine) +
             ", class " + std::to_string(id[EI_CLASS]) + "; this process has " + std::to_string(host_machine) +
             " and " + std::to_string(host_class) + ")");
    if (header_.e_type != ET_DYN) refuse("not a shared library, but another kind of ELF file");
    segments_ = read<Segment>(header_.e_phoff, header_.e_phnum);
    check_sections();
  }

  std::vector<std::string> needed() {
    std::vector<uint64_t> names;
    uint64_t table = 0, size = 0;
    for (const Dynamic& d : dynamic()) {
      if (d.d_tag == DT_NULL) break;
      if (d.d_tag == DT_NEEDED) names.push_back(d.d_un.d_val);
      if (d.d_tag == DT_STRTAB) table = d.d_un.d_ptr;
      if (d.d_tag == DT_STRSZ) size = d.d_un.d_val;
    }
    if (names.empty()) return {};
    if (size == 0 || size > strings_limit) refuse("its dynamic strings are missing or too long");
    std::vector<char> strings = read<char>(file_offset(table), size);
    strings.back() = '\0';
    std::vector<std::string> result;
    for (uint64_t name : names) {
      if (name >= size) refuse("a name is outside its dynamic strings");
      result.emplace_back(&strings[name]);
    }
    return result;
  }

  optional<std::string> section_text(std::string_view wanted) {
    std::vector<Section> sections = read<Section>(header_.e_shoff, header_.e_shnum);
    if (sections.empty()) return nullopt;
    const Section& names = sections[header_.e_shstrndx];
    if (names.sh_size == 0 || names.sh_size > strings_limit) refuse("its section names are missing or too long");
    std::vector<char> text = read<char>(names.sh_offset, names.sh_size);
    text.back() = '\0';
    for (const Section& s : sections) {
      if (s.sh_name >= text.size() || wanted != &text[s.sh_name] || s.sh_type == SHT_NOBITS) continue;
      if (s.sh_size > section_limit) refuse("its section " + std::string(wanted) + " is too long");
      std::vector<char> bytes = read<char>(s.sh_offset, s.sh_size);
      bytes.push_back('\0');
      return std::string(bytes.data());
    }
    return nullopt;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw Error(Code::plugin, why).where(path_); }

  bool inside(uint64_t offset, uint64_t bytes) const { return offset <= size_ && bytes <= size_ - offset; }

  template <class T>
  std::vector<T> read(uint64_t offset, uint64_t n) {
    if (n > size_ / sizeof(T) || !inside(offset, n * sizeof(T)))
      refuse("the shared library is truncated: it has " + std::to_string(size_) +
             " bytes, but its tables end after them");
    std::vector<T> items(n);
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(reinterpret_cast<char*>(items.data()), static_cast<std::streamsize>(n * sizeof(T)));
    if (!stream_) refuse("it cannot be read");
    return items;
  }

  // Other readers of the file (boost::dll::library_info) trust the sizes in its sections.
  void check_sections() {
    if (header_.e_shnum > 0 && header_.e_shstrndx >= header_.e_shnum) refuse("its section names are missing");
    for (const Section& s : read<Section>(header_.e_shoff, header_.e_shnum))
      if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL && !inside(s.sh_offset, s.sh_size))
        refuse("a section is outside the file");
  }

  std::vector<Dynamic> dynamic() {
    for (const Segment& s : segments_) {
      if (s.p_type != PT_DYNAMIC) continue;
      uint64_t n = s.p_filesz / sizeof(Dynamic);
      if (n > dynamic_limit) refuse("its dynamic section is too long");
      return read<Dynamic>(s.p_offset, n);
    }
    refuse("it has no dynamic section");
  }

  uint64_t file_offset(uint64_t address) const {
    for (const Segment& s : segments_)
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
        return s.p_offset + (address - s.p_vaddr);
    refuse("its dynamic strings are outside its segments");
  }

  std::string path_;
  std::ifstream stream_;
  uint64_t size_ = 0;
  Header header_{};
  std::vector<Segment> segments_;
};

}  // namespace

std::vector<std::string> needed_libraries(const std::string& file) {
  return ElfFile(file).needed();
}

optional<std::string> section_text(const std::string& file, std::string_view name) {
  return ElfFile(file).section_text(name);
}

}  // namespace td::plugin
