// What sharing asks of the operating system, in one place. Linux has all of it; elsewhere the calls throw
// Error(unsupported). (Mapping is storage/mapping.h.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/storage/file.h"

namespace td::shm {

// "/dev/shm/NAME"; throws Error(argument) for a bad name.
std::string path_of(std::string_view name);

// Which file stands behind a name, whatever the name says later.
struct Identity {
  uint64_t device = 0, inode = 0;
  bool operator==(const Identity& o) const { return device == o.device && inode == o.inode; }
};
Identity identity(const storage::Fd& file);

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

// Gives the file its name at one stroke; false if that is taken.
bool publish(const storage::Fd& file, const std::string& path);

// Opens a name for reading; an empty Fd if there is none. Refuses what is not a plain file of this user alone.
storage::Fd open_named(const std::string& path);

// Removes the name if it still stands for that file; false if it does not.
bool unlink_if(const std::string& path, const Identity& file);

}  // namespace td::shm
