// The calls of the operating system that sharing needs, in one place. Linux has all of them; elsewhere they throw
// Error(unsupported). (Mapping is system/mapping.h.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/file.h"

namespace td::shm {

constexpr const char* shared_directory = "/dev/shm";

// "/dev/shm/NAME"; throws Error(argument) for a bad name.
std::string path_of(std::string_view name);

// Identifies the file that a name refers to, whatever the name refers to later.
struct Identity {
  uint64_t device = 0, inode = 0;
  bool operator==(const Identity& o) const { return device == o.device && inode == o.inode; }
};
Identity identity(int file);
inline Identity identity(const storage::Fd& file) {
  return identity(file.get());
}

// A process, also after its number was given to another.
struct Process {
  uint64_t pid = 0, start = 0;
};
Process this_process();
bool alive(const Process& p);

// A new file without a name, of `size` bytes that are really there, for this user only.
storage::Fd make_unnamed(int64_t size, const std::string& path);

// True if anything at all has this name.
bool taken(const std::string& path);

// Gives the file its name atomically; false if that is taken.
bool publish(int file, const std::string& path);

// Opens a name for reading; an empty Fd if there is none. Refuses what is not a plain file of this user alone.
storage::Fd open_named(const std::string& path);
// The same, for reading and writing.
storage::Fd open_shared(const std::string& path);

// False if the file has no name any more.
bool named(int file);

// A file without any name, in memory, that can be sealed.
storage::Fd make_memory(int64_t size, const std::string& where);
// Makes the memory read-only for all processes; no mapping for writing may be left.
void seal(const storage::Fd& file, const std::string& where);
// Throws Error(argument) unless `fd` is a sealed file of memory; the result is a descriptor of its own.
storage::Fd open_sealed(int fd, const std::string& where);

// Names in the directory of segments that begin with `prefix`.
std::vector<std::string> names_with(std::string_view prefix);

// Asks for large pages, where the system gives them on request.
void prefer_large_pages(void* memory, int64_t size);
void populate(const void* memory, int64_t size, const std::string& where);  // maps all its pages

// Unpredictable random bytes.
void random_bytes(void* to, size_t size);

// Removes the name if it still stands for that file; false if it does not.
bool unlink_if(const std::string& path, const Identity& file);

}  // namespace td::shm
